import { setImmediate } from 'node:timers/promises'
import type { Static } from 'typebox'
import { endsInQuotes, splitCells } from '../imports/csv.ts'
import { isObject, uuid } from '../domain/field-types.ts'
import { parseJson } from '../http/strict-json.ts'
import { validator } from '../http/validation.ts'
import { ApiError, type Detail, invalidBody } from '../platform/errors.ts'
import { DecisionItem, type DecidedItem, readItem } from './decision-items.ts'

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

const required = ['enrollment-id', 'status']
const columns = [...required, 'card-number', 'start-date', 'end-date', 'reason']
const separators = [';', ',', '\t'] as const
type Separator = (typeof separators)[number]

/**
 * Reads the whole file; UTF-8, or Windows-1252 when it is not UTF-8 as a whole, as spreadsheets save it.
 * @throws ApiError 400 for a header that cannot be used, 413 for too many lines.
 */
export async function readDecisionFile({ format, bytes }: DecisionFile): Promise<DecisionLine[]> {
  const source = new Lines(textOf(bytes))
  const next = format === 'csv' ? csvReader(await firstLine(source)) : () => jsonLine(source.next() ?? '')
  const lines: DecisionLine[] = []
  for (let read = 0; !source.isAtEnd(); read += 1) {
    // Other requests are served meanwhile.
    if (read % 500 === 499) await setImmediate()
    if (source.skipBlank()) continue
    if (lines.length === maxDecisionLines) {
      throw new ApiError('body-too-large', { details: [{ field: 'lines', code: 'too-many' }] })
    }
    const line = source.number + 1
    lines.push({ line, ...decisionOf(next()) })
  }
  return lines
}

function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** The text, line by line. */
class Lines {
  readonly #text: string
  #at = 0
  /** Of the line that was read last. */
  number = 0

  constructor(text: string) {
    this.#text = text
  }

  isAtEnd(): boolean {
    return this.#at >= this.#text.length
  }

  /** The next line without its line break; null at the end. */
  next(): string | null {
    if (this.isAtEnd()) return null
    const newline = this.#text.indexOf('\n', this.#at)
    const end = newline < 0 ? this.#text.length : newline
    const line = this.#text.slice(this.#at, end)
    this.#at = end + 1
    this.number += 1
    return line.endsWith('\r') ? line.slice(0, -1) : line
  }

  skipBlank(): boolean {
    const mark = this.mark()
    const isBlank = this.next()?.trim() === ''
    if (!isBlank) this.goTo(mark)
    return isBlank
  }

  mark(): { readonly at: number; readonly number: number } {
    return { at: this.#at, number: this.number }
  }

  goTo({ at, number }: { readonly at: number; readonly number: number }): void {
    this.#at = at
    this.number = number
  }
}

/** Skips blank lines. */
async function firstLine(source: Lines): Promise<Lines> {
  for (let read = 0; source.skipBlank(); read += 1) if (read % 500 === 499) await setImmediate()
  return source
}

// If quotes do not close within this many lines, only the line that opens them is malformed.
const maxLinesOfRecord = 20
// Several times the length of all columns.
const maxRecordLength = 16_384

/** Reads the header. @returns what reads the next record; null: malformed. @throws ApiError 400. */
function csvReader(source: Lines): () => Record<string, unknown> | null {
  const { separator, names } = readHeader(source.next() ?? '')
  return () => {
    const cells = nextCells(source, separator)
    if (cells?.length !== names.length) return null
    const sent = names.map((name, index) => [name, valueOf(name, cells[index] ?? '')] as const)
    return Object.fromEntries(sent.filter(([, value]) => value !== ''))
  }
}

function nextCells(source: Lines, separator: Separator): string[] | null {
  let record = source.next() ?? ''
  const afterFirst = source.mark()
  const isOpen = () => record.length <= maxRecordLength && endsInQuotes(record) && !source.isAtEnd()
  for (let lines = 1; lines < maxLinesOfRecord && isOpen(); lines += 1) {
    record = `${record}\n${source.next() ?? ''}`
  }
  const isText = record.length <= maxRecordLength && !record.includes('\0')
  const cells = isText && !endsInQuotes(record) ? splitCells(record, separator) : null
  if (cells === null) source.goTo(afterFirst)
  return cells
}

// Ten times as many as there are columns.
const maxColumns = 64
const maxHeaderLength = 4_096

function readHeader(text: string): { separator: Separator; names: string[] } {
  // Before anything is split: a header may be as long as a file.
  const isTooLong =
    text.length > maxHeaderLength || separators.some((one) => text.split(one, maxColumns + 1).length > maxColumns)
  if (isTooLong) {
    const message = `The header has more than ${maxColumns} columns or ${maxHeaderLength.toLocaleString('en-US')} characters.`
    throw invalidBody([{ field: 'header', code: 'too-many-columns', message }])
  }
  const candidates = separators.map((separator) => ({ separator, names: splitCells(text, separator) ?? [] }))
  const known = (names: readonly string[]) => names.filter((name) => columns.includes(name)).length
  const [header] = candidates.toSorted((a, b) => known(b.names) - known(a.names)) as [(typeof candidates)[number]]
  const message = `The header has enrollment-id and status, and may have card-number, start-date, end-date and reason.`
  const missing = required.filter((name) => !header.names.includes(name))
  const details: Detail[] = missing.map((field) => ({ field, code: 'missing', message }))
  // Without them the line may be no header: its cells are data of people.
  if (details.length > 0) throw invalidBody(details)
  const seen = new Set<string>()
  for (const field of header.names) {
    if (!columns.includes(field)) details.push({ field: field.slice(0, 64), code: 'unknown', message })
    else if (seen.has(field)) details.push({ field, code: 'repeated', message })
    seen.add(field)
  }
  if (details.length > 0) throw invalidBody(details)
  return header
}

const brazilianDate = /^(\d{2})\/(\d{2})\/(\d{4})$/

/** A spreadsheet in Portuguese writes dates as `dd/mm/yyyy`. */
function valueOf(column: string, cell: string): string {
  return column.endsWith('-date') ? cell.replace(brazilianDate, '$3-$2-$1') : cell
}

function jsonLine(text: string): Record<string, unknown> | null {
  if (text.length > maxRecordLength) return null
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
  const outcome = validate(sent)
  if ('value' in outcome) return { item: readItem(outcome.value as Static<typeof DecisionItem>) }
  const details = (outcome.error.extra['details'] ?? []) as Detail[]
  return { item: null, id: uuid.parse(sent['enrollment-id']) ?? null, details }
}
