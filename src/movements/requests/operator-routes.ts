import { route } from '#platform/http/route.ts'
import { Type } from 'typebox'
import { PART_STATUSES } from '#kernel/enums.ts'
import type { App, Context } from '#platform/http/context.ts'
import { readDateRange } from '#platform/http/date-range.ts'
import { listBody, sendJson } from '#platform/http/json-response.ts'
import { Closed, errorResponses, OneOf, pageBounds, pageQuery, Uuid } from '#platform/http/schemas.ts'
import { ApiError } from '#platform/core/errors.ts'
import { listAllRequests } from './operator-queries.ts'
import { readRequestForOperator } from './queries.ts'
import { OperatorRequestList, OperatorRequestResponse, requestFilters } from './schema.ts'

const mayRead = ['analyst', 'auditor'] as const

const Query = Closed({ ...requestFilters, ...pageQuery })

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
      querystring: Query,
      response: { 200: OperatorRequestList, ...errorResponses('invalid-date-range') },
    },
    handler: async (request, reply) => {
      const { query } = request
      const filter = {
        requestType: query['request-type'] ?? null,
        status: query.status ?? null,
        companyTaxId: query['company-tax-id'] ?? null,
        reference: query.reference?.trim() ?? null,
        ...readDateRange(query),
      }
      return sendJson(reply, listBody(await listAllRequests(database, filter, pageBounds(query)), query))
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
