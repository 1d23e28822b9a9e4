import { decodeText } from '../../tables/encoding.ts'
import { fileTypeOf } from '../../tables/file-signature.ts'
import {
  type CellError,
  type CsvHeader,
  type HeaderError,
  type HeaderLimits,
  readCsvHeader,
  rowFields,
  type TableColumns,
  type TableHeader,
  tooLongHeader,
} from '../../tables/header.ts'
import { CsvRecords } from '../../tables/records.ts'
import { isBlank, type RowReader } from '../../tables/rows.ts'
import { refusedFile, TableError } from '../../tables/table-error.ts'
import { TextLines } from '../../tables/text-lines.ts'
import { openSheet, type SheetTask } from '../../tables/xlsx/sheet.ts'
import { isObject } from '../../domain/fields.ts'
import type { Message } from '../../domain/messages.ts'
import { parseJson } from '../../http/strict-json.ts'
import type { RefusedTable } from '../../http/table-types.ts'
import { ApiError, type Detail } from '../../core/errors.ts'

/* The lines of a file of decisions, or of a carrier's answers: CSV, NDJSON or a sheet. */

export const maxDecisionLines = 10_000
export const maxDecisionBytes = 16 * 1024 * 1024

// Several times the length of all fields.
const maxLineLength = 16_384

/** A line as it was sent; `sent` is null when it cannot be read. */
export interface SentLine {
  /** Line number in the file, from 1; the header of a CSV is 1. */
  readonly line: number
  readonly sent: Record<string, unknown> | null
  readonly errors?: readonly CellError[]
  /** Why it cannot be read. */
  readonly details?: readonly Detail[]
}

/** The columns of such a table. */
export interface LineColumns extends TableColumns {
  /** Columns one of which a header has. */
  readonly oneOf?: readonly string[]
  /** Which columns it may have. */
  readonly message: Message
  readonly limits: HeaderLimits
  /** Whether other columns are ignored. */
  readonly ignoresOthers?: boolean
}

/** What a thread responds. `too-many`: more lines, or more text, than such a file may have. */
export type LinesResponse = readonly SentLine[] | RefusedTable | 'too-many'

/** The details of a file that is refused: those of an error would be lost on the way from a thread. @throws any other error. */
export function refusalOf(error: unknown): RefusedTable {
  if (!(error instanceof TableError)) throw error
  return { refused: error.details, isUnsupported: error.isUnsupported }
}

export function tooManyLines(): ApiError {
  return new ApiError('body-too-large', { details: [{ field: 'lines', code: 'too-many' }] })
}

/** The lines of a text in UTF-8, or Windows-1252 when it is not UTF-8 as a whole, as spreadsheets save it; null for a blank one. @throws TableError. */
export function* textLines(format: 'csv' | 'ndjson', bytes: Buffer, columns: LineColumns): Generator<SentLine | null> {
  const type = fileTypeOf(bytes)
  if (type !== null) throw refusedFile({ key: 'wrong-file', file: type })
  const source = new TextLines(decodeText(bytes), maxLineLength)
  yield* format === 'csv' ? csvLines(source, columns) : jsonLines(source)
}

/** The lines of a sheet. @throws TableError. */
export async function readSheetLines(task: SheetTask, columns: LineColumns): Promise<readonly SentLine[] | 'too-many'> {
  const sheet = await openSheet({ ...task, bytes: Buffer.from(task.bytes) }, columns)
  try {
    let characters = 0
    const counted = {
      next() {
        const row = sheet.rows.next()
        characters += row?.content?.length ?? 0
        return row
      },
    }
    const lines: SentLine[] = []
    for (const one of tableLines(checkHeader(sheet.header, columns), counted)) {
      if (one === null) continue
      if (lines.length === maxDecisionLines || characters > maxDecisionBytes) return 'too-many'
      lines.push(one)
    }
    return lines
  } finally {
    sheet.close()
  }
}

/** The lines; null for a blank one. */
function* jsonLines(source: TextLines): Generator<SentLine | null> {
  for (let line = source.next(); line !== null; line = source.next()) {
    const { number, text } = line
    yield text?.trim() === '' ? null : { line: number, sent: text === null ? null : parseLine(text) }
  }
}

function parseLine(text: string): Record<string, unknown> | null {
  try {
    const value = parseJson(Buffer.from(text))
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

/** The lines under the header; null for a blank one. @throws TableError. */
function* csvLines(source: TextLines, columns: LineColumns): Generator<SentLine | null> {
  const records = new CsvRecords(source, maxLineLength)
  let first = records.line()
  for (; first?.text?.trim() === ''; first = records.line()) yield null
  const header = readHeader(first?.text, columns)
  yield* tableLines(header, records.under(header))
}

function* tableLines(header: TableHeader, rows: RowReader): Generator<SentLine | null> {
  for (let row = rows.next(); row !== null; row = rows.next()) {
    const { number: line, cells, content } = row
    const isRead = cells !== null && content !== null && content.length <= maxLineLength
    const read = isRead ? rowFields(cells, header) : null
    yield isBlank(row) ? null : { line, sent: read?.fields ?? null, errors: read?.errors ?? [] }
  }
}

const maxNameShown = 64

/** @param text null: longer than a line may be; undefined: there is none. */
function readHeader(text: string | null | undefined, columns: LineColumns): CsvHeader {
  const isLong = text === null
  const { columnOf, limits } = columns
  const header = isLong ? null : readCsvHeader(text ?? '', columnOf, limits)
  if (header === null || ('error' in header && header.error === 'too-long')) {
    throw new TableError([{ field: 'header', code: 'too-many-columns', message: tooLongHeader(limits) }])
  }
  return checkHeader(header, columns)
}

function checkHeader<Header extends TableHeader>(header: Header | HeaderError, columns: LineColumns): Header {
  const { message, columnOf } = columns
  const found = header.names.map((name) => columnOf(name)?.name)
  const [first, ...others] = columns.oneOf ?? []
  const isNamed = first === undefined || [first, ...others].some((name) => found.includes(name))
  const missing = [...(isNamed ? [] : [first]), ...columns.required.filter((name) => !found.includes(name))]
  // Without them the line may be no header: its cells are data of people.
  if (missing.length > 0) {
    throw new TableError(missing.map((field): Detail => ({ field, code: 'missing', message })))
  }
  const seen = new Set<string>()
  const details = header.names.flatMap((sent): Detail[] => {
    if (sent === '') return []
    const name = columnOf(sent)?.name
    if (name === undefined)
      return columns.ignoresOthers === true ? [] : [{ field: sent.slice(0, maxNameShown), code: 'unknown', message }]
    return seen.size === seen.add(name).size ? [{ field: name, code: 'repeated', message }] : []
  })
  if (details.length > 0 || 'error' in header) throw new TableError(details)
  return header
}
