import type { LayoutDefinition, LayoutRecord } from '../definition.ts'
import type { LayoutDirection } from '../../rules/layout.ts'
import type { LayoutInput } from '../layout.ts'
import { read } from './columns.ts'

const money = { format: 'money:comma' } as const
const month = { format: 'date:yyyy-MM' } as const

type Columns = Parameters<typeof read>[0]

const person: Columns = [
  ['contract-number', 'contract.contract-number'],
  ['sub-contract', 'contract.sub-contract'],
  ['card-number', 'benefit.card-number'],
  ['certificate', 'benefit.certificate'],
  ['dependent-code', 'benefit.dependent-code'],
  ['tax-id', 'person.tax-id'],
  ['employee-id', 'registration.employee-id'],
  ['name', 'person.name'],
  ['date-of-birth', 'person.date-of-birth'],
]

const cover: Columns = [
  ['relationship', 'person.relationship'],
  ['carrier-plan-code', 'plan.carrier-plan-code'],
  ['start-date', 'benefit.start-date'],
]

const directions = {
  roster: [
    ['reference-month', 'roster.reference-month', month],
    ...person,
    ...cover,
    ['end-date', 'benefit.end-date'],
    ['gender', 'person.gender'],
    ['marital-status', 'person.marital-status'],
    ['mothers-name', 'person.mothers-name'],
    ['admission-date', 'registration.admission-date'],
    ['primary-tax-id', 'primary.tax-id'],
  ],
  invoice: [
    ['reference-month', 'invoice.reference-month', month],
    ...person,
    ...cover,
    ['entry-type', 'invoice.entry-type'],
    ['entry-code', 'invoice.entry-code'],
    ['entry-month', 'invoice.entry-month', month],
    ['amount', 'invoice.amount', { ...money, required: true }],
    ['employee-amount', 'invoice.employee-amount', money],
  ],
  coparticipation: [
    ['reference-month', 'coparticipation.reference-month', month],
    ...person,
    ['amount', 'coparticipation.amount', { ...money, required: true }],
  ],
} as const satisfies Partial<Record<LayoutDirection, Columns>>

const names = { roster: 'Roster', invoice: 'Invoice', coparticipation: 'Co-participation' } as const
type Kind = keyof typeof directions

function layoutOf(direction: Kind, format: 'CSV' | 'XLSX', file: Omit<LayoutDefinition, 'records'>): LayoutInput {
  const records: LayoutRecord[] = [{ name: 'person', columns: read(directions[direction]) }]
  return {
    name: `${names[direction]} as ${format}`,
    direction,
    source: 'The fields of this API. Amounts have a decimal comma, days are 2026-11-30, months 2026-11.',
    definition: { ...file, records },
  }
}

const csv = { format: 'csv', 'header-lines': ['headings'] } satisfies Omit<LayoutDefinition, 'records'>
const xlsx = { format: 'xlsx' } as const

/** Files of carriers under the names of the API: for a carrier without a layout of its own. */
export const genericFiles = {
  'generic-csv-roster': layoutOf('roster', 'CSV', csv),
  'generic-csv-invoice': layoutOf('invoice', 'CSV', csv),
  'generic-csv-coparticipation': layoutOf('coparticipation', 'CSV', csv),
  'generic-xlsx-roster': layoutOf('roster', 'XLSX', xlsx),
  'generic-xlsx-invoice': layoutOf('invoice', 'XLSX', xlsx),
  'generic-xlsx-coparticipation': layoutOf('coparticipation', 'XLSX', xlsx),
} as const
