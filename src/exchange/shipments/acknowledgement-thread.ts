import { serveSession } from '#platform/core/threads.ts'
import type { Detail } from '#platform/core/errors.ts'
import type { AcknowledgementMapping } from '#registry/rules/acknowledgement.ts'
import { type LayoutDefinition } from '#registry/layouts/definition.ts'
import { parseFile } from '#registry/layouts/parse.ts'
import type { ParsedLine, RefusedLine } from '#registry/layouts/types.ts'
import {
  type LinesResponse,
  maxDecisionLines,
  readSheetLines,
  refusalOf,
  type SentLine,
  textLines,
  unknownColumns,
} from '#movements/decide/sent-lines.ts'
import { TableError } from '#platform/tables/table-error.ts'
import type { SheetTask } from '#platform/tables/xlsx/sheet.ts'
import { acknowledgementColumns } from './acknowledgement-columns.ts'

/** A file of a carrier, and how it is read. */
export interface AcknowledgementTask extends SheetTask {
  readonly format: 'csv' | 'ndjson' | 'xlsx' | 'text'
  /** null: by the mapping, or by the headings that are known. */
  readonly layout: LayoutDefinition | null
  readonly mapping: AcknowledgementMapping | null
}

/** Reads the lines of an acknowledgement. */
export default serveSession<AcknowledgementTask, LinesResponse>(() => async (task) => {
  try {
    return { response: await readLines(task) }
  } catch (error) {
    return { response: refusalOf(error) }
  }
})

async function readLines(task: AcknowledgementTask): ReturnType<typeof readSheetLines> {
  const { layout, mapping } = task
  if (layout !== null) return layoutLines(layout, task.bytes)
  try {
    return await mappedLines(task, mapping)
  } catch (error) {
    const isOther = error instanceof TableError && error.details.some(({ code }) => code === 'missing')
    if (!isOther || mapping === null) throw error
    // A file with none of the headings of the mapping may have those that are known.
    return mappedLines(task, { ...mapping, columns: {} }).catch(() => {
      throw error
    })
  }
}

async function mappedLines(
  { format, ...task }: AcknowledgementTask,
  mapping: AcknowledgementMapping | null,
): ReturnType<typeof readSheetLines> {
  const columns = acknowledgementColumns(mapping)
  if (format === 'xlsx') return readSheetLines(task, columns)
  const lines: SentLine[] = []
  let unknown: readonly string[] = []
  const read = textLines(format === 'ndjson' ? format : 'csv', Buffer.from(task.bytes), columns, (header) => {
    unknown = unknownColumns(header, columns)
  })
  for (const line of read) {
    if (line === null) continue
    if (lines.length === maxDecisionLines) return 'too-many'
    lines.push(line)
  }
  return { lines, unknownColumns: unknown, sheetsNotRead: [] }
}

/** @throws TableError when no line is one of the layout: the file is another carrier's. */
async function layoutLines(layout: LayoutDefinition, bytes: Uint8Array): ReturnType<typeof readSheetLines> {
  const { lines, refused, sheetsNotRead } = await parseFile(layout, bytes)
  if (lines.length === 0 && refused.length > 0) {
    const names = layout.records.flatMap(({ columns }) =>
      columns.flatMap(({ heading, at, target }) =>
        target === undefined ? [] : [heading ?? `${at ?? ''} ${target}`.trim()],
      ),
    )
    throw new TableError([
      { field: 'file', code: 'invalid', message: { key: 'layout-headings', names: [...new Set(names)] } },
    ])
  }
  if (lines.length + refused.length > maxDecisionLines) return 'too-many'
  const sent = [...lines.map(sentLine), ...refused.map(refusedLine)].toSorted((a, b) => a.line - b.line)
  return { lines: sent, unknownColumns: [], sheetsNotRead }
}

/** The columns of an acknowledgement among the targets of layouts. */
const targets: Readonly<Record<string, string>> = {
  'movement.enrollment-id': 'enrollment-id',
  'movement.position': 'position',
  'person.tax-id': 'tax-id',
  'plan.product-name': 'product-name',
  'plan.carrier-plan-code': 'carrier-plan-code',
}

function sentLine({ line, values }: ParsedLine): SentLine {
  const sent: Record<string, unknown> = {}
  for (const [target, value] of Object.entries(values)) {
    const name =
      targets[target] ?? (target.startsWith('acknowledgement.') ? target.slice(target.indexOf('.') + 1) : null)
    if (name !== null) sent[name] = name === 'position' && /^\d{1,9}$/.test(value) ? Number(value) : value
  }
  return { line, sent }
}

function refusedLine({ line, cells }: RefusedLine): SentLine {
  const details = cells.map(({ column, target }): Detail => ({ field: target ?? (column || 'line'), code: 'invalid' }))
  return { line, sent: null, details }
}
