import { route } from '#platform/http/route.ts'
import type { App, Context } from '#platform/http/context.ts'
import { errorResponses } from '#platform/http/schemas.ts'
import { batchBody, BatchHeaders, BatchQuery, runBatch } from '../batch/route.ts'
import { alteration } from './batch-queries.ts'
import { AlterationBatchBody, AlterationBatchErrorResponse, AlterationBatchResponse } from './batch-schema.ts'
import { refuseInProduction } from './routes.ts'

/** `POST /v1/enrollment/alteration`: a batch of alterations. Staging only. */
export async function alterationBatchRoutes(app: App, context: Context): Promise<void> {
  route(app, {
    method: 'POST',
    url: '/v1/enrollment/alteration',
    api: 'partner',
    movement: 'alteration',
    schema: {
      operationId: 'alterMembers',
      'x-sdk': 'alterations.createBatch',
      tags: ['movements'],
      summary: 'Alter members of a company',
      description:
        'Staging only. Accepts 1 to 10,000 entries (16 MiB), one for a person: its `alteration-data` are judged and applied as those of ' +
        'the alteration of one member. Every entry is judged in one pass; when any has offenses, nothing is stored and the response lists ' +
        'them all, unless `Prefer: handling=lenient` accepts the others. Asynchronous: read `GET /v1/request/{request-id}`. With ' +
        '`dry-run=true` the batch is only judged: nothing is stored.',
      headers: BatchHeaders,
      querystring: BatchQuery,
      response: {
        200: AlterationBatchResponse,
        400: AlterationBatchErrorResponse,
        ...errorResponses('not-entitled', 'staging-only', 'too-many-batches'),
      },
    },
    body: batchBody(AlterationBatchBody),
    before: refuseInProduction(context),
    handler: (request, reply) => runBatch(alteration, context, request, reply),
  })
}
