export type Cell = string | number | boolean | null | undefined

/** A cell that a spreadsheet would execute gets an apostrophe before it (OWASP, CSV injection). */
function cellOf(value: Cell): string {
  const text = value === null || value === undefined ? '' : String(value)
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[;"\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Rows as spreadsheets in Brazil open them: `;`, UTF-8 with BOM, a header first. */
export function toCsv(header: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return `\ufeff${[header, ...rows].map((row) => row.map(cellOf).join(';')).join('\r\n')}\r\n`
}
