import { twinRoutes } from '#platform/http/twins.ts'
import { requesters } from '#platform/core/may-request.ts'
import { type App, type Context } from '#platform/http/context.ts'
import { withIntake } from '../intake/schema.ts'
import { batchBody, BatchHeaders, ofOperators, runBatch } from '../batch/route.ts'
import { MovementQuery, refuseResolution } from '../resolution-parameter.ts'
import { inclusion } from './queries.ts'
import { InclusionResponse, InclusionBody, InclusionErrorResponse } from './schema.ts'

/** `POST /enrollment/inclusion` of both APIs: a batch of primaries and dependents. */
export async function inclusionRoutes(app: App, context: Context): Promise<void> {
  const described = { summary: 'Include members in products' } as const
  const what =
    'Accepts 1 to 10,000 primaries and dependents in one flat array (16 MiB). Every member is judged in one pass; when any ' +
    'has offenses, nothing is stored and the response lists them all, unless `Prefer: handling=lenient` accepts the others. ' +
    'Asynchronous: read `GET /v1/request/{request-id}`. With `dry-run=true` the batch is only judged: nothing is stored.'
  twinRoutes(app, {
    method: 'POST',
    path: '/enrollment/inclusion',
    movement: 'inclusion',
    schema: {
      headers: BatchHeaders,
      querystring: MovementQuery,
      response: { 200: InclusionResponse, 400: InclusionErrorResponse },
    },
    before: refuseResolution(context),
    partner: {
      ...described,
      operationId: 'includeMembers',
      'x-sdk': 'inclusions.create',
      tags: ['movements'],
      description: what,
      errors: ['not-entitled', 'too-many-batches'],
      body: batchBody(InclusionBody),
    },
    operator: {
      ...described,
      operationId: 'includeMembersOfCompany',
      'x-sdk': 'inclusions.create',
      roles: requesters,
      description: `${ofOperators} ${what}`,
      errors: ['company-not-found', 'too-many-batches'],
      body: batchBody(withIntake(InclusionBody)),
    },
    handler: (request, reply) => runBatch(inclusion, context, request, reply),
  })
}
