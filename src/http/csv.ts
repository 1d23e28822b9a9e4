/** The byte order mark by which spreadsheet programs recognize UTF-8. */
export const byteOrderMark = '\ufeff'

/** The separator of the spreadsheet programs of Brazil, where the comma is in numbers. */
const separator = ';'
export const lineEnd = '\r\n'

/**
 * A line of CSV (RFC 4180) without its end. A cell that a spreadsheet program would take as a formula gets an apostrophe before it (OWASP, CSV
 * injection).
 */
export function csvLine(cells: readonly (string | null)[]): string {
  return cells.map(csvCell).join(separator)
}

function csvCell(value: string | null): string {
  if (value === null) return ''
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[";\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
