import { Type } from 'typebox'
import { LISTED_DEADLINES } from '#coverage/rules/deadline.ts'
import { ENROLLMENT_STATUSES, MOVEMENT_KINDS } from '#kernel/enums.ts'
import type { App, Context } from '#platform/http/context.ts'
import { checkDays } from '#platform/http/date-range.ts'
import { listBody, sendJson } from '#platform/http/json-response.ts'
import { PageOf } from '#platform/http/page.ts'
import { route } from '#platform/http/route.ts'
import { Cnpj, DateOnly, errorResponses, Named, Nullable, OneOf, Uuid } from '#platform/http/schemas.ts'
import { listDeadlines } from './deadline-queries.ts'
import { DeadlineQuery } from './filter.ts'

const OpenDeadline = Named(
  'OpenDeadline',
  Type.Object({
    kind: OneOf(LISTED_DEADLINES),
    until: { ...DateOnly, description: 'The last day.' },
    'days-left': Type.Integer({ description: 'From today to `until`; negative: it is overdue.' }),
    norm: Nullable(Type.String({ description: 'Where it is written; null of `exclusion-end`.' })),
    'enrollment-id': Nullable({
      ...Uuid,
      description:
        'The movement. Of a continuation the exclusion that it came of, which may be completed; null: an operator recorded it.',
    }),
    'enrollment-type': Nullable(OneOf(MOVEMENT_KINDS)),
    status: Nullable(OneOf(ENROLLMENT_STATUSES, { description: 'Of the movement.' })),
    'continuation-id': Nullable({
      ...Uuid,
      description: 'The continuation that waits for the answer; null: the movement does.',
    }),
    'member-id': Uuid,
    'member-name': Type.String(),
    'company-tax-id': Cnpj,
    'company-name': Type.String(),
    'product-name': Type.String(),
    'carrier-name': Type.String(),
    'contract-id': Nullable({ ...Uuid, description: 'The active contract of the product.' }),
    assignee: Nullable(Type.String({ description: 'Client id of the operator who works on it.' })),
  }),
)

/** `GET /operator/v1/deadline`. */
export async function deadlineRoutes(app: App, context: Context): Promise<void> {
  route(app, {
    method: 'GET',
    url: '/operator/v1/deadline',
    api: 'operator',
    roles: ['analyst', 'auditor'],
    schema: {
      operationId: 'listDeadlines',
      'x-sdk': 'deadlines.list',
      'x-cli': {
        command: 'deadline list',
        examples: { 'deadline list --until 2026-12-10 --assignee none': 'due until that day, without an assignee' },
        columns: {
          UNTIL: 'until',
          'DAYS-LEFT': 'days-left',
          KIND: 'kind',
          NAME: 'member-name',
          'COMPANY-TAX-ID': 'company-tax-id',
          PRODUCT: 'product-name',
          STATUS: 'status',
          'ENROLLMENT-ID': 'enrollment-id',
        },
      },
      summary: 'List open deadlines',
      description:
        'Of open movements, the earliest first; a movement may have several. `inclusion-window`, `newborn`, `carrier-notice` and `retroactive-limit` are ' +
        'open until the carrier has the movement, as is `exclusion-end`, the last day of cover of an exclusion; `proof-of-exclusion` until the movement has ended, `continuation-option` until the person has answered, also when the ' +
        'exclusion is completed. A last day of the person that is no business day is the next business day.',
      querystring: DeadlineQuery,
      response: { 200: PageOf(OpenDeadline), ...errorResponses('invalid-date-range') },
    },
    handler: async (request, reply) => {
      const { query } = request
      const { 'from-dt': from = null, 'until-dt': until = null } = query
      checkDays({ name: 'from-dt', day: from }, { name: 'until-dt', day: until })
      const page = await listDeadlines(context.database, query, context.today())
      return sendJson(reply, listBody(page, query))
    },
  })
}
