/* Where the headings of a table are. */
import { lackingColumns, type TableColumns } from '#platform/tables/header.ts'
import type { RawTable } from '#platform/tables/raw-rows.ts'
import { maxHeaderRow } from '#platform/tables/records.ts'
import { textOf } from '#platform/tables/rows.ts'
import type { TableForm } from '../rules/table-columns.ts'
import { kindOfHeadings } from './universal-workbook.ts'

export type ColumnOf = TableColumns['columnOf']

export interface Candidate {
  readonly table: RawTable
  readonly at: number
  readonly isWhole: boolean
  readonly score: number
}

/** The columns of these headings. */
export const fieldsOf = (cells: readonly string[], columnOf: ColumnOf) =>
  new Set(cells.flatMap((cell) => columnOf(cell)?.name ?? []))

/** The row of the headings; null when there is none. */
export function headerRowOf(
  table: RawTable,
  form: TableForm,
  columnOf: ColumnOf,
  wanted: number | undefined,
): Candidate | null {
  const candidates = table.rows.slice(0, maxHeaderRow).flatMap((row, at): Candidate[] => {
    if (wanted === undefined ? row.number > maxHeaderRow : row.number !== wanted) return []
    const cells = (row.cells ?? []).map(textOf)
    const found = fieldsOf(cells, columnOf)
    // A title is one cell; data have numbers.
    const words = cells.filter((cell) => cell !== '' && cell.replaceAll(/\D/g, '').length < 3).length
    return [{ table, at, isWhole: lackingColumns(found, form).length === 0, score: found.size * 100 + words }]
  })
  return candidates.find(({ isWhole }) => isWhole) ?? candidates.toSorted((a, b) => b.score - a.score)[0] ?? null
}

/** The headings of a sheet of the universal workbook, with its kind of movement; null: it is none. */
export function universalSheetOf(
  table: RawTable,
  wanted: number | undefined,
): (Candidate & { readonly kind: string }) | null {
  for (const [at, row] of table.rows.slice(0, maxHeaderRow).entries()) {
    if (wanted === undefined ? row.number > maxHeaderRow : row.number !== wanted) continue
    const kind = kindOfHeadings((row.cells ?? []).map(textOf))
    if (kind !== null) return { table, at, isWhole: true, score: 0, kind }
  }
  return null
}
