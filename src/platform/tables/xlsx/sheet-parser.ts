import { maxHeaderRow } from '../records.ts'
import { type Cell, textOf } from '../rows.ts'
import { refusedFile, type TableError } from '../table-error.ts'
import { addressOf, cellOf, columnOfAddress, maxCellCharacters } from './cells.ts'
import { formatOf, type Workbook } from './workbook.ts'
import type { XmlHandler } from './xml.ts'
import { unreadable } from './zip.ts'

export const maxSheetRows = 100_000
export const maxSheetColumns = 200
/** The last row that a spreadsheet has. */
const lastRow = 1_048_576

/** A row with a value in a cell. */
export interface SheetRow {
  /** In the sheet, from 1. */
  readonly number: number
  readonly isHidden: boolean
  /** Up to the last one with a value. */
  readonly cells: readonly Cell[]
}

/** Makes rows of the elements of a sheet, within its limits. */
export class SheetParser implements XmlHandler {
  readonly #workbook: Workbook
  readonly #onRow: (row: SheetRow) => void
  #rows = 0
  #number = 0
  #isHidden = false
  #cells: Cell[] = []
  #column = -1
  #attributes: Readonly<Record<string, string>> = {}
  #text = ''
  #isText = false
  #isPhonetic = false
  #hasFormula = false

  /** @param onRow gets every row that is not blank. */
  constructor(workbook: Workbook, onRow: (row: SheetRow) => void) {
    this.#workbook = workbook
    this.#onRow = onRow
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    switch (name) {
      case 'row':
        return this.#openRow(attributes)
      case 'c':
        return this.#openCell(attributes)
      case 'f':
        this.#hasFormula = true
        return
      case 'rPh':
        this.#isPhonetic = true
        return
      case 'v':
      case 't':
        this.#isText = !this.#isPhonetic
    }
  }

  text(found: string): void {
    if (!this.#isText) return
    this.#text += found
    if (this.#text.length > maxCellCharacters) throw this.#tooLong()
  }

  close(name: string): void {
    if (name === 'v' || name === 't') this.#isText = false
    else if (name === 'rPh') this.#isPhonetic = false
    else if (name === 'c') this.#closeCell()
    else if (name === 'row') this.#closeRow()
  }

  #openRow({ r, hidden }: Readonly<Record<string, string>>): void {
    const number = r === undefined ? this.#number + 1 : Number(r)
    if (!Number.isInteger(number) || number <= this.#number || number > lastRow) throw unreadable()
    this.#number = number
    this.#isHidden = hidden === '1' || hidden === 'true'
    this.#cells = []
    this.#column = -1
  }

  #openCell(attributes: Readonly<Record<string, string>>): void {
    const column = attributes['r'] === undefined ? this.#column + 1 : columnOfAddress(attributes['r'])
    if (column === null || column <= this.#column) throw unreadable()
    this.#column = column
    this.#attributes = attributes
    this.#text = ''
    this.#hasFormula = false
  }

  #closeCell(): void {
    const { is1904, strings, characters } = this.#workbook
    const { t: type = '', s: style = '0' } = this.#attributes
    const raw = {
      at: this.#address(),
      type,
      text: this.#text,
      format: formatOf(this.#workbook, Number(style)),
      hasFormula: this.#hasFormula,
    }
    const cell = cellOf(raw, is1904, (index) => strings.at(index))
    if (cell === null) throw unreadable()
    // Cells without a value have borders and colors.
    if (cell === '') return
    if (this.#column >= maxSheetColumns) throw refusedFile({ key: 'workbook-columns', limit: maxSheetColumns })
    const { length } = textOf(cell)
    if (length > maxCellCharacters) throw this.#tooLong()
    // A shared text may be in every cell.
    characters.spend(length)
    while (this.#cells.length < this.#column) this.#cells.push('')
    this.#cells.push(cell)
  }

  #closeRow(): void {
    if (this.#cells.length === 0) return
    this.#rows += 1
    // The header and the titles above it.
    if (this.#rows > maxSheetRows + maxHeaderRow) throw refusedFile({ key: 'workbook-rows', limit: maxSheetRows })
    this.#onRow({ number: this.#number, isHidden: this.#isHidden, cells: this.#cells })
  }

  #tooLong(): TableError {
    return refusedFile({ key: 'workbook-cell', cell: this.#address(), limit: maxCellCharacters })
  }

  #address(): string {
    return addressOf(this.#number, this.#column)
  }
}
