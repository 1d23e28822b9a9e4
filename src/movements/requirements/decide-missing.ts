import type { Tx } from '../../core/write.ts'
import { documentsMissing } from '../../domain/requirement.ts'
import type { Context } from '../../http/context.ts'
import { transitionAll, transitionEach } from '../transition/transition.ts'
import type { Decision, PendingItem } from '../transition/types.ts'

/** What a new movement lacks. */
export interface MissingOfMovement {
  readonly items: readonly PendingItem[]
  /** It is rejected without them. */
  readonly isRefused?: boolean
  /** It waits for its day: it leaves that for the queue, to be asked for them now. */
  readonly isScheduled?: boolean
}

/** Lets new movements wait for the documents that they lack, or rejects them. @returns the ids of the others. */
export async function decideMissing(
  tx: Tx,
  context: Context,
  companyId: string,
  enrollmentIds: readonly string[],
  missing: ReadonlyMap<string, MissingOfMovement>,
): Promise<readonly string[]> {
  const decisions = new Map<string, Decision>()
  for (const id of enrollmentIds) {
    const found = missing.get(id)
    if (found === undefined) continue
    decisions.set(
      id,
      found.isRefused === true
        ? { status: 'rejected', reason: documentsMissing }
        : { status: 'pending-documents', reason: documentsMissing, pendingItems: found.items },
    )
  }
  if (decisions.size === 0) return enrollmentIds
  const { origin } = tx.actor
  const service = tx.as({ kind: 'service', ...(origin === undefined ? {} : { origin }) })
  const scheduled = [...decisions.keys()].filter((id) => missing.get(id)?.isScheduled === true)
  if (scheduled.length > 0)
    await transitionAll(service, companyId, scheduled, { status: 'created', reason: null }, context)
  await transitionEach(service, companyId, decisions, context)
  return enrollmentIds.filter((id) => !decisions.has(id))
}
