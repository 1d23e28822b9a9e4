import { type BoxProps, Table, type TableProps, type TableTrProps } from '@mantine/core'
import type { ComponentProps, Key, ReactNode } from 'react'

type Look = Pick<BoxProps, 'className' | 'fw' | 'maw' | 'miw' | 'style' | 'ta'>

/** The columns of `lists/columns.tsx` are such ones too; their widths are not used. */
export interface PlainColumn<T> {
  readonly header: ReactNode
  readonly cell: (item: T) => ReactNode
  readonly isNumeric?: boolean
  readonly isRowHeader?: boolean
  /** Of its cells. */
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

/** A table of a few items, which are all in the document. */
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
  const { label, columns, items, idOf, rowOf, box, foot, children, ...table } = props
  const shown = columns.filter((column) => column !== false)
  return (
    <div className="plain-table" role="region" aria-label={label} tabIndex={0} {...box}>
      <Table verticalSpacing={6} {...table}>
        {children}
        <Table.Thead>
          <Table.Tr>
            {shown.map(({ header, isNumeric }, index) => (
              <Table.Th key={index} scope="col" {...endOf(isNumeric)}>
                {header}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {items.map((item) => (
            <Table.Tr key={idOf(item)} {...rowOf?.(item)}>
              {shown.map(({ cell, isNumeric, isRowHeader, look }, index) => {
                // A sign does not stand on another line than its number.
                const cellProps = {
                  ...(isNumeric ? { ta: 'end' as const, className: 'nowrap' } : {}),
                  ...(typeof look === 'function' ? look(item) : look),
                }
                return isRowHeader ? (
                  <Table.Th key={index} scope="row" {...cellProps}>
                    {cell(item)}
                  </Table.Th>
                ) : (
                  <Table.Td key={index} {...cellProps}>
                    {cell(item)}
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

const endOf = (isNumeric = false) => (isNumeric ? { ta: 'end' as const } : {})
