import { CARRIER_FILE_KINDS, DISCREPANCY_CLASSES, DISCREPANCY_STATUSES } from '../../../../src/kernel/reconciliation.ts'
import { id, month, oneOf, searchOf, text } from '../../lists/search.ts'

/** The filters of the list of files, under the names of the API. */
export const filesSearchOf = searchOf({
  'company-tax-id': text,
  'contract-id': text,
  kind: oneOf(CARRIER_FILE_KINDS),
  'reference-month': month,
})
export type FilesSearch = ReturnType<typeof filesSearchOf>

/** What the amounts of a trend are of. */
export const TREND_GROUPS = ['class', 'contract', 'company', 'carrier'] as const
/** How many months a trend has. */
export const TREND_RANGES = [12, 24, 36] as const

/** What a trend is of, under the names of the API. */
export const trendSearchOf = searchOf({
  'company-tax-id': text,
  'contract-id': id,
  'group-by': oneOf(TREND_GROUPS),
  months: (value): number | undefined => TREND_RANGES.find((one) => one === Number(value)),
})

/** How lines are selected: the values of the API. */
export const LINE_MATCHES = ['matched', 'unmatched', 'ambiguous', 'refused'] as const

/** What the page of a file shows: its discrepancies under filters, or its lines. */
export const fileSearchOf = searchOf({
  view: oneOf(['lines']),
  match: oneOf(LINE_MATCHES),
  class: oneOf(DISCREPANCY_CLASSES),
  status: oneOf(DISCREPANCY_STATUSES),
  assignee: text,
  q: text,
})
export type FileSearch = ReturnType<typeof fileSearchOf>
