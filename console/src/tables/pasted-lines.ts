/** A row of a spreadsheet as it was pasted. */
export interface PastedLine {
  /** From 1. */
  readonly line: number
  /** Trimmed. */
  readonly cells: readonly string[]
}

/**
 * The rows of a spreadsheet that were copied as text: cells are separated by tabs, else by `;`, and may be in quotes (RFC 4180), then also with
 * line breaks in them. A line that is empty is a row whose cells are empty; the line break that ends the last row starts no other.
 */
export function pastedLines(text: string): PastedLine[] {
  if (text === '') return []
  const separator = text.includes('\t') ? '\t' : ';'
  const lines: string[][] = []
  let cells: string[] = []
  let at = 0
  while (at < text.length) {
    const { cell, end } = cellAt(text, at, separator)
    cells.push(cell)
    at = end
    if (text[at] === separator) {
      at += 1
      // A separator before the end of the text: the last cell is empty.
      if (at < text.length) continue
      cells.push('')
    }
    lines.push(cells)
    cells = []
    at += text.startsWith('\r\n', at) ? 2 : 1
  }
  return lines.map((row, index) => ({ line: index + 1, cells: row }))
}

const quoted = /[^\S\r\n\t]*"((?:[^"]|"")*)"[^\S\r\n\t]*(?=[\t;\r\n]|$)/y

function cellAt(text: string, at: number, separator: string): { readonly cell: string; readonly end: number } {
  quoted.lastIndex = at
  const match = quoted.exec(text)
  if (match?.[1] !== undefined) {
    return { cell: match[1].replaceAll('""', '"').trim().replaceAll(/\s+/g, ' '), end: quoted.lastIndex }
  }
  let end = at
  while (end < text.length && text[end] !== separator && text[end] !== '\n' && text[end] !== '\r') end += 1
  return { cell: text.slice(at, end).trim(), end }
}

/** Without accents and case, with single blanks: `Nº da  Carteirinha` as `nº da carteirinha`. */
export function folded(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().trim().replaceAll(/\s+/g, ' ')
}
