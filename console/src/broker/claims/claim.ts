import type { ResponseBody } from '@vigencia/client'

export type Claim = ResponseBody<'readClaim'>['result']

/** What was sent and waits for a credit, in cents. */
export const openAmountOf = (claim: Pick<Claim, 'status' | 'total' | 'credited-total'>): number =>
  claim.status === 'sent' || claim.status === 'accepted' ? claim.total - claim['credited-total'] : 0
