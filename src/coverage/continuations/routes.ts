import { PageOf, ResultOf } from '#platform/http/page.ts'
import { ApiError, notEntitled } from '#platform/core/errors.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { listBody, sendJson } from '#platform/http/json-response.ts'
import { resource } from '#platform/http/resource.ts'
import { route } from '#platform/http/route.ts'
import { errorResponses } from '#platform/http/schemas.ts'
import { continuationPage, listContinuations, readAnyContinuation, readContinuation } from './queries.ts'
import { ContinuationPath, ContinuationQuery, Continuation } from './schema.ts'

const listDescription =
  'Plans that families keep after a dismissal or a retirement (Lei 9.656 arts. 30 and 31), the newest first. The term is calculated from data that ' +
  'the company gave.'

/** `/v1/continuation`, for the companies of the caller. */
export async function continuationRoutes(app: App, context: Context): Promise<void> {
  const { database } = context
  route(app, {
    method: 'GET',
    url: '/v1/continuation',
    api: 'partner',
    schema: {
      operationId: 'listContinuations',
      'x-sdk': 'continuations.list',
      'x-cli': { command: 'continuation list' },
      tags: ['members'],
      summary: 'List the plans that families keep',
      description: `${listDescription} The response for a company that the client may not access is that for an unknown one.`,
      querystring: ContinuationQuery,
      response: { 200: PageOf(Continuation), ...errorResponses('not-entitled') },
    },
    handler: async (request, reply) => {
      const { query } = request
      const page = await listContinuations(database, callerOf(request), query, context.today())
      if (!page.isEntitled) throw notEntitled('company')
      return sendJson(reply, listBody(page, query))
    },
  })

  route(app, {
    method: 'GET',
    url: '/v1/continuation/:continuationId',
    api: 'partner',
    schema: {
      operationId: 'readContinuation',
      'x-sdk': 'continuations.get',
      'x-cli': { command: 'continuation show' },
      tags: ['members'],
      summary: 'Read the plan that a family keeps',
      description: 'One of another company is unknown.',
      params: ContinuationPath,
      response: { 200: ResultOf(Continuation), ...errorResponses('continuation-not-found') },
    },
    handler: async (request, reply) => {
      const id = request.params.continuationId
      const body = await readContinuation(database, callerOf(request), context.today(), id)
      if (body === null) throw new ApiError('continuation-not-found')
      return sendJson(reply, body)
    },
  })
}

/** The reads of `/operator/v1/continuation`. */
export async function operatorContinuationRoutes(app: App, context: Context): Promise<void> {
  const continuation = resource(app, context, {
    noun: 'continuation',
    mayRead: ['analyst', 'auditor'],
    mayWrite: ['analyst'],
    item: Continuation,
    read: (sql, id) => readAnyContinuation(sql, context.today(), id),
    columns: {
      'CONTINUATION-ID': 'continuation-id',
      STATUS: 'status',
      MEMBER: 'member-name',
      PRODUCT: 'product-name',
      GROUND: 'ground',
      MONTHS: 'months',
      'TERM-END': 'term-end',
      'DUE-DATE': 'due-date',
    },
  })

  continuation.list({
    operationId: 'listAllContinuations',
    summary: 'List the plans that families of all companies keep',
    description: listDescription,
    cli: { examples: { 'continuation list --due-until 2027-01-31': 'what is to be acted on by then' } },
    query: ContinuationQuery,
    page: (sql, query) => continuationPage(sql, query, context.today()),
  })
  continuation.get({
    operationId: 'readAnyContinuation',
    summary: 'Read the plan that a family of any company keeps',
    description: 'With its term, or the setting of the contract that is missing for it.',
  })
}
