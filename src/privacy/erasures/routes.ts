import type { ClientActor } from '#platform/core/actor.ts'
import { ApiError } from '#platform/core/errors.ts'
import { required } from '#platform/core/log.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import type { DeclaredError } from '#platform/http/error-examples.ts'
import { sendJson } from '#platform/http/json-response.ts'
import { route } from '#platform/http/route.ts'
import { errorResponses } from '#platform/http/schemas.ts'
import { SubjectRequestPath } from '../subject-requests/schema.ts'
import { mayHandleSubjectRequests } from '../subject-requests/write.ts'
import { approvePlan, makePlan, retryErasure } from './approve.ts'
import { readErasure } from './stored-plans.ts'
import { ErasureResponse } from './schema.ts'

const url = '/operator/v1/subject-request/:subjectRequestId'
const example = '01995e11-2d31-7a44-8f55-6a7b8c9d0e1f'
const columns = { STATUS: 'status', 'PLANNED-BY': 'planned-by', 'APPROVED-BY': 'approved-by', 'CLOSED-AT': 'closed-at' }

/** `/operator/v1/subject-request/{id}/plan`, `approve` and `retry`: what the erasure of a person deletes, and what stays. */
export async function erasureRoutes(app: App, context: Context): Promise<void> {
  const { database } = context
  route(app, {
    method: 'GET',
    url: `${url}/plan`,
    api: 'operator',
    roles: mayHandleSubjectRequests,
    schema: {
      operationId: 'readErasurePlan',
      'x-sdk': 'subjectRequests.plan',
      'x-cli': { command: 'subject-request show-plan' },
      summary: 'Read the plan of an erasure',
      description: 'What it deletes and what stays, as it was computed; who made and approved it.',
      params: SubjectRequestPath,
      response: { 200: ErasureResponse, ...errorResponses('subject-request-not-found') },
    },
    handler: async (request, reply) => {
      const body = await readErasure(database, request.params.subjectRequestId)
      if (body === null) throw new ApiError('subject-request-not-found')
      return sendJson(reply, body)
    },
  })

  const act = (
    path: string,
    sdk: string,
    words: { readonly summary: string; readonly description: string; readonly example: string },
    errors: readonly DeclaredError[],
    run: (context: Context, actor: ClientActor, id: string) => Promise<void>,
  ) =>
    route(app, {
      method: 'POST',
      url: `${url}/${path}`,
      api: 'operator',
      roles: mayHandleSubjectRequests,
      schema: {
        operationId: `${path}Erasure`,
        'x-sdk': `subjectRequests.${sdk}`,
        'x-cli': {
          command: `subject-request ${path}`,
          examples: { [`subject-request ${path} ${example}`]: words.example },
          columns,
        },
        summary: words.summary,
        description: words.description,
        params: SubjectRequestPath,
        response: {
          200: ErasureResponse,
          ...errorResponses('subject-request-not-found', 'subject-request-status', ...errors),
        },
      },
      handler: async (request, reply) => {
        const { subjectRequestId: id } = request.params
        await run(context, callerOf(request), id)
        return sendJson(reply, required(await readErasure(database, id), 'erasure'))
      },
    })

  act(
    'plan',
    'makePlan',
    {
      summary: 'Make the plan of an erasure',
      description: 'Nothing is deleted before another admin approves it. May be made again until then.',
      example: 'what would go, what stays, and until when',
    },
    [],
    makePlan,
  )
  act(
    'approve',
    'approve',
    {
      summary: 'Approve the plan of an erasure',
      description:
        'By an admin who did not make the plan. What the plan erases is deleted within seconds, and cannot be restored; the request is `fulfilled` then, or `partly-fulfilled` where something stayed (`remaining`). An attempt that fails is repeated later; after the last one it waits for `retry`.',
      example: 'by another admin; it cannot be undone',
    },
    ['second-admin-required', 'erasure-plan-changed'],
    approvePlan,
  )
  act(
    'retry',
    'retry',
    {
      summary: 'Try an erasure that failed again',
      description: 'At once, and then as often as after the approval. It holds up no other request.',
      example: 'after the cause of the failure is corrected',
    },
    ['erasure-not-failed'],
    retryErasure,
  )
}
