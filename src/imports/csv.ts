import { IMPORT_COLUMNS } from '../domain/import-line.ts'

export interface CsvHeader {
  readonly separator: ';' | ','
  /** The column of each cell; null: one that is ignored. */
  readonly columns: readonly (string | null)[]
}

const known: ReadonlySet<string> = new Set(IMPORT_COLUMNS)

/**
 * Reads the header. The separator is the one under which more columns are known.
 * @returns what to mend when it names no column at all, or one twice, or is no line of a CSV.
 */
export function readCsvHeader(text: string): CsvHeader | { readonly fault: 'invalid' | 'unknown' | 'repeated' } {
  let best: CsvHeader | null = null
  let most = -1
  for (const separator of [';', ','] as const) {
    const cells = splitCells(text, separator)
    if (cells === null || cells === 'open') continue
    const columns = cells.map((cell) => (known.has(cell) ? cell : null))
    const count = columns.filter((column) => column !== null).length
    if (count > most) {
      most = count
      best = { separator, columns }
    }
  }
  if (best === null) return { fault: 'invalid' }
  if (most === 0) return { fault: 'unknown' }
  const named = best.columns.filter((column) => column !== null)
  return new Set(named).size < named.length ? { fault: 'repeated' } : best
}

/**
 * The cells of a record (RFC 4180), each trimmed. A cell is quoted as a whole or holds no quote.
 * @returns `open` when the text ends inside quotes: the record may go on in the next line; null when it is malformed.
 */
export function splitCells(text: string, separator: string): string[] | 'open' | null {
  if (!text.includes('"')) return text.split(separator).map((cell) => cell.trim())
  const cells: string[] = []
  let at = 0
  for (;;) {
    while (text[at] === ' ' || text[at] === '\t') at += 1
    if (text[at] === '"') {
      const end = closingQuote(text, at + 1)
      if (end < 0) return 'open'
      cells.push(
        text
          .slice(at + 1, end)
          .replaceAll('""', '"')
          .trim(),
      )
      at = end + 1
      while (text[at] === ' ' || text[at] === '\t') at += 1
      if (at < text.length && text[at] !== separator) return null
    } else {
      const next = text.indexOf(separator, at)
      const end = next < 0 ? text.length : next
      const cell = text.slice(at, end).trim()
      if (cell.includes('"')) return null
      cells.push(cell)
      at = end
    }
    if (at >= text.length) return cells
    at += 1
  }
}

/** Where the quotes that were opened before `from` close; a doubled one is a quote of the text. -1: not in this text. */
function closingQuote(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 2)) {
    if (text[at + 1] !== '"') return at
  }
  return -1
}

const WHOLE = /^\d{1,16}$/

/** The record as an object by column; null when it has another number of cells than the header. */
export function csvFields(cells: readonly string[], { columns }: CsvHeader): Record<string, unknown> | null {
  if (cells.length !== columns.length) return null
  const fields: Record<string, unknown> = {}
  for (const [index, column] of columns.entries()) {
    const cell = cells[index]
    if (column === null || cell === undefined || cell === '') continue
    fields[column] = column === 'salary' && WHOLE.test(cell) ? Number(cell) : cell
  }
  return fields
}
