import { isFormula, toWorkbookCell } from '#kernel/spreadsheet-cell.ts'
import { addressOf, maxCellCharacters, serialOfDate } from './cells.ts'

/** A column of a sheet that is written. */
export interface SheetColumn {
  readonly header: string
  /** Cells such as `2026-12-01` are days; others stay texts. */
  readonly isDate?: boolean
  /** Cells are cents, such as `-123456`, and become numbers in reais; others stay texts. */
  readonly isMoney?: boolean
  /** Cells are whole numbers, and become numbers; others stay texts. */
  readonly isNumber?: boolean
  /** What a list at each cell offers; another value may be typed. They are read from a hidden sheet. */
  readonly choices?: readonly string[] | undefined
}

/** Numbers of the formats of cells in `styles`. */
const formats = { text: 1, date: 2, formula: 3, header: 4, money: 5, number: 6 } as const

export const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
const lastRow = 1_048_576
/** The hidden sheet of the choices: a list within a cell has at most 255 characters, and no comma in a choice. */
const listsName = 'Listas'

/**
 * The XML of a sheet with a header. Cells are texts, so that no program executes them or drops the zeros of a CPF; days, amounts and counts are numbers with
 * a format, so that programs sort and sum them.
 */
export class SheetWriter {
  readonly #columns: readonly SheetColumn[]
  #row = 1

  constructor(columns: readonly SheetColumn[]) {
    this.#columns = columns
  }

  /** Up to the header. */
  head(): string {
    const columns = this.#columns.map((column, index) => {
      const format = formatOf(column)
      return `<col min="${index + 1}" max="${index + 1}" width="20" style="${format}" customWidth="1"/>`
    })
    const header = this.#columns.map((column, index) => textCell(addressOf(1, index), column.header, formats.header))
    return (
      `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<worksheet ${main}><sheetViews><sheetView workbookViewId="0">` +
      `<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>` +
      `<cols>${columns.join('')}</cols><sheetData><row r="1">${header.join('')}</row>`
    )
  }

  /** The next row. @throws Error for more rows than a sheet has. */
  row(cells: readonly (string | null)[]): string {
    this.#row += 1
    if (this.#row > lastRow) throw new Error(`a sheet has at most ${lastRow} rows`)
    const written = cells.map((cell, index) => {
      if (cell === null || cell === '') return ''
      const at = addressOf(this.#row, index)
      const column = this.#columns[index]
      const value = column === undefined ? null : numberOf(cell, column)
      if (column !== undefined && value !== null) return `<c r="${at}" s="${formatOf(column)}"><v>${value}</v></c>`
      // A text that looks as if it had an apostrophe before it gets another, as in a CSV; a formula has it in its format.
      const text = toWorkbookCell(cell)
      return isFormula(cell) ? textCell(at, text.slice(1), formats.formula) : textCell(at, text, formats.text)
    })
    return `<row r="${this.#row}">${written.join('')}</row>`
  }

  /** After the last row. */
  tail(): string {
    const lists = listsOf(this.#columns).map(({ index, choices }, list) => {
      const letters = addressOf(1, list).slice(0, -1)
      const cells = `${addressOf(2, index)}:${addressOf(lastRow, index)}`
      const source = `${listsName}!$${letters}$1:$${letters}$${choices.length}`
      return `<dataValidation type="list" allowBlank="1" sqref="${cells}"><formula1>${source}</formula1></dataValidation>`
    })
    const validations =
      lists.length === 0 ? '' : `<dataValidations count="${lists.length}">${lists.join('')}</dataValidations>`
    return `</sheetData>${validations}</worksheet>`
  }
}

const formatOf = ({ isDate, isMoney, isNumber }: SheetColumn): number =>
  isDate === true ? formats.date : isMoney === true ? formats.money : isNumber === true ? formats.number : formats.text

/** The number of a cell of such a column; null: it is a text. */
function numberOf(cell: string, { isDate, isMoney, isNumber }: SheetColumn): string | number | null {
  if (isDate === true) return serialOfDate(cell)
  if (!/^-?\d{1,15}$/.test(cell)) return null
  if (isNumber === true) return Number(cell)
  if (isMoney !== true) return null
  const digits = cell.replace('-', '').padStart(3, '0')
  return `${cell.startsWith('-') ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** The columns with choices. */
function listsOf(columns: readonly SheetColumn[]): { index: number; choices: readonly string[] }[] {
  return columns.flatMap(({ choices = [] }, index) => (choices.length === 0 ? [] : [{ index, choices }]))
}

/** The XML of the sheet of choices, a column for each list; null when there are none. */
function listsXml(columns: readonly SheetColumn[]): string | null {
  const lists = listsOf(columns).map(({ choices }) => choices)
  if (lists.length === 0) return null
  const rows = Array.from({ length: Math.max(...lists.map(({ length }) => length)) }, (_, row) => {
    const cells = lists.map((choices, list) =>
      choices[row] === undefined ? '' : textCell(addressOf(row + 1, list), choices[row], formats.text),
    )
    return `<row r="${row + 1}">${cells.join('')}</row>`
  })
  return `<worksheet ${main}><sheetData>${rows.join('')}</sheetData></worksheet>`
}

function textCell(at: string, text: string, format: number): string {
  const kept = text.slice(0, maxCellCharacters).toWellFormed()
  return `<c r="${at}" s="${format}" t="inlineStr"><is><t xml:space="preserve">${escapeXml(kept)}</t></is></c>`
}

/** What XML does not have, and what looks like its escape, is escaped as spreadsheets do it. */
export function escapeXml(text: string): string {
  const escaped = text.replaceAll(
    // oxlint-disable-next-line no-control-regex
    /_(?=x[0-9A-Fa-f]{4}_)|[\0-\x08\x0b\x0c\r\x0e-\x1f\ufffe\uffff]/g,
    (character) => `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
  )
  return escaped.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
export const packages = 'http://schemas.openxmlformats.org/package/2006'
export const media = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

export const relationships = (...of: readonly string[]) =>
  `<Relationships xmlns="${packages}/relationships">${of
    .map((target, index) => {
      const type = { w: 'worksheet', s: 'styles', x: 'officeDocument' }[target[0] ?? '']
      return `<Relationship Id="r${index + 1}" Type="${office}/${type}" Target="${target}"/>`
    })
    .join('')}</Relationships>`

/** The parts of a workbook beside its sheet. @param name of the sheet. */
export function otherParts(
  name: string,
  columns: readonly SheetColumn[],
): readonly (readonly [path: string, xml: string])[] {
  const lists = listsXml(columns)
  const sheetType = (path: string) => `<Override PartName="/${path}" ContentType="${media}.worksheet+xml"/>`
  return [
    [
      '[Content_Types].xml',
      `<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
        `<Override PartName="/xl/workbook.xml" ContentType="${media}.sheet.main+xml"/>` +
        `${sheetType(sheetPath)}${lists === null ? '' : sheetType(listsPath)}` +
        `<Override PartName="/xl/styles.xml" ContentType="${media}.styles+xml"/></Types>`,
    ],
    ['_rels/.rels', relationships('xl/workbook.xml')],
    [
      'xl/workbook.xml',
      `<workbook ${main} xmlns:r="${office}"><bookViews><workbookView/></bookViews>` +
        `<sheets><sheet name="${escapeXml(name)}" sheetId="1" r:id="r1"/>` +
        `${lists === null ? '' : `<sheet name="${listsName}" sheetId="2" state="hidden" r:id="r3"/>`}</sheets></workbook>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      relationships('worksheets/sheet1.xml', 'styles.xml', ...(lists === null ? [] : ['worksheets/sheet2.xml'])),
    ],
    ['xl/styles.xml', styles],
    ...(lists === null ? [] : [[listsPath, lists] as const]),
  ]
}

export const sheetPath = 'xl/worksheets/sheet1.xml'
const listsPath = 'xl/worksheets/sheet2.xml'

const part = (attributes: string) => `<xf ${attributes} fontId="0" fillId="0" borderId="0" xfId="0"/>`

/** In the order of `formats`, after the one without a format. */
export const styles =
  `<styleSheet ${main}><numFmts count="1"><numFmt numFmtId="164" formatCode="dd/mm/yyyy"/></numFmts>` +
  `<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>` +
  `<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>` +
  `<borders count="1"><border/></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>` +
  `<cellXfs count="7">${part('numFmtId="0"')}${part('numFmtId="49" applyNumberFormat="1"')}${part('numFmtId="164" applyNumberFormat="1"')}` +
  `${part('numFmtId="49" applyNumberFormat="1" quotePrefix="1"')}<xf numFmtId="49" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1" applyNumberFormat="1"/>` +
  `${part('numFmtId="4" applyNumberFormat="1"')}${part('numFmtId="1" applyNumberFormat="1"')}</cellXfs></styleSheet>`
