import { toCsvCell } from '../../../src/kernel/spreadsheet-cell.ts'

export type Cell = string | number | boolean | null | undefined

/** A cell that no spreadsheet program executes, in quotes when one with another separator would divide it. */
function cellOf(value: Cell): string {
  const text = toCsvCell(value === null || value === undefined ? '' : String(value))
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Rows as spreadsheets in Brazil open them: `;`, UTF-8 with BOM, a header first. */
export function toCsv(header: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return `\ufeff${[header, ...rows].map((row) => row.map(cellOf).join(';')).join('\r\n')}\r\n`
}
