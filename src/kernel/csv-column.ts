import type { FileForms } from './cell-values.ts'

/** A column of a CSV: its name, and how its cells are read. */
export interface CsvColumn {
  readonly name: string
  /** A value as in JSON. A cell in no known form is returned unchanged, and refused by the rules of the column. */
  readonly parse: (cell: string, forms?: FileForms) => string | number | boolean
  /** Amounts in reais: a number of a workbook is rounded as it is shown. */
  readonly isMoney?: boolean
  /** A word for "nothing", such as `N/A`, is no empty cell: it is refused by the rules of the column. */
  readonly keepsWords?: boolean
  /** A number of a workbook is the serial number of a day. */
  readonly isDate?: boolean
  /** The whole number of a cell whose leading zeros a spreadsheet removed, when its check digits prove it; else null. */
  readonly restoreZeros?: (cell: string) => string | null
}
