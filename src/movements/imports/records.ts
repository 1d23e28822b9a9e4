import { readSync } from 'node:fs'
import { BRAZILIAN, type FileForms } from '#kernel/cell-values.ts'
import { parseJson } from '#platform/http/strict-json.ts'
import type { TableProfile } from '../rules/column-profile.ts'
import type { ImportWarning } from '#kernel/import-offenses.ts'
import { type ImportLine, parseImportLine } from '../rules/import-line.ts'
import { IMPORT_OF_COMPANY, type TableForm, TABLES } from '../rules/table-columns.ts'
import { isObject } from '#kernel/fields.ts'
import { MAX_TEXT_CHARACTERS } from '#kernel/field-types.ts'
import { isSuspicious } from '#kernel/person-text.ts'
import { storable } from '#kernel/stored-text.ts'
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
import { checkHeader, columnsWith, readHeader } from './import-header.ts'

export type ImportFormat = 'csv' | 'ndjson' | 'xlsx'

type Fields = Readonly<Record<string, unknown>>

/** What the lines of a file are. */
export interface LineForm<Line> {
  readonly table: TableForm
  /** The keys of a line in JSON. */
  readonly keys: ReadonlySet<string>
  /** @param sent the keys of a line in JSON; null: it is malformed. */
  readonly ofKeys: (line: number, sent: Fields | null) => Line
  /** @param sent the cells of a row as values by column; null: it is malformed. @param columns those that the table has. */
  readonly ofCells: (line: number, sent: Fields | null, columns: ReadonlySet<string>) => Line
}

/** One benefit of one person a line. @param companyTaxId of the lines that name no company; null: each must. */
export function importFormOf(companyTaxId: string | null): LineForm<ImportLine> {
  const ofCompany = companyTaxId === null ? {} : { 'company-tax-id': companyTaxId }
  const lineOf = (line: number, sent: Fields | null) =>
    parseImportLine(line, sent === null ? null : { ...ofCompany, ...sent })
  return {
    table: companyTaxId === null ? TABLES.import : IMPORT_OF_COMPANY,
    keys: new Set(TABLES.import.columns.keys()),
    ofKeys: lineOf,
    ofCells: (line, sent, columns) => lineOf(line, sent === null ? null : withRole(sent, columns)),
  }
}

export interface FileRecord<Line> {
  readonly line: Line
  /** Whether it could not be read. */
  readonly isMalformed: boolean
  /** Whether the name of the person shows signs of a wrong encoding. */
  readonly hasSuspiciousName: boolean
  /** The line as it came, that of a sheet as CSV, NUL replaced; null when it is too long. */
  readonly content: string | null
  readonly bytes: number
}
export type ImportRecord = FileRecord<ImportLine>

/** The warnings about a file, without those about unknown columns. */
export interface FileWarning {
  readonly warning: Exclude<ImportWarning, 'unknown-column' | 'starts-with-primary'>
  /** As the header names it; of a hidden row the name of the sheet. */
  readonly field: string
  readonly line: number
  /** The cell of a `cell-error`, such as `C17`. */
  readonly cell?: string
}

/** The lines of a file in their order, without blank ones. */
export interface RecordReader<Line> {
  /** The header of a table as a line of CSV, of a CSV as it came; null for NDJSON. */
  readonly header: string | null
  /** The cells of the header of a table; none of NDJSON. */
  readonly names: readonly string[]
  /** The columns of a table, or the known keys of the lines read so far. */
  readonly columns: ReadonlySet<string>
  /** What the dates and amounts of a table mean; null: it is none. */
  readonly forms: FileForms | null
  /** Unknown columns, or keys of the lines read so far, up to `maxUnknownColumns`. */
  readonly unknownColumns: ReadonlySet<string>
  /** The sheets of a workbook that are read, and those that are not. */
  readonly sheets: readonly SheetRead[]
  readonly sheetsNotRead: readonly string[]
  /** The first `maxWarnings` of each kind, for what was read so far. */
  readonly warnings: readonly FileWarning[]
  /** @returns null at the end. */
  next(): FileRecord<Line> | null
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
  /** What headings and words of a table stand for that its form does not have. */
  readonly profile: TableProfile
  /** The sheet of a workbook; undefined: those with the columns of the form. */
  readonly sheet?: string | undefined
  /** For temporary files. */
  readonly folder: string
}

/** @throws TableError. */
export async function openRecords<Line>(task: ImportFile, form: LineForm<Line>): Promise<RecordReader<Line>> {
  const { file, size, from, format, encoding, sheet, folder, profile } = task
  const columnsOfTable = columnsWith(profile, form.table)
  if (format === 'xlsx') {
    const bytes = bytesOf(file, Math.min(size, maxWorkbookBytes + 1))
    return sheetLines(await openSheet({ bytes, sheet, folder }, columnsOfTable), columnsOfTable, form)
  }
  const head = Buffer.alloc(signatureBytes)
  readSync(file, head, 0, signatureBytes, 0)
  const type = fileTypeOf(head)
  if (type !== null) throw refusedFile({ key: 'wrong-file', file: type })
  return format === 'csv'
    ? csvLines(() => new LineReader(file, from), encoding, columnsOfTable, form)
    : new KeyLines(jsonLines(new LineReader(file, from), encoding), form)
}

/** The first bytes of a file. */
export function bytesOf(file: number, size: number): Buffer {
  const bytes = Buffer.alloc(size)
  readSync(file, bytes, 0, size, 0)
  return bytes
}

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

/** A line in keys before it is one of a form. */
export interface KeyLine {
  readonly number: number
  /** null: it is malformed. */
  readonly fields: Fields | null
  readonly content: string | null
  readonly bytes: number
}

/** The lines of a file in keys. */
export class KeyLines<Line> implements RecordReader<Line> {
  readonly header = null
  readonly names = []
  readonly sheets = []
  readonly sheetsNotRead = []
  readonly forms = null
  readonly columns = new Set<string>()
  readonly unknownColumns = new UnknownColumns()
  readonly #warnings = new FileWarnings()
  readonly #lines: Iterator<KeyLine>
  readonly #form: LineForm<Line>

  constructor(lines: Iterator<KeyLine>, form: LineForm<Line>) {
    this.#lines = lines
    this.#form = form
  }

  close(): void {}

  get warnings(): readonly FileWarning[] {
    return this.#warnings.all
  }

  next(): FileRecord<Line> | null {
    const read = this.#lines.next()
    if (read.done === true) return null
    const { number, fields, content, bytes } = read.value
    for (const key in fields) {
      const value = fields[key]
      if (!this.#form.keys.has(key)) this.unknownColumns.add(key)
      else {
        this.columns.add(key)
        if (typeof value === 'string' && isSuspicious(value))
          this.#warnings.add({ warning: 'suspicious-text', field: key, line: number })
      }
    }
    return {
      line: this.#form.ofKeys(number, fields),
      isMalformed: fields === null,
      hasSuspiciousName: isSuspiciousName(fields),
      content,
      bytes,
    }
  }
}

const isSuspiciousName = (fields: Fields | null): boolean =>
  typeof fields?.['name'] === 'string' && isSuspicious(fields['name'])

function* jsonLines(reader: LineReader, encoding: Encoding): Generator<KeyLine, undefined> {
  const decode = decoderOf(encoding)
  for (let raw = reader.next(); raw !== null; raw = reader.next()) {
    const { number, bytes } = raw
    if (bytes === null) yield { number, fields: null, content: null, bytes: 0 }
    else {
      const content = decode(bytes)
      if (content.trim() === '') continue
      const fields = parsedLine(encoding === 'utf-8' ? bytes : Buffer.from(content))
      yield { number, fields, content: storable(content), bytes: bytes.length }
    }
  }
}

function parsedLine(bytes: Buffer): Fields | null {
  try {
    const value = parseJson(bytes)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

/** The file is read twice: what its dates and amounts mean follows from all of its rows. */
function csvLines<Line>(
  open: () => LineReader,
  encoding: Encoding,
  known: TableColumns,
  form: LineForm<Line>,
): TableLines<Line> {
  const forms = formsOfCsv(recordsOf(open(), encoding), known, form.table)
  const records = recordsOf(open(), encoding)
  const { text, header, unknown } = readHeader(records, known, form.table)
  return new TableLines(form, storable(text), { header, unknown }, records.under(header), forms)
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

function formsOfCsv(records: CsvRecords, known: TableColumns, form: TableForm): FileForms {
  const { header } = readHeader(records, known, form)
  const hasForms = header.columns.some((column) => column?.isDate === true || column?.isMoney === true)
  return hasForms ? formsOf(records.under(header), header) : BRAZILIAN
}

function sheetLines<Line>(sheet: Sheet, known: TableColumns, form: LineForm<Line>): TableLines<Line> {
  const { header: read, headerText, rows, hiddenRows } = sheet
  const found = checkHeader(read, known, form.table)
  const lines = new TableLines(form, storable(headerText), found, rows, sheet.formsUnder(found.header), sheet)
  for (const { sheet: name, line } of hiddenRows) lines.warn({ warning: 'hidden-row', field: name, line })
  return lines
}

/** The lines of a table. */
export class TableLines<Line> implements RecordReader<Line> {
  readonly header: string
  readonly names: readonly string[]
  readonly unknownColumns = new UnknownColumns()
  readonly #warnings = new FileWarnings()
  readonly #header: TableHeader
  readonly #form: LineForm<Line>
  readonly forms: FileForms
  readonly columns: ReadonlySet<string>
  readonly #rows: RowReader
  readonly sheets: readonly SheetRead[]
  readonly sheetsNotRead: readonly string[]
  readonly #sheet: Pick<Sheet, 'sheets' | 'notRead' | 'close'> | null

  constructor(
    form: LineForm<Line>,
    text: string,
    { header, unknown }: { readonly header: TableHeader; readonly unknown: readonly string[] },
    rows: RowReader,
    forms: FileForms,
    sheet: Pick<Sheet, 'sheets' | 'notRead' | 'close'> | null = null,
  ) {
    this.#form = form
    this.forms = forms
    this.columns = new Set(header.columns.flatMap((column) => column?.name ?? []))
    this.header = text
    this.#sheet = sheet
    this.sheets = sheet?.sheets ?? []
    this.sheetsNotRead = sheet?.notRead ?? []
    this.#header = header
    this.names = header.names
    this.#rows = rows
    for (const name of unknown) this.unknownColumns.add(name)
  }

  next(): FileRecord<Line> | null {
    for (let row = this.#rows.next(); row !== null; row = this.#rows.next()) {
      if (isBlank(row)) continue
      const { number: line, cells, content } = row
      const read = cells === null ? null : rowFields(cells, this.#header, this.forms)
      for (const field of read?.restored ?? []) this.warn({ warning: 'leading-zeros-restored', field, line })
      for (const field of read?.rounded ?? []) this.warn({ warning: 'amount-rounded', field, line })
      for (const field of read?.suspicious ?? []) this.warn({ warning: 'suspicious-text', field, line })
      for (const { header, at } of read?.errors ?? [])
        this.warn({ warning: 'cell-error', field: header, line, cell: at })
      return {
        line: this.#form.ofCells(line, read?.fields ?? null, this.columns),
        isMalformed: read === null,
        hasSuspiciousName: isSuspiciousName(read?.fields ?? null),
        content: content === null ? null : storable(content),
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
