import type { Result } from '@vigencia/client'
import { formatNumber } from '../../format/number.ts'
import type { CostsSearch } from './search.ts'

export type Month = Result<'readInvoiceStatistics'>[number]
/** The amounts of a month, in cents. */
export type Amount = Exclude<keyof Month, 'reference-month' | 'covered-lives'>

/** `11/26`: short enough for the axis of a chart. */
export const shortMonth = (month: string): string => `${month.slice(5)}/${month.slice(2, 4)}`

/** `2.417`, for an axis. */
export const wholeReais = (cents: number): string => formatNumber(Math.round(cents / 100))

/** The list of the claims that an amount is of. */
export function claimsOf(month: Month, search: Omit<CostsSearch, 'months'>) {
  return { ...search, 'reference-month': month['reference-month'] } as const
}

/** The list of the invoices that an amount is of. */
export function invoicesOf(month: Month, search: Omit<CostsSearch, 'months'>) {
  return { ...search, kind: 'invoice', 'reference-month': month['reference-month'] } as const
}
