import type { Schemas } from '@vigencia/client'
import i18next from 'i18next'
import { foldHeading, headingKey } from '../../../../src/kernel/heading.ts'
import type { CarrierFileKind } from '../../../../src/kernel/reconciliation.ts'
import type { Target } from '../../../../src/registry/rules/layout-fields.ts'
import { tableOfRows, wordsOfColumn } from '../../tables/file-rows.ts'
import type { Choices, MappedTable, MappingForm } from '../../tables/mapped-table.ts'
import { layoutFieldLabel, layoutValueLabel } from './field-label.ts'
import { headingsOf, knownValueOf, targetsOf } from './file-words.ts'
import { columnOf, mainOf } from './column-of.ts'
import { fieldOfTarget } from './guess-format.ts'
import { readCell } from './read-cell.ts'
import { readLabel } from './read-label.ts'

type Definition = Schemas['LayoutDefinition']
type Column = Schemas['LayoutColumn']
type Format = NonNullable<Column['format']>

const isTarget = (field: string): field is Target => field.includes('.')

/** What says of whom a line is: one of these is enough. */
const identifying: readonly Target[] = [
  'person.tax-id',
  'benefit.card-number',
  'person.name',
  'registration.employee-id',
  'benefit.certificate',
]

const maxWords = 50

/** Whether a layout says no more than what the columns of a table are. */
export const isOfColumns = ({ format, records, ...definition }: Definition): boolean =>
  (format === 'xlsx' || (format === 'csv' && definition['header-lines']?.includes('headings') === true)) &&
  records.length === 1 &&
  records.every(({ match, sheet }) => match === undefined && sheet === undefined)

const columnsOf = (definition: Definition | null): readonly Column[] =>
  definition === null || !isOfColumns(definition) ? [] : (definition.records[0]?.columns ?? [])

/** The table of a carrier's file, by the layout that it had and the headings that carriers use. */
export function carrierTable(
  kind: CarrierFileKind,
  rows: readonly (readonly string[])[],
  before: Definition | null,
  headerRow: number | undefined,
): MappedTable {
  const mapped = new Map(
    columnsOf(before).map(({ heading = '', target }): [string, string | undefined] => [headingKey(heading), target]),
  )
  const { known, proposed } = headingsOf(kind)
  return tableOfRows(rows, { known: (cell) => mapped.get(headingKey(cell)) ?? known(cell), proposed }, headerRow)
}

/** What the columns of a kind of file may be, and which of its words for closed sets are not known. */
export function carrierForm(kind: CarrierFileKind, table: MappedTable, before: Definition | null): MappingForm {
  const said = saidWords(before)
  const cellsOf = (heading: string) => [...wordsOfColumn(table, (one) => one === heading).keys()]
  return {
    fields: targetsOf(kind),
    labelOf: layoutFieldLabel,
    // A layout names all columns that count.
    isKnown: () => false,
    missingOf: (taken) => {
      const amount = mainOf[kind]
      return [
        ...(amount === null || taken.has(amount) ? [] : [amount]),
        ...(identifying.some((name) => taken.has(name)) ? [] : identifying.slice(0, 1)),
      ]
    },
    wordsOf: (fields) =>
      [...codesOf(fields)].flatMap(([heading, target]) => {
        const isKnown = (word: string) => knownValueOf(target, word) !== undefined || Boolean(said(target, word))
        return [...wordsOfColumn(table, (one) => one === heading)]
          .filter(([word]) => !isKnown(word))
          .slice(0, maxWords)
          .map(([value, lines]) => ({ field: target, value, lines }))
      }),
    valuesOf: (field) =>
      (isTarget(field) ? (fieldOfTarget(field).values ?? []) : []).map((value) => ({
        value,
        label: layoutValueLabel(field, value),
      })),
    formatsOf: (heading, field) =>
      isTarget(field) && fieldOfTarget(field).type === 'money' && areWhole(cellsOf(heading))
        ? wholeAmounts(field, before)
        : [],
    readingOf: (heading, field, cell, format) => {
      if (!isTarget(field) || fieldOfTarget(field).type !== 'money') return null
      const said = format ?? (areWhole(cellsOf(heading)) ? wholeAmounts(field, before)[0]?.value : undefined)
      const column = {
        ...columnOf(kind, field, cellsOf(heading)),
        ...(said !== undefined && { format: said as Format }),
      }
      const value = readCell(column, cell)
      return value === null ? null : readLabel(field, value)
    },
  }
}

/** Amounts without decimals are in reais or in cents: nothing in them says which. */
function areWhole(cells: readonly string[]): boolean {
  const numbers = cells.map((cell) => cell.match(/\d+/g)?.length ?? 0)
  return numbers.includes(1) && numbers.every((count) => count < 2)
}

/** The unit of a layout that was made before is the usual one. */
function wholeAmounts(target: Target, before: Definition | null) {
  const known = columnsOf(before).find((column) => column.target === target)?.format
  const units = ['money:comma', 'money:cents'] as const
  const ordered = known === 'money:cents' ? units.toReversed() : units
  return ordered.map((value) => ({
    value,
    label: i18next.t(value === 'money:cents' ? 'tables:inCents' : 'tables:inReais'),
  }))
}

/** The columns of closed sets, by heading. */
function codesOf(fields: Choices['fields']): ReadonlyMap<string, Target> {
  const codes = [...fields].flatMap(([heading, field]): [string, Target][] =>
    field !== null && isTarget(field) && fieldOfTarget(field).type === 'code' ? [[heading, field]] : [],
  )
  return new Map(codes)
}

/** What a layout has as the meaning of a word; `''`: it was left without one. */
function saidWords(before: Definition | null) {
  const maps = new Map(
    columnsOf(before).map(({ target, map = {} }) => [
      target,
      new Map(Object.entries(map).map(([word, value]) => [foldHeading(word), value])),
    ]),
  )
  return (target: Target, word: string): string | undefined => maps.get(target)?.get(foldHeading(word))
}

/** The layout that reads a table as its columns and words were said to be. */
export function layoutOfTable(
  kind: CarrierFileKind,
  format: 'csv' | 'xlsx',
  table: MappedTable,
  choices: Choices,
  before: Definition | null,
): Definition {
  const said = saidWords(before)
  const wordsOf = (heading: string, target: Target) =>
    [...wordsOfColumn(table, (one) => one === heading).keys()].flatMap((word): [string, string][] => {
      const chosen = choices.words.find(({ field, value }) => field === target && value === word)?.as
      const value = chosen ?? said(target, word)
      // A word without a meaning is a cell without content, not a line that is refused.
      return value === undefined && knownValueOf(target, word) !== undefined ? [] : [[word, value ?? '']]
    })
  const columns = [...choices.fields].flatMap(([heading, target]): Column[] => {
    if (target === null || !isTarget(target)) return []
    const at = table.columns.findIndex((column) => column.heading === heading)
    const cells = table.rows.map((row) => row.cells[at] ?? '')
    const { map, ...column } = columnOf(kind, target, cells)
    const isWhole = fieldOfTarget(target).type === 'money' && areWhole(cells)
    const unit = isWhole ? wholeAmounts(target, before)[0]?.value : undefined
    const format = (choices.formats?.get(heading) ?? unit) as Column['format']
    return [
      {
        heading,
        ...column,
        ...(format !== undefined && { format }),
        ...(map !== undefined && { map: { ...map, ...Object.fromEntries(wordsOf(heading, target)) } }),
      },
    ]
  })
  const records = [{ name: 'person', columns }]
  return format === 'xlsx' ? { format, records } : { format, 'header-lines': ['headings'], records }
}
