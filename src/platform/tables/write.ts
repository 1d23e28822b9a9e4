import { toCsvCell } from '#kernel/spreadsheet-cell.ts'
import type { Separator } from './cells.ts'

/** The byte order mark by which spreadsheet programs recognize UTF-8. */
export const byteOrderMark = '\ufeff'

/** The separator of the spreadsheet programs of Brazil, where the comma is in numbers. */
const brazilian: Separator = ';'
export const lineEnd = '\r\n'

/** A line of CSV (RFC 4180) without its end, whose cells no spreadsheet program executes. */
export function csvLine(cells: readonly (string | null)[], separator: Separator = brazilian): string {
  return cells.map((cell) => csvCell(toCsvCell(cell ?? ''))).join(separator)
}

/** A cell as it is written: in quotes when a program with another separator would divide it otherwise. */
export function csvCell(text: string): string {
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
