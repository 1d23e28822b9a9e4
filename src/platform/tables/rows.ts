/** A number of a workbook. */
export interface NumberCell {
  /** As a Brazilian spreadsheet writes it into a CSV. */
  readonly number: string
  /** The day whose serial number it is, as `YYYY-MM-DD`; null: none. */
  readonly date: string | null
  /** As its format of zeros and separators shows it, such as `000123`. */
  readonly shown?: string
  /** How many decimals its format shows. */
  readonly decimals?: number
}

/** A cell without a value: an error such as `#N/A`, or a formula that was never computed. */
interface ErrorCell {
  readonly error: string
  /** Such as `C17`. */
  readonly at: string
}

/** A cell of a table. A CSV has texts only. */
export type Cell = string | NumberCell | ErrorCell

/** A row of a table: a line of a CSV, or several where a cell in quotes has line breaks, or a row of a sheet. */
export interface TableRow {
  /** In the file, from 1; of a record of several lines that of its first. */
  readonly number: number
  /** null: it cannot be read. */
  readonly cells: readonly Cell[] | null
  /** The row as it came, that of a sheet as CSV; null when it is too long. */
  readonly content: string | null
}

/** The rows under the header of a table. */
export interface RowReader {
  /** The next row, also a blank one; null at the end. */
  next(): TableRow | null
}

/** A cell as it is shown. */
export function textOf(cell: Cell): string {
  if (typeof cell === 'string') return cell
  return 'number' in cell ? (cell.shown ?? cell.number) : cell.error
}

/** Spreadsheets write empty rows. */
export function isBlank({ cells }: TableRow): boolean {
  return cells !== null && cells.every((cell) => cell === '')
}
