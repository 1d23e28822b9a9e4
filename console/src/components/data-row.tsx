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
  /** Where it stands on a card, on narrow screens; the first column is the title unless another is, the others are lines below it. */
  readonly inCard?: 'title' | 'side'
  /** The cell says too little without the header. */
  readonly isLabeled?: boolean
}

/** The height of a card, in pixels. */
export const cardPixels = 84

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
  readonly columns: readonly (CellLook & { readonly header: string })[]
  readonly isCard: boolean
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
  const { row, index, start, columns, tracks, height, isCard, isActive, isSelected, t } = props
  const cells = row?.getAllCells().map((cell, position) => ({ cell, column: columns[position] })) ?? []
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      {...(isSelected === null ? {} : { 'aria-selected': isSelected })}
      data-active={isActive}
      className={isCard ? 'card' : undefined}
      style={{
        ...(isCard ? {} : { gridTemplateColumns: tracks }),
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
          {isCard ? (
            <Card cells={cells} />
          ) : (
            cells.map(({ cell, column }) => (
              <div key={cell.id} role="cell" className={classOf(column ?? {})}>
                <FlexRender cell={cell} />
              </div>
            ))
          )}
        </RowIndex>
      )}
    </div>
  )
}, isSameRow) as <T extends object>(props: DataRowProps<T>) => ReactNode

interface CardCell<T extends object> {
  readonly cell: ReturnType<Row<typeof features, T>['getAllCells']>[number]
  readonly column: (CellLook & { readonly header: string }) | undefined
}

/** The cells of a row one below the other: what it is about, what else there is to know, and its state at the side. */
function Card<T extends object>({ cells }: { readonly cells: readonly CardCell<T>[] }) {
  const title = cells.find(({ column }) => column?.inCard === 'title') ?? cells[0]
  const sides = cells.filter((one) => one !== title && one.column?.inCard === 'side')
  const lines = cells.filter((one) => one !== title && one.column?.inCard !== 'side')
  return (
    <>
      <div className="card-text" role="presentation">
        {title !== undefined && (
          <div role="cell" className="card-title">
            <FlexRender cell={title.cell} />
          </div>
        )}
        <div className="card-lines" role="presentation">
          {lines.map(({ cell, column }) => (
            <div key={cell.id} role="cell">
              {column?.isLabeled && <span className="card-label">{column.header} </span>}
              <FlexRender cell={cell} />
            </div>
          ))}
        </div>
      </div>
      <div className="card-side" role="presentation">
        {sides.map(({ cell }) => (
          <div key={cell.id} role="cell">
            <FlexRender cell={cell} />
          </div>
        ))}
      </div>
    </>
  )
}
