import type { FastifyRequest } from 'fastify'
import { Type, type TSchema } from 'typebox'
import { type App, callerOf, type Context } from '../../http/context.ts'
import { ConcurrencyLimit } from '../../platform/concurrency-limit.ts'
import { validator } from '../../http/validation.ts'
import { invalidBody, unavailable } from '../../platform/errors.ts'
import { ResolutionQuery } from '../resolution-parameter.ts'
import { stopBatchThreads, THREAD_FROM_BYTES } from './batch.ts'
import { BatchShapeError } from './parse-and-judge.ts'
import { BatchUnavailableError } from './batch-threads.ts'

const batchBodyLimit = 16 * 1024 * 1024

/** `resolution` in staging, and `dry-run`. */
export const BatchQuery = Type.Object(
  {
    ...ResolutionQuery.properties,
    'dry-run': Type.Optional(
      Type.Boolean({ description: 'Judges only: the same responses, without `request-id`; nothing is stored.' }),
    ),
  },
  { additionalProperties: false },
)

export const BatchHeaders = Type.Object({
  prefer: Type.Optional(
    Type.String({ description: '`handling=lenient` accepts the members without offenses (RFC 7240).' }),
  ),
})

/** Options of a route whose body stays bytes: `openBatch` parses and validates it. */
export const batchRoute = {
  method: 'POST',
  bodyLimit: batchBodyLimit,
  validatorCompiler: ({ schema, httpPart }: { schema: unknown; httpPart?: string }) =>
    httpPart === 'body' ? (value: unknown) => ({ value }) : validator(schema as TSchema, httpPart as 'headers'),
} as const

/** Makes the routes of `app` get the bytes of their bodies: large ones are parsed and judged in a thread. */
export function takeBytes(app: App): void {
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit: batchBodyLimit },
    async (_request: FastifyRequest, body: Buffer) => body,
  )
  app.addHook('onClose', () => stopBatchThreads())
}

/** Large batches of all movements have one limit. */
const limits = new WeakMap<Context, ConcurrencyLimit>()

/** Runs the handler of a batch. @throws ApiError 400 for the shape of the body, 503 when too many large batches are in progress. */
export async function runBatch(
  context: Context,
  request: FastifyRequest,
  run: (body: Buffer) => Promise<void>,
): Promise<void> {
  const body: unknown = request.body
  if (!Buffer.isBuffer(body)) throw invalidBody()
  const { largeBatches: max, maxWaitMs } = context.config.limits
  const limit = limits.get(context) ?? new ConcurrencyLimit({ max, maxWaitMs })
  limits.set(context, limit)
  try {
    if (body.length < THREAD_FROM_BYTES) await run(body)
    else await limit.run(callerOf(request).clientId, () => run(body))
  } catch (error) {
    if (error instanceof BatchShapeError) throw invalidBody(error.details)
    if (error instanceof BatchUnavailableError) throw unavailable('too-many-batches')
    throw error
  }
}
