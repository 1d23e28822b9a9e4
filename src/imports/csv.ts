import { parse } from 'csv-parse/sync'
import type { CsvColumn } from '../domain/import-columns.ts'

export const SEPARATORS = [';', ',', '\t'] as const
export type Separator = (typeof SEPARATORS)[number]

export interface CsvHeader {
  readonly separator: Separator
  /** The cells of the header. */
  readonly names: readonly string[]
  /** The column of each cell; null: ignored. */
  readonly columns: readonly (CsvColumn | null)[]
}

/** `invalid`: not a line of CSV; `unknown`: it names no known column; `repeated`: it names one twice. */
export type CsvHeaderError = { readonly error: 'invalid' | 'unknown' | 'repeated'; readonly names: readonly string[] }

/**
 * Parses the header. The separator is the one that gives most known columns, else a semicolon.
 * @param columnOf the column with that header; null when it is not known.
 */
export function readCsvHeader(text: string, columnOf: (name: string) => CsvColumn | null): CsvHeader | CsvHeaderError {
  const headers = SEPARATORS.flatMap((separator): CsvHeader[] => {
    const names = splitCells(text, separator)
    return names === null ? [] : [{ separator, names, columns: names.map(columnOf) }]
  })
  const [best] = headers.toSorted((a, b) => knownNames(b).length - knownNames(a).length)
  if (best === undefined) return { error: 'invalid', names: [] }
  const known = knownNames(best)
  if (known.length === 0) return { error: 'unknown', names: best.names }
  return new Set(known).size < known.length ? { error: 'repeated', names: best.names } : best
}

function knownNames({ columns }: CsvHeader): readonly string[] {
  return columns.flatMap((column) => (column === null ? [] : [column.name]))
}

/** The cells of one record (RFC 4180), each trimmed; null for a text that is not one record. */
export function splitCells(text: string, separator: Separator): string[] | null {
  // Faster than the parser, and most lines have no quotes.
  if (!text.includes('"')) return text.split(separator).map((cell) => cell.trim())
  try {
    const options = { delimiter: separator, record_delimiter: '\n', relax_column_count: true, trim: true }
    const records: string[][] = parse(text, options)
    return records.length === 1 ? (records[0] ?? []).map((cell) => cell.trim()) : null
  } catch {
    return null
  }
}

/** Whether the text ends inside quotes, so that its record continues on the next line. */
export function endsInQuotes(text: string): boolean {
  let count = 0
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1)) count += 1
  return count % 2 === 1
}

/** The record as an object by column, empty cells left out; null when it has another number of cells than the header. */
export function csvFields(cells: readonly string[], { columns }: CsvHeader): Record<string, unknown> | null {
  if (cells.length !== columns.length) return null
  const fields: Record<string, unknown> = {}
  for (const [index, column] of columns.entries()) {
    const cell = cells[index]
    if (column !== null && cell !== undefined && cell !== '') fields[column.name] = column.parse(cell)
  }
  return fields
}

/** A cell as it is written: in quotes when it needs them. */
export function csvCell(text: string, separator: Separator): string {
  return text.includes(separator) || /["\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
