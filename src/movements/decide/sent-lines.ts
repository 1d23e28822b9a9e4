import { decodeText } from '#platform/tables/encoding.ts'
import { fileTypeOf } from '#platform/tables/file-signature.ts'
import {
  type CellError,
  columnsFound,
  findCsvHeader,
  formsOf,
  type HeaderError,
  type HeaderLimits,
  knownNames,
  lackingColumns,
  repeatedColumn,
  rowFields,
  type TableColumns,
  type TableHeader,
  tooLongHeader,
} from '#platform/tables/header.ts'
import { CsvRecords } from '#platform/tables/records.ts'
import { isBlank, type RowReader } from '#platform/tables/rows.ts'
import { refusedFile, TableError } from '#platform/tables/table-error.ts'
import { TextLines } from '#platform/tables/text-lines.ts'
import { openSheet, type SheetTask } from '#platform/tables/xlsx/sheet.ts'
import type { FileForms } from '#kernel/cell-values.ts'
import { isObject } from '#kernel/fields.ts'
import type { Message } from '#kernel/messages.ts'
import { parseJson } from '#platform/http/strict-json.ts'
import type { RefusedTable } from '#platform/http/table-types.ts'
import { ApiError, type Detail } from '#platform/core/errors.ts'

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
  /** Only for a table: the cells with an error. */
  readonly errors?: readonly CellError[]
  /** Why it cannot be read. */
  readonly details?: readonly Detail[]
}

/** What is wrong with a field of a line, in the words of its file: the cell of an error, and the forms in which a table may write a day. */
export function detailOfLine({ errors }: SentLine, detail: Detail): Detail {
  const cell = errors?.find(({ column }) => column === detail.field)?.at
  if (cell !== undefined) return { field: detail.field, code: 'invalid', message: { key: 'cell-error', cell } }
  const { message } = detail
  if (errors === undefined || message?.key !== 'format' || message['format'] !== 'date') return detail
  return { ...detail, message: { key: 'format', format: 'table-date' } }
}

/** The columns of such a table. */
export interface LineColumns extends TableColumns {
  /** Which columns it may have, beside those that were found. */
  readonly message: (found: Message) => Message
  readonly limits: HeaderLimits
  /** Other columns are left aside; this proposes what an unknown heading may stand for. undefined: they are refused. */
  readonly propose?: (heading: string) => string | null
}

/** What a file has beside the lines that were read. */
export interface NotRead {
  /** The first headings that no column has. */
  readonly unknownColumns: readonly string[]
  readonly sheetsNotRead: readonly string[]
}

export interface FileLines extends NotRead {
  readonly lines: readonly SentLine[]
}

/** What a thread responds. `too-many`: more lines, or more text, than such a file may have. */
export type LinesResponse = FileLines | RefusedTable | 'too-many'

/** The details of a file that is refused: those of an error would be lost on the way from a thread. @throws any other error. */
export function refusalOf(error: unknown): RefusedTable {
  if (!(error instanceof TableError)) throw error
  return { refused: error.details, isUnsupported: error.isUnsupported }
}

export function tooManyLines(): ApiError {
  return new ApiError('body-too-large', { details: [{ field: 'lines', code: 'too-many' }] })
}

/**
 * The lines of a text in UTF-8, or Windows-1252 when it is not UTF-8 as a whole, as spreadsheets save it; null for a blank one.
 * @throws TableError.
 */
export function* textLines(
  format: 'csv' | 'ndjson',
  bytes: Buffer,
  columns: LineColumns,
  onHeader: (header: TableHeader) => void = () => {},
): Generator<SentLine | null> {
  const type = fileTypeOf(bytes)
  if (type !== null) throw refusedFile({ key: 'wrong-file', file: type })
  const text = decodeText(bytes)
  const open = () => new TextLines(text, maxLineLength)
  yield* format === 'csv' ? csvLines(open, columns, onHeader) : jsonLines(open())
}

/** The lines of a sheet. @throws TableError. */
export async function readSheetLines(task: SheetTask, columns: LineColumns): Promise<FileLines | 'too-many'> {
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
    const header = checkHeader(sheet.header, columns)
    for (const line of tableLines(header, counted, sheet.formsUnder(header))) {
      if (line === null) continue
      if (lines.length === maxDecisionLines || characters > maxDecisionBytes) return 'too-many'
      lines.push(line)
    }
    return { lines, unknownColumns: unknownColumns(header, columns), sheetsNotRead: sheet.notRead }
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
function* csvLines(
  open: () => TextLines,
  columns: LineColumns,
  onHeader: (header: TableHeader) => void,
): Generator<SentLine | null> {
  const [first, records] = [open, open].map((source) => new CsvRecords(source(), maxLineLength)) as [
    CsvRecords,
    CsvRecords,
  ]
  checkHeader(findCsvHeader(first, columns, columns.limits).header, columns)
  const header = checkHeader(findCsvHeader(records, columns, columns.limits).header, columns)
  onHeader(header)
  yield* tableLines(header, records.under(header), formsOf(first.under(header), header))
}

function* tableLines(header: TableHeader, rows: RowReader, forms: FileForms): Generator<SentLine | null> {
  for (let row = rows.next(); row !== null; row = rows.next()) {
    const { number: line, cells, content } = row
    const isRead = cells !== null && content !== null && content.length <= maxLineLength
    const read = isRead ? rowFields(cells, header, forms) : null
    yield isBlank(row) ? null : { line, sent: read?.fields ?? null, errors: read?.errors ?? [] }
  }
}

const maxNameShown = 64
const maxUnknownShown = 50

/** The headings that no column has. */
const unknownNames = (names: readonly string[], { columnOf }: LineColumns) =>
  names.filter((name) => name !== '' && columnOf(name) === null)

/** The same as a response names them: the first, not longer than they are shown. */
export const unknownColumns = ({ names }: Pick<TableHeader, 'names'>, columns: LineColumns): string[] =>
  unknownNames(names, columns)
    .slice(0, maxUnknownShown)
    .map((name) => name.slice(0, maxNameShown).toWellFormed())

function unknownHeading(name: string, proposed: string | null): Detail {
  const field = name.slice(0, maxNameShown).toWellFormed()
  if (proposed === null) return { field, code: 'unknown' }
  return { field, code: 'unknown', message: { key: 'did-you-mean', name: proposed }, allowed: [proposed] }
}

function checkHeader<Header extends TableHeader>(header: Header | HeaderError, columns: LineColumns): Header {
  const { columnOf, limits, propose } = columns
  const { names } = header
  const found = columnsFound(names)
  const message = columns.message(found)
  const unknown = unknownNames(names, columns)
  if ('error' in header && header.error === 'too-long') {
    throw new TableError([{ field: 'header', code: 'too-many-columns', message: tooLongHeader(limits) }])
  }
  const missing = lackingColumns(new Set(knownNames(names.map(columnOf))), columns)
  // Without them the line may be no header: its cells are data of people.
  if (missing.length > 0) {
    const isShown = propose !== undefined && found.key === 'columns-found'
    throw new TableError([
      ...missing.map((field): Detail => ({ field, code: 'missing', message })),
      ...(isShown ? unknown.slice(0, maxUnknownShown).map((name) => unknownHeading(name, propose(name))) : []),
    ])
  }
  if ('error' in header && header.error === 'repeated') {
    const { column, message: twice } = repeatedColumn(names, columnOf)
    throw new TableError([{ field: column, code: 'repeated', message: twice }])
  }
  if ((propose === undefined && unknown.length > 0) || 'error' in header) {
    throw new TableError(
      unknown.map((name): Detail => ({ field: name.slice(0, maxNameShown), code: 'unknown', message })),
    )
  }
  return header
}
