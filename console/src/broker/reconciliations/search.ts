import { CARRIER_FILE_KINDS, DISCREPANCY_CLASSES, DISCREPANCY_STATUSES } from '../../../../src/kernel/reconciliation.ts'
import { month, oneOf, searchOf, text } from '../../lists/search.ts'

/** The filters of the list of files, under the names of the API. */
export const filesSearchOf = searchOf({
  'company-tax-id': text,
  'contract-id': text,
  kind: oneOf(CARRIER_FILE_KINDS),
  'reference-month': month,
})
export type FilesSearch = ReturnType<typeof filesSearchOf>

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
