import { explainOffenseDetail } from '#kernel/texts/explain.ts'
import type { Language } from '#kernel/texts/texts.ts'
import type { MappedHeading } from '../rules/column-profile.ts'
import { ERRORS_COLUMN, isErrorColumn, OFFENSES_COLUMN } from '../rules/import-columns.ts'
import { columnOfOffense } from '#kernel/import-offenses.ts'
import { offenseMessage } from '#kernel/texts/messages.ts'
import { fromSpreadsheetCell, toCsvCell } from '#kernel/spreadsheet-cell.ts'
import { type Separator, splitCells } from '#platform/tables/cells.ts'
import { readCsvHeader } from '#platform/tables/header.ts'
import { csvCell, csvLine } from '#platform/tables/write.ts'
import { workbookOf } from '#platform/tables/xlsx/zip-writer.ts'
import { importColumnsWith, importHeaderLimits } from './import-header.ts'
import type { RejectedLine } from './queries.ts'

type Pages = AsyncIterable<readonly RejectedLine[]>

/**
 * One object a line: `{ line, offenses, offense-details, content }`.
 * @param language of the messages of the details. @param hasContent false: `content` is null.
 */
export async function* errorsAsNdjson(
  pages: Pages,
  { language, hasContent }: { readonly language: Language; readonly hasContent: boolean },
): AsyncGenerator<string> {
  for await (const lines of pages) {
    yield lines
      .map(({ line, offenses, content }) => {
        const details = offenses.map((code) => {
          const field = columnOfOffense(code)
          return { code, field, ...explainOffenseDetail({ code, field }, language) }
        })
        return `${JSON.stringify({ line, offenses, 'offense-details': details, content: hasContent ? content : null })}\n`
      })
      .join('')
  }
}

/** The codes of a line and their sentences in Portuguese, in two columns. */
const errorCells = (offenses: RejectedLine['offenses']): readonly [string, string] => [
  offenses.join(' '),
  offenses.map((code) => offenseMessage(code, columnOfOffense(code))).join(' '),
]

/**
 * The lines as they came, under their own header, each with its offenses in two last columns: a file to correct and to import. A line with a
 * cell that a spreadsheet program would execute is written again, with an apostrophe before that cell, which an import ignores.
 * @param csvHeader the first line of the import, with a byte order mark or without.
 * @param profile the headings to which a column profile has given a column.
 */
export async function* errorsAsCsv(
  pages: Pages,
  csvHeader: string,
  profile: readonly MappedHeading[],
): AsyncGenerator<string> {
  const text = csvHeader.replace(/^\uFEFF/, '')
  const header = readCsvHeader(text, importColumnsWith({ columns: profile, values: [] }).columnOf, importHeaderLimits)
  // A header that an import has read.
  if ('error' in header) return
  const { separator, names } = header
  const errors = (cells: readonly string[]) => `${separator}${csvLine(cells, separator)}\n`
  // A corrected file of rejected lines has these columns already.
  const former = new Set(names.flatMap((name, index) => (isErrorColumn(name) ? [index] : [])))
  const row = (record: string) => recordOf(record, former, separator, names.length)
  yield csvHeader.slice(0, csvHeader.length - text.length) + row(text) + errors([OFFENSES_COLUMN, ERRORS_COLUMN])
  for await (const lines of pages) {
    yield lines
      .map(({ line, offenses, content }) => {
        // In one cell, since its quotes may not close.
        const isMalformed = offenses.includes('malformed-line')
        const record = isMalformed ? malformedCell(line, content, separator, names.length) : row(content ?? '')
        return record + errors(errorCells(offenses))
      })
      .join('')
  }
}

/** The same as a workbook. */
export function errorsAsXlsx(
  pages: Pages,
  csvHeader: string,
  profile: readonly MappedHeading[],
): AsyncGenerator<Buffer> {
  const text = csvHeader.replace(/^\uFEFF/, '')
  const header = readCsvHeader(text, importColumnsWith({ columns: profile, values: [] }).columnOf, importHeaderLimits)
  // A header that an import has read.
  if ('error' in header) return workbookOf('errors', [], [])
  const { separator, names, columns } = header
  const kept = names.flatMap((name, index) => (isErrorColumn(name) ? [] : [index]))
  const shown = kept.map((index) => ({ header: names[index] ?? '', isDate: columns[index]?.isDate === true }))
  const rows = async function* () {
    for await (const lines of pages) {
      yield lines.map(({ offenses, content }) => {
        const cells = offenses.includes('malformed-line') ? null : splitCells(content ?? '', separator)
        const read = kept.map((index) => fromSpreadsheetCell(cells?.[index] ?? (index === 0 ? (content ?? '') : '')))
        return [...read, ...errorCells(offenses)]
      })
    }
  }
  return workbookOf('errors', [...shown, { header: OFFENSES_COLUMN }, { header: ERRORS_COLUMN }], rows())
}

/** The record without the cells at those indexes; as it came when nothing has to be changed. @param width of the header: empty cells at the end may lack, or be too many. */
function recordOf(record: string, left: ReadonlySet<number>, separator: Separator, width: number): string {
  const cells = splitCells(record, separator) ?? []
  if (left.size === 0 && cells.length === width && !mayBeFormula(record)) return record
  const whole = Array.from({ length: width }, (_, at) => cells[at] ?? '')
  return csvLine(whole.filter((_cell, at) => !left.has(at)).map(fromSpreadsheetCell), separator)
}

/** Whether any cell may be a formula, whatever separator a program divides the record by. */
function mayBeFormula(record: string): boolean {
  return /(?:^|[;,\t\n])[ "']*[=+\-@＝＋－＠]/.test(record)
}

function malformedCell(line: number, content: string | null, separator: Separator, width: number): string {
  if (content === null) return csvCell(`line ${line} is longer than 64 KiB`)
  const cells = splitCells(content, separator)
  if (cells === null) return `"${toCsvCell(content).replaceAll('"', '""')}"`
  return recordOf(content, new Set(), separator, Math.max(cells.length, width))
}
