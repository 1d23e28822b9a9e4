import { type App, type Context } from '../../http/context.ts'
import { errorResponses } from '../../http/schemas.ts'
import { BatchHeaders, BatchQuery, batchRoute, runBatch, takeBytes } from '../batch/route.ts'
import { countRequests } from '../accepted.ts'
import { refuseResolution } from '../resolution-parameter.ts'
import { inclusion } from './queries.ts'
import { InclusionResponse, InclusionBody, InclusionErrorResponse } from './schema.ts'

/** `POST /v1/enrollment/inclusion`: a batch of primaries and dependents. */
export async function inclusionRoutes(app: App, context: Context): Promise<void> {
  takeBytes(app)
  countRequests(app, 'inclusion')
  app.route({
    ...batchRoute,
    url: '/v1/enrollment/inclusion',
    config: { api: 'partner' },
    schema: {
      operationId: 'includeMembers',
      'x-sdk': 'inclusions.create',
      tags: ['movements'],
      summary: 'Include members in products',
      description:
        'Accepts 1 to 10,000 primaries and dependents in one flat array (16 MiB). Every member is judged in one pass; when any ' +
        'has offenses, nothing is stored and the response lists them all, unless `Prefer: handling=lenient` accepts the others. ' +
        'Asynchronous: read `GET /v1/request/{request-id}`. With `dry-run=true` the batch is only judged: nothing is stored.',
      headers: BatchHeaders,
      querystring: BatchQuery,
      body: InclusionBody,
      response: {
        200: InclusionResponse,
        400: InclusionErrorResponse,
        ...errorResponses('not-entitled', 'too-many-batches'),
      },
    },
    onRequest: refuseResolution(context),
    handler: (request, reply) => runBatch(inclusion, context, request, reply),
  })
}
