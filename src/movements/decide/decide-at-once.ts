import type { Tx } from '../../core/write.ts'
import type { Resolution } from '../../domain/enums.ts'
import type { Context } from '../../http/context.ts'
import { transitionAll } from '../transition/transition.ts'
import type { Decision } from '../transition/types.ts'

/** Completes or rejects accepted enrollments at once if the request has a `resolution`. */
export async function decideAtOnce(
  tx: Tx,
  context: Context,
  companyId: string,
  enrollmentIds: readonly string[],
  resolution: Resolution | null,
): Promise<void> {
  if (resolution === null) return
  const decision: Decision =
    resolution === 'approve'
      ? { status: 'completed', reason: null }
      : { status: 'rejected', reason: 'Rejected by resolution=reject' }
  await transitionAll(tx.as({ kind: 'resolution' }), companyId, enrollmentIds, decision, context)
}
