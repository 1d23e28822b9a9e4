/* The lines of a carrier's file, in each format, with what finds their cells. */
import { fromSpreadsheetCell } from '#kernel/spreadsheet-cell.ts'
import { type Separator, SEPARATORS } from '#platform/tables/cells.ts'
import { decodeLines, decodeText } from '#platform/tables/encoding.ts'
import { fileTypeOf } from '#platform/tables/file-signature.ts'
import { CsvRecords, maxHeaderRow, type TextLine } from '#platform/tables/records.ts'
import { type Cell, textOf } from '#platform/tables/rows.ts'
import { refusedFile } from '#platform/tables/table-error.ts'
import { TextLines } from '#platform/tables/text-lines.ts'
import { SheetParser, type SheetRow } from '#platform/tables/xlsx/sheet-parser.ts'
import { readWorkbook } from '#platform/tables/xlsx/workbook.ts'
import { readXml } from '#platform/tables/xlsx/xml.ts'
import {
  encodingOf,
  hasHeadings,
  type LayoutColumn,
  type LayoutDefinition,
  type LayoutRecord,
  maxColumns,
  maxFileBytes,
  maxFileLines,
  maxRecordLength,
} from './definition.ts'
import { type Headings, headingsOf, OtherHeadings } from './headings.ts'

/** A cell as text. */
export interface FileCell {
  readonly text: string
  /** For a workbook, as `YYYY-MM-DD`; null: it is no day. */
  readonly date: string | null
  /** Whether a workbook has it as a number. */
  readonly number: boolean
  /** An error of a workbook, such as `#N/A`. */
  readonly isError: boolean
}

export interface FileLine {
  /** From 1; of a workbook the row of its sheet. */
  readonly number: number
  readonly sheet: string | null
  readonly error: 'malformed' | 'too-long' | null
  /** Whether its cells are as long as their texts. */
  readonly isDelimited: boolean
  /** The first cell. */
  first(): string
  /** The texts of its cells; of fixed width what blanks divide. */
  texts(): readonly string[]
  /** For a file of fixed width: the characters there, from 1. */
  part(at: number, length: number): string
  /** @param index of the column in its record. @param block of the record. */
  cell(column: LayoutColumn, index: number, block?: LayoutRecord['block']): FileCell
}

/** Takes a line; false: it is left out. */
type OnLine = (line: FileLine) => boolean

/** Several times the length of all columns. */
const maxLineCharacters = 65_536

/** What is not read. */
export interface LinesRead {
  /** Lines that are left out. */
  readonly skipped: number
  /** Sheets of a workbook. */
  readonly sheetsNotRead: readonly string[]
}

/** @throws TableError */
export async function readLines(
  definition: LayoutDefinition,
  bytes: Buffer,
  onLine: OnLine,
  maxBytes = maxFileBytes,
): Promise<LinesRead> {
  if (bytes.length > maxBytes) throw refusedFile({ key: 'workbook-too-large' })
  if (definition.format === 'xlsx') return readSheets(definition, bytes, onLine)
  const type = fileTypeOf(bytes)
  if (type !== null) throw refusedFile({ key: 'wrong-file', file: type }, { isUnsupported: true })
  const text = decode(definition, bytes)
  const counted = counter(definition, onLine)
  const first =
    definition['skip-first-lines'] ?? (hasHeadings(definition) ? 0 : (definition['header-lines']?.length ?? 0))
  if (definition.format === 'csv') readCsv(definition, text, first, counted)
  else readTextLines(definition, text, first, counted)
  return { skipped: counted.skipped, sheetsNotRead: [] }
}

function decode(definition: LayoutDefinition, bytes: Buffer): string {
  const encoding = encodingOf(definition)
  return encoding === 'utf-8' ? decodeText(bytes) : decodeLines(bytes, encoding)
}

/** Counts what is left out, and stops where the layout says. */
function counter(definition: LayoutDefinition, onLine: OnLine) {
  const stop = definition['stop-at']
  return {
    skipped: 0,
    lines: 0,
    isStopped: false,
    /** A line without content is left out. */
    take(line: FileLine, isBlank: boolean): void {
      this.lines += 1
      if (this.lines > maxFileLines) throw refusedFile({ key: 'layout-lines', limit: maxFileLines })
      if (stop !== undefined && !this.isStopped) this.isStopped = line.first().trim().startsWith(stop)
      if (isBlank || this.isStopped || !onLine(line)) this.skipped += 1
    },
  }
}
type Counter = ReturnType<typeof counter>

function readTextLines(definition: LayoutDefinition, text: string, first: number, counted: Counter): void {
  const lines = new TextLines(text, maxLineCharacters)
  for (let line = lines.next(); line !== null; line = lines.next()) {
    if (line.number <= first) counted.skipped += 1
    else
      counted.take(
        definition.format === 'ndjson' ? jsonLine(line) : fixedLine(line, definition),
        line.text?.trim() === '',
      )
  }
}

const textCell = (text: string): FileCell => ({ text, date: null, number: false, isError: false })

function fixedLine({ number, text }: TextLine, definition: LayoutDefinition): FileLine {
  const length = definition['record-length'] ?? maxRecordLength
  const isTooLong = text === null || text.trimEnd().length > length
  const part = (at: number, count: number) => (text ?? '').slice(at - 1, at - 1 + count)
  return {
    number,
    sheet: null,
    error: isTooLong ? 'too-long' : null,
    isDelimited: false,
    first: () => text ?? '',
    texts: () => (text ?? '').trim().split(/ {2,}/),
    part,
    cell: ({ at = 1, length: count = 0 }) => textCell(part(at, count)),
  }
}

function jsonLine({ number, text }: TextLine): FileLine {
  const object = text === null ? null : parseObject(text)
  return {
    number,
    sheet: null,
    error: text === null ? 'too-long' : object === null ? 'malformed' : null,
    isDelimited: true,
    first: () => text ?? '',
    texts: () => Object.values(object ?? {}).filter((value) => typeof value === 'string'),
    part: () => '',
    cell: ({ heading = '' }) => {
      const value = object !== null && Object.hasOwn(object, heading) ? object[heading] : null
      if (value === null || value === undefined) return textCell('')
      const isText = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      return isText ? textCell(String(value)) : { ...textCell(''), isError: true }
    },
  }
}

function parseObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}

function readCsv(definition: LayoutDefinition, text: string, first: number, counted: Counter): void {
  const separator = definition.separator ?? (hasHeadings(definition) ? separatorOf(definition, text) : ';')
  const records = new CsvRecords(new TextLines(text, maxLineCharacters), maxLineCharacters)
  const header = {
    separator: separator === 'tab' ? ('\t' as const) : separator,
    names: [],
    columns: Array.from({ length: maxColumns }, () => null),
  }
  let headings: Headings | null = null
  const isFound = hasHeadings(definition)
  const other = new OtherHeadings(definition)
  for (let row = records.next(header); row !== null; row = records.next(header)) {
    const cells = row.cells?.map((cell) => fromSpreadsheetCell(textOf(cell))) ?? null
    if (isFound && headings === null) {
      headings = headingsOf(definition, cells ?? [], null)
      counted.skipped += 1
      if (headings === null) other.add(cells ?? [])
      if (headings === null && row.number >= maxHeaderRow) throw other.error()
    } else if (row.number <= first) counted.skipped += 1
    else counted.take(cellsLine(row.number, cells, null, headings), cells?.every((cell) => cell === '') === true)
  }
  if (isFound && headings === null) throw other.error()
}

/** The separator that divides one of the first rows into headings of the layout. */
function separatorOf(definition: LayoutDefinition, text: string): Separator {
  const columns = Array.from({ length: maxColumns }, () => null)
  const isOf = (separator: Separator) => {
    const records = new CsvRecords(new TextLines(text, maxLineCharacters), maxLineCharacters)
    for (let row = records.next({ separator, columns }); row !== null && row.number <= maxHeaderRow;) {
      if (headingsOf(definition, row.cells ?? [], null) !== null) return true
      row = records.next({ separator, columns })
    }
    return false
  }
  return SEPARATORS.find(isOf) ?? ';'
}

/** @param headings null: the cells are in the order of the columns. */
function cellsLine(
  number: number,
  cells: readonly Cell[] | null,
  sheet: string | null,
  headings: Headings | null,
): FileLine {
  let blockPlace: number | null = null
  return {
    number,
    sheet,
    // Beside the table of a sheet there may be notes.
    error: cells === null || (sheet === null && isBeyond(cells, headings)) ? 'malformed' : null,
    isDelimited: true,
    first: () => textOf(cells?.find((cell) => cell !== '') ?? ''),
    texts: () => (cells ?? []).flatMap((cell) => (typeof cell === 'string' && cell !== '' ? [cell] : [])),
    part: () => '',
    cell: ({ heading = '', offset }, index, block) => {
      const place = headings === null ? index : (headings.places.get(heading) ?? -1)
      // A line is of one record, whose block is where it is for each of its columns.
      if (offset !== undefined && cells !== null) blockPlace ??= blockAt(cells, block)
      const cell = cells?.[offset === undefined ? place : (blockPlace ?? 0) + offset] ?? ''
      if (typeof cell === 'string') {
        const isOfSheet = sheet !== null
        return {
          ...textCell(isOfSheet ? fromSpreadsheetCell(cell) : cell),
          date: isOfSheet && isDay(cell) ? cell : null,
        }
      }
      if ('error' in cell) return { ...textCell(''), isError: true }
      return { text: cell.number, date: cell.date, number: true, isError: false }
    },
  }
}

/** Whether a row has content beyond its headings. */
const isBeyond = (cells: readonly Cell[], headings: Headings | null): boolean =>
  headings !== null && cells.slice(headings.width).some((cell) => cell !== '')

/** The cell where the block begins; past the end: there is none. */
function blockAt(cells: readonly Cell[], block: LayoutRecord['block']): number {
  const digits = block?.['digits-after'] ?? 0
  const found = cells.findIndex((cell, index) => {
    const next = textOf(cells[index + 1] ?? '')
    return textOf(cell) === block?.cell && next.length === digits && /^\d+$/.test(next)
  })
  return found < 0 ? cells.length : found
}

const isDay = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text)

async function readSheets(definition: LayoutDefinition, bytes: Buffer, onLine: OnLine): Promise<LinesRead> {
  const type = fileTypeOf(bytes)
  if (type === 'xls') throw refusedFile({ key: 'save-as-xlsx' }, { isUnsupported: true })
  if (type !== 'xlsx') throw refusedFile({ key: 'workbook-unreadable' })
  const workbook = await readWorkbook(bytes)
  const names = new Set(definition.records.map(({ sheet }) => sheet))
  const isNamed = !names.has(undefined)
  const sheets = workbook.sheets.filter(({ name, isHidden }) => (isNamed ? names.has(name) : !isHidden))
  const counted = counter(definition, onLine)
  const read = new Set<string>()
  const other = new OtherHeadings(definition)
  let last = 0
  for (const { name, entry } of sheets) {
    // The lines of a further sheet follow on those of the one before; a sheet that the layout names has lines of its own.
    const before = isNamed ? 0 : last
    let headings: Headings | null = null
    let isOver = false
    const onRow = ({ number, cells }: SheetRow) => {
      if (isOver) return
      if (headings !== null) {
        last = before + number
        return counted.take(cellsLine(last, cells, name, headings), false)
      }
      headings = number > maxHeaderRow ? null : headingsOf(definition, cells, name)
      isOver = headings === null && number >= maxHeaderRow
      if (headings === null) other.add(cells)
      else read.add(name)
      counted.skipped += 1
    }
    counted.isStopped = false
    await readXml(entry, new SheetParser(workbook, onRow), () => isOver)
  }
  if (read.size === 0) throw other.error()
  return {
    skipped: counted.skipped,
    sheetsNotRead: workbook.sheets.flatMap(({ name }) => (read.has(name) ? [] : [name])),
  }
}
