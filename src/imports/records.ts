import { readSync } from 'node:fs'
import { parseJson } from '../http/strict-json.ts'
import { IMPORT_COLUMNS } from '../domain/import-columns.ts'
import { type ImportLine, parseImportLine } from '../domain/import-line.ts'
import { isObject, MAX_TEXT_CHARACTERS } from '../domain/field-types.ts'
import { decoderOf, type Encoding } from '../tables/encoding.ts'
import { fileTypeOf, signatureBytes } from '../tables/file-signature.ts'
import { type CsvHeader, csvFields } from '../tables/header.ts'
import { CsvRecords, isBlank } from '../tables/records.ts'
import { HeaderError, readImportHeader } from './import-header.ts'
import { LineReader } from './line-reader.ts'

export type ImportFormat = 'csv' | 'ndjson'

export interface ImportRecord {
  readonly line: ImportLine
  /** The line as it came, NUL replaced; null when it is too long. */
  readonly content: string | null
  readonly bytes: number
}

/** A number whose leading zeros a spreadsheet had removed. */
export interface RestoredZeros {
  /** As the header names it. */
  readonly field: string
  readonly line: number
}

/** The lines of an import in their order, without blank ones. */
export interface RecordReader {
  /** The first line of a CSV; null for NDJSON. */
  readonly header: string | null
  /** Unknown columns, or keys of the lines read so far, up to `maxUnknownColumns`. */
  readonly unknownColumns: ReadonlySet<string>
  /** Cells read so far whose leading zeros were restored, the first `maxRestoredZeros`. */
  readonly restoredZeros: readonly RestoredZeros[]
  /** @returns null at the end. */
  next(): ImportRecord | null
}

/** @throws HeaderError. */
export function openRecords(file: number, from: number, format: ImportFormat, encoding: Encoding): RecordReader {
  const head = Buffer.alloc(signatureBytes)
  readSync(file, head, 0, signatureBytes, 0)
  const type = fileTypeOf(head)
  if (type !== null) {
    throw new HeaderError([{ field: 'file', code: 'invalid', message: { key: 'wrong-file', file: type } }])
  }
  const reader = new LineReader(file, from)
  return format === 'csv' ? new CsvLines(reader, encoding) : new JsonLines(reader, encoding)
}

const columns: ReadonlySet<string> = new Set(IMPORT_COLUMNS.keys())
const maxUnknownColumns = 100
const maxRestoredZeros = 100

class UnknownColumns extends Set<string> {
  override add(name: string): this {
    return this.size < maxUnknownColumns ? super.add(name.slice(0, MAX_TEXT_CHARACTERS).toWellFormed()) : this
  }
}

class JsonLines implements RecordReader {
  readonly header = null
  readonly unknownColumns = new UnknownColumns()
  readonly restoredZeros = []
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

/** The lines of a file in CSV. */
class CsvLines implements RecordReader {
  readonly header: string
  readonly unknownColumns = new UnknownColumns()
  readonly restoredZeros: RestoredZeros[] = []
  readonly #records: CsvRecords
  readonly #header: CsvHeader

  constructor(reader: LineReader, encoding: Encoding) {
    const decode = decoderOf(encoding)
    const next = () => {
      const raw = reader.next()
      return raw && { number: raw.number, text: raw.bytes && decode(raw.bytes) }
    }
    // The lines of a record have a limit each.
    this.#records = new CsvRecords({ next }, Infinity)
    const first = this.#records.line()
    this.header = withoutNul(first?.text ?? '')
    const { header, unknown } = readImportHeader(first?.text === null ? null : this.header)
    this.#header = header
    for (const name of unknown) this.unknownColumns.add(name)
  }

  next(): ImportRecord | null {
    for (let record = this.#records.next(this.#header); record !== null; record = this.#records.next(this.#header)) {
      if (isBlank(record)) continue
      const { number, cells, content } = record
      const read = cells === null ? null : csvFields(cells, this.#header)
      for (const field of read?.restored ?? []) this.#warn({ field, line: number })
      return {
        line: parseImportLine(number, read?.fields ?? null),
        content: content === null ? null : withoutNul(content),
        bytes: content?.length ?? 0,
      }
    }
    return null
  }

  #warn(restored: RestoredZeros): void {
    if (this.restoredZeros.length < maxRestoredZeros) this.restoredZeros.push(restored)
  }
}

const NUL = '\0'

/** PostgreSQL stores no NUL. */
function withoutNul(text: string): string {
  return text.includes(NUL) ? text.replaceAll(NUL, '\uFFFD') : text
}
