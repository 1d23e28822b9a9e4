import { CHUNK_SIZE } from '../../core/chunk.ts'
import { setImmediate } from 'node:timers/promises'
import type { Static } from 'typebox'
import { decodeText } from '../../tables/encoding.ts'
import { fileTypeOf } from '../../tables/file-signature.ts'
import { csvFields, type CsvHeader, readCsvHeader, tooLongHeader } from '../../tables/header.ts'
import { CsvRecords, isBlank } from '../../tables/records.ts'
import { TextLines } from '../../tables/text-lines.ts'
import type { CsvColumn } from '../../domain/csv-column.ts'
import type { DetailCode } from '../../domain/enums.ts'
import { isObject, uuid } from '../../domain/field-types.ts'
import { parseDate } from '../../domain/import-columns.ts'
import type { Message } from '../../domain/messages.ts'
import { productNameKey } from '../../domain/product-name.ts'
import { parseJson } from '../../http/strict-json.ts'
import { validator } from '../../http/validation.ts'
import { ApiError, type Detail, invalidBody } from '../../core/errors.ts'
import { PORTUGUESE } from '../../texts/texts.ts'
import { DecisionItem, type DecidedItem, readItem } from './items.ts'

/** The body of a decisions file. */
export interface DecisionFile {
  readonly format: 'csv' | 'ndjson'
  readonly bytes: Buffer
}

/** A line of the file: a decision, or why it is none. */
export type DecisionLine = {
  /** Line number in the file, from 1; the header of a CSV is 1. */
  readonly line: number
} & ({ readonly item: DecidedItem } | { readonly item: null; readonly id: string | null; readonly details: Detail[] })

export const maxDecisionLines = 10_000

// Several times the length of all fields.
const maxLineLength = 16_384

/**
 * Reads the whole file; UTF-8, or Windows-1252 when it is not UTF-8 as a whole, as spreadsheets save it.
 * @throws ApiError 400 for a file of another type or a header that cannot be used, 413 for too many lines.
 */
export async function readDecisionFile({ format, bytes }: DecisionFile): Promise<DecisionLine[]> {
  const type = fileTypeOf(bytes)
  if (type !== null) throw fileError('file', 'invalid', { key: 'wrong-file', file: type })
  const source = new TextLines(decodeText(bytes), maxLineLength)
  const lines: DecisionLine[] = []
  const all = format === 'csv' ? csvLines(source) : jsonLines(source)
  let read = 0
  for (const one of all) {
    read += 1
    // Other requests are served meanwhile.
    if (read % CHUNK_SIZE === 0) await setImmediate()
    if (one === null) continue
    if (lines.length === maxDecisionLines) {
      throw new ApiError('body-too-large', { details: [{ field: 'lines', code: 'too-many' }] })
    }
    lines.push({ line: one.line, ...decisionOf(one.sent) })
  }
  return lines
}

/** A line as it was sent; `sent` is null when it cannot be read. */
interface SentLine {
  readonly line: number
  readonly sent: Record<string, unknown> | null
}

/** The lines; null for a blank one. */
function* jsonLines(source: TextLines): Generator<SentLine | null> {
  for (let line = source.next(); line !== null; line = source.next()) {
    const { number, text } = line
    yield text?.trim() === '' ? null : { line: number, sent: text === null ? null : parseLine(text) }
  }
}

/** The lines under the header; null for a blank one. @throws ApiError 400. */
function* csvLines(source: TextLines): Generator<SentLine | null> {
  const records = new CsvRecords(source, maxLineLength)
  let first = records.line()
  for (; first?.text?.trim() === ''; first = records.line()) yield null
  const header = readHeader(first?.text)
  for (let record = records.next(header); record !== null; record = records.next(header)) {
    const { number, cells } = record
    const sent = cells === null ? null : (csvFields(cells, header)?.fields ?? null)
    yield isBlank(record) ? null : { line: number, sent }
  }
}

const required = ['enrollment-id', 'status'] as const
const names = [...required, 'card-number', 'start-date', 'end-date', 'carrier-protocol', 'reason'] as const

/** By the name and the Portuguese header, without case and accents. */
const columns = new Map<string, CsvColumn>(
  names.flatMap((name) => {
    const column = { name, parse: name.endsWith('-date') ? parseDate : String }
    return [name, PORTUGUESE.fields[name]].map((header) => [productNameKey(header), column] as const)
  }),
)

// Ten times as many as there are columns.
const headerLimits = { maxColumns: 64, maxCharacters: 4_096 }
const maxNameShown = 64

/** @param text null: longer than a line may be; undefined: there is none. */
function readHeader(text: string | null | undefined): CsvHeader {
  const isLong = text === null
  const header = isLong ? null : readCsvHeader(text ?? '', (name) => columnOf(name), headerLimits)
  if (header === null || ('error' in header && header.error === 'too-long')) {
    throw fileError('header', 'too-many-columns', tooLongHeader(headerLimits))
  }
  const message: Message = { key: 'decision-header' }
  const found = header.names.map((name) => columnOf(name)?.name)
  const missing = required.filter((name) => !found.includes(name))
  // Without them the line may be no header: its cells are data of people.
  if (missing.length > 0) throw invalidBody(missing.map((field): Detail => ({ field, code: 'missing', message })))
  const seen = new Set<string>()
  const details = header.names.flatMap((sent): Detail[] => {
    if (sent === '') return []
    const name = columnOf(sent)?.name
    if (name === undefined) return [{ field: sent.slice(0, maxNameShown), code: 'unknown', message }]
    return seen.size === seen.add(name).size ? [{ field: name, code: 'repeated', message }] : []
  })
  if (details.length > 0 || 'error' in header) throw invalidBody(details)
  return header
}

function columnOf(header: string): CsvColumn | null {
  return columns.get(productNameKey(header)) ?? null
}

function fileError(field: string, code: DetailCode, message: Message): ApiError {
  return invalidBody([{ field, code, message }])
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

function decisionOf(sent: Record<string, unknown> | null) {
  if (sent === null) return { item: null, id: null, details: [{ field: 'line', code: 'invalid' } as const] }
  const result = validate(sent)
  if ('value' in result) return { item: readItem(result.value as Static<typeof DecisionItem>) }
  const details = (result.error.extra['details'] ?? []) as Detail[]
  return { item: null, id: uuid.parse(sent['enrollment-id']) ?? null, details }
}
