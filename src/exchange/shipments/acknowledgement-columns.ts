import {
  ACKNOWLEDGEMENT_COLUMNS,
  type AcknowledgementColumn,
  type AcknowledgementMapping,
  type AcknowledgementOutcome,
  KEY_COLUMNS,
} from '#registry/rules/acknowledgement.ts'
import {
  ACKNOWLEDGEMENT_HEADINGS,
  knownColumnOf,
  knownOutcomeOf,
  proposedColumnOf,
} from '../rules/acknowledgement-words.ts'
import { readCardNumber, withoutPunctuation } from '#kernel/cell-values.ts'
import type { CsvColumn } from '#kernel/csv-column.ts'
import { parseDate } from '#movements/rules/import-columns.ts'
import { foldHeading, headingKey } from '#kernel/heading.ts'
import { restoreCpf } from '#kernel/tax-id.ts'
import type { LineColumns } from '#movements/decide/sent-lines.ts'

const maxWord = 200
/** For messages. */
const knownHeadings = ACKNOWLEDGEMENT_COLUMNS.map((name) => `${name} (${ACKNOWLEDGEMENT_HEADINGS[name][0]})`)

/** How the cells of a column are read. @param mapped the outcomes of the carrier's words. */
function csvColumn(name: AcknowledgementColumn, mapped: ReadonlyMap<string, AcknowledgementOutcome>): CsvColumn {
  switch (name) {
    case 'tax-id':
      return { name, parse: withoutPunctuation, restoreZeros: (cell) => restoreCpf(withoutPunctuation(cell)) }
    case 'start-date':
    case 'end-date':
      return { name, parse: (cell, forms) => parseDate(cell.trim(), forms), isDate: true }
    case 'position':
      return { name, parse: (cell) => (/^\d{1,9}$/.test(cell.trim()) ? Number(cell) : cell) }
    case 'outcome':
      return { name, parse: (cell) => outcomeOf(cell, mapped) ?? cell }
    case 'card-number':
      return { name, parse: (cell) => readCardNumber(cell.trim()) }
    case 'enrollment-id':
    case 'product-name':
    case 'carrier-plan-code':
    case 'code':
    case 'message':
    case 'protocol':
      return { name, parse: (cell) => cell.trim() }
    default:
      return name satisfies never
  }
}

function outcomeOf(
  cell: string,
  mapped: ReadonlyMap<string, AcknowledgementOutcome>,
): AcknowledgementOutcome | undefined {
  if (cell.length > maxWord) return undefined
  const word = foldHeading(cell)
  return mapped.get(word) ?? knownOutcomeOf(cell)
}

const folded = <Value>(record: Readonly<Record<string, Value>>, key: (word: string) => string): Map<string, Value> =>
  new Map(Object.entries(record).map(([name, value]) => [key(name), value]))

/** The columns of a spreadsheet that a carrier sends: those of the mapping, and beside them headings that are known. Others are left aside. */
export function acknowledgementColumns(mapping: AcknowledgementMapping | null): LineColumns {
  const columns = folded(mapping?.columns ?? {}, headingKey)
  const mapped = folded(mapping?.outcomes ?? {}, foldHeading)
  const taken = new Set(columns.values())
  return {
    columnOf: (heading) => {
      if (heading.length > maxWord) return null
      const known = knownColumnOf(heading)
      const name = columns.get(headingKey(heading)) ?? (known === undefined || taken.has(known) ? undefined : known)
      return name === undefined ? null : csvColumn(name, mapped)
    },
    required: ['outcome'],
    oneOf: [KEY_COLUMNS],
    limits: { maxColumns: 256, maxCharacters: 16_384 },
    propose: proposedColumnOf,
    message: (found) => ({
      key: 'expected-columns',
      columns: [...Object.keys(mapping?.columns ?? {}), ...knownHeadings],
      found,
    }),
  }
}
