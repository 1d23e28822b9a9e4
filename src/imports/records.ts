import { parseJson } from '../http/strict-json.ts'
import { type CsvHeader, csvFields, endsInQuotes, readCsvHeader, splitCells } from './csv.ts'
import type { DetailCode } from '../domain/enums.ts'
import { IMPORT_COLUMNS, type ImportLine, parseImportLine } from '../domain/import-line.ts'
import type { FieldError } from '../domain/field-types.ts'
import { LineReader } from './line-reader.ts'

export type ImportFormat = 'csv' | 'ndjson'
export type Encoding = 'utf-8' | 'windows-1252'

/** The lines of an import in their order, without blank ones. */
export interface RecordReader {
  /** @returns null at the end. */
  next(): { readonly line: ImportLine; readonly bytes: number } | null
}

/** A CSV whose header cannot be used. */
export class HeaderError extends Error {
  override readonly name = 'HeaderError'
  readonly detail: FieldError

  /** @param text the first line; null when there is none. */
  constructor(code: DetailCode, text: string | null) {
    super('the header of the file cannot be used')
    const message = `${foundColumns(text)} Columns of an import: ${IMPORT_COLUMNS.join(', ')}.`
    this.detail = { field: 'header', code, message, allowed: IMPORT_COLUMNS }
  }
}

/** A line with digits or `@` is taken for data, which an error does not repeat. */
function foundColumns(text: string | null): string {
  if (text === null || text.trim() === '') return 'The first line is empty.'
  if (/[\d@]/.test(text)) return 'The first line has no names of columns.'
  return `The first line has the columns ${text.slice(0, 500).toWellFormed().trim()}.`
}

const columns: ReadonlySet<string> = new Set(IMPORT_COLUMNS)

/** @throws HeaderError. */
export function openRecords(file: number, from: number, format: ImportFormat, encoding: Encoding): RecordReader {
  const reader = new LineReader(file, from)
  return format === 'csv' ? new CsvLines(reader, encoding) : new JsonLines(reader, encoding)
}

class JsonLines implements RecordReader {
  readonly #reader: LineReader
  readonly #decode: (bytes: Buffer) => string
  readonly #isUtf8: boolean

  constructor(reader: LineReader, encoding: Encoding) {
    this.#reader = reader
    this.#decode = decoderOf(encoding)
    this.#isUtf8 = encoding === 'utf-8'
  }

  next() {
    for (let raw = this.#reader.next(); raw !== null; raw = this.#reader.next()) {
      const { number, bytes } = raw
      if (bytes !== null && isBlank(bytes)) continue
      return { line: parseImportLine(number, bytes === null ? null : this.#parse(bytes)), bytes: bytes?.length ?? 0 }
    }
    return null
  }

  #parse(bytes: Buffer): Record<string, unknown> | null {
    try {
      const value = parseJson(this.#isUtf8 ? bytes : Buffer.from(this.#decode(bytes)))
      return typeof value === 'object' && value !== null && !Array.isArray(value)
        ? (value as Record<string, unknown>)
        : null
    } catch {
      return null
    }
  }
}

interface TextLine {
  readonly number: number
  readonly text: string | null
}

// If quotes do not close within this many lines, only the line that opens them is malformed.
const maxLinesOfRecord = 20

/** No CSV library splits the records, so that one malformed line does not affect the others: docs/decisions/0023. */
class CsvLines implements RecordReader {
  readonly #reader: LineReader
  readonly #decode: (bytes: Buffer) => string
  readonly #ahead: TextLine[] = []
  readonly #header: CsvHeader

  constructor(reader: LineReader, encoding: Encoding) {
    this.#reader = reader
    this.#decode = decoderOf(encoding)
    const first = this.#peek(0)
    if (first === null) throw new HeaderError('missing', null)
    this.#ahead.shift()
    if (first.text === null) throw new HeaderError('invalid', null)
    const header = readCsvHeader(first.text, (name) => columns.has(name))
    if ('error' in header) throw new HeaderError(header.error, first.text)
    this.#header = header
  }

  next() {
    for (let first = this.#peek(0); first !== null; first = this.#peek(0)) {
      if (first.text !== null && first.text.trim() === '') {
        this.#ahead.shift()
        continue
      }
      const { number } = first
      const { cells, lines, length } = this.#record(first)
      this.#ahead.splice(0, lines)
      return { line: parseImportLine(number, cells === null ? null : csvFields(cells, this.#header)), bytes: length }
    }
    return null
  }

  /** The cells of the record that begins with this line, and how many lines it has. */
  #record({ text }: TextLine): { cells: string[] | null; lines: number; length: number } {
    let record = text ?? ''
    let lines = 1
    for (; endsInQuotes(record) && lines < maxLinesOfRecord; lines += 1) {
      const next = this.#peek(lines)
      if (next === null || next.text === null) break
      record = `${record}\n${next.text}`
    }
    const cells = text === null ? null : splitCells(record, this.#header.separator)
    return cells === null ? { cells, lines: 1, length: text?.length ?? 0 } : { cells, lines, length: record.length }
  }

  #peek(index: number): TextLine | null {
    while (this.#ahead.length <= index) {
      const raw = this.#reader.next()
      if (raw === null) return null
      const { number, bytes } = raw
      this.#ahead.push({ number, text: bytes === null || bytes.includes(0) ? null : this.#decode(bytes) })
    }
    return this.#ahead[index] ?? null
  }
}

function decoderOf(encoding: Encoding): (bytes: Buffer) => string {
  if (encoding === 'utf-8') return (bytes) => bytes.toString('utf8')
  const decoder = new TextDecoder('windows-1252')
  return (bytes) => decoder.decode(bytes)
}

function isBlank(bytes: Buffer): boolean {
  for (const byte of bytes) if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0d) return false
  return true
}
