import { filters } from '#platform/http/filters.ts'
import { route } from '#platform/http/route.ts'
import { Type } from 'typebox'
import { REQUEST_STATUSES, MOVEMENT_KINDS } from '#kernel/enums.ts'
import { MAX_REFERENCE_CHARACTERS } from '#kernel/reference.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { readDateRange } from '#platform/http/date-range.ts'
import { listBody, sendJson } from '#platform/http/json-response.ts'
import { Closed, DateOnly, errorResponses, OneOf, pageBounds, pageQuery } from '#platform/http/schemas.ts'
import { setDate, updatedSinceQuery } from '#platform/http/updated-since.ts'
import { notEntitled } from '#platform/core/errors.ts'
import { listRequests } from './list-queries.ts'
import { RequestList } from './schema.ts'

const Query = Closed({
  'request-type': Type.Optional(OneOf(MOVEMENT_KINDS, { description: 'Only requests of this type.' })),
  status: Type.Optional(OneOf(REQUEST_STATUSES, { description: 'Only requests with this status now.' })),
  'company-tax-id': filters.company,
  reference: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: MAX_REFERENCE_CHARACTERS,
      pattern: '\\S',
      description: 'Only requests with this reference, or with a movement that has it. Compared exactly.',
    }),
  ),
  'from-dt': Type.Optional({
    ...DateOnly,
    description: 'First day of `created-at` in America/Sao_Paulo, included. May be sent alone.',
  }),
  'until-dt': Type.Optional({
    ...DateOnly,
    description: 'Last day of `created-at`, included; the same as `from-dt` asks for one day. May be sent alone.',
  }),
  ...updatedSinceQuery,
  ...pageQuery,
})

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
