import type { FastifyRequest } from 'fastify'
import { Type, type TSchema } from 'typebox'
import { invalidBody, unavailable } from '../../platform/errors.ts'
import { ConcurrencyLimit } from '../../http/limits/concurrency-limit.ts'
import { type App, callerOf, type Context } from '../../http/context.ts'
import { validator } from '../../http/validation.ts'
import { errorResponses } from '../../http/schemas.ts'
import { countRequests } from '../accepted.ts'
import { refuseResolution } from '../resolution-parameter.ts'
import { stopBatchThreads, THREAD_FROM_BYTES } from './batch.ts'
import { include } from './include.ts'
import { BatchShapeError } from './parse-and-judge.ts'
import { InclusionResponse, InclusionBody, InclusionQuery, InclusionErrorResponse } from './schema.ts'
import { BatchUnavailableError } from './worker-pool.ts'

const inclusionBodyLimit = 16 * 1024 * 1024

/** `POST /v1/enrollment/inclusion`: a batch of primaries and dependents. */
export async function inclusionRoutes(app: App, context: Context): Promise<void> {
  // The body is not parsed here: large ones are parsed and judged in a thread.
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit: inclusionBodyLimit },
    async (_request: FastifyRequest, body: Buffer) => body,
  )
  app.addHook('onClose', () => stopBatchThreads())
  countRequests(app, 'inclusion')
  const largeBatches = new ConcurrencyLimit({ max: context.config.limits.largeBatches, retryAfterSeconds: 2 })
  app.route({
    method: 'POST',
    url: '/v1/enrollment/inclusion',
    bodyLimit: inclusionBodyLimit,
    config: { api: 'partner' },
    schema: {
      operationId: 'includeMembers',
      tags: ['movements'],
      summary: 'Include members in products',
      description:
        'Accepts 1 to 10,000 primaries and dependents in one flat array (16 MiB). Every member is judged in one pass; when any ' +
        'has offenses, nothing is stored and the response lists them all, unless `Prefer: handling=lenient` accepts the others. ' +
        'Asynchronous: read `GET /v1/request/{request-id}`. With `dry-run=true` the batch is only judged: nothing is stored.',
      headers: Type.Object({
        prefer: Type.Optional(
          Type.String({ description: '`handling=lenient` accepts the members without offenses (RFC 7240).' }),
        ),
      }),
      querystring: InclusionQuery,
      body: InclusionBody,
      response: {
        200: InclusionResponse,
        400: InclusionErrorResponse,
        ...errorResponses('not-entitled', 'too-many-batches'),
      },
    },
    // The body is bytes here: `openBatch` parses and validates it.
    validatorCompiler: ({ schema, httpPart }) =>
      httpPart === 'body' ? (value: unknown) => ({ value }) : validator(schema as TSchema, httpPart as 'headers'),
    onRequest: refuseResolution(context),
    handler: async (request, reply) => {
      const body: unknown = request.body
      if (!Buffer.isBuffer(body)) throw invalidBody()
      try {
        const run = () => include(context, request, reply, body)
        return body.length < THREAD_FROM_BYTES ? await run() : await largeBatches.run(callerOf(request).clientId, run)
      } catch (error) {
        if (error instanceof BatchShapeError) throw invalidBody(error.details)
        if (error instanceof BatchUnavailableError) throw unavailable('too-many-batches')
        throw error
      }
    },
  })
}
