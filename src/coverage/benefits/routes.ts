import { route } from '#platform/http/route.ts'
import { Type } from 'typebox'
import { listBody, sendJson } from '#platform/http/json-response.ts'
import { ApiError, notEntitled } from '#platform/core/errors.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { errorResponses, pageQuery, Uuid } from '#platform/http/schemas.ts'
import { setDate, updatedSinceQuery } from '#platform/http/updated-since.ts'
import { listBenefits, readBenefit } from './queries.ts'
import { BenefitList, BenefitResponse } from './schema.ts'
import { filters } from '#platform/http/filters.ts'

const Query = Type.Object(
  {
    'company-tax-id': filters.company,
    'member-tax-id': Type.Optional(
      Type.String({
        format: 'cpf',
        description:
          'CPF, formatted or not: only this person. The list is empty for a person who is in none of the companies.',
      }),
    ),
    'include-inactive': Type.Boolean({
      default: false,
      description: '`true`: also benefits that are pending or have ended. Implied by `updated-since`.',
    }),
    ...updatedSinceQuery,
    ...pageQuery,
  },
  { additionalProperties: false },
)

/** `/v1/benefit`: the benefits in the companies that the caller may access. */
export async function benefitRoutes(app: App, { database }: Context): Promise<void> {
  route(app, {
    method: 'GET',
    url: '/v1/benefit',
    api: 'partner',
    schema: {
      operationId: 'listBenefits',
      'x-sdk': 'benefits.list',
      'x-cli': { command: 'benefit list' },
      tags: ['members'],
      summary: 'List benefits with their members',
      description:
        'Ordered by `benefit-id`: new benefits come last. Filters are combined with AND. The response for a company that the client may ' +
        'not access is that for an unknown one. `member-id` is the `id` of the person in the list of members.',
      querystring: Query,
      response: { 200: BenefitList, ...errorResponses('not-entitled') },
    },
    handler: async (request, reply) => {
      const { query } = request
      setDate(reply, database.now())
      const page = await listBenefits(database, callerOf(request), query)
      if (!page.entitled) throw notEntitled('company')
      return sendJson(reply, listBody(page, query))
    },
  })
  route(app, {
    method: 'GET',
    url: '/v1/benefit/:benefitId',
    api: 'partner',
    schema: {
      operationId: 'readBenefit',
      'x-sdk': 'benefits.get',
      'x-cli': { command: 'benefit show' },
      tags: ['members'],
      summary: 'Read a benefit with its member',
      description:
        'As in the list, in every status. The response for a benefit of a company that the client may not access is that for an unknown one.',
      params: Type.Object({ benefitId: Uuid }),
      response: { 200: BenefitResponse, ...errorResponses('benefit-not-found') },
    },
    handler: async (request, reply) => {
      const body = await readBenefit(database, callerOf(request), request.params.benefitId)
      if (body === null) throw new ApiError('benefit-not-found')
      return sendJson(reply, body)
    },
  })
}
