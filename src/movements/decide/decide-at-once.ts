import type { Tx } from '#platform/core/write.ts'
import type { Resolution } from '#kernel/enums.ts'
import type { Context } from '#platform/http/context.ts'
import { transitionAll } from '../transition/transition.ts'
import type { Decision } from '../transition/types.ts'
import { applyOutcomesAtOnce } from './sandbox-outcomes.ts'

/**
 * Completes or rejects accepted enrollments at once if the request has a `resolution`; else those that have an outcome of the sandbox that is due
 * today get it.
 */
export async function decideAtOnce(
  tx: Tx,
  context: Context,
  companyId: string,
  enrollmentIds: readonly string[],
  resolution: Resolution | null,
): Promise<void> {
  if (resolution === null) {
    if (context.config.environment === 'staging') await applyOutcomesAtOnce(tx, context, companyId, enrollmentIds)
    return
  }
  const decision: Decision =
    resolution === 'approve'
      ? { status: 'completed', reason: null }
      : { status: 'rejected', reason: 'Rejected by resolution=reject' }
  await transitionAll(tx.as({ kind: 'resolution' }), companyId, enrollmentIds, decision, context)
}
