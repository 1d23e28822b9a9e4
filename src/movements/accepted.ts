import { Type } from 'typebox'
import type { MovementKind } from '../domain/enums.ts'
import type { App } from '../http/context.ts'
import { Uuid } from '../http/schemas.ts'
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
