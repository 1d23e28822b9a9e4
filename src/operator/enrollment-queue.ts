import { Type } from 'typebox'
import { PageOf } from '../http/page.ts'
import { listBody, sendJson } from '../http/json-response.ts'
import { listEnrollmentQueue } from '../enrollments/queue-queries.ts'
import { EnrollmentDetail, enrollmentExample } from '../enrollments/schema.ts'
import { parseCnpj, parseCpf } from '../domain/tax-id.ts'
import { ENROLLMENT_STATUSES, REQUEST_TYPES } from '../domain/enums.ts'
import type { App, Context } from '../http/context.ts'
import { Closed, OneOf, pageBounds, pageQuery } from '../http/schemas.ts'
import { transitionRoutes } from './enrollment-transitions.ts'
import { parseParameter } from './parse-parameter.ts'
import { MAX_TEXT_CHARACTERS } from '../domain/field-types.ts'

const Query = Closed({
  status: Type.Optional(OneOf(ENROLLMENT_STATUSES, { description: 'Default: every status.' })),
  'enrollment-type': Type.Optional(OneOf(REQUEST_TYPES, { description: 'Default: every type.' })),
  'company-tax-id': Type.Optional(Type.String({ description: 'CNPJ, formatted or not.' })),
  'carrier-name': Type.Optional(
    Type.String({ minLength: 1, maxLength: MAX_TEXT_CHARACTERS, description: 'Compared exactly.' }),
  ),
  'member-tax-id': Type.Optional(Type.String({ description: 'CPF, formatted or not.' })),
  ...pageQuery,
})

/** The queue of movements and their transitions. */
export async function enrollmentQueueRoutes(app: App, context: Context): Promise<void> {
  app.route({
    method: 'GET',
    url: '/operator/v1/enrollment',
    config: { api: 'operator', roles: ['analyst', 'auditor'] },
    schema: {
      operationId: 'listEnrollmentQueue',
      summary: 'List enrollments, oldest first',
      description: 'Filters are combined with AND.',
      querystring: Query,
      response: { 200: PageOf(EnrollmentDetail, enrollmentExample) },
    },
    handler: async (request, reply) => {
      const { query } = request
      const filter = {
        status: query.status ?? null,
        enrollmentType: query['enrollment-type'] ?? null,
        companyTaxId: parseParameter('company-tax-id', query['company-tax-id'], parseCnpj),
        carrierName: query['carrier-name'] ?? null,
        memberTaxId: parseParameter('member-tax-id', query['member-tax-id'], parseCpf),
      }
      const page = await listEnrollmentQueue(context.database, filter, pageBounds(query))
      return sendJson(reply, listBody(page, query))
    },
  })
  await transitionRoutes(app, context)
}
