import { closeSync, openSync, unlinkSync, writeFileSync } from 'node:fs'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { fileTypeOf } from '../file-signature.ts'
import { type HeaderError, headerOf, knownNames, type TableColumns, type TableHeader } from '../header.ts'
import { LineReader, maxLineBytes } from '../line-reader.ts'
import { type Cell, type RowReader, type TableRow, textOf } from '../rows.ts'
import { refusedFile, TableError } from '../table-error.ts'
import { csvCell } from '../write.ts'
import { maxHeaderRow, maxSheetRows, SheetParser, type SheetRow } from './sheet-parser.ts'
import { maxSpooledCharacters, readWorkbook, type SheetEntry, type Workbook } from './workbook.ts'
import { readXml } from './xml.ts'
import { maxWorkbookBytes, tooLarge } from './zip.ts'

export interface SheetTask {
  readonly bytes: Buffer
  /** undefined: the first visible one with a header. */
  readonly sheet: string | undefined
  /** For a temporary file without a name. */
  readonly folder: string
}

/** A sheet of which every row has been read and is within the limits. */
export interface Sheet {
  readonly header: TableHeader | HeaderError
  /** The header as a line of CSV. */
  readonly headerText: string
  readonly rows: RowReader
  readonly name: string
  /** The numbers of the first hidden rows, which are read as others are. */
  readonly hiddenRows: readonly number[]
  close(): void
}

/**
 * Reads a workbook: its sheet of that name, else the first visible one that has a header with all required columns in its first 10 rows. The rows are
 * written to a file as they are read, so that memory is constant, and a workbook with an error in its last row is refused as a whole.
 * @throws TableError.
 */
export async function openSheet({ bytes, sheet, folder }: SheetTask, columns: TableColumns): Promise<Sheet> {
  if (bytes.length > maxWorkbookBytes) throw tooLarge()
  const type = fileTypeOf(bytes)
  if (type === 'xls') throw refusedFile({ key: 'save-as-xlsx' }, { isUnsupported: true })
  if (type !== 'xlsx') throw refusedFile({ key: 'workbook-unreadable' })
  const workbook = await readWorkbook(bytes, maxSpooledCharacters)
  const rows = new RowFile(folder)
  try {
    return await readSheet(workbook, sheetsOf(workbook, sheet), columns, rows)
  } catch (error) {
    rows.close()
    throw error
  }
}

const maxNamesShown = 20
const maxNameShown = 31

function sheetsOf({ sheets }: Workbook, name: string | undefined): readonly SheetEntry[] {
  if (name === undefined) return sheets.filter(({ isHidden }) => !isHidden)
  const named = sheets.filter((one) => one.name === name)
  if (named.length > 0) return named
  const shown = sheets.slice(0, maxNamesShown).map((one) => one.name.slice(0, maxNameShown).toWellFormed())
  throw new TableError([{ field: 'sheet', code: 'unknown', message: { key: 'sheet-unknown', sheets: shown } }])
}

/** A row that may be the header. */
interface Candidate {
  readonly header: TableHeader | HeaderError
  readonly names: readonly string[]
  readonly known: number
}

async function readSheet(
  workbook: Workbook,
  sheets: readonly SheetEntry[],
  columns: TableColumns,
  rows: RowFile,
): Promise<Sheet> {
  let best: Candidate | null = null
  for (const { name, entry } of sheets) {
    let found: Candidate | null = null
    let isOver = false
    const hiddenRows: number[] = []
    const onRow = (row: SheetRow) => {
      if (isOver) return
      if (found === null) {
        const candidate = row.number > maxHeaderRow ? null : candidateOf(row, columns)
        isOver = candidate === null
        if (candidate !== null && hasRequired(candidate, columns)) found = candidate
        else if (candidate !== null && candidate.known > (best?.known ?? -1)) best = candidate
        return
      }
      if (row.isHidden && hiddenRows.length < maxHiddenRows) hiddenRows.push(row.number)
      rows.add(row)
    }
    await readXml(entry, new SheetParser(workbook, onRow), () => isOver)
    if (found !== null) return sheetOf(found, rows, name, hiddenRows)
  }
  return sheetOf(best ?? candidateOf({ number: 1, isHidden: false, cells: [] }, columns), rows, '', [])
}

const maxHiddenRows = 100

function sheetOf({ header, names }: Candidate, rows: RowFile, name: string, hiddenRows: readonly number[]): Sheet {
  const width = names.length
  const reader = { next: () => rows.next(width) }
  return { header, headerText: csvOf(names), rows: reader, name, hiddenRows, close: () => rows.close() }
}

function candidateOf({ cells }: SheetRow, { columnOf }: TableColumns): Candidate {
  const names = cells.map(textOf)
  const header = headerOf(names, columnOf)
  return { header, names, known: new Set(knownNames(names.map(columnOf))).size }
}

function hasRequired({ names, known }: Candidate, { columnOf, required }: TableColumns): boolean {
  const found = new Set(knownNames(names.map(columnOf)))
  return known > 0 && required.every((name) => found.has(name))
}

const csvOf = (cells: readonly Cell[]): string => cells.map((cell) => csvCell(textOf(cell))).join(';')

const maxFileBytes = 256 * 1024 * 1024
const bufferedCharacters = 64 * 1024

/** Rows on their way from the sheet to the reader, one a line as JSON, in an unlinked file. */
class RowFile {
  readonly #file: number
  #lines: LineReader | null = null
  #text = ''
  #size = 0
  #count = 0

  constructor(folder: string) {
    const path = join(folder, randomUUID())
    this.#file = openSync(path, 'wx+', 0o600)
    unlinkSync(path)
  }

  /** A row longer than a line of CSV may be is kept without its cells. */
  add({ number, cells }: SheetRow): void {
    this.#count += 1
    if (this.#count > maxSheetRows) throw refusedFile({ key: 'workbook-rows', limit: maxSheetRows })
    const line = JSON.stringify([number, cells])
    const isTooLong = line.length > maxLineBytes || Buffer.byteLength(line) > maxLineBytes
    this.#text += `${isTooLong ? JSON.stringify([number]) : line}\n`
    if (this.#text.length > bufferedCharacters) this.#flush()
  }

  next(width: number): TableRow | null {
    if (this.#lines === null) this.#flush()
    this.#lines ??= new LineReader(this.#file, 0)
    const bytes = this.#lines.next()?.bytes
    if (bytes === undefined || bytes === null) return null
    const [number, found] = JSON.parse(bytes.toString()) as [number, Cell[]?]
    if (found === undefined) return { number, cells: null, content: null }
    // Notes beside the table are no cells of it.
    const cells = Array.from({ length: width }, (_, index) => found[index] ?? '')
    const isText = cells.every((cell) => !textOf(cell).includes('\0'))
    return { number, cells: isText ? cells : null, content: csvOf(cells) }
  }

  close(): void {
    closeSync(this.#file)
  }

  #flush(): void {
    writeFileSync(this.#file, this.#text)
    this.#size += Buffer.byteLength(this.#text)
    this.#text = ''
    if (this.#size > maxFileBytes) throw tooLarge()
  }
}
