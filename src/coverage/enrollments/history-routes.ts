import { route } from '#platform/http/route.ts'
import { listBody, sendJson } from '#platform/http/json-response.ts'
import { notEntitled } from '#platform/core/errors.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { readDateRange } from '#platform/http/date-range.ts'
import { errorResponses } from '#platform/http/schemas.ts'
import { setDate } from '#platform/http/updated-since.ts'
import { listHistory } from './history-queries.ts'
import { HistoryList, HistoryQuery } from './schema.ts'

/** `GET /v1/enrollment/history`: the movements of the companies that the caller may access. */
export async function historyRoutes(app: App, { database }: Context): Promise<void> {
  route(app, {
    method: 'GET',
    url: '/v1/enrollment/history',
    api: 'partner',
    schema: {
      operationId: 'listEnrollmentHistory',
      'x-sdk': 'enrollments.history',
      'x-cli': {
        command: 'enrollment history',
        examples: {
          'enrollment history --member-tax-id 52998224725': 'all movements of a person',
          'enrollment history --status rejected --from 2026-11-01': 'those of this month that were rejected',
        },
        columns: {
          'ENROLLMENT-ID': 'id',
          TYPE: 'enrollment-type',
          STATUS: 'status',
          'MEMBER-TAX-ID': 'member-tax-id',
          'COMPANY-TAX-ID': 'company-tax-id',
          CARRIER: 'carrier-name',
          PRODUCT: 'product-name',
          'CREATED-AT': 'created-at',
          REASON: 'reason',
        },
      },
      tags: ['enrollments'],
      summary: 'List movements, newest first',
      description:
        'By `created-at`, each with its history. Filters are joined by AND. An unknown company gets the same ' +
        'response as one that is not the caller’s; an unknown member has no movements.',
      querystring: HistoryQuery,
      response: { 200: HistoryList, ...errorResponses('invalid-date-range', 'not-entitled') },
    },
    handler: async (request, reply) => {
      const { query } = request
      readDateRange(query)
      setDate(reply, database.now())
      const page = await listHistory(database, callerOf(request), query)
      if (!page.entitled) throw notEntitled('company')
      return sendJson(reply, listBody(page, query))
    },
  })
}
