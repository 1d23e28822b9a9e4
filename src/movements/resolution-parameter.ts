import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { invalidParameter } from '../platform/errors.ts'
import type { Context } from '../http/context.ts'
import { OneOf } from '../http/schemas.ts'

/** Query of the movements that staging may resolve at once. */
export const ResolutionQuery = Type.Object(
  {
    resolution: Type.Optional(
      OneOf(['approve', 'reject'], { description: 'Staging only: resolves the movement at once. 400 in production.' }),
    ),
  },
  { additionalProperties: false },
)

/** The environment is looked at before the body: `resolution` in production is 400 `Invalid parameter`. */
export function refuseResolution({ config }: Context) {
  return async (request: FastifyRequest): Promise<void> => {
    if (config.environment === 'production' && 'resolution' in (request.query as object)) {
      throw invalidParameter([{ field: 'resolution', code: 'staging-only' }])
    }
  }
}
