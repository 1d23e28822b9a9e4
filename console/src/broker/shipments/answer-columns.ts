import {
  ACKNOWLEDGEMENT_COLUMNS,
  ACKNOWLEDGEMENT_OUTCOMES,
  type AcknowledgementColumn,
  type AcknowledgementMapping,
  type AcknowledgementOutcome,
  KEY_COLUMNS,
} from '../../../../src/registry/rules/acknowledgement.ts'
import {
  knownColumnOf,
  knownOutcomeOf,
  proposedColumnOf,
} from '../../../../src/exchange/rules/acknowledgement-words.ts'
import { foldHeading, headingKey } from '../../../../src/kernel/heading.ts'
import type { Choices, MappedTable, MappingForm } from '../../tables/mapped-table.ts'
import { splitRecord } from '../../tables/csv-record.ts'

/** Titles are above the header, which is one of so many rows. */
const maxHeaderRow = 10

const isColumn = (name: string): name is AcknowledgementColumn => ACKNOWLEDGEMENT_COLUMNS.some((one) => one === name)

/** What a heading most likely stands for. The CPF of the primary says nothing of whom the line is. */
const proposalOf = (heading: string): AcknowledgementColumn | null =>
  /\btitular\b/i.test(heading) ? null : proposedColumnOf(heading)

/** The table of an answer; of several columns with one proposal the first has it. */
export function answerTable(
  rows: readonly (readonly string[])[],
  mapping: AcknowledgementMapping | null,
  headerRow: number | undefined,
): MappedTable {
  const mapped = new Map(
    Object.entries(mapping?.columns ?? {}).map(([heading, column]) => [headingKey(heading), column]),
  )
  const columnOf = (cell: string) => mapped.get(headingKey(cell)) ?? knownColumnOf(cell)
  const scores = rows.slice(0, maxHeaderRow).map((cells) => {
    const known = new Set(cells.flatMap((cell) => columnOf(cell) ?? proposalOf(cell) ?? []))
    return known.size * 100 + cells.filter((cell) => cell !== '' && !/\d/.test(cell)).length
  })
  const at = headerRow === undefined ? Math.max(0, scores.indexOf(Math.max(...scores))) : headerRow - 1
  const taken = new Set<string>()
  const once = (column: AcknowledgementColumn | null | undefined) =>
    column === null || column === undefined || taken.size === taken.add(column).size ? null : column
  const headings = rows[at] ?? []
  const known = headings.map((heading) => once(columnOf(heading)))
  return {
    'header-row': at + 1,
    columns: headings.map((heading, index) => {
      const field = known[index] ?? null
      return { heading, field, proposed: field === null ? once(proposalOf(heading)) : null }
    }),
    rows: rows.slice(at + 1).map((cells) => ({ cells })),
  }
}

/** The rows of a CSV of the service, each in the line that it has in the file. */
export const rowsOf = (text: string): string[][] =>
  text.split(/\r?\n/).map((line) => (line.trim() === '' ? [] : (splitRecord(line, ';') ?? [])))

interface Labels {
  readonly columnOf: (column: AcknowledgementColumn) => string
  readonly outcomeOf: (outcome: AcknowledgementOutcome) => string
}

/** What the columns of an answer may be, and which of its words for the outcome are not known. */
export function answerForm(table: MappedTable, mapping: AcknowledgementMapping | null, labels: Labels): MappingForm {
  const said = new Set(Object.keys(mapping?.outcomes ?? {}).map(foldHeading))
  const isKnown = (word: string) => said.has(foldHeading(word)) || knownOutcomeOf(word) !== undefined
  return {
    fields: ACKNOWLEDGEMENT_COLUMNS,
    labelOf: (field) => (isColumn(field) ? labels.columnOf(field) : field),
    // A mapping names all columns that count.
    isKnown: () => false,
    missingOf: (taken) => [
      ...(taken.has('outcome') ? [] : ['outcome']),
      ...(KEY_COLUMNS.some((name) => taken.has(name)) ? [] : ['tax-id']),
    ],
    wordsOf: (fields) => {
      const at = table.columns.findIndex(({ heading }) => fields.get(heading) === 'outcome')
      const words = table.rows.map(({ cells }) => (at === -1 ? '' : (cells[at] ?? '').trim()))
      const unknown = Map.groupBy(
        words.filter((word) => word !== '' && !isKnown(word)),
        foldHeading,
      )
      return [...unknown.values()].map((same) => ({ field: 'outcome', value: same[0] ?? '', lines: same.length }))
    },
    valuesOf: () => ACKNOWLEDGEMENT_OUTCOMES.map((value) => ({ value, label: labels.outcomeOf(value) })),
  }
}

/** The mapping of a contract with what was said of a file. A column has one heading. */
export function mappingWith(before: AcknowledgementMapping | null, { fields, words }: Choices): AcknowledgementMapping {
  const chosen = [...fields].flatMap(([heading, field]) =>
    field !== null && isColumn(field) ? [[heading, field] as const] : [],
  )
  const here = new Set([...fields.keys()].map(headingKey))
  const taken = new Set(chosen.map(([, column]) => column))
  const kept = Object.entries(before?.columns ?? {}).filter(
    ([heading, column]) => !here.has(headingKey(heading)) && !taken.has(column),
  )
  const outcomes = words.map(({ value, as }) => [value, as as AcknowledgementOutcome] as const)
  return {
    columns: Object.fromEntries([...kept, ...chosen]),
    outcomes: { ...before?.outcomes, ...Object.fromEntries(outcomes) },
  }
}
