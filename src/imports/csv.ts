import { parse } from 'csv-parse/sync'

export type Separator = ';' | ',' | '\t'

export interface CsvHeader {
  readonly separator: Separator
  /** The column of each cell; null: ignored. */
  readonly columns: readonly (string | null)[]
}

/**
 * Parses the header. The separator is the one that gives more known columns, else a semicolon.
 * @param isKnown whether the import has a column of that name.
 * @returns an error code when it names no known column, or one twice, or is not a line of CSV.
 */
export function readCsvHeader(
  text: string,
  isKnown: (name: string) => boolean,
): CsvHeader | { readonly error: 'invalid' | 'unknown' | 'repeated' } {
  const headers = ([';', ','] as const).flatMap((separator): CsvHeader[] => {
    const columns = splitCells(text, separator)?.map((cell) => (isKnown(cell) ? cell : null))
    return columns === undefined ? [] : [{ separator, columns }]
  })
  const [best] = headers.toSorted((a, b) => knownColumns(b).length - knownColumns(a).length)
  if (best === undefined) return { error: 'invalid' }
  const names = knownColumns(best)
  if (names.length === 0) return { error: 'unknown' }
  return new Set(names).size < names.length ? { error: 'repeated' } : best
}

function knownColumns({ columns }: CsvHeader): readonly (string | null)[] {
  return columns.filter((column) => column !== null)
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

const wholeNumber = /^\d{1,16}$/

/** The record as an object by column, empty cells left out; null when it has another number of cells than the header. */
export function csvFields(cells: readonly string[], { columns }: CsvHeader): Record<string, unknown> | null {
  if (cells.length !== columns.length) return null
  const fields: Record<string, unknown> = {}
  for (const [index, column] of columns.entries()) {
    const cell = cells[index]
    if (column === null || cell === undefined || cell === '') continue
    fields[column] = column === 'salary' && wholeNumber.test(cell) ? Number(cell) : cell
  }
  return fields
}
