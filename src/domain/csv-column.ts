/** A column of a CSV: its name, and how its cells are read. */
export interface CsvColumn {
  readonly name: string
  /** A value as in JSON. A cell in no known form is returned unchanged, and refused by the rules of the column. */
  readonly parse: (cell: string) => string | number | boolean
  /** A number of a workbook is the serial number of a day. */
  readonly isDate?: boolean
  /** The whole number of a cell whose leading zeros a spreadsheet removed, when its check digits prove it; else null. */
  readonly restoreZeros?: (cell: string) => string | null
}
