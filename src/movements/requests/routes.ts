import { route } from '#platform/http/route.ts'
import { availableParallelism } from 'node:os'
import { type Static, Type } from 'typebox'
import { listBody, sendJson } from '#platform/http/json-response.ts'
import { ConcurrencyLimit } from '#platform/core/concurrency-limit.ts'
import { ApiError, notEntitled } from '#platform/core/errors.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { Closed, errorResponses, OneOf, pageQuery, Uuid } from '#platform/http/schemas.ts'
import { type FoundRequest, listAllRequests, listRequests, readRequest, readRequestForOperator } from './queries.ts'
import {
  OperatorRequestList,
  OperatorRequestResponse,
  requesterFilter,
  requestFilters,
  RequestList,
  RequestStatus,
} from './schema.ts'
import { readDateRange } from '#platform/http/date-range.ts'
import { setDate, updatedSinceQuery } from '#platform/http/updated-since.ts'
import { PART_STATUSES } from '#kernel/enums.ts'

/** When to read a request again that is still processed. */
const pollSeconds = 2

/** From this length on a request takes PostgreSQL tens of milliseconds: thousands of parts. */
const largeLength = 256 * 1024
/** Requests that are known to be large. */
const maxKnown = 10_000

/**
 * Reads large requests of a client one at a time: several at once would take all cores from the other clients. Which ones are large is known
 * after the first read.
 */
function largeReads(maxWaitMs: number) {
  const limit = new ConcurrencyLimit({ max: 1, reserve: availableParallelism(), maxWaitMs })
  const known = new Set<string>()
  return async (clientId: string, requestId: string, read: () => Promise<FoundRequest>) => {
    const seen = await (known.has(requestId) ? limit.run(clientId, read) : read())
    if ((seen.body?.length ?? 0) < largeLength) return seen
    if (known.size === maxKnown) known.clear()
    known.add(requestId)
    return seen
  }
}

/** `GET /v1/request/{request-id}`: the status of a movement request. */
export async function requestRoutes(app: App, { database, config }: Context): Promise<void> {
  const inTurn = largeReads(config.limits.maxWaitMs)
  route(app, {
    method: 'GET',
    url: '/v1/request/:requestId',
    api: 'partner',
    schema: {
      operationId: 'readRequest',
      'x-sdk': 'requests.get',
      'x-cli': {
        command: 'request show',
        examples: { 'request show 01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21': 'the status of each member and product' },
      },
      tags: ['requests'],
      summary: 'Read a request, part by part',
      description:
        'Contains every part from the beginning. While `status` is `processing`, `Retry-After` tells when to read it again; `enrollment-status` and ' +
        '`enrollment-summary` change afterwards too. The body is the object itself, without an envelope.',
      params: Type.Object({ requestId: Uuid }),
      response: {
        200: RequestStatus,
        ...errorResponses('request-not-found', ['not-entitled', 'Not entitled to access this request']),
      },
    },
    handler: async (request, reply) => {
      const caller = callerOf(request)
      const { requestId } = request.params
      const seen = await inTurn(caller.clientId, requestId, () => readRequest(database, caller, requestId))
      if (!seen.found) throw new ApiError('request-not-found')
      if (seen.body === null) throw notEntitled('request')
      if (seen.isProcessing) void reply.header('retry-after', pollSeconds)
      return sendJson(reply, seen.body)
    },
  })
}

/** The query with the reference trimmed. @throws ApiError 400 when the last day comes before the first. */
function checked<Query extends Static<typeof OperatorQuery>>(query: Query): Query {
  readDateRange(query)
  return { ...query, ...(query.reference !== undefined && { reference: query.reference.trim() }) }
}

const Query = Closed({ ...requestFilters, ...updatedSinceQuery, ...pageQuery })

/** `GET /v1/request`: the requests of the companies that the caller may access. */
export async function requestListRoutes(app: App, { database }: Context): Promise<void> {
  route(app, {
    method: 'GET',
    url: '/v1/request',
    api: 'partner',
    schema: {
      operationId: 'listRequests',
      'x-sdk': 'requests.list',
      'x-cli': {
        command: 'request list',
        examples: {
          'request list --status partial-failure': 'those of which a part failed',
          'request list --reference 2026-11/folha --columns request-id,status': 'by your own reference',
        },
        columns: {
          'REQUEST-ID': 'request-id',
          TYPE: 'request-type',
          STATUS: 'status',
          'COMPANY-TAX-ID': 'company-tax-id',
          REFERENCE: 'reference',
          'CREATED-AT': 'created-at',
        },
      },
      tags: ['requests'],
      summary: 'List requests, newest first',
      description:
        'By `created-at`, without their parts. Filters are joined by AND. An unknown company gets the same response as one that is ' +
        'not the caller’s.',
      querystring: Query,
      response: { 200: RequestList, ...errorResponses('invalid-date-range', 'not-entitled') },
    },
    handler: async (request, reply) => {
      const query = checked(request.query)
      setDate(reply, database.now())
      const page = await listRequests(database, callerOf(request), query)
      if (!page.entitled) throw notEntitled('company')
      return sendJson(reply, listBody(page, query))
    },
  })
}

const mayRead = ['analyst', 'auditor'] as const

const OperatorQuery = Closed({ ...requestFilters, ...requesterFilter, ...pageQuery })

/** Movement requests of all companies. */
export async function requestReadRoutes(app: App, { database }: Context): Promise<void> {
  route(app, {
    method: 'GET',
    url: '/operator/v1/request',
    api: 'operator',
    roles: mayRead,
    schema: {
      operationId: 'listAllRequests',
      'x-sdk': 'requests.list',
      'x-cli': { command: 'request list' },
      summary: 'List the requests of all companies, newest first',
      description: 'By `created-at`, without their parts. Filters are combined with AND.',
      querystring: OperatorQuery,
      response: { 200: OperatorRequestList, ...errorResponses('invalid-date-range') },
    },
    handler: async (request, reply) => {
      const query = checked(request.query)
      return sendJson(reply, listBody(await listAllRequests(database, query), query))
    },
  })

  route(app, {
    method: 'GET',
    url: '/operator/v1/request/:requestId',
    api: 'operator',
    roles: mayRead,
    schema: {
      operationId: 'readAnyRequest',
      'x-sdk': 'requests.get',
      'x-cli': { command: 'request show' },
      summary: 'Read a request, part by part',
      description:
        'As the partner reads it, in an envelope, with the number of parts by status. `part-status` leaves parts out: to poll a large request.',
      params: Type.Object({ requestId: Uuid }),
      querystring: Closed({
        'part-status': Type.Optional(OneOf(PART_STATUSES, { description: 'Only parts with this status.' })),
      }),
      response: { 200: OperatorRequestResponse, ...errorResponses('request-not-found') },
    },
    handler: async (request, reply) => {
      const body = await readRequestForOperator(
        database,
        request.params.requestId,
        request.query['part-status'] ?? null,
      )
      if (body === null) throw new ApiError('request-not-found')
      return sendJson(reply, body)
    },
  })
}
