import type { Item, ResponseBody } from '@vigencia/client'

export type CarrierFile = ResponseBody<'readCarrierFile'>['result']
export type Reconciliation = ResponseBody<'readReconciliation'>['result']
export type Discrepancy = Item<'listDiscrepancies'>
export type CarrierLine = Item<'listCarrierLines'>

/** `2026-11` as `11/2026`. */
export const formatMonth = (month: string): string => `${month.slice(5, 7)}/${month.slice(0, 4)}`

/** The number of a contract, with that of its sub-contract. */
export const contractNumber = (one: { readonly 'contract-number': string; readonly 'sub-contract': string }): string =>
  [one['contract-number'], one['sub-contract']].filter(Boolean).join(' / ')

/** How many discrepancies of a class there are. */
export const countOf = (one: Reconciliation['counts'][number]): number =>
  one.open + one.explained + one.claimed + one.corrected + one.accepted

/** While the workers read a file or compare it. */
export const refreshMilliseconds = 1_000
