import { type BoxProps, Table, type TableProps, type TableTrProps } from '@mantine/core'
import { type ComponentProps, type Key, type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { useIsNarrow } from './use-is-narrow.ts'
import { usePrinting } from './use-printing.ts'

type Look = Pick<BoxProps, 'className' | 'fw' | 'maw' | 'miw' | 'style' | 'ta'>

/** The columns of `lists/columns.tsx` are such ones too; their widths are not used. */
export interface PlainColumn<T> {
  readonly header: ReactNode
  readonly cell: (item: T) => ReactNode
  readonly isNumeric?: boolean
  readonly isRowHeader?: boolean
  /** The look of its cells. */
  readonly look?: Look | ((item: T) => Look) | undefined
}

export const plain = <T,>(
  header: ReactNode,
  cell: PlainColumn<T>['cell'],
  look?: PlainColumn<T>['look'],
): PlainColumn<T> => ({ header, cell, look })

export const numeric = <T,>(header: ReactNode, cell: PlainColumn<T>['cell']): PlainColumn<T> => ({
  header,
  cell,
  isNumeric: true,
})

export const rowHeader = <T,>(
  header: ReactNode,
  cell: PlainColumn<T>['cell'],
  look: Look = { fw: 400 },
): PlainColumn<T> => ({ header, cell, look, isRowHeader: true })

/** Attributes of a row whose cells are of several lines. */
export const topAligned = () => ({ style: { verticalAlign: 'top' } })

/**
 * A table of a few items, which are all in the document. On a telephone, where it is wider than the window, each row is a card: headings and values
 * one below the other, under what the row is about.
 */
export function PlainTable<T>(
  props: TableProps & {
    readonly label: string
    readonly columns: readonly (PlainColumn<T> | false)[]
    readonly items: readonly T[]
    readonly idOf: (item: T) => Key
    readonly rowOf?: (item: T) => TableTrProps & { readonly [data: `data-${string}`]: unknown }
    /** Attributes of the box that it scrolls in. */
    readonly box?: ComponentProps<'div'>
    /** The caption. */
    readonly children?: ReactNode
    readonly foot?: ReactNode
  },
) {
  const { label, columns, items, idOf, rowOf, box, foot, children, miw, ...table } = props
  const shown = columns.filter((column) => column !== false)
  const frame = useRef<HTMLDivElement>(null)
  const isCards = useIsTooWide(frame)
  // What is no table to the layout is one to assistive technology.
  const roleOf = (role: string) => (isCards ? { role } : {})
  return (
    <div
      className="plain-table"
      role="region"
      aria-label={label}
      tabIndex={0}
      {...box}
      ref={frame}
      data-cards={isCards}
    >
      <Table verticalSpacing={6} {...table} {...(isCards || miw === undefined ? {} : { miw })} {...roleOf('table')}>
        {children}
        <Table.Thead {...roleOf('rowgroup')}>
          <Table.Tr {...roleOf('row')}>
            {shown.map(({ header, isNumeric }, index) => (
              <Table.Th key={index} scope="col" {...endOf(isNumeric)} {...roleOf('columnheader')}>
                {header}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody {...roleOf('rowgroup')}>
          {items.map((item) => (
            <Table.Tr key={idOf(item)} {...rowOf?.(item)} {...roleOf('row')}>
              {shown.map(({ header, cell, isNumeric, isRowHeader, look }, index) => {
                // A sign does not stand on another line than its number.
                const cellProps = {
                  ...(isNumeric ? { ta: 'end' as const, className: 'nowrap' } : {}),
                  ...(typeof look === 'function' ? look(item) : look),
                }
                const isNamed = isCards && index > 0 && typeof header === 'string' && header !== ''
                const content = isNamed ? (
                  <>
                    <span className="cell-name" aria-hidden>
                      {header}
                    </span>
                    <div className="cell-value">{cell(item)}</div>
                  </>
                ) : (
                  cell(item)
                )
                return isRowHeader ? (
                  <Table.Th key={index} scope="row" {...cellProps} {...roleOf('rowheader')}>
                    {content}
                  </Table.Th>
                ) : (
                  <Table.Td key={index} {...cellProps} {...roleOf('cell')}>
                    {content}
                  </Table.Td>
                )
              })}
            </Table.Tr>
          ))}
        </Table.Tbody>
        {foot}
      </Table>
    </div>
  )
}

/** Whether the window is narrow, and what is in the frame was found wider than it. */
function useIsTooWide(frame: RefObject<HTMLDivElement | null>): boolean {
  const isNarrow = useIsNarrow()
  const isPrinting = usePrinting()
  const [isTooWide, setTooWide] = useState(false)
  // oxlint-disable-next-line react/exhaustive-deps -- of each rendering: another item may be the one that is too wide
  useLayoutEffect(() => {
    const { scrollWidth = 0, clientWidth = 0 } = frame.current ?? {}
    if (isNarrow && scrollWidth > clientWidth) setTooWide(true)
  })
  return isTooWide && isNarrow && !isPrinting
}

const endOf = (isNumeric = false) => (isNumeric ? { ta: 'end' as const } : {})
