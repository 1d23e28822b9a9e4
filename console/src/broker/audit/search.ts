import type { Query } from '@vigencia/client'
import { isLocalDate } from '../../../../src/kernel/calendar.ts'

const names = [
  'actor',
  'action',
  'target',
  'company-tax-id',
  'address',
  'request-trace-id',
  'from-dt',
  'until-dt',
  'id',
] as const

/** The filters of the audit, under the names of the API, and the row whose details are shown. */
export type AuditSearch = { readonly [Name in (typeof names)[number] | 'row']?: string }

export function auditSearchOf(raw: Readonly<Record<string, unknown>>): AuditSearch {
  return Object.fromEntries(
    [...names, 'row' as const].flatMap((name) => {
      // The router reads digits as a number.
      const value = typeof raw[name] === 'number' ? String(raw[name]) : raw[name]
      if (typeof value !== 'string' || value === '') return []
      return name.endsWith('-dt') && !isLocalDate(value) ? [] : [[name, value]]
    }),
  )
}

/** Whether the last day comes after the first, as the service demands. */
export function hasValidDays({ 'from-dt': from, 'until-dt': until }: AuditSearch): boolean {
  return from === undefined || until === undefined || until > from
}

/** The parameters of the list. */
export function auditQueryOf({ row: _row, ...filters }: AuditSearch): Query<'listAudit'> {
  return filters
}
