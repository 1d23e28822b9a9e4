/* Movements as the file of a layout: pure, and the same bytes for the same movements. */
import { hasAtMostCharacters } from '#kernel/fields.ts'
import { emitOf, fieldOf } from './check.ts'
import {
  columnName,
  encodingOf,
  type LayoutColumn,
  type LayoutDefinition,
  type LayoutRecord,
  maxFileBytes,
  maxFileCells,
  maxFileCharacters,
  maxFileLines,
} from './definition.ts'
import { SOURCES } from '../rules/layout-fields.ts'
import type { ItemProblem, ItemProblemCode, MovementRecord, RenderedFile, SourceValues } from './types.ts'
import { isRepresentable, writeValue } from './values.ts'
import { type WrittenLine, writeFile } from './writer.ts'

/** The maximum for one movement: the further ones are named once these are mended. */
const maxProblems = 100

/** A line of a record, without its totals: they are known when all lines are. */
interface Line {
  readonly record: LayoutRecord
  readonly cells: (string | null)[]
}

interface RenderedItem {
  readonly lines: readonly Line[]
  readonly problems: readonly ItemProblem[]
}

/**
 * The file of the movements. One with a problem is not in the file; nor is the inclusion of a dependent whose primary is neither in it nor at the carrier.
 * @param header the values of the contract and the shipment, for lines that the file has once.
 */
export async function renderMovements(
  definition: LayoutDefinition,
  header: SourceValues,
  movements: readonly MovementRecord[],
): Promise<RenderedFile> {
  const once = { first: onceLines(definition, header, 'once-first'), last: onceLines(definition, header, 'once-last') }
  const shared = [...once.first, ...once.last].flatMap(({ problems }) => problems).slice(0, maxProblems)
  const room = new Room(definition)
  let items = movements.map(({ values, dependents = [] }, index) => {
    const once = { ...header, 'movement.position': String(index + 1) }
    const own = renderItem(definition, { ...once, ...values }, shared)
    const others = dependents.map(({ benefitId, values: of }) => {
      const { lines, problems } = renderItem(definition, { ...once, ...of }, [])
      return { lines, problems: problems.map((problem) => ({ ...problem, benefitId })) }
    })
    const people = [own, ...others]
    return room.take({
      lines: people.flatMap(({ lines }) => lines),
      problems: people.flatMap(({ problems }) => problems).slice(0, maxProblems),
    })
  })
  withoutPrimaries(movements, items)
  const linesOf = (some: readonly RenderedItem[]) => some.flatMap(({ lines }) => lines)
  const inFile = (item: RenderedItem) => (room.isLeft && item.problems.length === 0 ? item.lines : [])
  const withItems = () => [...linesOf(once.first), ...items.flatMap(inFile), ...linesOf(once.last)]
  let { lines, problems: wide } = withTotals(definition, withItems())
  if (wide.length > 0) {
    // No movement is in a file whose totals are wrong.
    items = items.map((item) => ({ ...item, problems: [...item.problems, ...wide.slice(0, maxProblems)] }))
    ;({ lines } = withTotals(definition, withItems()))
  }
  const { content, mediaType, extension, lineNumbers, sheets } = await writeFile(definition, lines)
  let at = linesOf(once.first).length
  const numbered = items.map((item) => {
    const count = inFile(item).length
    at += count
    const ofSheets = sheets?.slice(at - count, at)
    return {
      lineNumbers: lineNumbers.slice(at - count, at),
      ...(ofSheets && { sheets: ofSheets }),
      problems: item.problems,
    }
  })
  const isTooLarge = !room.isLeft || content.length > maxFileBytes
  return { content, mediaType, extension, isTooLarge, items: numbered }
}

/** Whether there is room for lines in a file: what is more than it may have is neither kept nor written. */
class Room {
  readonly #definition: LayoutDefinition
  #lines = maxFileLines
  #cells = maxFileCells
  #characters = maxFileCharacters

  constructor(definition: LayoutDefinition) {
    this.#definition = definition
  }

  get isLeft(): boolean {
    return Math.min(this.#lines, this.#cells, this.#characters) >= 0
  }

  take(item: RenderedItem): RenderedItem {
    if (item.problems.length > 0) return { ...item, lines: [] }
    for (const { record, cells } of item.lines) {
      this.#lines -= 1
      this.#cells -= cells.length
      this.#characters -= this.#definition['record-length'] ?? 0
      for (const [index, cell] of cells.entries()) {
        const { pad, length = 0 } = record.columns[index] ?? {}
        this.#characters -= Math.max(cell?.length ?? 0, pad === undefined ? 0 : length)
      }
    }
    return this.isLeft ? item : { ...item, lines: [] }
  }
}

function onceLines(
  definition: LayoutDefinition,
  header: SourceValues,
  emit: 'once-first' | 'once-last',
): RenderedItem[] {
  return definition.records
    .filter((record) => emitOf(record) === emit)
    .map((record) => {
      const problems: ItemProblem[] = []
      return { lines: [renderLine(definition, record, header, problems)], problems }
    })
}

function renderItem(definition: LayoutDefinition, values: SourceValues, shared: readonly ItemProblem[]): RenderedItem {
  const problems = [...shared]
  const lines = definition.records
    .filter((record) => emitOf(record) === 'each' && isFor(record, values))
    .map((record) => renderLine(definition, record, values, problems))
  if (lines.length === 0) problems.push({ code: 'no-code', field: 'movement.kind', column: 'when' })
  return { lines, problems }
}

/** Whether a record is one of movements with these values. */
function isFor({ when = {} }: LayoutRecord, values: SourceValues): boolean {
  return Object.entries(when).every(([source, wanted]) => [wanted].flat().includes(values[source] ?? ''))
}

/** Adds the problem of dependents that the carrier cannot place. */
function withoutPrimaries(movements: readonly MovementRecord[], items: RenderedItem[]): void {
  const written = new Set(
    movements.flatMap(({ familyId, values }, index) =>
      values['movement.beneficiary-type'] === 'primary' && items[index]?.problems.length === 0 ? [familyId] : [],
    ),
  )
  for (const [index, { familyId, values }] of movements.entries()) {
    const item = items[index]
    const isInclusion = values['movement.kind'] === 'inclusion' && values['movement.beneficiary-type'] === 'dependent'
    const isAtCarrier = ['sent', 'active', undefined].includes(values['primary.status'])
    if (item === undefined || !isInclusion || isAtCarrier || written.has(familyId)) continue
    const problem: ItemProblem = { code: 'primary-not-in-shipment', field: 'primary.tax-id', column: 'primary' }
    items[index] = { ...item, problems: [...item.problems, problem] }
  }
}

function renderLine(
  definition: LayoutDefinition,
  record: LayoutRecord,
  values: SourceValues,
  problems: ItemProblem[],
): Line {
  const cells = record.columns.map((column, index) => {
    if (column.total !== undefined) return null
    const cell = renderCell(definition, column, values)
    if (typeof cell === 'string') return cell
    const { problem: code, ...of } = cell
    if (problems.length < maxProblems) {
      problems.push({ code, field: column.source ?? '', column: columnName(column, index), ...of })
    }
    return ''
  })
  return { record, cells }
}

interface CellProblem {
  readonly problem: ItemProblemCode
  readonly character?: string
}

/** The text of a cell, without what fills it up. */
function renderCell(definition: LayoutDefinition, column: LayoutColumn, values: SourceValues): string | CellProblem {
  const { literal, source = '', map, format, required } = column
  if (literal !== undefined) return literal
  const value = Object.hasOwn(values, source) ? (values[source] ?? '') : ''
  if (map !== undefined && Object.hasOwn(map, value)) return map[value] ?? ''
  if (value === '') {
    if (required !== true) return ''
    return { problem: source === 'plan.carrier-plan-code' ? 'plan-code-missing' : 'field-missing' }
  }
  if (map !== undefined) return { problem: 'no-code' }
  const field = fieldOf(SOURCES, source) ?? { type: 'text' }
  const text = writeValue(value, field, format)
  return text === null ? { problem: 'date-out-of-range' } : fitted(text, definition, column)
}

function fitted(text: string, definition: LayoutDefinition, { length, overflow }: LayoutColumn): string | CellProblem {
  const encoding = encodingOf(definition)
  if (!isRepresentable(text, encoding)) {
    return {
      problem: 'not-representable',
      character: Array.from(text).find((character) => !isRepresentable(character, encoding)) ?? '',
    }
  }
  if (length === undefined || hasAtMostCharacters(text, length)) return text
  return overflow === 'truncate' ? Array.from(text).slice(0, length).join('') : { problem: 'value-too-long' }
}

/** The lines with their totals, and the totals that are longer than their columns, each once. */
function withTotals(
  definition: LayoutDefinition,
  lines: readonly Line[],
): { readonly lines: WrittenLine[]; readonly problems: readonly ItemProblem[] } {
  const counts = new Map<string, number>([['lines', lines.length]])
  for (const { name } of definition.records) counts.set(`count:${name}`, 0)
  for (const { record } of lines) counts.set(`count:${record.name}`, (counts.get(`count:${record.name}`) ?? 0) + 1)
  const problems = new Map<LayoutColumn, ItemProblem>()
  const written = lines.map(({ record, cells }, index) => ({
    record,
    cells: cells.map((cell, at) => {
      const column = record.columns[at]
      if (cell !== null || column === undefined) return cell ?? ''
      const { total = '' } = column
      const text = fitted(String(total === 'position' ? index + 1 : (counts.get(total) ?? 0)), definition, column)
      if (typeof text === 'string') return text
      problems.set(column, { code: text.problem, field: total, column: columnName(column, at) })
      return ''
    }),
  }))
  return { lines: written, problems: [...problems.values()] }
}
