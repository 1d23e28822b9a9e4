import type { CsvColumn } from '../domain/csv-column.ts'
import type { Message } from '../domain/messages.ts'
import { fromSpreadsheetCell } from '../domain/spreadsheet-cell.ts'
import { type Cell, textOf } from './rows.ts'
import { type Separator, SEPARATORS, splitCells } from './cells.ts'

/** What the columns of a table may be. */
export interface TableColumns {
  /** The column with that header; null when it is not known. */
  readonly columnOf: (name: string) => CsvColumn | null
  /** Names of columns without which a row is no header. */
  readonly required: readonly string[]
}

export interface TableHeader {
  /** The cells of the header. */
  readonly names: readonly string[]
  /** The column of each cell; null: ignored. */
  readonly columns: readonly (CsvColumn | null)[]
}

export interface CsvHeader extends TableHeader {
  readonly separator: Separator
}

export interface HeaderLimits {
  readonly maxColumns: number
  readonly maxCharacters: number
}

/**
 * `invalid`: not a line of CSV; `too-long`: over a limit, and not read; `unknown`: it names no known column; `repeated`: it names one twice.
 */
export interface HeaderError {
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
): CsvHeader | HeaderError {
  if (text.length > maxCharacters) return { error: 'too-long', names: [] }
  const headers = SEPARATORS.flatMap((separator): CsvHeader[] => {
    const names = splitCells(text, separator, maxColumns)
    return names === null ? [] : [{ separator, names, columns: names.map(columnOf) }]
  })
  if (headers.some(({ names }) => names.length > maxColumns)) return { error: 'too-long', names: [] }
  const [best] = headers.toSorted((a, b) => knownNames(b.columns).length - knownNames(a.columns).length)
  if (best === undefined) return { error: 'invalid', names: [] }
  return errorOf(best) ?? best
}

/** The header of these cells. */
export function headerOf(names: readonly string[], columnOf: TableColumns['columnOf']): TableHeader | HeaderError {
  const header = { names, columns: names.map(columnOf) }
  return errorOf(header) ?? header
}

function errorOf({ names, columns }: TableHeader): HeaderError | null {
  const known = knownNames(columns)
  if (known.length === 0) return { error: 'unknown', names }
  return new Set(known).size < known.length ? { error: 'repeated', names } : null
}

/** Of a header that is `too-long`. */
export function tooLongHeader({ maxColumns, maxCharacters }: HeaderLimits): Message {
  return { key: 'header-too-long', columns: maxColumns, characters: maxCharacters }
}

/** The names of columns that are known. */
export function knownNames(columns: TableHeader['columns']): readonly string[] {
  return columns.flatMap((column) => (column === null ? [] : [column.name]))
}

interface RowFields {
  /** By column, empty cells left out. */
  readonly fields: Record<string, unknown>
  /** The headers of the cells whose leading zeros were restored. */
  readonly restored: readonly string[]
  /** The cells of columns that have an error instead of a value. */
  readonly errors: readonly CellError[]
}

export interface CellError {
  /** As the header names it. */
  readonly header: string
  /** The name of the column. */
  readonly column: string
  /** Such as `C17`. */
  readonly at: string
}

/** What no column takes for a value. */
const noValue = {}

/** The row by column; null when it has another number of cells than the header. */
export function rowFields(cells: readonly Cell[], { columns, names }: TableHeader): RowFields | null {
  if (cells.length !== columns.length) return null
  const fields: Record<string, unknown> = {}
  const restored: string[] = []
  const errors: CellError[] = []
  for (const [index, column] of columns.entries()) {
    const found = cells[index] ?? ''
    const cell = fromSpreadsheetCell(textOf(found))
    if (column === null || cell === '') continue
    const header = names[index] ?? column.name
    if (typeof found !== 'string' && 'error' in found) {
      errors.push({ header, column: column.name, at: found.at })
      fields[column.name] = noValue
      continue
    }
    const whole = column.restoreZeros?.(cell) ?? null
    if (whole !== null) restored.push(header)
    const date = column.isDate && typeof found !== 'string' ? found.date : null
    fields[column.name] = whole ?? date ?? column.parse(cell)
  }
  return { fields, restored, errors }
}
