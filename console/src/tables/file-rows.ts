import { splitRecord } from './csv-record.ts'
import type { MappedTable } from './mapped-table.ts'

/** Titles are above the header, which is one of so many rows. */
const maxHeaderRow = 10

/** The rows of a CSV of the service, each in the line that it has in the file. */
export const rowsOf = (text: string): string[][] =>
  text.split(/\r?\n/).map((line) => (line.trim() === '' ? [] : (splitRecord(line, ';') ?? [])))

/** What headings stand for. */
interface Headings {
  readonly known: (heading: string) => string | undefined
  readonly proposed: (heading: string) => string | null
}

/** The table of a file. The header is the row with most known headings; of several columns with one field the first has it. */
export function tableOfRows(
  rows: readonly (readonly string[])[],
  { known, proposed }: Headings,
  headerRow: number | undefined,
): MappedTable {
  const scores = rows.slice(0, maxHeaderRow).map((cells) => {
    const found = new Set(cells.flatMap((cell) => known(cell) ?? proposed(cell) ?? []))
    return found.size * 100 + cells.filter((cell) => cell !== '' && !/\d/.test(cell)).length
  })
  const at = headerRow === undefined ? Math.max(0, scores.indexOf(Math.max(...scores))) : headerRow - 1
  const taken = new Set<string>()
  const once = (field: string | null | undefined) =>
    field === null || field === undefined || taken.size === taken.add(field).size ? null : field
  const headings = rows[at] ?? []
  const fields = headings.map((heading) => once(known(heading)))
  return {
    'header-row': at + 1,
    columns: headings.map((heading, index) => {
      const field = fields[index] ?? null
      return { heading, field, proposed: field === null ? once(proposed(heading)) : null }
    }),
    rows: rows.slice(at + 1).map((cells) => ({ cells })),
  }
}

/** The different cells of a column, with how many rows have each. */
export function wordsOfColumn(
  { columns, rows }: MappedTable,
  isColumn: (heading: string) => boolean,
): ReadonlyMap<string, number> {
  const at = columns.findIndex(({ heading }) => isColumn(heading))
  const counts = new Map<string, number>()
  for (const { cells } of at === -1 ? [] : rows) {
    const word = (cells[at] ?? '').trim()
    if (word !== '') counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  return counts
}
