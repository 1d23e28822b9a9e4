import type { Tx } from '#platform/core/write.ts'
import { benefitHasEnded, primaryHasEnded } from '../rules/transitions.ts'
import { readInclusionsWithoutPrimary, readWithoutEffect } from './extension-queries.ts'
import { transitionAll } from './transition.ts'
import type { TransitionContext } from './types.ts'

/**
 * Rejects the open exclusions, plan changes, company changes, second cards and transfers of ended benefits that can have no effect any more, with the parts of dependents that go
 * with them, and the open inclusions of dependents whose primary has no such benefit any more. Corrections of registration data stay: they apply to the member.
 */
export async function closeMovementsOfEnded(
  sql: Tx,
  companyId: string,
  benefitIds: readonly string[],
  context: TransitionContext,
): Promise<void> {
  if (benefitIds.length === 0) return
  const ids = await readWithoutEffect(sql, companyId, benefitIds)
  if (ids.length > 0) await transitionAll(sql, companyId, ids, { status: 'rejected', reason: benefitHasEnded }, context)
  const orphans = await readInclusionsWithoutPrimary(sql, companyId, benefitIds)
  if (orphans.length === 0) return
  await transitionAll(sql, companyId, orphans, { status: 'rejected', reason: primaryHasEnded }, context)
}
