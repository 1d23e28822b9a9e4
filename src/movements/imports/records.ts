import { readSync } from 'node:fs'
import { BRAZILIAN, type FileForms } from '#kernel/cell-values.ts'
import { parseJson } from '#platform/http/strict-json.ts'
import type { TableProfile } from '../rules/column-profile.ts'
import { IMPORT_COLUMNS } from '../rules/import-columns.ts'
import type { ImportWarning } from '#kernel/import-offenses.ts'
import { type ImportLine, parseImportLine } from '../rules/import-line.ts'
import { isObject } from '#kernel/fields.ts'
import { MAX_TEXT_CHARACTERS } from '#kernel/field-types.ts'
import { isSuspicious } from '#kernel/person-text.ts'
import { withRole } from '../rules/role-of-row.ts'
import { decoderOf, type Encoding } from '#platform/tables/encoding.ts'
import { fileTypeOf, signatureBytes } from '#platform/tables/file-signature.ts'
import { formsOf, rowFields, type TableColumns, type TableHeader } from '#platform/tables/header.ts'
import type { SheetRead } from '#platform/tables/joined-columns.ts'
import { LineReader } from '#platform/tables/line-reader.ts'
import { CsvRecords } from '#platform/tables/records.ts'
import { isBlank, type RowReader } from '#platform/tables/rows.ts'
import { refusedFile } from '#platform/tables/table-error.ts'
import { openSheet, type Sheet } from '#platform/tables/xlsx/sheet.ts'
import { maxWorkbookBytes } from '#platform/tables/xlsx/zip.ts'
import { checkImportHeader, importColumnsWith, readImportHeader } from './import-header.ts'

export type ImportFormat = 'csv' | 'ndjson' | 'xlsx'

export interface ImportRecord {
  readonly line: ImportLine
  /** The line as it came, that of a sheet as CSV, NUL replaced; null when it is too long. */
  readonly content: string | null
  readonly bytes: number
}

/** The warnings about a file, without those about unknown columns. */
export interface FileWarning {
  readonly warning: Exclude<ImportWarning, 'unknown-column' | 'starts-with-primary'>
  /** As the header names it; of a hidden row the name of the sheet. */
  readonly field: string
  readonly line: number
  /** The cell of a `cell-error`, such as `C17`. */
  readonly cell?: string
}

/** The lines of an import in their order, without blank ones. */
export interface RecordReader {
  /** The header of a table as a line of CSV, of a CSV as it came; null for NDJSON. */
  readonly header: string | null
  /** The cells of the header of a table; none of NDJSON. */
  readonly names: readonly string[]
  /** Unknown columns, or keys of the lines read so far, up to `maxUnknownColumns`. */
  readonly unknownColumns: ReadonlySet<string>
  /** The sheets of a workbook that are read, and those that are not. */
  readonly sheets: readonly SheetRead[]
  readonly sheetsNotRead: readonly string[]
  /** The first `maxWarnings` of each kind, for what was read so far. */
  readonly warnings: readonly FileWarning[]
  /** @returns null at the end. */
  next(): ImportRecord | null
  close(): void
}

/** A stored file. */
export interface ImportFile {
  readonly file: number
  readonly size: number
  /** Offset of the first line: after a byte order mark. */
  readonly from: number
  readonly format: ImportFormat
  readonly encoding: Encoding
  /** What headings and words of a table stand for that no import has. */
  readonly profile: TableProfile
  /** The sheet of a workbook; undefined: the one with the columns of an import. */
  readonly sheet?: string | undefined
  /** For temporary files. */
  readonly folder: string
}

/** @throws TableError. */
export async function openRecords(task: ImportFile): Promise<RecordReader> {
  const { file, size, from, format, encoding, sheet, folder, profile } = task
  const columnsOfTable = importColumnsWith(profile)
  if (format === 'xlsx') {
    const bytes = Buffer.alloc(Math.min(size, maxWorkbookBytes + 1))
    readSync(file, bytes, 0, bytes.length, 0)
    return sheetLines(await openSheet({ bytes, sheet, folder }, columnsOfTable), columnsOfTable)
  }
  const head = Buffer.alloc(signatureBytes)
  readSync(file, head, 0, signatureBytes, 0)
  const type = fileTypeOf(head)
  if (type !== null) throw refusedFile({ key: 'wrong-file', file: type })
  return format === 'csv'
    ? csvLines(() => new LineReader(file, from), encoding, columnsOfTable)
    : new JsonLines(new LineReader(file, from), encoding)
}

const columns: ReadonlySet<string> = new Set(IMPORT_COLUMNS.keys())
const maxUnknownColumns = 100
const maxWarnings = 100

class UnknownColumns extends Set<string> {
  override add(name: string): this {
    return this.size < maxUnknownColumns ? super.add(name.slice(0, MAX_TEXT_CHARACTERS).toWellFormed()) : this
  }
}

/** The first of each kind. */
class FileWarnings {
  readonly all: FileWarning[] = []
  readonly #counts = new Map<string, number>()

  add(warning: FileWarning): void {
    const count = (this.#counts.get(warning.warning) ?? 0) + 1
    this.#counts.set(warning.warning, count)
    if (count <= maxWarnings) this.all.push(warning)
  }
}

class JsonLines implements RecordReader {
  readonly header = null
  readonly names = []
  readonly sheets = []
  readonly sheetsNotRead = []
  readonly unknownColumns = new UnknownColumns()
  readonly #warnings = new FileWarnings()
  readonly #reader: LineReader
  readonly #decode: (bytes: Buffer) => string
  readonly #isUtf8: boolean

  constructor(reader: LineReader, encoding: Encoding) {
    this.#reader = reader
    this.#decode = decoderOf(encoding)
    this.#isUtf8 = encoding === 'utf-8'
  }

  close(): void {}

  get warnings(): readonly FileWarning[] {
    return this.#warnings.all
  }

  next(): ImportRecord | null {
    for (let raw = this.#reader.next(); raw !== null; raw = this.#reader.next()) {
      const { number, bytes } = raw
      if (bytes === null) return { line: parseImportLine(number, null), content: null, bytes: 0 }
      const content = this.#decode(bytes)
      if (content.trim() === '') continue
      const fields = this.#parse(bytes, content)
      for (const key in fields) {
        const value = fields[key]
        if (!columns.has(key)) this.unknownColumns.add(key)
        else if (typeof value === 'string' && isSuspicious(value))
          this.#warnings.add({ warning: 'suspicious-text', field: key, line: number })
      }
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

/** The file is read twice: what its dates and amounts mean follows from all of its rows. */
function csvLines(open: () => LineReader, encoding: Encoding, known: TableColumns): TableLines {
  const forms = formsOfCsv(recordsOf(open(), encoding), known)
  const records = recordsOf(open(), encoding)
  const { text, header, unknown } = readImportHeader(records, known)
  return new TableLines(withoutNul(text), header, unknown, records.under(header), forms)
}

function recordsOf(reader: LineReader, encoding: Encoding): CsvRecords {
  const decode = decoderOf(encoding)
  const next = () => {
    const raw = reader.next()
    return raw && { number: raw.number, text: raw.bytes && decode(raw.bytes) }
  }
  // The lines of a record have a limit each.
  return new CsvRecords({ next }, Infinity)
}

function formsOfCsv(records: CsvRecords, known: TableColumns): FileForms {
  const { header } = readImportHeader(records, known)
  const hasForms = header.columns.some((column) => column?.isDate === true || column?.isMoney === true)
  return hasForms ? formsOf(records.under(header), header) : BRAZILIAN
}

function sheetLines(sheet: Sheet, known: TableColumns): TableLines {
  const { header: read, headerText, rows, hiddenRows } = sheet
  const { header, unknown } = checkImportHeader(read, known)
  const lines = new TableLines(withoutNul(headerText), header, unknown, rows, sheet.formsUnder(header), sheet)
  for (const { sheet: name, line } of hiddenRows) lines.warn({ warning: 'hidden-row', field: withoutNul(name), line })
  return lines
}

/** The lines of a table. */
class TableLines implements RecordReader {
  readonly header: string
  readonly names: readonly string[]
  readonly unknownColumns = new UnknownColumns()
  readonly #warnings = new FileWarnings()
  readonly #header: TableHeader
  readonly #forms: FileForms
  readonly #columns: ReadonlySet<string>
  readonly #rows: RowReader
  readonly sheets: readonly SheetRead[]
  readonly sheetsNotRead: readonly string[]
  readonly #sheet: Sheet | null

  constructor(
    text: string,
    header: TableHeader,
    unknown: readonly string[],
    rows: RowReader,
    forms: FileForms,
    sheet: Sheet | null = null,
  ) {
    this.#forms = forms
    this.#columns = new Set(header.columns.flatMap((column) => column?.name ?? []))
    this.header = text
    this.#sheet = sheet
    this.sheets = sheet?.sheets ?? []
    this.sheetsNotRead = sheet?.notRead ?? []
    this.#header = header
    this.names = header.names
    this.#rows = rows
    for (const name of unknown) this.unknownColumns.add(name)
  }

  next(): ImportRecord | null {
    for (let row = this.#rows.next(); row !== null; row = this.#rows.next()) {
      if (isBlank(row)) continue
      const { number: line, cells, content } = row
      const read = cells === null ? null : rowFields(cells, this.#header, this.#forms)
      for (const field of read?.restored ?? []) this.warn({ warning: 'leading-zeros-restored', field, line })
      for (const field of read?.rounded ?? []) this.warn({ warning: 'amount-rounded', field, line })
      for (const field of read?.suspicious ?? []) this.warn({ warning: 'suspicious-text', field, line })
      for (const { header, at } of read?.errors ?? [])
        this.warn({ warning: 'cell-error', field: header, line, cell: at })
      return {
        line: parseImportLine(line, read === null ? null : withRole(read.fields, this.#columns)),
        content: content === null ? null : withoutNul(content),
        bytes: content?.length ?? 0,
      }
    }
    return null
  }

  close(): void {
    this.#sheet?.close()
  }

  get warnings(): readonly FileWarning[] {
    return this.#warnings.all
  }

  warn(warning: FileWarning): void {
    this.#warnings.add(warning)
  }
}

const NUL = '\0'

/** PostgreSQL stores no NUL. */
function withoutNul(text: string): string {
  return text.includes(NUL) ? text.replaceAll(NUL, '\uFFFD') : text
}
