import { decodeText } from '../tables/encoding.ts'
import { fileTypeOf } from '../tables/file-signature.ts'
import { csvFields, type CsvHeader, readCsvHeader, tooLongHeader } from '../tables/header.ts'
import { CsvRecords, isBlank } from '../tables/records.ts'
import { TextLines } from '../tables/text-lines.ts'
import type { CsvColumn } from '../domain/csv-column.ts'
import type { ImportWarning } from '../domain/import-offenses.ts'
import { englishOf } from '../texts/messages.ts'
import { ENGLISH } from '../texts/texts.ts'
import { CommandError } from './errors.ts'

export interface FileLine {
  /** In the file; the header is mostly line 1. */
  readonly number: number
  readonly fields: Readonly<Record<string, unknown>>
}

/** What is told of a file that is read. */
export interface FileWarning {
  readonly warning: ImportWarning
  /** As the header names it. */
  readonly field: string
  /** null: the whole column. */
  readonly line: number | null
}

export interface CsvFile {
  readonly lines: readonly FileLine[]
  readonly warnings: readonly FileWarning[]
}

const limits = { maxColumns: 256, maxCharacters: 16_384 }
const maxLineLength = 65_536

/** What to do with a file of another type. */
export const saveAsCsv = 'Save it as CSV, such as "CSV UTF-8" in Excel, and send that.'

/** @throws CommandError that says what the file is instead of text. */
export function requireText(file: string, bytes: Buffer): void {
  const type = fileTypeOf(bytes)
  if (type !== null) throw new CommandError('usage', `${file} is ${ENGLISH.files[type]}, not CSV or JSON.`, saveAsCsv)
}

/**
 * Reads a CSV whole.
 * @param columnOf the column with that header; null when there is none.
 * @throws CommandError for a file that is no CSV, has no lines, or has malformed ones.
 */
export function readCsvFile(file: string, bytes: Buffer, columnOf: (name: string) => CsvColumn | null): CsvFile {
  requireText(file, bytes)
  const records = new CsvRecords(new TextLines(decodeText(bytes), maxLineLength), Infinity)
  let first = records.line()
  while (first?.text?.trim() === '') first = records.line()
  const header = headerOf(file, first?.text ?? null, columnOf)
  const lines: FileLine[] = []
  const malformed: number[] = []
  const unknown = header.names.filter((name) => name !== '' && columnOf(name) === null)
  const warnings = unknown.map((field): FileWarning => ({ warning: 'unknown-column', field, line: null }))
  for (let record = records.next(header); record !== null; record = records.next(header)) {
    if (isBlank(record)) continue
    const { number, cells } = record
    const read = cells === null ? null : csvFields(cells, header)
    if (read === null) malformed.push(number)
    else lines.push({ number, fields: read.fields })
    for (const field of read?.restored ?? []) warnings.push({ warning: 'leading-zeros-restored', field, line: number })
  }
  if (malformed.length > 0) throw malformedLines(file, malformed)
  if (lines.length === 0) throw new CommandError('usage', `${file} holds no lines under a header.`)
  return { lines, warnings }
}

function headerOf(file: string, text: string | null, columnOf: (name: string) => CsvColumn | null): CsvHeader {
  const header = text === null ? null : readCsvHeader(text, columnOf, limits)
  if (header !== null && !('error' in header)) return header
  const messages = {
    invalid: 'is no CSV that can be read: see line 1.',
    'too-long': `cannot be read. ${englishOf(tooLongHeader(limits))}`,
    unknown: 'has no known column in its first line.',
    repeated: 'names a column twice in its header.',
  }
  throw new CommandError('usage', `${file} ${messages[header?.error ?? 'unknown']}`)
}

function malformedLines(file: string, malformed: readonly number[]): CommandError {
  const list = malformed.map((line) => `${file}:${line}: malformed-line`)
  const sentence = `${malformed.length} lines have another number of cells than the header, or quotes that do not close:`
  const result = malformed.map((line) => ({ line, offenses: ['malformed-line'] }))
  const body = { error: 'Malformed lines', result }
  return new CommandError('refused', [sentence, ...list].join('\n'), null, { body })
}
