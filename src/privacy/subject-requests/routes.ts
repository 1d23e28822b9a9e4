import { ApiError } from '#platform/core/errors.ts'
import { required } from '#platform/core/log.ts'
import { json } from '#platform/http/bodies.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { listBody, sendJson } from '#platform/http/json-response.ts'
import { route } from '#platform/http/route.ts'
import { errorResponses, pageBounds } from '#platform/http/schemas.ts'
import { fileRoutes } from './file-routes.ts'
import { listSubjectRequests, readSubjectRequest } from './queries.ts'
import {
  SubjectRequestBody,
  SubjectRequestList,
  SubjectRequestPath,
  SubjectRequestQuery,
  SubjectRequestResponse,
  SubjectRequestStepBody,
} from './schema.ts'
import { createSubjectRequest, mayHandleSubjectRequests, moveSubjectRequest } from './write.ts'

const url = '/operator/v1/subject-request'
const columns = {
  'SUBJECT-REQUEST-ID': 'subject-request-id',
  KIND: 'kind',
  STATUS: 'status',
  'RECEIVED-ON': 'received-on',
  'DUE-DATE': 'due-date',
  'CLOSED-AT': 'closed-at',
}
const example = '01995e11-2d31-7a44-8f55-6a7b8c9d0e1f'

/** `/operator/v1/subject-request`: what people ask of their personal data. */
export async function subjectRequestRoutes(app: App, context: Context): Promise<void> {
  readRoutes(app, context)
  writeRoutes(app, context)
  fileRoutes(app, context)
}

function readRoutes(app: App, { database }: Context): void {
  route(app, {
    method: 'GET',
    url,
    api: 'operator',
    roles: mayHandleSubjectRequests,
    schema: {
      operationId: 'listSubjectRequests',
      'x-sdk': 'subjectRequests.list',
      'x-cli': {
        command: 'subject-request list',
        ids: 'subject-request-id',
        examples: { 'subject-request list --status open': 'what is to be answered' },
        columns,
      },
      summary: 'List what people ask of their personal data',
      description: 'Those that are not closed first, by due date; then the closed ones, the newest first.',
      querystring: SubjectRequestQuery,
      response: { 200: SubjectRequestList },
    },
    handler: async ({ query }, reply) => {
      const filter = {
        kind: query.kind ?? null,
        status: query.status ?? null,
        dueUntil: query['due-until'] ?? null,
      }
      return sendJson(reply, listBody(await listSubjectRequests(database, filter, pageBounds(query)), query))
    },
  })

  route(app, {
    method: 'GET',
    url: `${url}/:subjectRequestId`,
    api: 'operator',
    roles: mayHandleSubjectRequests,
    schema: {
      operationId: 'readSubjectRequest',
      'x-sdk': 'subjectRequests.get',
      'x-cli': { command: 'subject-request show' },
      summary: 'Read what a person asks of the personal data',
      description: 'With its due date and status.',
      params: SubjectRequestPath,
      response: { 200: SubjectRequestResponse, ...errorResponses('subject-request-not-found') },
    },
    handler: async (request, reply) => {
      const body = await readSubjectRequest(database, request.params.subjectRequestId)
      if (body === null) throw new ApiError('subject-request-not-found')
      return sendJson(reply, body)
    },
  })
}

function writeRoutes(app: App, context: Context): void {
  const { database } = context
  route(app, {
    method: 'POST',
    url,
    api: 'operator',
    roles: mayHandleSubjectRequests,
    schema: {
      operationId: 'createSubjectRequest',
      'x-sdk': 'subjectRequests.create',
      'x-cli': {
        command: 'subject-request create',
        examples: { 'subject-request create --tax-id 529.982.247-25 --kind access': 'it was received today' },
        columns,
      },
      summary: 'Note what a person asks of the personal data',
      description:
        'For admins. It is about the CPF in all companies, whether or not anything is known of it. The audit and the logs name the request, never the CPF.',
      response: { 200: SubjectRequestResponse, ...errorResponses('subject-request-open') },
    },
    body: json(SubjectRequestBody),
    handler: async (request, reply) => {
      const id = await createSubjectRequest(context, callerOf(request), request.body)
      return sendJson(reply, required(await readSubjectRequest(database, id), 'subject request'))
    },
  })

  route(app, {
    method: 'POST',
    url: `${url}/:subjectRequestId/status`,
    api: 'operator',
    roles: mayHandleSubjectRequests,
    schema: {
      operationId: 'moveSubjectRequest',
      'x-sdk': 'subjectRequests.move',
      'x-cli': {
        command: 'subject-request move',
        examples: {
          [`subject-request move ${example} --status fulfilled`]: 'the person has the data',
          [`subject-request move ${example} --status cancelled --cancel-reason "Desistiu do pedido"`]:
            'the person asks no longer',
        },
        columns,
      },
      summary: 'Say what became of a request of a person',
      description:
        'A request for access is fulfilled when the person has the data; both kinds are cancelled with a reason.',
      params: SubjectRequestPath,
      response: {
        200: SubjectRequestResponse,
        ...errorResponses('subject-request-not-found', 'subject-request-status'),
      },
    },
    body: json(SubjectRequestStepBody),
    handler: async (request, reply) => {
      const id = request.params.subjectRequestId
      await moveSubjectRequest(context, callerOf(request), id, request.body)
      return sendJson(reply, required(await readSubjectRequest(database, id), 'subject request'))
    },
  })
}
