/* A carrier's file by its layout: pure, bounded, and the same lines for the same bytes. */
import { hasAtMostCharacters } from '#kernel/fields.ts'
import { saysNoCard } from '#kernel/cell-values.ts'
import { visible } from '#kernel/person-text.ts'
import { isScientificNotation } from '#kernel/spreadsheet-cell.ts'
import { isStorable } from '#kernel/stored-text.ts'
import { fieldOf } from './check.ts'
import { columnName, type LayoutColumn, type LayoutDefinition, type LayoutRecord, maxFileBytes } from './definition.ts'
import { type FieldOfLayout, TARGETS } from '../rules/layout-fields.ts'
import { mappedValue, readValue } from '../rules/read-value.ts'
import { type FileCell, type FileLine, type LinesRead, readLines } from './reader.ts'
import type { CellCode, ParsedFile, ParsedLine, RefusedLine } from './types.ts'

/**
 * Reads a file. A line that the layout does not describe, and one with a cell that is refused, is in `refused`, and the others are read.
 * @throws TableError for a file that is none of the layout, or too large.
 */
export async function parseFile(definition: LayoutDefinition, bytes: Uint8Array): Promise<ParsedFile> {
  const lines: ParsedLine[] = []
  const refused: RefusedLine[] = []
  const read = await parseLines(definition, bytes, (parsed) => {
    if ('cells' in parsed) refused.push(parsed)
    else lines.push(parsed)
  })
  return { lines, refused, ...read }
}

export interface ParseOptions {
  readonly maxBytes?: number
  /** Whether a CPF is taken as it stands there, also one that is none. */
  readonly keepsTaxIds?: boolean
  /** Finds the text of a line that says what the line is; null: there is none. */
  readonly labelOf?: (texts: readonly string[]) => string | null
}

/** What a line with a label says, as far as it can be read. */
export interface LabelledLine {
  readonly label: string
  readonly values: ParsedLine['values']
}

/**
 * Reads a file, line by line. @param onLine with the record of the line; null: it is of none.
 * @returns what is not read. @throws as `parseFile`.
 */
export function parseLines(
  definition: LayoutDefinition,
  bytes: Uint8Array,
  onLine: (parsed: ParsedLine | RefusedLine, record: LayoutRecord | null, labelled: LabelledLine | null) => void,
  { maxBytes = maxFileBytes, keepsTaxIds = false, labelOf = () => null }: ParseOptions = {},
): Promise<LinesRead> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return readLines(
    definition,
    buffer,
    (line) => {
      const record = definition.records.find((record) => isOf(record, line)) ?? null
      const values: Record<string, string> = {}
      const parsed = parseLine(record, line, keepsTaxIds, values)
      if (parsed === null) return false
      const label = line.error === null ? labelOf(line.texts()) : null
      onLine(parsed, record, label === null ? null : { label, values })
      return true
    },
    maxBytes,
  )
}

/** null: of a record of which nothing is read. @param values filled with what can be read. */
function parseLine(
  record: LayoutRecord | null,
  line: FileLine,
  keepsTaxIds: boolean,
  values: Record<string, string>,
): ParsedLine | RefusedLine | null {
  if (line.error !== null) return refusedLine(line.number, line.error)
  if (record === null) return refusedLine(line.number, 'no-record')
  const columns = record.columns.map((column, index) => ({ column, index }))
  const read = columns.filter(({ column }) => column.target !== undefined)
  if (read.length === 0) return null
  const cells: { column: string; target: string | null; code: CellCode }[] = []
  for (const { column, index } of read) {
    const value = cellValue(record, column, index, line, keepsTaxIds)
    if ('code' in value) cells.push({ column: columnName(column, index), target: column.target ?? null, ...value })
    else if (value.text !== '') values[column.target ?? ''] = value.text
  }
  return cells.length > 0 ? { line: line.number, cells } : { line: line.number, record: record.name, values }
}

const refusedLine = (line: number, code: CellCode): RefusedLine => ({
  line,
  cells: [{ column: '', target: null, code }],
})

function isOf({ match, sheet }: LayoutRecord, line: FileLine): boolean {
  if (sheet !== undefined && sheet !== line.sheet) return false
  if (match === undefined) return true
  const { at = 1, length = 0, equals } = match
  return match['first-cell'] === undefined
    ? equals !== undefined && line.part(at, length).trim() === equals.trim()
    : line.first().trim() === match['first-cell'].trim()
}

type CellValue = { readonly text: string } | { readonly code: CellCode }

function cellValue(
  record: LayoutRecord,
  column: LayoutColumn,
  index: number,
  line: FileLine,
  keepsTaxIds: boolean,
): CellValue {
  const { target = '', required, map, format, length, sign } = column
  const cell = line.cell(column, index, record.block)
  const field = fieldOf(TARGETS, target) ?? { type: 'text' }
  if (cell.isError || !isStorable(cell.text)) return { code: 'invalid' }
  const text = visible(cell.text).trim()
  const mapped = map === undefined ? null : mappedValue(map, text)
  if (mapped !== null) return { text: mapped }
  if (text === '') return required === true ? { code: 'missing' } : { text }
  if (map !== undefined) return { code: 'no-code' }
  if (line.isDelimited && length !== undefined && !hasAtMostCharacters(text, length)) return { code: 'too-long' }
  if (target.endsWith('card-number') && saysNoCard(text)) return { text: '' }
  if (keepsTaxIds && field.type === 'cpf') return { text }
  const value = valueOf(cell, text, field, format)
  if (value === null) return { code: 'invalid' }
  if (value === '' && required === true) return { code: 'missing' }
  return { text: sign === undefined ? value : signed(value, sign, record, line) }
}

function valueOf(
  { date, number }: FileCell,
  text: string,
  field: FieldOfLayout,
  format: LayoutColumn['format'],
): string | null {
  if (number && isScientificNotation(text)) return null
  if (field.type === 'date' && date !== null) return date
  // A number of a workbook has its decimals after a comma.
  if (field.type === 'money' && number && format === 'money:point') return readValue(text, field, 'money:comma')
  return readValue(text, field, format)
}

/** The amount with the sign that another column of the line says. */
function signed(cents: string, sign: NonNullable<LayoutColumn['sign']>, record: LayoutRecord, line: FileLine): string {
  const { columns } = record
  const index = columns.findIndex(({ heading }) => heading === sign.column)
  const column = columns[index]
  const text = column === undefined ? '' : line.cell(column, index, record.block).text.trim()
  if (!sign['negative-when'].includes(text) || cents === '0') return cents
  return cents.startsWith('-') ? cents.slice(1) : `-${cents}`
}
