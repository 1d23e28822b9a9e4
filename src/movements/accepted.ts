import { Type } from 'typebox'
import type { RequestType, Resolution } from '../domain/enums.ts'
import { moveEnrollments } from '../enrollments/transition.ts'
import { resolutionTransition } from '../enrollments/resolution.ts'
import type { App, Context } from '../http/context.ts'
import { Uuid } from '../http/schemas.ts'
import type { Sql } from '../platform/database.ts'
import { countMovementRequest } from '../telemetry/metrics.ts'
import { type DomainEvent, writeEvents } from '../webhooks/outbox.ts'

/** Counts the responses of the routes of `app`, all of which request a movement of this type. */
export function countRequests(app: App, type: RequestType): void {
  app.addHook('onResponse', async (_request, reply) => countMovementRequest(type, reply.statusCode))
}

/** The response to an accepted movement. */
export const AcceptedResponse = Type.Object(
  { 'request-id': Uuid },
  { examples: [{ 'request-id': '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21' }] },
)

interface AcceptedMovement {
  readonly companyId: string
  readonly requestId: string
  readonly enrollmentIds: readonly string[]
  readonly status: 'created' | 'scheduled'
  readonly at: Date
}

/** Writes the events of a request whose enrollments were all created at acceptance. */
export async function writeAcceptedEvents(sql: Sql, accepted: AcceptedMovement): Promise<void> {
  const { companyId, requestId, enrollmentIds, status, at } = accepted
  const created = enrollmentIds.map((id): DomainEvent => {
    return { type: 'enrollment.created', data: { 'request-id': requestId, 'enrollment-id': id, status } }
  })
  const completed: DomainEvent = { type: 'request.completed', data: { 'request-id': requestId, status: 'completed' } }
  await writeEvents(sql, companyId, at, [...created, completed])
}

/** Completes or rejects accepted enrollments at once, as `resolution` requests. */
export async function resolveAtOnce(
  sql: Sql,
  context: Context,
  { companyId, enrollmentIds }: AcceptedMovement,
  resolution: Resolution | null,
): Promise<void> {
  if (resolution === null) return
  const { move, actor } = resolutionTransition(resolution)
  await moveEnrollments(sql, companyId, enrollmentIds, move, actor, context)
}
