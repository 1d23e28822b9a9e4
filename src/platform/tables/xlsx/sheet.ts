import { closeSync, openSync, unlinkSync, writeFileSync } from 'node:fs'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { FileForms } from '#kernel/cell-values.ts'
import { fileTypeOf } from '../file-signature.ts'
import {
  formsOf,
  type HeaderCandidate,
  type HeaderError,
  headerOf,
  isWhole,
  likelier,
  type TableColumns,
  type TableHeader,
} from '../header.ts'
import { JoinedColumns, type SheetRead } from '../joined-columns.ts'
import { LineReader, maxLineBytes } from '../line-reader.ts'
import { maxHeaderRow } from '../records.ts'
import { type Cell, type RowReader, type TableRow, textOf } from '../rows.ts'
import { refusedFile, TableError } from '../table-error.ts'
import { csvCell } from '../write.ts'
import { maxSheetRows, SheetParser, type SheetRow } from './sheet-parser.ts'
import { maxSpooledCharacters, readWorkbook, type SheetEntry, type Workbook } from './workbook.ts'
import { readXml } from './xml.ts'
import { maxWorkbookBytes, tooLarge } from './zip.ts'

export interface SheetTask {
  readonly bytes: Buffer
  /** undefined: the visible ones with a header. */
  readonly sheet: string | undefined
  /** For a temporary file without a name. */
  readonly folder: string
}

/** The sheets of which every row has been read and is within the limits, as one table. */
export interface Sheet {
  readonly header: TableHeader | HeaderError
  /** The header as a line of CSV. */
  readonly headerText: string
  readonly rows: RowReader
  /** What the rows say of the forms of their values; they are read again from the first one on. */
  readonly formsUnder: (header: TableHeader) => FileForms
  readonly sheets: readonly SheetRead[]
  /** Hidden ones, and those with other headings. */
  readonly notRead: readonly string[]
  /** The first hidden rows, which are read as others are. */
  readonly hiddenRows: readonly { readonly sheet: string; readonly line: number }[]
  close(): void
}

/**
 * Reads a workbook: its sheet of that name, else the visible ones that have a header with all required columns in their first 10 rows. The rows are
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
    return await readSheets(workbook, sheetsOf(workbook, sheet), columns, rows)
  } catch (error) {
    rows.close()
    throw error
  }
}

const maxNamesShown = 20
const maxNameShown = 31

function sheetsOf({ sheets }: Workbook, name: string | undefined): readonly SheetEntry[] {
  if (name === undefined) return sheets.filter(({ isHidden }) => !isHidden)
  const named = sheets.filter((sheet) => sheet.name === name)
  if (named.length > 0) return named
  const shown = sheets.slice(0, maxNamesShown).map((sheet) => sheet.name.slice(0, maxNameShown).toWellFormed())
  throw new TableError([{ field: 'sheet', code: 'unknown', message: { key: 'sheet-unknown', sheets: shown } }])
}

async function readSheets(
  workbook: Workbook,
  sheets: readonly SheetEntry[],
  columns: TableColumns,
  rows: RowFile,
): Promise<Sheet> {
  const joined = new JoinedColumns(columns.columnOf)
  const read: SheetRead[] = []
  const hiddenRows: { sheet: string; line: number }[] = []
  let best: HeaderCandidate | null = null
  let repeated: HeaderCandidate | null = null
  let lastLine = 0
  for (const { name, entry } of sheets) {
    const before = lastLine
    let place: ((cells: readonly Cell[]) => readonly Cell[]) | null = null
    let isOver = false
    const onHeader = (row: SheetRow) => {
      const candidate = candidateOf(row.cells, columns)
      if (!isWhole(candidate.header, columns)) {
        best = likelier(best, candidate, columns)
        return
      }
      if ('error' in candidate.header) repeated ??= candidate
      place = joined.add(candidate.header.names)
      read.push({ sheet: name, 'from-line': before + 1 })
    }
    const onRow = (row: SheetRow) => {
      if (isOver) return
      if (place === null) {
        isOver = row.number > maxHeaderRow
        if (!isOver) onHeader(row)
        return
      }
      lastLine = before + row.number
      if (row.isHidden && hiddenRows.length < maxHiddenRows) hiddenRows.push({ sheet: name, line: lastLine })
      rows.add(lastLine, place(row.cells))
    }
    await readXml(entry, new SheetParser(workbook, onRow), () => isOver)
  }
  const wasRead = new Set(read.map(({ sheet }) => sheet))
  const found = repeated ?? (read.length > 0 ? candidateOf(joined.names, columns) : (best ?? candidateOf([], columns)))
  const width = joined.names.length
  return {
    header: found.header,
    headerText: found.text,
    rows: { next: () => rows.next(width) },
    formsUnder: (header) => {
      const forms = formsOf({ next: () => rows.next(width) }, header)
      rows.rewind()
      return forms
    },
    sheets: read,
    notRead: workbook.sheets.flatMap(({ name }) =>
      wasRead.has(name) ? [] : [name.slice(0, maxNameShown).toWellFormed()],
    ),
    hiddenRows,
    close: () => rows.close(),
  }
}

const maxHiddenRows = 100

function candidateOf(cells: readonly Cell[], { columnOf }: TableColumns): HeaderCandidate {
  return { header: headerOf(cells.map(textOf), columnOf), text: csvOf(cells) }
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
  add(number: number, cells: readonly Cell[]): void {
    this.#count += 1
    if (this.#count > maxSheetRows) throw refusedFile({ key: 'workbook-rows', limit: maxSheetRows })
    const line = JSON.stringify([number, cells])
    const isTooLong = line.length > maxLineBytes || Buffer.byteLength(line) > maxLineBytes
    this.#text += `${isTooLong ? JSON.stringify([number]) : line}\n`
    if (this.#text.length > bufferedCharacters) this.#flush()
  }

  next(width: number): TableRow | null {
    if (this.#lines === null && this.#text !== '') this.#flush()
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

  rewind(): void {
    this.#lines = null
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
