import { route } from '#platform/http/route.ts'
import { Type } from 'typebox'
import { listBody, sendJson } from '#platform/http/json-response.ts'
import { notEntitled } from '#platform/core/errors.ts'
import { parseCpf } from '#kernel/tax-id.ts'
import { ENROLLMENT_STATUSES, MOVEMENT_KINDS } from '#kernel/enums.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { readDateRange } from '#platform/http/date-range.ts'
import { DateOnly, errorResponses, OneOf, pageBounds, pageQuery } from '#platform/http/schemas.ts'
import { setDate, updatedSinceQuery } from '#platform/http/updated-since.ts'
import { listHistory } from './history-queries.ts'
import { HistoryList } from './schema.ts'
import { filters } from '#platform/http/filters.ts'

const Query = Type.Object(
  {
    'member-tax-id': Type.Optional(
      Type.String({
        format: 'cpf',
        description:
          'CPF, formatted or not: only this person. A corrected CPF finds all movements of the person, the former one none.',
      }),
    ),
    'company-tax-id': filters.company,
    'enrollment-type': Type.Optional(OneOf(MOVEMENT_KINDS, { description: 'Only movements of this kind.' })),
    status: Type.Optional(OneOf(ENROLLMENT_STATUSES, { description: 'Only movements with this status now.' })),
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
  },
  { additionalProperties: false },
)

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
      querystring: Query,
      response: { 200: HistoryList, ...errorResponses('invalid-date-range', 'not-entitled') },
    },
    handler: async (request, reply) => {
      const { query } = request
      const { from, until } = readDateRange(query)
      const filter = {
        memberTaxId: parseCpf(query['member-tax-id']),
        companyTaxId: query['company-tax-id'] ?? null,
        enrollmentType: query['enrollment-type'] ?? null,
        status: query.status ?? null,
        from,
        until,
        updatedSince: query['updated-since'] ?? null,
      }
      setDate(reply, database.now())
      const page = await listHistory(database, callerOf(request), filter, pageBounds(query))
      if (!page.entitled) throw notEntitled('company')
      return sendJson(reply, listBody(page, query))
    },
  })
}
