import { Type } from 'typebox'
import { addDays, daysBetween, type LocalDate } from '#kernel/calendar.ts'
import { DEPENDENT_TYPES } from '#kernel/enums.ts'
import { filters } from '#platform/http/filters.ts'
import type { App, Context } from '#platform/http/context.ts'
import { listBody, sendJson } from '#platform/http/json-response.ts'
import { PageOf } from '#platform/http/page.ts'
import { route } from '#platform/http/route.ts'
import { Closed, Cnpj, DateOnly, Named, Nullable, OneOf, pageBounds, pageQuery, Uuid } from '#platform/http/schemas.ts'
import { type AgeingBenefit, endsBy, readAgeing } from './queries.ts'
import { REPORT_DAYS } from './report.ts'

const Ageing = Named(
  'AgeingBenefit',
  Type.Object({
    'benefit-id': Uuid,
    'member-id': Uuid,
    'member-name': Type.String(),
    'dependent-type': OneOf(DEPENDENT_TYPES),
    'company-tax-id': Cnpj,
    'company-name': Type.String(),
    'product-id': Uuid,
    'product-name': Type.String(),
    'contract-id': Nullable(Uuid),
    'student-until': Nullable(DateOnly),
    'too-old-from': { ...DateOnly, description: 'The first day on which the dependent is too old.' },
    'last-day': Nullable({
      ...DateOnly,
      description:
        'The last day of cover; null where the limit ends with the year of the contract, which has no `anniversary-month`.',
    }),
    'days-left': Nullable(Type.Integer({ description: 'Until the last day; negative when it has passed.' })),
  }),
)

/** `GET /operator/v1/ageing-out`: dependents whose age ends their benefits. */
export async function ageingOutRoutes(app: App, context: Context): Promise<void> {
  route(app, {
    method: 'GET',
    url: '/operator/v1/ageing-out',
    api: 'operator',
    roles: ['analyst', 'auditor'],
    schema: {
      operationId: 'listAgeingOut',
      'x-sdk': 'benefits.ageingOut',
      'x-cli': {
        command: 'benefit ageing-out',
        options: { 'within-days': 'days' },
        examples: { 'benefit ageing-out --days 30': 'whose cover ends within 30 days, or should have ended' },
        columns: {
          'LAST-DAY': 'last-day',
          DAYS: 'days-left',
          MEMBER: 'member-name',
          TYPE: 'dependent-type',
          PRODUCT: 'product-name',
          COMPANY: 'company-name',
        },
      },
      summary: 'List the dependents who become too old',
      description:
        'The active benefits that the `age-limits` of their product end by a day, also those that they should have ended, by `last-day`. ' +
        'Without those that end anyway or have an open exclusion or transfer.',
      querystring: Closed({
        'within-days': Type.Integer({
          minimum: 0,
          maximum: 366,
          default: REPORT_DAYS,
          description: `So many days from today, ${REPORT_DAYS} without it; 0: today and before.`,
        }),
        'company-tax-id': filters.company,
        'contract-id': Type.Optional({ ...Uuid, description: 'Only products of this contract.' }),
        ...pageQuery,
      }),
      response: { 200: PageOf(Ageing, 'A page of benefits.') },
    },
    handler: async (request, reply) => {
      const { query } = request
      const today = context.today()
      const by = addDays(today, query['within-days'])
      const filter = {
        companyTaxId: query['company-tax-id'] ?? null,
        contractId: query['contract-id'] ?? null,
      }
      const found = await readAgeing(context.database, by, filter, { limit: null })
      const ending = found.filter((benefit) => endsBy(benefit, by)).toSorted(inOrder)
      const { limit, offset } = pageBounds(query)
      const items = JSON.stringify(ending.slice(offset, offset + limit).map((benefit) => itemOf(benefit, today)))
      return sendJson(reply, listBody({ total: ending.length, items }, query))
    },
  })
}

/** Those first of which the last day is not known. */
function inOrder(a: AgeingBenefit, b: AgeingBenefit): number {
  const [key, otherKey] = [a, b].map(({ lastDay, benefitId }) => `${lastDay ?? ''} ${benefitId}`) as [string, string]
  return key < otherKey ? -1 : 1
}

function itemOf(benefit: AgeingBenefit, today: LocalDate) {
  return {
    'benefit-id': benefit.benefitId,
    'member-id': benefit.memberId,
    'member-name': benefit.memberName,
    'dependent-type': benefit.dependentType,
    'company-tax-id': benefit.companyTaxId,
    'company-name': benefit.companyName,
    'product-id': benefit.productId,
    'product-name': benefit.productName,
    'contract-id': benefit.contractId,
    'student-until': benefit.studentUntil,
    'too-old-from': benefit.tooOldFrom,
    'last-day': benefit.lastDay,
    'days-left': benefit.lastDay === null ? null : daysBetween(today, benefit.lastDay),
  }
}
