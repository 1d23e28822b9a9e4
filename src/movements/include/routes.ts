import { route } from '#platform/http/route.ts'
import { type App, type Context } from '#platform/http/context.ts'
import { errorResponses } from '#platform/http/schemas.ts'
import { batchBody, BatchHeaders, BatchQuery, runBatch } from '../batch/route.ts'
import { refuseResolution } from '../resolution-parameter.ts'
import { inclusion } from './queries.ts'
import { InclusionResponse, InclusionBody, InclusionErrorResponse } from './schema.ts'

/** `POST /v1/enrollment/inclusion`: a batch of primaries and dependents. */
export async function inclusionRoutes(app: App, context: Context): Promise<void> {
  route(app, {
    method: 'POST',
    url: '/v1/enrollment/inclusion',
    api: 'partner',
    movement: 'inclusion',
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
      response: {
        200: InclusionResponse,
        400: InclusionErrorResponse,
        ...errorResponses('not-entitled', 'too-many-batches'),
      },
    },
    body: batchBody(InclusionBody),
    before: refuseResolution(context),
    handler: (request, reply) => runBatch(inclusion, context, request, reply),
  })
}
