/* A file of a carrier that a layout is made from. */
import { foldHeading } from '../../../../src/kernel/heading.ts'
import { isWritten } from '../../../../src/registry/rules/layout.ts'
import { isSourceOf, SOURCES, type Source, type Target } from '../../../../src/registry/rules/layout-fields.ts'
import type { Direction, LayoutColumn, LayoutDefinition, LayoutFormat } from '../../entities/layouts/layout.ts'
import { headingsOf, type ReadKind } from '../../entities/layouts/file-words.ts'
import { columnOf } from '../../entities/layouts/column-of.ts'
import { tableOfRows } from '../../tables/file-rows.ts'
import type { NoContent } from './cuts.ts'

/** The lines of a text, or the rows of a table. */
export type Sample =
  | { readonly format: 'fixed-width'; readonly lines: readonly string[] }
  | { readonly format: 'csv' | 'xlsx'; readonly rows: readonly (readonly string[])[] }

const maxLines = 200
/** The service takes no longer lines. */
const maxRecordLength = 4000
const maxHeadings = 200

/** The lines of a text in the encoding that it most likely has. */
export function linesOf(bytes: ArrayBuffer): string[] {
  const isUtf8 = () => new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  const text = attempt(isUtf8) ?? new TextDecoder('windows-1252').decode(bytes)
  const lines = text.split(/\r?\n/).slice(0, maxLines)
  return lines.map((line) => line.slice(0, maxRecordLength)).filter((line) => line.trim() !== '')
}

function attempt(decode: () => string): string | null {
  try {
    return decode()
  } catch {
    return null
  }
}

/** Whether most lines have cells that a semicolon or a tab divides; a comma may be one of an amount. */
export function isTable(name: string, lines: readonly string[]): boolean {
  if (/\.csv$/i.test(name)) return true
  const first = lines.slice(0, 10)
  const isDivided = (line: string) =>
    line
      .split(/[;\t]/)
      .slice(1)
      .some((cell) => cell.trim() !== '')
  return first.filter(isDivided).length * 2 > first.length
}

const isRead = (direction: Direction): direction is ReadKind => !isWritten(direction)

export const noContent = (direction: Direction): NoContent => (isRead(direction) ? { drop: true } : { literal: '' })

/** A new definition, whose columns a sample has. */
export function emptyDefinition(direction: Direction, format: LayoutFormat): LayoutDefinition {
  const name = direction === 'movement' || direction === 'acknowledgement' ? 'movement' : 'person'
  const records = [{ name, columns: [] }]
  if (format === 'csv') return { format, 'header-lines': ['headings'], records }
  return format === 'fixed-width' ? { format, 'record-length': 100, records } : { format, records }
}

export const hasHeadings = (definition: LayoutDefinition): boolean =>
  definition.format !== 'fixed-width' &&
  (definition.format !== 'csv' || definition['header-lines']?.includes('headings') === true)

/** What the headings of written files most likely stand for: what those of a roster are, of the movement. */
function sourceHeadings(direction: Direction) {
  const { known, proposed } = headingsOf('roster')
  const ofMovement: Partial<Record<Target, Source>> = {
    'benefit.start-date': 'movement.start-date',
    'benefit.end-date': 'movement.end-date',
  }
  const sourceOf = (target: Target | null | undefined) => {
    const source = target == null ? null : (ofMovement[target] ?? target)
    return source !== null && Object.hasOwn(SOURCES, source) && isSourceOf(direction, source) ? source : null
  }
  return {
    known: (heading: string) => sourceOf(known(heading)) ?? undefined,
    proposed: (heading: string) => sourceOf(proposed(heading)),
  }
}

/** The table of a sample, whose headings are known by the layout, or by what carriers write. */
function tableOf(direction: Direction, { rows }: Extract<Sample, { rows: unknown }>, columns: readonly LayoutColumn[]) {
  const said = new Set(columns.map(({ heading = '' }) => foldHeading(heading)))
  const { known, proposed } = isRead(direction) ? headingsOf(direction) : sourceHeadings(direction)
  const isSaid = (cell: string) => cell !== '' && said.has(foldHeading(cell))
  return tableOfRows(rows, { known: (cell) => (isSaid(cell) ? cell : known(cell)), proposed }, undefined)
}

/** The definition with the columns of a sample: those that it has stay. */
export function withSample(direction: Direction, definition: LayoutDefinition, sample: Sample): LayoutDefinition {
  if (sample.format === 'fixed-width') {
    const own = definition['record-length'] ?? 0
    const isNew = definition.records.every(({ columns }) => columns.length === 0)
    const length = Math.max(1, isNew ? 1 : own, ...sample.lines.map((line) => line.length))
    return { ...definition, 'record-length': length }
  }
  if (!hasHeadings(definition) || definition.records.length > 1) return definition
  const [record] = definition.records
  if (record === undefined) return definition
  const table = tableOf(direction, sample, record.columns)
  const said = new Set(record.columns.map(({ heading = '' }) => foldHeading(heading)))
  const taken = new Set(record.columns.map(({ target, source }) => target ?? source))
  const added = table.columns.slice(0, maxHeadings).flatMap(({ heading, field, proposed }, at): LayoutColumn[] => {
    const key = foldHeading(heading)
    if (key === '' || said.size === said.add(key).size) return []
    const name = field ?? proposed
    if (name === null || taken.has(name as Target)) return [{ heading, ...noContent(direction) }]
    const cells = table.rows.map((row) => row.cells[at] ?? '')
    if (isRead(direction)) return [{ heading, ...columnOf(direction, name as Target, cells) }]
    return [{ heading, source: name as Source, ...writtenFormat(name as Source) }]
  })
  return { ...definition, records: [{ ...record, columns: [...record.columns, ...added] }] }
}

/** As Brazilian files have it. */
export function writtenFormat(source: Source): Pick<LayoutColumn, 'format'> {
  const { type } = SOURCES[source]
  if (type === 'date') return { format: source.endsWith('-month') ? 'date:MM/yyyy' : 'date:dd/MM/yyyy' }
  return type === 'money' ? { format: 'money:comma' } : {}
}

/** The lines of records: without those that are not read. */
export function recordLines(definition: LayoutDefinition, lines: readonly string[]): readonly string[] {
  const stop = definition['stop-at']
  const rest = lines.slice(definition['skip-first-lines'] ?? 0)
  const end = stop === undefined ? -1 : rest.findIndex((line) => line.trim().startsWith(stop))
  return end === -1 ? rest : rest.slice(0, end)
}

/** The cells of each column in the lines of a sample. */
export function cellsOf(
  direction: Direction,
  definition: LayoutDefinition,
  columns: readonly LayoutColumn[],
  sample: Sample,
): readonly (readonly string[])[] {
  if (sample.format === 'fixed-width') {
    const lines = recordLines(definition, sample.lines)
    return columns.map(({ at = 1, length = 0 }) => lines.map((line) => line.slice(at - 1, at - 1 + length).trim()))
  }
  if (!hasHeadings(definition)) {
    const first = definition['skip-first-lines'] ?? definition['header-lines']?.length ?? 0
    return columns.map((_column, index) => sample.rows.slice(first).map((cells) => cells[index] ?? ''))
  }
  const table = tableOf(direction, sample, columns)
  const places = table.columns.map(({ heading }) => foldHeading(heading))
  return columns.map(({ heading = '' }) => {
    const at = places.indexOf(foldHeading(heading))
    return at === -1 ? [] : table.rows.map(({ cells }) => cells[at] ?? '')
  })
}
