import type { Tx } from '#platform/core/write.ts'
import { reasonOfMissing } from '#registry/rules/requirement.ts'
import type { Context } from '#platform/http/context.ts'
import { transitionEach } from '../transition/transition.ts'
import type { Decision, PendingItem } from '../transition/types.ts'

/** What new movements wait for, by their ids. */
export type ItemsOfMovements = ReadonlyMap<string, readonly PendingItem[]>

/** Lets new movements wait for the documents that they lack. @returns the ids of the others. */
export async function decideMissing(
  tx: Tx,
  context: Context,
  companyId: string,
  enrollmentIds: readonly string[],
  missing: ItemsOfMovements,
): Promise<readonly string[]> {
  const decisions = new Map<string, Decision>()
  for (const id of enrollmentIds) {
    const pendingItems = missing.get(id)
    if (pendingItems === undefined) continue
    decisions.set(id, { status: 'pending-documents', reason: reasonOfMissing(pendingItems), pendingItems })
  }
  if (decisions.size === 0) return enrollmentIds
  const { origin } = tx.actor
  const service = tx.as({ kind: 'service', ...(origin === undefined ? {} : { origin }) })
  await transitionEach(service, companyId, decisions, context)
  return enrollmentIds.filter((id) => !decisions.has(id))
}
