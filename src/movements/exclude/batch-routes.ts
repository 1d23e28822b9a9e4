import { twinRoutes } from '#platform/http/twins.ts'
import { requesters } from '#platform/core/may-request.ts'
import type { App, Context } from '#platform/http/context.ts'
import { withIntake } from '../intake/schema.ts'
import { batchBody, BatchHeaders, type Instead, ofOperators, runBatch } from '../batch/route.ts'
import { MovementQuery, refuseResolution } from '../resolution-parameter.ts'
import { exclusion } from './batch-queries.ts'
import {
  ExclusionBatchBody,
  ExclusionBatchErrorResponse,
  ExclusionBatchResponse,
  ExclusionDraftResponse,
  OperatorExclusionBatchResponse,
} from './batch-schema.ts'

/** `POST /enrollment/exclusion` of both APIs: a batch of exclusions. @param instead of a request: a draft for a second operator. */
export async function exclusionBatchRoutes(app: App, context: Context, instead: Instead): Promise<void> {
  const described = { summary: 'Exclude members of a company' } as const
  const what =
    'Accepts 1 to 10,000 entries (16 MiB). An entry selects the benefits of one person by product, by benefit or by primary; without ' +
    'these, everything that the person has in the company. Dependents of a primary are excluded too, unless they have an entry of ' +
    'their own. Every entry is judged in one pass; when any has offenses, nothing is stored and the response lists them all, unless ' +
    '`Prefer: handling=lenient` accepts the others. Asynchronous: read `GET /v1/request/{request-id}`. With `dry-run=true` the batch is ' +
    'only judged: nothing is stored.'
  twinRoutes(app, {
    method: 'POST',
    path: '/enrollment/exclusion',
    movement: 'exclusion',
    schema: {
      headers: BatchHeaders,
      querystring: MovementQuery,
      response: { 200: ExclusionBatchResponse, 400: ExclusionBatchErrorResponse },
    },
    before: refuseResolution(context),
    partner: {
      ...described,
      operationId: 'excludeMembers',
      'x-sdk': 'exclusions.create',
      tags: ['movements'],
      description: what,
      errors: ['not-entitled', 'too-many-batches'],
      body: batchBody(ExclusionBatchBody),
    },
    operator: {
      ...described,
      operationId: 'excludeMembersOfCompany',
      'x-sdk': 'exclusions.create',
      roles: requesters,
      description:
        `${ofOperators} ${what} Of more people than \`VIGENCIA_SECOND_PERSON_EXCLUSIONS\` it becomes a movement draft (202), which another operator ` +
        'confirms; it is judged without `handling=lenient` then.',
      responses: { 200: OperatorExclusionBatchResponse, 202: ExclusionDraftResponse },
      errors: ['company-not-found', 'too-many-drafts', 'too-many-batches'],
      body: batchBody(withIntake(ExclusionBatchBody)),
    },
    handler: (request, reply) => runBatch(exclusion, context, request, reply, instead),
  })
}
