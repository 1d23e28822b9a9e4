import { tmpdir } from 'node:os'
import { decodeText } from '#platform/tables/encoding.ts'
import { fileTypeOf } from '#platform/tables/file-signature.ts'
import {
  findCsvHeader,
  formsOf,
  type HeaderError,
  rowFields,
  type TableColumns,
  type TableHeader,
  tooLongHeader,
} from '#platform/tables/header.ts'
import { CsvRecords } from '#platform/tables/records.ts'
import { isBlank, type RowReader } from '#platform/tables/rows.ts'
import { TableError } from '#platform/tables/table-error.ts'
import { TextLines } from '#platform/tables/text-lines.ts'
import type { FileForms } from '#kernel/cell-values.ts'
import type { ImportWarning } from '#kernel/import-offenses.ts'
import { TEXTS } from '#kernel/texts/texts.ts'
import { language, say, sentenceOfMessage } from './language.ts'
import { CommandError } from './errors.ts'

export interface FileLine {
  /** In the file; the header is mostly line 1. */
  readonly number: number
  readonly fields: Readonly<Record<string, unknown>>
}

/** The warnings about a file. */
export interface FileWarning {
  readonly warning: ImportWarning
  /** As the header names it. */
  readonly field: string
  /** null: the whole column. */
  readonly line: number | null
}

interface TableFile {
  readonly lines: readonly FileLine[]
  readonly warnings: readonly FileWarning[]
}

const limits = { maxColumns: 256, maxCharacters: 16_384 }
const maxLineLength = 65_536

/** What to do with a file of another type. */
export const saveAsTable = () => say`Save it as .xlsx, or as CSV, such as "CSV UTF-8" in Excel, and send that.`

/** @throws CommandError that says what the file is instead of text. */
export function requireText(file: string, bytes: Buffer): void {
  const type = fileTypeOf(bytes)
  if (type !== null)
    throw new CommandError(
      'usage',
      say`${file} is ${TEXTS[language()].files[type]}, not CSV, JSON or .xlsx.`,
      saveAsTable(),
    )
}

/** Whether the file is a workbook, or another ZIP. */
export const isWorkbook = (bytes: Buffer): boolean => fileTypeOf(bytes) === 'xlsx'

/**
 * Reads a table whole: CSV, or a sheet of a workbook.
 * @throws CommandError for a file that is no table, has no lines, or has malformed ones.
 */
export async function readTableFile(
  file: string,
  bytes: Buffer,
  columns: TableColumns,
  sheet?: string,
): Promise<TableFile> {
  if (!isWorkbook(bytes)) {
    requireText(file, bytes)
    const text = decodeText(bytes)
    const [first, records] = [1, 2].map(() => new CsvRecords(new TextLines(text, maxLineLength), Infinity)) as [
      CsvRecords,
      CsvRecords,
    ]
    const header = headerOf(file, findCsvHeader(records, columns, limits).header)
    findCsvHeader(first, columns, limits)
    return readRows(file, columns, header, records.under(header), formsOf(first.under(header), header))
  }
  const { openSheet } = await import('#platform/tables/xlsx/sheet.ts')
  const opened = await openSheet({ bytes, sheet, folder: tmpdir() }, columns).catch((error: unknown) => {
    throw error instanceof TableError ? refusedWorkbook(file, error) : error
  })
  try {
    const header = headerOf(file, opened.header)
    const { lines, warnings } = readRows(file, columns, header, opened.rows, opened.formsUnder(header))
    const hidden = opened.hiddenRows.map(({ sheet: field, line }): FileWarning => ({
      warning: 'hidden-row',
      field,
      line,
    }))
    return { lines, warnings: [...hidden, ...warnings] }
  } finally {
    opened.close()
  }
}

function readRows(
  file: string,
  { columnOf }: TableColumns,
  header: TableHeader,
  rows: RowReader,
  forms: FileForms,
): TableFile {
  const lines: FileLine[] = []
  const malformed: number[] = []
  const unknown = header.names.filter((name) => name !== '' && columnOf(name) === null)
  const warnings = unknown.map((field): FileWarning => ({ warning: 'unknown-column', field, line: null }))
  for (let row = rows.next(); row !== null; row = rows.next()) {
    if (isBlank(row)) continue
    const { number, cells } = row
    const read = cells === null ? null : rowFields(cells, header, forms)
    if (read === null) malformed.push(number)
    else lines.push({ number, fields: read.fields })
    for (const field of read?.rounded ?? []) warnings.push({ warning: 'amount-rounded', field, line: number })
    for (const field of read?.suspicious ?? []) warnings.push({ warning: 'suspicious-text', field, line: number })
    for (const field of read?.restored ?? []) warnings.push({ warning: 'leading-zeros-restored', field, line: number })
    const [error] = read?.errors ?? []
    if (error !== undefined)
      throw new CommandError('usage', `${file}: ${sentenceOfMessage({ key: 'cell-error', cell: error.at })}`)
  }
  if (malformed.length > 0) throw malformedLines(file, malformed)
  if (lines.length === 0) throw new CommandError('usage', say`${file} holds no lines under a header.`)
  return { lines, warnings }
}

function refusedWorkbook(file: string, { details }: TableError): CommandError {
  const sentences = details.flatMap(({ message }) => (message === undefined ? [] : [sentenceOfMessage(message)]))
  return new CommandError('usage', say`${file} cannot be read. ${sentences.join(' ')}`)
}

function headerOf<Header extends TableHeader>(file: string, header: Header | HeaderError): Header {
  if (!('error' in header)) return header
  const messages = {
    invalid: say`${file} is no CSV that can be read: see line 1.`,
    'too-long': say`${file} cannot be read. ${sentenceOfMessage(tooLongHeader(limits))}`,
    unknown: say`${file} has no known column in its first line.`,
    repeated: say`${file} names a column twice in its header.`,
  }
  throw new CommandError('usage', messages[header.error])
}

function malformedLines(file: string, malformed: readonly number[]): CommandError {
  const list = malformed.map((line) => `${file}:${line}: malformed-line`)
  const sentence = say`${malformed.length} lines have content beyond the columns of the header, or quotes that do not close:`
  const result = malformed.map((line) => ({ line, offenses: ['malformed-line'] }))
  const body = { error: 'Malformed lines', result }
  return new CommandError('refused', [sentence, ...list].join('\n'), null, { body })
}
