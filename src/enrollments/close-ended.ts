import type { Sql } from '../platform/database.ts'
import { benefitHasEnded } from '../domain/enrollment-status.ts'
import { readWithoutEffect } from './extension-queries.ts'
import { moveEnrollments } from './transition.ts'
import type { Actor, TransitionContext } from './transition-types.ts'

/**
 * Rejects the open exclusions, plan changes and company changes of ended benefits that can have no effect any more, with the parts of dependents that go
 * with them. Corrections of registration data stay: they apply to the member.
 */
export async function closeMovementsOfEnded(
  sql: Sql,
  companyId: string,
  benefitIds: readonly string[],
  actor: Actor,
  context: TransitionContext,
): Promise<void> {
  if (benefitIds.length === 0) return
  const ids = await readWithoutEffect(sql, companyId, benefitIds)
  if (ids.length === 0) return
  await moveEnrollments(sql, companyId, ids, { status: 'rejected', reason: benefitHasEnded }, actor, context)
}
