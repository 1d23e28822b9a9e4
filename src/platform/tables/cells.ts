import { parse } from 'csv-parse/sync'

export const SEPARATORS = [';', ',', '\t'] as const
export type Separator = (typeof SEPARATORS)[number]

// `split` takes a limit of 32 bits.
const maxOfSplit = 2 ** 32 - 2

/** A cell such as `="0123"`, by which a CSV keeps the zeros of a text from spreadsheets. */
const textFormulas: Readonly<Record<Separator, RegExp>> = {
  ';': /(^|;)\s*=("[^"]*")\s*(?=;|$)/g,
  ',': /(^|,)\s*=("[^"]*")\s*(?=,|$)/g,
  '\t': /(^|\t) *=("[^"]*") *(?=\t|$)/g,
}

/**
 * The cells of one record (RFC 4180), each trimmed; null for a text that is not one record.
 * A cell `="0123"`, also in quotes, is its text.
 * @param maxCells of more, only these are returned, and one that has the rest: a line may consist of separators.
 */
export function splitCells(text: string, separator: Separator, maxCells = maxOfSplit): string[] | null {
  const cells = text.includes('"') ? splitQuoted(text, separator) : splitPlain(text, separator, maxCells)
  if (cells === null || cells.length <= maxCells) return cells
  return [...cells.slice(0, maxCells), cells.slice(maxCells).join('').trim()]
}

// Faster than the parser, and most lines have no quotes.
function splitPlain(text: string, separator: Separator, maxCells: number): string[] {
  const cells = text.split(separator, maxCells + 1).map((cell) => cell.trim())
  if (cells.length <= maxCells) return cells
  let start = 0
  for (let count = 0; count < maxCells; count += 1) start = text.indexOf(separator, start) + 1
  return [...cells.slice(0, maxCells), text.slice(start).replaceAll(separator, '').trim()]
}

function splitQuoted(text: string, separator: Separator): string[] | null {
  try {
    const options = { delimiter: separator, record_delimiter: '\n', relax_column_count: true, trim: true }
    const plain = text.includes('="') ? text.replaceAll(textFormulas[separator], '$1$2') : text
    const records: string[][] = parse(plain, options)
    return records.length === 1 ? (records[0] ?? []).map((cell) => withoutFormula(cell.trim())) : null
  } catch {
    return null
  }
}

const withoutFormula = (cell: string): string => /^="([^"]*)"$/.exec(cell)?.[1]?.trim() ?? cell

/** Whether the text ends inside quotes, so that its record continues on the next line. */
export function endsInQuotes(text: string): boolean {
  let count = 0
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1)) count += 1
  return count % 2 === 1
}
