/* Lines of cells as the bytes of each format. */
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { toCsvCell } from '#kernel/spreadsheet-cell.ts'
import { byteOrderMark, csvCell } from '#platform/tables/write.ts'
import { xlsxType } from '#platform/tables/media-type.ts'
import { type SheetOfRows, workbookOfSheets } from '#platform/tables/xlsx/sheets-writer.ts'
import { encodingOf, type LayoutColumn, type LayoutDefinition, type LayoutRecord } from './definition.ts'
import { SOURCES } from '../rules/layout-fields.ts'
import { encode } from './values.ts'

/** A line with all of its cells. */
export interface WrittenLine {
  readonly record: LayoutRecord
  readonly cells: readonly string[]
}

interface WrittenFile {
  readonly content: Uint8Array
  readonly mediaType: string
  readonly extension: string
  /** The number of each line, from 1; in a workbook, the row of its sheet. */
  readonly lineNumbers: readonly number[]
  /** For a workbook: the sheet of each line. */
  readonly sheets?: readonly string[]
}

/** The file of the lines, in their order. */
export async function writeFile(definition: LayoutDefinition, lines: readonly WrittenLine[]): Promise<WrittenFile> {
  const { format } = definition
  const encoding = encodingOf(definition)
  switch (format) {
    case 'csv':
      return textFile(definition, csvLines(definition, lines), `text/csv; charset=${encoding}`, '.csv')
    case 'fixed-width':
      return textFile(
        definition,
        { before: [], lines: lines.map(paddedLine(definition)) },
        `text/plain; charset=${encoding}`,
        '.txt',
      )
    case 'ndjson':
      return textFile(definition, { before: [], lines: lines.map(jsonLine) }, 'application/x-ndjson', '.ndjson')
    case 'xlsx':
      return workbook(definition, lines)
    default:
      return format satisfies never
  }
}

interface TextLines {
  readonly before: readonly string[]
  readonly lines: readonly string[]
}

function textFile(definition: LayoutDefinition, text: TextLines, mediaType: string, extension: string): WrittenFile {
  const encoding = encodingOf(definition)
  const end = definition['line-ending'] ?? (definition.format === 'ndjson' ? 'lf' : 'crlf')
  const all = [...text.before, ...text.lines].map((line) => `${line}${end === 'lf' ? '\n' : '\r\n'}`).join('')
  // By it spreadsheet programs recognize UTF-8.
  const mark = definition.format === 'csv' && encoding === 'utf-8' ? byteOrderMark : ''
  const lineNumbers = text.lines.map((_, index) => text.before.length + index + 1)
  return { content: encode(`${mark}${all}`, encoding), mediaType, extension, lineNumbers }
}

function csvLines(definition: LayoutDefinition, lines: readonly WrittenLine[]): TextLines {
  const { separator = ';', records, 'formula-guard': isGuarded = true } = definition
  const character = separator === 'tab' ? '\t' : separator
  const guard = isGuarded ? guardedCell : (cell: string) => cell
  const write = (cells: readonly string[]) => cells.map((cell) => csvCell(guard(cell))).join(character)
  const headings = records[0]?.columns.map(({ heading = '' }) => heading) ?? []
  const before = (definition['header-lines'] ?? []).map((line) => write(line === 'headings' ? headings : line))
  return {
    before,
    lines: lines.map(({ record, cells }) =>
      cells.map((cell, at) => csvCell(guard(filled(cell, record.columns[at]), record.columns[at]))).join(character),
    ),
  }
}

/** A cell that no spreadsheet program executes; a credit keeps its sign. */
const guardedCell = (cell: string, column?: LayoutColumn): string =>
  column?.source !== undefined && SOURCES[column.source].type === 'money' ? cell : toCsvCell(cell)

/** A cell filled up to the length of its column, where the layout says with what. */
function filled(cell: string, column: LayoutColumn | undefined): string {
  const { length, pad, align } = column ?? {}
  if (pad === undefined || length === undefined) return cell
  // The sign of an amount stands before its zeros.
  if (pad === '0' && align === 'right' && /^-\d+$/.test(cell)) return `-${cell.slice(1).padStart(length - 1, pad)}`
  return align === 'right' ? cell.padStart(length, pad) : cell.padEnd(length, pad)
}

const paddedLine =
  (definition: LayoutDefinition) =>
  ({ record, cells }: WrittenLine): string => {
    const line = Array.from({ length: definition['record-length'] ?? 0 }, () => ' ')
    for (const [index, column] of record.columns.entries()) {
      const { at = 1, pad = ' ' } = column
      const text = filled(cells[index] ?? '', { ...column, pad })
      for (const [offset, character] of Array.from(text).slice(0, column.length).entries())
        line[at - 1 + offset] = character
    }
    return line.join('')
  }

function jsonLine({ record, cells }: WrittenLine): string {
  const entries = record.columns.map(({ heading = '' }, index) => [
    heading,
    cells[index] === '' ? null : (cells[index] ?? null),
  ])
  return JSON.stringify(Object.fromEntries(entries))
}

async function workbook({ records }: LayoutDefinition, lines: readonly WrittenLine[]): Promise<WrittenFile> {
  const sheets = new Map<string, SheetOfRows & { readonly rows: string[][] }>()
  for (const { sheet = 'movements', columns } of records) {
    if (sheets.has(sheet)) continue
    sheets.set(sheet, {
      name: sheet,
      columns: columns.map((column) => ({
        header: column.heading ?? '',
        isDate: isPlain(column, 'date'),
        isMoney: isPlain(column, 'money'),
      })),
      rows: [],
    })
  }
  const lineNumbers = lines.map(({ record, cells }) => {
    const rows = sheets.get(record.sheet ?? 'movements')?.rows ?? []
    // After the row of headings.
    return rows.push(cells.map((cell, at) => filled(cell, record.columns[at]))) + 1
  })
  const content = await buffer(Readable.from(workbookOfSheets([...sheets.values()])))
  const names = lines.map(({ record }) => record.sheet ?? 'movements')
  return { content, mediaType: xlsxType, extension: '.xlsx', lineNumbers, sheets: names }
}

/** A day or an amount without a format is one of the workbook. */
function isPlain({ source, format }: LayoutColumn, type: 'date' | 'money'): boolean {
  return source !== undefined && format === undefined && SOURCES[source].type === type
}
