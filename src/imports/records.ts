import { readSync } from 'node:fs'
import { parseJson } from '../http/strict-json.ts'
import { IMPORT_COLUMNS } from '../domain/import-columns.ts'
import { type ImportLine, parseImportLine } from '../domain/import-line.ts'
import { isObject, MAX_TEXT_CHARACTERS } from '../domain/field-types.ts'
import { type CsvHeader, csvFields, endsInQuotes, splitCells } from './csv.ts'
import { fileTypeOf, saveAsCsv, signatureBytes } from './file-signature.ts'
import { HeaderError, readImportHeader } from './import-header.ts'
import { LineReader } from './line-reader.ts'

export type ImportFormat = 'csv' | 'ndjson'
export type Encoding = 'utf-8' | 'windows-1252'

export interface ImportRecord {
  readonly line: ImportLine
  /** The line as it came, NUL replaced; null when it is too long. */
  readonly content: string | null
  readonly bytes: number
}

/** The lines of an import in their order, without blank ones. */
export interface RecordReader {
  /** The first line of a CSV; null for NDJSON. */
  readonly header: string | null
  /** Unknown columns, or keys of the lines read so far, up to `maxUnknownColumns`. */
  readonly unknownColumns: ReadonlySet<string>
  /** @returns null at the end. */
  next(): ImportRecord | null
}

/** @throws HeaderError. */
export function openRecords(file: number, from: number, format: ImportFormat, encoding: Encoding): RecordReader {
  const head = Buffer.alloc(signatureBytes)
  readSync(file, head, 0, signatureBytes, 0)
  const type = fileTypeOf(head)
  if (type !== null) {
    const message = `The file is ${type}. ${saveAsCsv}`
    throw new HeaderError([{ field: 'file', code: 'invalid', message }])
  }
  const reader = new LineReader(file, from)
  return format === 'csv' ? new CsvLines(reader, encoding) : new JsonLines(reader, encoding)
}

const columns: ReadonlySet<string> = new Set(IMPORT_COLUMNS.keys())
const maxUnknownColumns = 100

class UnknownColumns extends Set<string> {
  override add(name: string): this {
    return this.size < maxUnknownColumns ? super.add(name.slice(0, MAX_TEXT_CHARACTERS).toWellFormed()) : this
  }
}

class JsonLines implements RecordReader {
  readonly header = null
  readonly unknownColumns = new UnknownColumns()
  readonly #reader: LineReader
  readonly #decode: (bytes: Buffer) => string
  readonly #isUtf8: boolean

  constructor(reader: LineReader, encoding: Encoding) {
    this.#reader = reader
    this.#decode = decoderOf(encoding)
    this.#isUtf8 = encoding === 'utf-8'
  }

  next(): ImportRecord | null {
    for (let raw = this.#reader.next(); raw !== null; raw = this.#reader.next()) {
      const { number, bytes } = raw
      if (bytes === null) return { line: parseImportLine(number, null), content: null, bytes: 0 }
      const content = this.#decode(bytes)
      if (content.trim() === '') continue
      const fields = this.#parse(bytes, content)
      for (const key in fields) if (!columns.has(key)) this.unknownColumns.add(key)
      return { line: parseImportLine(number, fields), content: withoutNul(content), bytes: bytes.length }
    }
    return null
  }

  #parse(bytes: Buffer, content: string): Record<string, unknown> | null {
    try {
      const value = parseJson(this.#isUtf8 ? bytes : Buffer.from(content))
      return isObject(value) ? value : null
    } catch {
      return null
    }
  }
}

interface TextLine {
  readonly number: number
  /** null: too long. */
  readonly text: string | null
}

// If quotes do not close within this many lines, only the line that opens them is malformed.
const maxLinesOfRecord = 20

/** No CSV library splits the records, so that one malformed line does not affect the others: docs/decisions/0023. */
class CsvLines implements RecordReader {
  readonly header: string
  readonly unknownColumns = new UnknownColumns()
  readonly #reader: LineReader
  readonly #decode: (bytes: Buffer) => string
  readonly #ahead: TextLine[] = []
  readonly #header: CsvHeader

  constructor(reader: LineReader, encoding: Encoding) {
    this.#reader = reader
    this.#decode = decoderOf(encoding)
    this.header = withoutNul(this.#peek(0)?.text ?? '')
    this.#ahead.shift()
    const { header, unknown } = readImportHeader(this.header)
    this.#header = header
    for (const name of unknown) this.unknownColumns.add(name)
  }

  next(): ImportRecord | null {
    for (let first = this.#peek(0); first !== null; first = this.#peek(0)) {
      const { cells, content, lines } = this.#record(first)
      this.#ahead.splice(0, lines)
      // Spreadsheets write empty rows as separators.
      if (cells?.every((cell) => cell === '')) continue
      const fields = cells === null ? null : csvFields(cells, this.#header)
      return {
        line: parseImportLine(first.number, fields),
        content: content === null ? null : withoutNul(content),
        bytes: content?.length ?? 0,
      }
    }
    return null
  }

  /** The cells and the text of the record that begins with this line, and how many lines it has. */
  #record({ text }: TextLine): { cells: string[] | null; content: string | null; lines: number } {
    let record = text ?? ''
    let lines = 1
    for (; endsInQuotes(record) && lines < maxLinesOfRecord; lines += 1) {
      const next = this.#peek(lines)
      if (next === null || next.text === null) break
      record = `${record}\n${next.text}`
    }
    const cells = text === null || record.includes(NUL) ? null : splitCells(record, this.#header.separator)
    return cells === null ? { cells, content: text, lines: 1 } : { cells, content: record, lines }
  }

  #peek(index: number): TextLine | null {
    while (this.#ahead.length <= index) {
      const raw = this.#reader.next()
      if (raw === null) return null
      this.#ahead.push({ number: raw.number, text: raw.bytes === null ? null : this.#decode(raw.bytes) })
    }
    return this.#ahead[index] ?? null
  }
}

const NUL = '\0'

/** PostgreSQL stores no NUL. */
function withoutNul(text: string): string {
  return text.includes(NUL) ? text.replaceAll(NUL, '\uFFFD') : text
}

function decoderOf(encoding: Encoding): (bytes: Buffer) => string {
  if (encoding === 'utf-8') return (bytes) => bytes.toString('utf8')
  const decoder = new TextDecoder('windows-1252')
  return (bytes) => decoder.decode(bytes)
}
