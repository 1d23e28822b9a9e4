import { twinRoutes } from '#platform/http/twins.ts'
import { requesters } from '#platform/core/may-request.ts'
import type { App, Context } from '#platform/http/context.ts'
import { withIntake } from '../intake/schema.ts'
import { batchBody, BatchHeaders, ofOperators, runBatch } from '../batch/route.ts'
import { alteration } from './batch-queries.ts'
import { AlterationBatchBody, AlterationBatchErrorResponse, AlterationBatchResponse } from './batch-schema.ts'
import { MovementQuery, refuseResolution } from '../resolution-parameter.ts'
import { refuseInProduction } from './routes.ts'

/** `POST /enrollment/alteration` of both APIs: a batch of alterations. A partner's is for staging only. */
export async function alterationBatchRoutes(app: App, context: Context): Promise<void> {
  const described = { summary: 'Alter members of a company' } as const
  const what =
    'Accepts 1 to 10,000 entries (16 MiB), one for a person: its `alteration-data` are judged and applied as those of ' +
    'the alteration of one member. Every entry is judged in one pass; when any has offenses, nothing is stored and the response lists ' +
    'them all, unless `Prefer: handling=lenient` accepts the others. Asynchronous: read `GET /v1/request/{request-id}`. With ' +
    '`dry-run=true` the batch is only judged: nothing is stored.'
  twinRoutes(app, {
    method: 'POST',
    path: '/enrollment/alteration',
    movement: 'alteration',
    schema: {
      headers: BatchHeaders,
      querystring: MovementQuery,
      response: { 200: AlterationBatchResponse, 400: AlterationBatchErrorResponse },
    },
    partner: {
      ...described,
      operationId: 'alterMembers',
      'x-sdk': 'alterations.create',
      tags: ['movements'],
      description: `Staging only. ${what}`,
      errors: ['not-entitled', 'staging-only', 'too-many-batches'],
      body: batchBody(AlterationBatchBody),
      before: refuseInProduction(context),
    },
    operator: {
      ...described,
      operationId: 'alterMembersOfCompany',
      'x-sdk': 'alterations.create',
      roles: requesters,
      description: `${ofOperators} ${what}`,
      errors: ['company-not-found', 'too-many-batches'],
      body: batchBody(withIntake(AlterationBatchBody)),
      before: refuseResolution(context),
    },
    handler: (request, reply) => runBatch(alteration, context, request, reply),
  })
}
