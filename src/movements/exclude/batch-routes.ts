import { route } from '#platform/http/route.ts'
import type { App, Context } from '#platform/http/context.ts'
import { errorResponses } from '#platform/http/schemas.ts'
import { batchBody, BatchHeaders, BatchQuery, runBatch } from '../batch/route.ts'
import { refuseResolution } from '../resolution-parameter.ts'
import { exclusion } from './batch-queries.ts'
import { ExclusionBatchBody, ExclusionBatchErrorResponse, ExclusionBatchResponse } from './batch-schema.ts'

/** `POST /v1/enrollment/exclusion`: a batch of exclusions. */
export async function exclusionBatchRoutes(app: App, context: Context): Promise<void> {
  route(app, {
    method: 'POST',
    url: '/v1/enrollment/exclusion',
    api: 'partner',
    movement: 'exclusion',
    schema: {
      operationId: 'excludeMembers',
      'x-sdk': 'exclusions.create',
      tags: ['movements'],
      summary: 'Exclude members of a company',
      description:
        'Accepts 1 to 10,000 entries (16 MiB). An entry selects the benefits of one person by product, by benefit or by primary; without ' +
        'these, everything that the person has in the company. Dependents of a primary are excluded too, unless they have an entry of ' +
        'their own. Every entry is judged in one pass; when any has offenses, nothing is stored and the response lists them all, unless ' +
        '`Prefer: handling=lenient` accepts the others. Asynchronous: read `GET /v1/request/{request-id}`. With `dry-run=true` the batch is ' +
        'only judged: nothing is stored.',
      headers: BatchHeaders,
      querystring: BatchQuery,
      response: {
        200: ExclusionBatchResponse,
        400: ExclusionBatchErrorResponse,
        ...errorResponses('not-entitled', 'too-many-batches'),
      },
    },
    body: batchBody(ExclusionBatchBody),
    before: refuseResolution(context),
    handler: (request, reply) => runBatch(exclusion, context, request, reply),
  })
}
