import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { invalidBody, invalidParameter } from '#platform/core/errors.ts'
import type { Context } from '#platform/http/context.ts'
import { RESOLUTIONS } from '#kernel/enums.ts'
import { OneOf } from '#platform/http/schemas.ts'

/** The query of a movement that is resolved at once in staging. */
const ResolutionQuery = Type.Object(
  {
    resolution: Type.Optional(
      OneOf(RESOLUTIONS, { description: 'Staging only: resolves the movement at once. 400 in production.' }),
    ),
  },
  { additionalProperties: false },
)

/** `resolution` in staging, and `dry-run`. */
export const MovementQuery = Type.Object(
  {
    ...ResolutionQuery.properties,
    'dry-run': Type.Optional(
      Type.Boolean({ description: 'Judges only: the same responses, without `request-id`; nothing is stored.' }),
    ),
  },
  { additionalProperties: false },
)

/** An `onRequest` hook, since the environment is checked before the body. @throws ApiError 400 for `resolution` in production. */
export function refuseResolution({ config }: Context) {
  return async (request: FastifyRequest): Promise<void> => {
    if (config.environment === 'production' && 'resolution' in (request.query as object)) {
      throw invalidParameter([{ field: 'resolution', code: 'staging-only' }])
    }
  }
}

/** @throws ApiError 400 for `sandbox` in production. @param field of the body. */
export function refuseSandbox({ config }: Context, field = 'sandbox'): void {
  if (config.environment === 'production') throw invalidBody([{ field, code: 'staging-only' }])
}
