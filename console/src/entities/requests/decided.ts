import type { Item } from '@vigencia/client'

export type Requested = Pick<Item<'listRequests'>, 'status' | 'enrollment-summary'>

/** After these nothing is decided any more. */
export const finalStatuses = ['completed', 'rejected', 'cancelled'] as const

/** How many of the movements of a request are decided. */
export function decidedOf({ 'enrollment-summary': summary }: Requested): {
  readonly decided: number
  readonly total: number
} {
  const total = Object.values(summary).reduce((sum, count) => sum + count, 0)
  return { decided: finalStatuses.reduce((sum, one) => sum + (summary[one] ?? 0), 0), total }
}

/** Whether something of it is still to be decided. */
export function isUnderWay(request: Requested): boolean {
  const { decided, total } = decidedOf(request)
  return request.status === 'processing' || decided < total
}
