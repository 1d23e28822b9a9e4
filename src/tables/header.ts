import type { CsvColumn } from '../domain/csv-column.ts'
import type { Message } from '../domain/messages.ts'
import { fromSpreadsheetCell } from '../domain/spreadsheet-cell.ts'
import { type Separator, SEPARATORS, splitCells } from './cells.ts'

export interface CsvHeader {
  readonly separator: Separator
  /** The cells of the header. */
  readonly names: readonly string[]
  /** The column of each cell; null: ignored. */
  readonly columns: readonly (CsvColumn | null)[]
}

export interface HeaderLimits {
  readonly maxColumns: number
  readonly maxCharacters: number
}

/**
 * `invalid`: not a line of CSV; `too-long`: over a limit, and not read; `unknown`: it names no known column; `repeated`: it names one twice.
 */
export interface CsvHeaderError {
  readonly error: 'invalid' | 'too-long' | 'unknown' | 'repeated'
  readonly names: readonly string[]
}

/**
 * Parses the header. The separator is the one that gives most known columns, else a semicolon.
 * @param columnOf the column with that header; null when it is not known.
 */
export function readCsvHeader(
  text: string,
  columnOf: (name: string) => CsvColumn | null,
  { maxColumns, maxCharacters }: HeaderLimits,
): CsvHeader | CsvHeaderError {
  if (text.length > maxCharacters) return { error: 'too-long', names: [] }
  const headers = SEPARATORS.flatMap((separator): CsvHeader[] => {
    const names = splitCells(text, separator, maxColumns)
    return names === null ? [] : [{ separator, names, columns: names.map(columnOf) }]
  })
  if (headers.some(({ names }) => names.length > maxColumns)) return { error: 'too-long', names: [] }
  const [best] = headers.toSorted((a, b) => knownNames(b).length - knownNames(a).length)
  if (best === undefined) return { error: 'invalid', names: [] }
  const known = knownNames(best)
  if (known.length === 0) return { error: 'unknown', names: best.names }
  return new Set(known).size < known.length ? { error: 'repeated', names: best.names } : best
}

/** Of a header that is `too-long`. */
export function tooLongHeader({ maxColumns, maxCharacters }: HeaderLimits): Message {
  return { key: 'header-too-long', columns: maxColumns, characters: maxCharacters }
}

function knownNames({ columns }: CsvHeader): readonly string[] {
  return columns.flatMap((column) => (column === null ? [] : [column.name]))
}

export interface CsvFields {
  /** By column, empty cells left out. */
  readonly fields: Record<string, unknown>
  /** The headers of the cells whose leading zeros were restored. */
  readonly restored: readonly string[]
}

/** The record by column; null when it has another number of cells than the header. */
export function csvFields(cells: readonly string[], { columns, names }: CsvHeader): CsvFields | null {
  if (cells.length !== columns.length) return null
  const fields: Record<string, unknown> = {}
  const restored: string[] = []
  for (const [index, column] of columns.entries()) {
    const cell = fromSpreadsheetCell(cells[index] ?? '')
    if (column === null || cell === '') continue
    const whole = column.restoreZeros?.(cell) ?? null
    if (whole !== null) restored.push(names[index] ?? column.name)
    fields[column.name] = whole ?? column.parse(cell)
  }
  return { fields, restored }
}
