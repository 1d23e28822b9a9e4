import { Type } from 'typebox'
import type { MovementKind, Resolution } from '../domain/enums.ts'
import { transitionAll } from './transition/transition.ts'
import type { Decision } from './transition/types.ts'
import type { App, Context } from '../http/context.ts'
import { Uuid } from '../http/schemas.ts'
import type { Tx } from '../core/write.ts'
import { countMovementRequest } from '../core/telemetry/metrics.ts'

/** Counts the responses of the routes of `app`, all of which request a movement of this type. */
export function countRequests(app: App, type: MovementKind): void {
  app.addHook('onResponse', async (_request, reply) => countMovementRequest(type, reply.statusCode))
}

/** The response to an accepted movement. */
export const AcceptedResponse = Type.Object(
  { 'request-id': Uuid },
  { examples: [{ 'request-id': '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21' }] },
)

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
