import { Checkbox, Text, UnstyledButton } from '@mantine/core'
import { createColumnHelper, type RowSelectionState, useTable } from '@tanstack/react-table'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type MouseEvent, type ReactNode, useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { PagedList } from '../api/use-paged-list.ts'
import { formatNumber } from '../format/number.ts'
import { ColumnHandle } from './column-handle.tsx'
import { cardPixels, type CellLook, classOf, DataRow, features } from './data-row.tsx'
import { Empty, ErrorState, Loading } from './state-view.tsx'
import { Value } from './value.tsx'
import { useIsNarrow } from './use-is-narrow.ts'
import { usePrinting } from './use-printing.ts'

export interface Column<T> extends CellLook {
  readonly id: string
  readonly header: string
  /** The header is data, such as the name of a column of a file, and is not translated. */
  readonly isHeaderData?: boolean
  /** A track of CSS grid: `8rem`, `minmax(10rem, 1fr)`. */
  readonly width: string
  /** The list can be ordered by it, and whether it is. */
  readonly sort?: { readonly isOn: boolean; readonly isDescending?: boolean; readonly onSort: () => void }
  readonly cell: (item: T) => ReactNode
}

export interface DataTableProps<T> {
  /** What the rows are, for assistive technology. */
  readonly label: string
  readonly columns: readonly Column<T>[]
  readonly list: PagedList<T>
  readonly idOf: (item: T) => string
  /** With these, rows can be selected. */
  readonly selected?: ReadonlySet<string>
  readonly onSelect?: (ids: ReadonlySet<string>) => void
  /** The index of the row that the keyboard is on; the table scrolls to it. */
  readonly active?: number | null
  readonly onActivate?: (index: number) => void
  readonly onOpen?: (item: T) => void
  /** Instead of the general text for a list without items. */
  readonly empty?: ReactNode
  /** Instead of that text in its frame. */
  readonly emptyView?: ReactNode
  readonly maxHeight?: string
  /** With this, columns can be widened. */
  readonly onResize?: (id: string, pixels: number) => void
  /** Smaller type. */
  readonly isDense?: boolean
  /** What the rows are, in their count. */
  readonly unit?: 'items' | 'movements' | 'requests' | 'people' | 'companies' | 'invoices' | 'lines'
}

const rowPixels = 32

/** A list of any length: only the rows in view are in the document and loaded from the service. */
export function DataTable<T extends object>(props: DataTableProps<T>) {
  const {
    label,
    columns,
    list,
    idOf,
    selected,
    onSelect,
    active = null,
    onActivate,
    onOpen,
    maxHeight,
    onResize,
    isDense = false,
  } = props
  // On paper there is room for columns.
  const isPrinting = usePrinting()
  const isCards = useIsNarrow() && !isPrinting
  const rowHeight = isCards ? cardPixels : rowPixels
  const { t } = useTranslation('states')
  const scroller = useRef<HTMLDivElement>(null)
  const total = list.total ?? 0
  const virtualizer = useVirtualizer({
    count: total,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 4,
    // An empty list has no element that scrolls: the next one starts at its top, not where the former one was.
    enabled: total > 0,
  })
  const inView = virtualizer.getVirtualItems()
  const [first, last] = [inView[0]?.index ?? 0, inView.at(-1)?.index ?? 0]
  // On paper nothing scrolls: all rows that are loaded.
  const indexes = isPrinting ? Array.from({ length: total }, (_, index) => index) : []
  const printed = indexes.filter((index) => list.at(index) !== undefined)
  const rows = isPrinting ? printed.map((index, place) => ({ index, start: place * rowHeight })) : inView
  const { show, key } = list
  useLayoutEffect(() => virtualizer.scrollToOffset(0), [key, virtualizer])
  useLayoutEffect(() => virtualizer.measure(), [rowHeight, virtualizer])
  useEffect(() => show(first, last), [show, first, last])
  useEffect(() => {
    if (active !== null) virtualizer.scrollToIndex(active, { align: 'auto' })
  }, [active, virtualizer])
  const definitions = useMemo(() => {
    const helper = createColumnHelper<typeof features, T>()
    return columns.map(({ id, header, cell }) => helper.display({ id, header, cell: ({ row }) => cell(row.original) }))
  }, [columns])
  const rowSelection: RowSelectionState = Object.fromEntries([...(selected ?? [])].map((id) => [id, true as const]))
  const isSelectable = selected !== undefined && onSelect !== undefined
  const table = useTable({
    features,
    columns: definitions,
    data: list.loaded,
    getRowId: idOf,
    enableRowSelection: isSelectable,
    state: { rowSelection },
    onRowSelectionChange: (change) => {
      onSelect?.(new Set(Object.keys(typeof change === 'function' ? change(rowSelection) : change)))
    },
  })
  const isEverySelected = (selected?.size ?? 0) >= total
  const isAllSelected = isEverySelected || table.getIsAllRowsSelected()
  const byId = new Map(table.getRowModel().rows.map((row) => [row.id, row]))
  const indexOf = (event: { readonly target: EventTarget }) => {
    const row = (event.target as Element).closest('[aria-rowindex]')
    return row === null ? null : Number(row.getAttribute('aria-rowindex')) - 2
  }
  const activate = (event: MouseEvent) => {
    const index = indexOf(event)
    if (index !== null) onActivate?.(index)
  }
  const open = (event: MouseEvent) => {
    const item = list.at(indexOf(event) ?? -1)
    if (item !== undefined) onOpen?.(item)
  }
  const tracks = [...(isSelectable ? ['2.75rem'] : []), ...columns.map(({ width }) => width)].join(' ')

  if (list.total === null) {
    return list.error === null ? <Loading /> : <ErrorState error={list.error} onRetry={() => list.reload()} />
  }
  return (
    <>
      {list.error !== null && <ErrorState error={list.error} onRetry={() => list.reload()} />}
      <Text className="row-count" size="sm" c="dimmed" aria-live="polite" mb={4}>
        {t(`rows.${props.unit ?? 'items'}`, { count: total, formatted: formatNumber(total) })}
      </Text>
      {total === 0 ? (
        (props.emptyView ?? <Empty>{props.empty}</Empty>)
      ) : (
        <div
          ref={scroller}
          className="data-table"
          data-dense={isDense}
          data-cards={isCards}
          style={{ maxHeight: maxHeight ?? '70vh' }}
          aria-busy={list.isStale}
          tabIndex={0}
          role="region"
          aria-label={label}
        >
          <div role="table" aria-label={label} aria-rowcount={total + 1} style={{ minWidth: 'min-content' }}>
            <div role="rowgroup" className="header">
              <div
                role="row"
                aria-rowindex={1}
                style={isCards ? {} : { gridTemplateColumns: tracks, height: rowHeight }}
              >
                {isSelectable && (
                  <div role="columnheader" className={columns[0]?.isPinned ? 'pinned' : undefined}>
                    <Checkbox
                      size="xs"
                      aria-label={t('selectAll')}
                      checked={isAllSelected}
                      indeterminate={!isAllSelected && selected.size > 0}
                      // Also those of pages that are not loaded.
                      onChange={isEverySelected ? () => onSelect(new Set()) : table.getToggleAllRowsSelectedHandler()}
                    />
                  </div>
                )}
                {columns.map((column) => (
                  <ColumnHeader key={column.id} column={column} onResize={onResize} />
                ))}
              </div>
            </div>
            {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a shortcut: the link of the row and the keys do the same */}
            <div
              role="rowgroup"
              style={{
                height: isPrinting ? rows.length * rowHeight : virtualizer.getTotalSize(),
                position: 'relative',
              }}
              onClick={activate}
              onDoubleClick={open}
            >
              {rows.map(({ index, start }) => {
                const item = list.at(index)
                const row = item === undefined ? undefined : byId.get(idOf(item))
                return (
                  <DataRow
                    key={index}
                    row={row}
                    index={index}
                    start={start}
                    columns={columns}
                    tracks={tracks}
                    isCard={isCards}
                    height={rowHeight}
                    t={t}
                    isActive={index === active}
                    isSelected={isSelectable ? (row?.getIsSelected() ?? false) : null}
                  />
                )
              })}
            </div>
          </div>
        </div>
      )}
    </>
  )
}

function ColumnHeader<T>(props: { readonly column: Column<T>; readonly onResize: DataTableProps<T>['onResize'] }) {
  const { t } = useTranslation('states')
  const { column, onResize } = props
  const { id, header, isHeaderData, sort } = column
  const name = isHeaderData ? <Value>{header}</Value> : header
  return (
    <div
      role="columnheader"
      className={classOf(column)}
      {...(sort?.isOn ? { 'aria-sort': sort.isDescending ? ('descending' as const) : ('ascending' as const) } : {})}
    >
      {sort === undefined ? (
        name
      ) : (
        <UnstyledButton className="sort" data-on={sort.isOn} fz="inherit" fw="inherit" onClick={sort.onSort}>
          {name}
        </UnstyledButton>
      )}
      {onResize !== undefined && (
        <ColumnHandle label={t('widen', { column: header })} onResize={(pixels) => onResize(id, pixels)} />
      )}
    </div>
  )
}
