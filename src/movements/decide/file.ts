import { CHUNK_SIZE } from '#platform/core/chunk.ts'
import { setImmediate } from 'node:timers/promises'
import type { Static } from 'typebox'
import { TableError } from '#platform/tables/table-error.ts'
import { readCardNumber } from '#kernel/cell-values.ts'
import type { CsvColumn } from '#kernel/csv-column.ts'
import { uuid } from '#kernel/field-types.ts'
import { parseDate } from '../rules/import-columns.ts'
import { headingKey } from '#kernel/heading.ts'
import { refusedTable } from '#platform/http/table-types.ts'
import { validator } from '#platform/http/validation.ts'
import type { Detail } from '#platform/core/errors.ts'
import { PORTUGUESE } from '#kernel/texts/texts.ts'
import { DecisionItem, type DecidedItem, readItem } from './items.ts'
import {
  detailOfLine,
  type LineColumns,
  maxDecisionLines,
  type SentLine,
  textLines,
  tooManyLines,
} from './sent-lines.ts'

/** The body of a decisions file. */
interface DecisionFile {
  readonly format: 'csv' | 'ndjson' | 'xlsx'
  readonly bytes: Buffer
}

/** A line of the file: a decision, or why it is none. */
export type DecisionLine = {
  /** Line number in the file, from 1; the header of a CSV is 1. */
  readonly line: number
} & ({ readonly item: DecidedItem } | { readonly item: null; readonly id: string | null; readonly details: Detail[] })

/** What a thread gives the lines of a workbook. */
type OpenWorkbook = (bytes: Buffer) => Promise<readonly SentLine[]>

/**
 * Reads the whole file.
 * @throws ApiError 400 for a file that cannot be used, 413 for too many lines, 415 for another kind of workbook.
 */
export async function readDecisionFile(file: DecisionFile, openWorkbook: OpenWorkbook): Promise<DecisionLine[]> {
  const { format, bytes } = file
  try {
    return await readLines(format === 'xlsx' ? await openWorkbook(bytes) : textLines(format, bytes, decisionColumns))
  } catch (error) {
    if (!(error instanceof TableError)) throw error
    throw refusedTable({ refused: error.details, isUnsupported: error.isUnsupported })
  }
}

async function readLines(all: Iterable<SentLine | null>): Promise<DecisionLine[]> {
  const lines: DecisionLine[] = []
  let read = 0
  for (const line of all) {
    read += 1
    // Other requests are served meanwhile.
    if (read % CHUNK_SIZE === 0) await setImmediate()
    if (line === null) continue
    if (lines.length === maxDecisionLines) throw tooManyLines()
    lines.push({ line: line.line, ...decisionOf(line) })
  }
  return lines
}

const required = ['enrollment-id', 'status'] as const
const names = [...required, 'card-number', 'start-date', 'end-date', 'carrier-protocol', 'reason'] as const

const cellReader = (name: string) => (name === 'card-number' ? readCardNumber : String)

/** By the name and the Portuguese header, without case and accents. */
const columns = new Map<string, CsvColumn>(
  names.flatMap((name) => {
    const isDate = name.endsWith('-date')
    const parse: CsvColumn['parse'] = isDate ? (cell, forms) => parseDate(cell, forms) : cellReader(name)
    const column = { name, parse, isDate }
    return [name, PORTUGUESE.fields[name]].map((header) => [headingKey(header), column] as const)
  }),
)

/** The columns of a file of decisions. */
export const decisionColumns: LineColumns = {
  columnOf: (header) => columns.get(headingKey(header)) ?? null,
  required,
  // Ten times as many as there are columns.
  limits: { maxColumns: 64, maxCharacters: 4_096 },
  message: () => ({ key: 'decision-header' }),
}

const validate = validator(DecisionItem, 'body')

function decisionOf(line: SentLine) {
  const { sent } = line
  if (sent === null) return { item: null, id: null, details: [{ field: 'line', code: 'invalid' } as const] }
  const result = validate(sent)
  if ('value' in result) return { item: readItem(result.value as Static<typeof DecisionItem>) }
  const details = ((result.error.extra['details'] ?? []) as Detail[]).map((detail) => detailOfLine(line, detail))
  return { item: null, id: uuid.parse(sent['enrollment-id']) ?? null, details }
}
