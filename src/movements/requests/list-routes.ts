import { route } from '#platform/http/route.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { readDateRange } from '#platform/http/date-range.ts'
import { listBody, sendJson } from '#platform/http/json-response.ts'
import { Closed, errorResponses, pageBounds, pageQuery } from '#platform/http/schemas.ts'
import { setDate, updatedSinceQuery } from '#platform/http/updated-since.ts'
import { notEntitled } from '#platform/core/errors.ts'
import { listRequests } from './list-queries.ts'
import { requestFilters, RequestList } from './schema.ts'

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
      const { query } = request
      const filter = {
        requestType: query['request-type'] ?? null,
        status: query.status ?? null,
        companyTaxId: query['company-tax-id'] ?? null,
        reference: query.reference?.trim() ?? null,
        ...readDateRange(query),
        updatedSince: query['updated-since'] ?? null,
      }
      setDate(reply, database.now())
      const page = await listRequests(database, callerOf(request), filter, pageBounds(query))
      if (!page.entitled) throw notEntitled('company')
      return sendJson(reply, listBody(page, query))
    },
  })
}
