import { COMPANY_CLASSES, DISCREPANCY_STATUSES, RECONCILIATION_KINDS } from '../../../../src/kernel/reconciliation.ts'
import { month, oneOf, searchOf } from '../../lists/search.ts'

/** The filters of the discrepancies of the company, under the names of the API. */
export const discrepanciesSearchOf = searchOf({
  kind: oneOf(RECONCILIATION_KINDS),
  class: oneOf(COMPANY_CLASSES),
  status: oneOf(DISCREPANCY_STATUSES),
  'reference-month': month,
})
