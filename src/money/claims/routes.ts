import { Type } from 'typebox'
import { ApiError } from '#platform/core/errors.ts'
import { required } from '#platform/core/log.ts'
import { cnpjFilterOf } from '#platform/http/parse-parameter.ts'
import { json } from '#platform/http/bodies.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { listBody, sendJson } from '#platform/http/json-response.ts'
import { route } from '#platform/http/route.ts'
import { errorResponses, pageBounds } from '#platform/http/schemas.ts'
import { mayReadMoney } from '../prices/put.ts'
import { exportRoute } from './export-route.ts'
import { listClaims, readClaim } from './queries.ts'
import { ClaimBody, ClaimList, ClaimPath, ClaimQuery, ClaimResponse, ClaimStepBody } from './schema.ts'
import { createClaim, deleteClaim, mayClaim, moveClaim } from './write.ts'

const url = '/operator/v1/claim'
const columns = {
  'CLAIM-ID': 'claim-id',
  COMPANY: 'company-name',
  CARRIER: 'carrier-name',
  CONTRACT: 'contract-number',
  MONTH: 'reference-month',
  STATUS: 'status',
  'TOTAL (CENTS)': 'total',
  'CREDITED (CENTS)': 'credited-total',
  PROTOCOL: 'carrier-protocol',
}
const example = '01995e0f-4d31-7e44-9f55-809102132435'

/** `/operator/v1/claim`: what carriers are asked to pay back. */
export async function claimRoutes(app: App, context: Context): Promise<void> {
  const { database } = context
  writeRoutes(app, context)
  exportRoute(app, context)

  route(app, {
    method: 'GET',
    url,
    api: 'operator',
    roles: mayReadMoney,
    schema: {
      operationId: 'listClaims',
      'x-sdk': 'claims.list',
      'x-cli': {
        command: 'claim list',
        ids: 'claim-id',
        examples: { 'claim list --status accepted': 'those that wait for their credit' },
        columns,
      },
      summary: 'List the claims',
      description: 'The newest first, with the totals of all that the filters select.',
      querystring: ClaimQuery,
      response: { 200: ClaimList },
    },
    handler: async (request, reply) => {
      const { query } = request
      const filter = {
        carrierId: query['carrier-id']?.toLowerCase() ?? null,
        contractId: query['contract-id']?.toLowerCase() ?? null,
        companyTaxId: cnpjFilterOf(query),
        referenceMonth: query['reference-month'] ?? null,
        status: query.status ?? null,
      }
      const page = await listClaims(database, filter, pageBounds(query))
      return sendJson(reply, `${listBody(page, query).slice(0, -1)},"totals":${page.totals}}`)
    },
  })

  route(app, {
    method: 'GET',
    url: `${url}/:claimId`,
    api: 'operator',
    roles: mayReadMoney,
    schema: {
      operationId: 'readClaim',
      'x-sdk': 'claims.get',
      'x-cli': { command: 'claim show' },
      summary: 'Read a claim with its lines',
      description: 'With the invoice that credits each line.',
      params: ClaimPath,
      response: { 200: ClaimResponse, ...errorResponses('claim-not-found') },
    },
    handler: async (request, reply) => {
      const body = await readClaim(database, request.params.claimId.toLowerCase())
      if (body === null) throw new ApiError('claim-not-found')
      return sendJson(reply, body)
    },
  })
}

function writeRoutes(app: App, context: Context): void {
  const { database } = context
  route(app, {
    method: 'POST',
    url,
    api: 'operator',
    roles: mayClaim,
    schema: {
      operationId: 'createClaim',
      'x-sdk': 'claims.create',
      'x-cli': {
        command: 'claim create',
        options: { 'discrepancy-ids': 'discrepancy' },
        examples: {
          'claim create --reconciliation-id 01995e0d-2b30-7c41-9e5f-6a7b8c9d0e12 --discrepancy 01995e0d-3c40-7c51-8f6a-7b8c9d0e1f23':
            'a draft of one line',
        },
        columns,
      },
      summary: 'Claim what an invoice charges too much',
      description: 'A draft. The discrepancies become `claimed`.',
      response: { 200: ClaimResponse, ...errorResponses('reconciliation-not-found', 'reconciliation-status') },
    },
    body: json(ClaimBody),
    handler: async (request, reply) => {
      const { 'reconciliation-id': reconciliationId, 'discrepancy-ids': ids, note } = request.body
      const discrepancyIds = ids.map((id) => id.toLowerCase())
      const actor = callerOf(request)
      const id = await createClaim(context, actor, reconciliationId.toLowerCase(), discrepancyIds, note ?? null)
      return sendJson(reply, required(await readClaim(database, id), 'claim'))
    },
  })

  route(app, {
    method: 'POST',
    url: `${url}/:claimId/status`,
    api: 'operator',
    roles: mayClaim,
    schema: {
      operationId: 'moveClaim',
      'x-sdk': 'claims.move',
      'x-cli': {
        command: 'claim move',
        examples: { [`claim move ${example} --status sent --carrier-protocol 2026-778812`]: 'it was sent' },
        columns,
      },
      summary: 'Say what became of a claim',
      description:
        'What a refused claim claimed and was not credited is open again, unless the month is closed. When the next invoice is compared, a credit of exactly the amount of a line marks it as credited.',
      params: ClaimPath,
      response: { 200: ClaimResponse, ...errorResponses('claim-not-found', 'claim-status') },
    },
    body: json(ClaimStepBody),
    handler: async (request, reply) => {
      const id = request.params.claimId.toLowerCase()
      const { status, 'carrier-protocol': carrierProtocol = null, note = null } = request.body
      await moveClaim(context, callerOf(request), id, { status, carrierProtocol, note })
      return sendJson(reply, required(await readClaim(database, id), 'claim'))
    },
  })

  route(app, {
    method: 'DELETE',
    url: `${url}/:claimId`,
    api: 'operator',
    roles: mayClaim,
    schema: {
      operationId: 'deleteClaim',
      'x-sdk': 'claims.delete',
      'x-cli': {
        command: 'claim delete',
        result: { 'claim-id': '{claim-id}', deleted: true },
        message: 'Claim {claim-id} is deleted.',
      },
      summary: 'Delete a claim that was not sent',
      description: 'What it claimed is open again.',
      params: ClaimPath,
      response: {
        204: Type.Null({ description: 'Deleted.' }),
        ...errorResponses('claim-not-found', 'claim-status', 'month-closed'),
      },
    },
    handler: async (request, reply) => {
      await deleteClaim(context, callerOf(request), request.params.claimId.toLowerCase())
      return reply.status(204).send()
    },
  })
}
