import type { Query } from '@vigencia/client'
import { day, searchOf, text } from '../../lists/search.ts'

/** The filters of the audit, under the names of the API, and the row whose details are shown. */
export const auditSearchOf = searchOf({
  actor: text,
  action: text,
  target: text,
  'company-tax-id': text,
  address: text,
  'request-trace-id': text,
  'from-dt': day,
  'until-dt': day,
  id: text,
  row: text,
})
export type AuditSearch = ReturnType<typeof auditSearchOf>

/** Whether the last day comes after the first, as the service demands. */
export function hasValidDays({ 'from-dt': from, 'until-dt': until }: AuditSearch): boolean {
  return from === undefined || until === undefined || until > from
}

/** The parameters of the list. */
export function auditQueryOf({ row: _row, ...filters }: AuditSearch): Query<'listAudit'> {
  return filters
}
