import { shallowEqual } from '@mantine/hooks'
import { FlexRender, type Row, rowSelectionFeature, tableFeatures } from '@tanstack/react-table'
import type { TFunction } from 'i18next'
import { createContext, memo, type ReactNode } from 'react'
import { formatNumber } from '../format/number.ts'
import { Value } from './value.tsx'

/** How the cells of a column look. */
export interface CellLook {
  readonly isNumeric?: boolean
  /** Stays in view when the others are scrolled sideways; only the first. */
  readonly isPinned?: boolean
}

export const features = tableFeatures({ rowSelectionFeature })

/** The place in the list of the row that a cell is in. */
export const RowIndex = createContext(0)

export const classOf = ({ isNumeric, isPinned }: CellLook) => (isNumeric ? 'numeric' : isPinned ? 'pinned' : undefined)

interface DataRowProps<T extends object> {
  /** undefined while its page is loading. */
  readonly row: Row<typeof features, T> | undefined
  readonly index: number
  /** Pixels from the top of the list. */
  readonly start: number
  readonly columns: readonly CellLook[]
  readonly tracks: string
  readonly height: number
  readonly isActive: boolean
  /** null: rows cannot be selected. */
  readonly isSelected: boolean | null
  readonly t: TFunction<'states'>
}

/** Another page makes other row objects of the same items. */
function isSameRow<T extends object>({ row, ...props }: DataRowProps<T>, { row: next, ...nextProps }: DataRowProps<T>) {
  return row?.original === next?.original && shallowEqual(props, nextProps)
}

/** Rendered once while it is in view: scrolling renders only the rows that enter. */
export const DataRow = memo(function DataRow<T extends object>(props: DataRowProps<T>) {
  const { row, index, start, columns, tracks, height, isActive, isSelected, t } = props
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      {...(isSelected === null ? {} : { 'aria-selected': isSelected })}
      data-active={isActive}
      style={{
        gridTemplateColumns: tracks,
        height,
        position: 'absolute',
        insetInline: 0,
        transform: `translateY(${start}px)`,
      }}
    >
      {row === undefined ? (
        <div role="cell">
          <Value>…</Value>
        </div>
      ) : (
        <RowIndex value={index}>
          {isSelected !== null && (
            <div role="cell" className={columns[0]?.isPinned ? 'pinned' : undefined}>
              {/* Plain: that of Mantine takes as long to render as the rest of the row. */}
              <input
                type="checkbox"
                aria-label={t('selectRow', { row: formatNumber(index + 1) })}
                checked={isSelected}
                onChange={row.getToggleSelectedHandler()}
              />
            </div>
          )}
          {row.getAllCells().map((cell, position) => (
            <div key={cell.id} role="cell" className={classOf(columns[position] ?? {})}>
              <FlexRender cell={cell} />
            </div>
          ))}
        </RowIndex>
      )}
    </div>
  )
}, isSameRow) as <T extends object>(props: DataRowProps<T>) => ReactNode
