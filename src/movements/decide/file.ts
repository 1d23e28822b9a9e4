import { CHUNK_SIZE } from '../../core/chunk.ts'
import { setImmediate } from 'node:timers/promises'
import type { Static } from 'typebox'
import { decodeText } from '../../tables/encoding.ts'
import { fileTypeOf } from '../../tables/file-signature.ts'
import {
  type CellError,
  type CsvHeader,
  type HeaderError,
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
import type { CsvColumn } from '../../domain/csv-column.ts'
import { isObject, uuid } from '../../domain/field-types.ts'
import { parseDate } from '../../domain/import-columns.ts'
import type { Message } from '../../domain/messages.ts'
import { productNameKey } from '../../domain/product-name.ts'
import { parseJson } from '../../http/strict-json.ts'
import { refusedTable } from '../../http/table-types.ts'
import { validator } from '../../http/validation.ts'
import { ApiError, type Detail } from '../../core/errors.ts'
import { PORTUGUESE } from '../../texts/texts.ts'
import { DecisionItem, type DecidedItem, readItem } from './items.ts'

/** The body of a decisions file. */
export interface DecisionFile {
  readonly format: 'csv' | 'ndjson' | 'xlsx'
  readonly bytes: Buffer
}

/** A line of the file: a decision, or why it is none. */
export type DecisionLine = {
  /** Line number in the file, from 1; the header of a CSV is 1. */
  readonly line: number
} & ({ readonly item: DecidedItem } | { readonly item: null; readonly id: string | null; readonly details: Detail[] })

export const maxDecisionLines = 10_000
export const maxDecisionBytes = 16 * 1024 * 1024

// Several times the length of all fields.
const maxLineLength = 16_384

/** What a thread gives the lines of a workbook. */
export type OpenWorkbook = (bytes: Buffer) => Promise<readonly SentLine[]>

/**
 * Reads the whole file; a text in UTF-8, or Windows-1252 when it is not UTF-8 as a whole, as spreadsheets save it.
 * @throws ApiError 400 for a file that cannot be used, 413 for too many lines, 415 for another kind of workbook.
 */
export async function readDecisionFile(file: DecisionFile, openWorkbook: OpenWorkbook): Promise<DecisionLine[]> {
  try {
    return await readLines(file.format === 'xlsx' ? await openWorkbook(file.bytes) : textLines(file.format, file.bytes))
  } catch (error) {
    if (!(error instanceof TableError)) throw error
    throw refusedTable({ refused: error.details, isUnsupported: error.isUnsupported })
  }
}

function* textLines(format: 'csv' | 'ndjson', bytes: Buffer): Generator<SentLine | null> {
  const type = fileTypeOf(bytes)
  if (type !== null) throw refusedFile({ key: 'wrong-file', file: type })
  const source = new TextLines(decodeText(bytes), maxLineLength)
  yield* format === 'csv' ? csvLines(source) : jsonLines(source)
}

async function readLines(all: Iterable<SentLine | null>): Promise<DecisionLine[]> {
  const lines: DecisionLine[] = []
  let read = 0
  for (const one of all) {
    read += 1
    // Other requests are served meanwhile.
    if (read % CHUNK_SIZE === 0) await setImmediate()
    if (one === null) continue
    if (lines.length === maxDecisionLines) throw tooManyLines()
    lines.push({ line: one.line, ...decisionOf(one) })
  }
  return lines
}

export function tooManyLines(): ApiError {
  return new ApiError('body-too-large', { details: [{ field: 'lines', code: 'too-many' }] })
}

/** A line as it was sent; `sent` is null when it cannot be read. */
export interface SentLine {
  readonly line: number
  readonly sent: Record<string, unknown> | null
  readonly errors?: readonly CellError[]
}

/** The lines; null for a blank one. */
function* jsonLines(source: TextLines): Generator<SentLine | null> {
  for (let line = source.next(); line !== null; line = source.next()) {
    const { number, text } = line
    yield text?.trim() === '' ? null : { line: number, sent: text === null ? null : parseLine(text) }
  }
}

/** The lines under the header; null for a blank one. @throws TableError. */
function* csvLines(source: TextLines): Generator<SentLine | null> {
  const records = new CsvRecords(source, maxLineLength)
  let first = records.line()
  for (; first?.text?.trim() === ''; first = records.line()) yield null
  const header = readHeader(first?.text)
  yield* tableLines(header, records.under(header))
}

/** The lines of a sheet; null for a blank one. @throws TableError. */
export function sheetLines(header: TableHeader | HeaderError, rows: RowReader): Generator<SentLine | null> {
  return tableLines(checkHeader(header), rows)
}

function* tableLines(header: TableHeader, rows: RowReader): Generator<SentLine | null> {
  for (let row = rows.next(); row !== null; row = rows.next()) {
    const { number: line, cells, content } = row
    const isRead = cells !== null && content !== null && content.length <= maxLineLength
    const read = isRead ? rowFields(cells, header) : null
    yield isBlank(row) ? null : { line, sent: read?.fields ?? null, errors: read?.errors ?? [] }
  }
}

const required = ['enrollment-id', 'status'] as const
const names = [...required, 'card-number', 'start-date', 'end-date', 'carrier-protocol', 'reason'] as const

/** By the name and the Portuguese header, without case and accents. */
const columns = new Map<string, CsvColumn>(
  names.flatMap((name) => {
    const isDate = name.endsWith('-date')
    const column = { name, parse: isDate ? parseDate : String, isDate }
    return [name, PORTUGUESE.fields[name]].map((header) => [productNameKey(header), column] as const)
  }),
)

// Ten times as many as there are columns.
const headerLimits = { maxColumns: 64, maxCharacters: 4_096 }
const maxNameShown = 64

/** The columns of a file of decisions, for a reader of tables. */
export const decisionColumns: TableColumns = { columnOf, required }

/** @param text null: longer than a line may be; undefined: there is none. */
function readHeader(text: string | null | undefined): CsvHeader {
  const isLong = text === null
  const header = isLong ? null : readCsvHeader(text ?? '', columnOf, headerLimits)
  if (header === null || ('error' in header && header.error === 'too-long')) {
    throw new TableError([{ field: 'header', code: 'too-many-columns', message: tooLongHeader(headerLimits) }])
  }
  return checkHeader(header)
}

function checkHeader<Header extends TableHeader>(header: Header | HeaderError): Header {
  const message: Message = { key: 'decision-header' }
  const found = header.names.map((name) => columnOf(name)?.name)
  const missing = required.filter((name) => !found.includes(name))
  // Without them the line may be no header: its cells are data of people.
  if (missing.length > 0) {
    throw new TableError(missing.map((field): Detail => ({ field, code: 'missing', message })))
  }
  const seen = new Set<string>()
  const details = header.names.flatMap((sent): Detail[] => {
    if (sent === '') return []
    const name = columnOf(sent)?.name
    if (name === undefined) return [{ field: sent.slice(0, maxNameShown), code: 'unknown', message }]
    return seen.size === seen.add(name).size ? [{ field: name, code: 'repeated', message }] : []
  })
  if (details.length > 0 || 'error' in header) throw new TableError(details)
  return header
}

function columnOf(header: string): CsvColumn | null {
  return columns.get(productNameKey(header)) ?? null
}

function parseLine(text: string): Record<string, unknown> | null {
  try {
    const value = parseJson(Buffer.from(text))
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

const validate = validator(DecisionItem, 'body')

function decisionOf({ sent, errors = [] }: SentLine) {
  if (sent === null) return { item: null, id: null, details: [{ field: 'line', code: 'invalid' } as const] }
  const result = validate(sent)
  if ('value' in result) return { item: readItem(result.value as Static<typeof DecisionItem>) }
  const details = ((result.error.extra['details'] ?? []) as Detail[]).map((detail): Detail => {
    const cell = errors.find(({ column }) => column === detail.field)?.at
    return cell === undefined ? detail : { field: detail.field, code: 'invalid', message: { key: 'cell-error', cell } }
  })
  return { item: null, id: uuid.parse(sent['enrollment-id']) ?? null, details }
}
