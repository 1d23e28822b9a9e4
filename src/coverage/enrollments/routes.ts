import { route } from '#platform/http/route.ts'
import { Type } from 'typebox'
import { sendJson, listBody } from '#platform/http/json-response.ts'
import { ApiError, notEntitled } from '#platform/core/errors.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { errorResponses, Uuid } from '#platform/http/schemas.ts'
import { readEnrollment } from './queries.ts'
import { EnrollmentResponse, HistoryList, HistoryQuery } from './schema.ts'
import { readDateRange } from '#platform/http/date-range.ts'
import { setDate } from '#platform/http/updated-since.ts'
import { listHistory } from './history-queries.ts'

/** `GET /v1/enrollment/detail/{enrollment-id}`: one movement of one member in one product. */
export async function enrollmentRoutes(app: App, context: Context): Promise<void> {
  route(app, {
    method: 'GET',
    url: '/v1/enrollment/detail/:enrollmentId',
    api: 'partner',
    schema: {
      operationId: 'readEnrollment',
      'x-sdk': 'enrollments.get',
      'x-cli': {
        command: 'enrollment show',
        examples: {
          'enrollment show 01995e0c-7011-7a0e-8c44-0e9b1d2f3a45':
            'its status, and how it came to it; an operator also its data and documents',
        },
      },
      tags: ['enrollments'],
      summary: 'Read an enrollment with its history',
      description: 'The id is in `parts` of the request.',
      params: Type.Object({ enrollmentId: Uuid }),
      response: {
        200: EnrollmentResponse,
        ...errorResponses('enrollment-not-found', ['not-entitled', 'Not entitled to access this enrollment']),
      },
    },
    handler: async (request, reply) => {
      const found = await readEnrollment(
        context.database,
        callerOf(request),
        request.params.enrollmentId,
        context.today(),
      )
      if (!found.found) throw new ApiError('enrollment-not-found')
      if (found.body === null) throw notEntitled('enrollment')
      return sendJson(reply, found.body)
    },
  })
}

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
