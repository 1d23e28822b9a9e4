import { Type } from 'typebox'
import type { FastifyReply } from 'fastify'
import { activePartner, rowOfActiveClient } from '#platform/core/access.ts'
import type { Client } from '#platform/core/actor.ts'
import type { Sql } from '#platform/core/database.ts'
import { ApiError, notEntitled } from '#platform/core/errors.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { binaryContent, sendHeaders, setDownloadHeaders } from '#platform/http/download.ts'
import { route } from '#platform/http/route.ts'
import { errorResponses, Uuid } from '#platform/http/schemas.ts'
import { deadlineFacts, deadlinesOfMovement, type StoredDeadlineFacts } from './deadlines.ts'
import { type NoticeFacts, writeExclusionNotice } from './exclusion-notice.ts'
import { memberName, productOf } from './queries.ts'

interface Notice {
  /** Null: the beneficiary did not request the movement, or its product is no health or dental plan. */
  readonly facts: NoticeFacts | null
  readonly deadlines: StoredDeadlineFacts
  readonly entitled: boolean
}

const pdf = 'application/pdf'

const notice = (entitled: string) => `json_build_object('entitled', ${entitled}, 'deadlines', ${deadlineFacts},
  'facts', case when enrollment.requested_on is not null then json_build_object('companyName', company.name, 'companyTaxId', company.tax_id,
    'memberName', ${memberName}, 'memberType', enrollment.member_type, 'productName', product.name, 'carrierName', product.carrier_name,
    'requestedOn', enrollment.requested_on, 'endDate', enrollment.effective_date) end)`

const joined = `join company on company.id = enrollment.company_id join product on ${productOf('enrollment')}`

/** @throws ApiError 401 when the client is revoked. */
async function readNotice(sql: Sql, caller: Client, enrollmentId: string): Promise<Notice | null> {
  const rows = await sql.query<{ notice: Notice | null }>(
    `select (select ${notice('entitlement.client_id is not null')} from enrollment ${joined}
       left join entitlement on entitlement.company_id = enrollment.company_id and entitlement.client_id = $1
       where enrollment.id = $2) as notice
     from ${activePartner}`,
    [caller.clientId, enrollmentId],
  )
  return rowOfActiveClient(rows).notice
}

/** Operators see every company. */
async function readAnyNotice(sql: Sql, enrollmentId: string): Promise<Notice | null> {
  const rows = await sql.query<{ notice: Notice }>(
    `select ${notice('true')} as notice from enrollment ${joined} where enrollment.id = $1`,
    [enrollmentId],
  )
  return rows[0]?.notice ?? null
}

async function send(reply: FastifyReply, found: Notice | null) {
  if (found === null) throw new ApiError('enrollment-not-found')
  if (!found.entitled) throw notEntitled('enrollment')
  if (found.facts === null) throw new ApiError('exclusion-notice-not-found')
  const bytes = await writeExclusionNotice(found.facts, deadlinesOfMovement(found.deadlines))
  setDownloadHeaders(reply, { name: 'pedido-de-exclusao.pdf', contentType: pdf, size: bytes.length })
  return reply.request.method === 'HEAD' ? sendHeaders(reply) : reply.send(bytes)
}

/** `GET /v1/enrollment/{enrollment-id}/exclusion-notice`, and the same for operators. */
export async function exclusionNoticeRoutes(app: App, { database }: Context): Promise<void> {
  const schema = {
    summary: 'Download the notice to a beneficiary who asks for the exclusion',
    description:
      'The items a to g of RN 561 and the deadlines as a PDF, of an exclusion `requested-by-beneficiary` from a health or dental plan. In Portuguese, as text ' +
      'that can be selected, calculated from data that the company gave. A template: have a lawyer read it before you use it.',
    params: Type.Object({ enrollmentId: { ...Uuid, description: 'The exclusion.' } }),
  }
  const ok = { 200: { description: 'The PDF.', content: binaryContent([pdf]) } }
  route(app, {
    method: 'GET',
    url: '/v1/enrollment/:enrollmentId/exclusion-notice',
    api: 'partner',
    schema: {
      ...schema,
      operationId: 'readExclusionNotice',
      'x-sdk': 'enrollments.exclusionNotice',
      'x-cli': { command: 'enrollment exclusion-notice' },
      tags: ['enrollments'],
      response: {
        ...ok,
        ...errorResponses('enrollment-not-found', 'exclusion-notice-not-found', 'text-not-printable', [
          'not-entitled',
          'Not entitled to access this enrollment',
        ]),
      },
    },
    handler: async (request, reply) =>
      send(reply, await readNotice(database, callerOf(request), request.params.enrollmentId)),
  })
  route(app, {
    method: 'GET',
    url: '/operator/v1/enrollment/:enrollmentId/exclusion-notice',
    api: 'operator',
    roles: ['analyst'],
    schema: {
      ...schema,
      operationId: 'readAnyExclusionNotice',
      'x-sdk': 'enrollments.exclusionNotice',
      'x-cli': {
        command: 'enrollment exclusion-notice',
        examples: {
          'enrollment exclusion-notice 01995e0c-7011-7a0e-8c44-0e9b1d2f3a45 --output pedido-de-exclusao.pdf':
            'the PDF, for the person',
        },
      },
      response: {
        ...ok,
        ...errorResponses('enrollment-not-found', 'exclusion-notice-not-found', 'text-not-printable'),
      },
    },
    handler: async (request, reply) => send(reply, await readAnyNotice(database, request.params.enrollmentId)),
  })
}
