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
import { tableOfRows, wordsOfColumn } from '../../tables/file-rows.ts'

const isColumn = (name: string): name is AcknowledgementColumn => ACKNOWLEDGEMENT_COLUMNS.some((one) => one === name)

/** What a heading most likely stands for. The CPF of the primary says nothing of whom the line is. */
const proposalOf = (heading: string): AcknowledgementColumn | null =>
  /\btitular\b/i.test(heading) ? null : proposedColumnOf(heading)

/** The table of an answer, by the mapping of its contract and the headings that carriers use. */
export function answerTable(
  rows: readonly (readonly string[])[],
  mapping: AcknowledgementMapping | null,
  headerRow: number | undefined,
): MappedTable {
  const mapped = new Map(
    Object.entries(mapping?.columns ?? {}).map(([heading, column]) => [headingKey(heading), column]),
  )
  const known = (cell: string) => mapped.get(headingKey(cell)) ?? knownColumnOf(cell)
  return tableOfRows(rows, { known, proposed: proposalOf }, headerRow)
}

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
      const words = [...wordsOfColumn(table, (heading) => fields.get(heading) === 'outcome')]
      const unknown = Map.groupBy(
        words.filter(([word]) => !isKnown(word)),
        ([word]) => foldHeading(word),
      )
      return [...unknown.values()].map((same) => ({
        field: 'outcome',
        value: same[0]?.[0] ?? '',
        lines: same.reduce((sum, [, count]) => sum + count, 0),
      }))
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
