import { fileTypeOf } from './file-signature.ts'
import { decodeText } from './encoding.ts'
import { SEPARATORS, type Separator, splitCells } from './cells.ts'
import { CsvRecords, maxHeaderRow } from './records.ts'
import type { Cell } from './rows.ts'
import { refusedFile, TableError } from './table-error.ts'
import { TextLines } from './text-lines.ts'
import { maxSheetColumns, SheetParser } from './xlsx/sheet-parser.ts'
import { readWorkbook } from './xlsx/workbook.ts'
import { readXml } from './xlsx/xml.ts'

/** A row of a table before its header is found. */
export interface RawRow {
  /** In the file, from 1. */
  readonly number: number
  /** null: a line that cannot be divided into cells. */
  readonly cells: readonly Cell[] | null
}

export interface RawTable {
  /** The sheet of a workbook; null: CSV. */
  readonly sheet: string | null
  /** The visible sheets of a workbook. */
  readonly sheets: readonly string[]
  /** All of its sheets. */
  readonly allSheets: readonly string[]
  /** Without blank rows. */
  readonly rows: readonly RawRow[]
}

const maxLineCharacters = 65_536

/**
 * Reads the rows of a CSV, or of the visible sheets of a workbook, one after the other.
 * @throws TableError also for more rows than `maxRows`.
 */
export async function* readRawTables(bytes: Buffer, options: RawOptions): AsyncGenerator<RawTable> {
  const type = fileTypeOf(bytes)
  if (type === 'xls') throw refusedFile({ key: 'save-as-xlsx' }, { isUnsupported: true })
  if (type === 'xlsx') {
    yield* readSheets(bytes, options)
    return
  }
  if (type !== null) throw refusedFile({ key: 'wrong-file', file: type }, { isUnsupported: true })
  const text = decodeText(bytes)
  const separator = separatorOf(text, options.knownIn)
  const records = new CsvRecords(new TextLines(text, maxLineCharacters), maxLineCharacters)
  const header = { separator, names: [], columns: Array.from({ length: maxSheetColumns }, () => null) }
  const rows: RawRow[] = []
  for (let row = records.next(header); row !== null && !isFull(rows, options); row = records.next(header)) {
    if (row.cells?.every((cell) => cell === '') === true) continue
    add(rows, { number: row.number, cells: row.cells }, options)
  }
  yield { sheet: null, sheets: [], allSheets: [], rows }
}

interface RawOptions {
  /** The only sheet of a workbook that is read. */
  readonly sheet: string | undefined
  readonly maxRows: number
  /** Rows beyond them are not read, instead of an error. */
  readonly isCut: boolean
  /** How many of these cells are known headings: it finds the separator of a CSV. */
  readonly knownIn: (cells: readonly string[]) => number
}

/** The separator that gives a first line most known headings, else most cells. */
function separatorOf(text: string, knownIn: RawOptions['knownIn']): Separator {
  const lines = new TextLines(text, maxLineCharacters)
  const first: string[] = []
  for (let line = lines.next(); line !== null && line.number <= maxHeaderRow; line = lines.next()) {
    if (line.text !== null) first.push(line.text)
  }
  const scored = SEPARATORS.map((separator) => {
    const rows = first.map((line) => splitCells(line, separator, maxSheetColumns) ?? [])
    return {
      separator,
      known: Math.max(0, ...rows.map(knownIn)),
      cells: Math.max(0, ...rows.map((cells) => cells.filter((cell) => cell !== '').length)),
    }
  })
  return scored.toSorted((a, b) => b.known - a.known || b.cells - a.cells)[0]?.separator ?? ';'
}

async function* readSheets(bytes: Buffer, options: RawOptions): AsyncGenerator<RawTable> {
  const { sheet } = options
  const workbook = await readWorkbook(bytes)
  const visible = workbook.sheets.filter(({ isHidden }) => !isHidden)
  const sheets = visible.map(({ name }) => name)
  const allSheets = workbook.sheets.map(({ name }) => name)
  const chosen = sheet === undefined ? visible : workbook.sheets.filter(({ name }) => name === sheet)
  if (sheet !== undefined && chosen.length === 0) {
    throw new TableError([{ field: 'sheet', code: 'unknown', message: { key: 'sheet-unknown', sheets } }])
  }
  for (const { name, entry } of chosen) {
    const rows: RawRow[] = []
    const onRow = ({ number, cells }: { readonly number: number; readonly cells: readonly Cell[] }) =>
      add(rows, { number, cells }, options)
    await readXml(entry, new SheetParser(workbook, onRow), () => isFull(rows, options))
    yield { sheet: name, sheets, allSheets, rows }
  }
}

const isFull = (rows: readonly RawRow[], { maxRows, isCut }: RawOptions) => isCut && rows.length >= maxRows

function add(rows: RawRow[], row: RawRow, options: RawOptions): void {
  if (isFull(rows, options)) return
  if (rows.length >= options.maxRows) throw refusedFile({ key: 'workbook-rows', limit: options.maxRows })
  rows.push(row)
}
