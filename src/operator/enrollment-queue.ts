import { Type } from 'typebox'
import { onePage } from '../http/page.ts'
import { listBody, sendJson } from '../http/json-response.ts'
import { listEnrollmentQueue } from '../enrollments/queue-queries.ts'
import { EnrollmentDetail, enrollmentExample } from '../enrollments/schema.ts'
import { invalidParameter } from '../platform/errors.ts'
import { parseCnpj, parseCpf } from '../domain/tax-id.ts'
import { ENROLLMENT_STATUSES, REQUEST_TYPES } from '../domain/enums.ts'
import type { App, Context } from '../http/context.ts'
import { errorResponses, OneOf, pageBounds, pageQuery } from '../http/schemas.ts'
import { transitionRoutes } from './enrollment-transitions.ts'
import { MAX_TEXT_CHARACTERS } from '../domain/field-types.ts'

const Query = Type.Object(
  {
    status: Type.Optional(OneOf(ENROLLMENT_STATUSES, { description: 'Default: every status.' })),
    'enrollment-type': Type.Optional(OneOf(REQUEST_TYPES, { description: 'Default: every type.' })),
    'company-tax-id': Type.Optional(Type.String({ description: 'CNPJ, formatted or not.' })),
    'carrier-name': Type.Optional(
      Type.String({ minLength: 1, maxLength: MAX_TEXT_CHARACTERS, description: 'Compared exactly.' }),
    ),
    'member-tax-id': Type.Optional(Type.String({ description: 'CPF, formatted or not.' })),
    ...pageQuery,
  },
  { additionalProperties: false },
)

const QueueResponse = Type.Object(
  { result: Type.Array(EnrollmentDetail), pagination: Type.Ref('Pagination') },
  {
    examples: [
      {
        result: [enrollmentExample],
        pagination: onePage,
      },
    ],
  },
)

/** The queue of movements and their transitions. */
export async function enrollmentQueueRoutes(app: App, context: Context): Promise<void> {
  app.route({
    method: 'GET',
    url: '/operator/v1/enrollment',
    config: { api: 'operator', roles: ['analyst', 'auditor'] },
    schema: {
      operationId: 'listEnrollmentQueue',
      tags: ['operator'],
      summary: 'List enrollments, oldest first',
      description: 'Filters are combined with AND.',
      querystring: Query,
      response: { 200: QueueResponse, ...errorResponses(400, 401, 403, 503) },
    },
    handler: async (request, reply) => {
      const { query } = request
      const filter = {
        status: query.status ?? null,
        enrollmentType: query['enrollment-type'] ?? null,
        companyTaxId: taxId('company-tax-id', query['company-tax-id'], parseCnpj),
        carrierName: query['carrier-name'] ?? null,
        memberTaxId: taxId('member-tax-id', query['member-tax-id'], parseCpf),
      }
      const page = await listEnrollmentQueue(context.database, filter, pageBounds(query))
      return sendJson(reply, listBody(page, query))
    },
  })
  await transitionRoutes(app, context)
}

/** @throws ApiError 400 when the value is malformed. */
function taxId(field: string, value: string | undefined, parse: (value: string) => string | null): string | null {
  if (value === undefined) return null
  const parsed = parse(value)
  if (parsed === null) throw invalidParameter([{ field, code: 'invalid' }])
  return parsed
}
