import type { Item, ResponseBody } from '@vigencia/client'

export type CarrierFile = ResponseBody<'readCarrierFile'>['result']
export type Reconciliation = ResponseBody<'readReconciliation'>['result']
export type Discrepancy = Item<'listDiscrepancies'>
export type CarrierLine = Item<'listCarrierLines'>

/** How many discrepancies of a class there are. */
export const countOf = (one: Reconciliation['counts'][number]): number =>
  one.open + one.explained + one.claimed + one.corrected + one.accepted

/** While the workers read a file or compare it. */
export const refreshMilliseconds = 1_000
