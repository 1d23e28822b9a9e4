import { ApiError } from '#platform/core/errors.ts'
import { required } from '#platform/core/log.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
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
  const read = async (id: string) => required(await readErasure(database, id), 'erasure')

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

  route(app, {
    method: 'POST',
    url: `${url}/plan`,
    api: 'operator',
    roles: mayHandleSubjectRequests,
    schema: {
      operationId: 'planErasure',
      'x-sdk': 'subjectRequests.makePlan',
      'x-cli': {
        command: 'subject-request plan',
        examples: { [`subject-request plan ${example}`]: 'what would go, what stays, and until when' },
        columns,
      },
      summary: 'Make the plan of an erasure',
      description: 'Nothing is deleted before another admin approves it. May be made again until then.',
      params: SubjectRequestPath,
      response: { 200: ErasureResponse, ...errorResponses('subject-request-not-found', 'subject-request-status') },
    },
    handler: async (request, reply) => {
      const id = request.params.subjectRequestId
      await makePlan(context, callerOf(request), id)
      return sendJson(reply, await read(id))
    },
  })

  route(app, {
    method: 'POST',
    url: `${url}/approve`,
    api: 'operator',
    roles: mayHandleSubjectRequests,
    schema: {
      operationId: 'approveErasure',
      'x-sdk': 'subjectRequests.approve',
      'x-cli': {
        command: 'subject-request approve',
        examples: { [`subject-request approve ${example}`]: 'by another admin; it cannot be undone' },
        columns,
      },
      summary: 'Approve the plan of an erasure',
      description:
        'By an admin who did not make the plan. What the plan erases is deleted within seconds, and cannot be restored; the request is `fulfilled` then, or `partly-fulfilled` where something stayed (`remaining`). An attempt that fails is repeated later; after the last one it waits for `retry`.',
      params: SubjectRequestPath,
      response: {
        200: ErasureResponse,
        ...errorResponses(
          'subject-request-not-found',
          'subject-request-status',
          'second-admin-required',
          'erasure-plan-changed',
        ),
      },
    },
    handler: async (request, reply) => {
      const id = request.params.subjectRequestId
      await approvePlan(context, callerOf(request), id)
      return sendJson(reply, await read(id))
    },
  })

  route(app, {
    method: 'POST',
    url: `${url}/retry`,
    api: 'operator',
    roles: mayHandleSubjectRequests,
    schema: {
      operationId: 'retryErasure',
      'x-sdk': 'subjectRequests.retry',
      'x-cli': {
        command: 'subject-request retry',
        examples: { [`subject-request retry ${example}`]: 'after the cause of the failure is mended' },
        columns,
      },
      summary: 'Try an erasure that failed again',
      description: 'At once, and then as often as after the approval. It holds up no other request.',
      params: SubjectRequestPath,
      response: {
        200: ErasureResponse,
        ...errorResponses('subject-request-not-found', 'subject-request-status', 'erasure-not-failed'),
      },
    },
    handler: async (request, reply) => {
      const id = request.params.subjectRequestId
      await retryErasure(context, callerOf(request), id)
      return sendJson(reply, await read(id))
    },
  })
}
