import { required } from '#platform/core/log.ts'
import { maskFields } from '#kernel/masking.ts'
import { parseCnpj, parseCpf } from '#kernel/tax-id.ts'
import { cnpjFilterOf } from '#platform/http/parse-parameter.ts'
import { json } from '#platform/http/bodies.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { listBody, sendJson } from '#platform/http/json-response.ts'
import { route } from '#platform/http/route.ts'
import { errorResponses, pageBounds } from '#platform/http/schemas.ts'
import { listHolds, readHold } from './queries.ts'
import { HoldBody, HoldList, HoldPath, HoldQuery, HoldResponse, ReleaseBody } from './schema.ts'
import { endHold, setHold } from './write.ts'

const url = '/operator/v1/legal-hold'
const columns = {
  'LEGAL-HOLD-ID': 'legal-hold-id',
  'TAX-ID': 'tax-id',
  COMPANY: 'company-name',
  REASON: 'reason',
  'CREATED-AT': 'created-at',
  'RELEASED-AT': 'released-at',
}

const masked = (text: string): string => JSON.stringify(maskFields(JSON.parse(text)))

/** `/operator/v1/legal-hold`: of whom nothing may be deleted. */
export async function legalHoldRoutes(app: App, context: Context): Promise<void> {
  const { database } = context
  const read = async (id: string) => masked(required(await readHold(database, id), 'legal hold'))

  route(app, {
    method: 'GET',
    url,
    api: 'operator',
    roles: ['auditor'],
    schema: {
      operationId: 'listLegalHolds',
      'x-sdk': 'legalHolds.list',
      'x-cli': {
        command: 'legal-hold list',
        ids: 'legal-hold-id',
        examples: { 'legal-hold list --in-force': 'those that stop deletion now' },
        columns,
      },
      summary: 'List the legal holds',
      description: 'The newest first. CPFs are masked.',
      querystring: HoldQuery,
      response: { 200: HoldList },
    },
    handler: async ({ query }, reply) => {
      const filter = {
        taxId: parseCpf(query['tax-id']),
        companyTaxId: cnpjFilterOf(query),
        inForce: query['in-force'] ?? null,
      }
      const page = await listHolds(database, filter, pageBounds(query))
      return sendJson(reply, listBody({ ...page, items: masked(page.items) }, query))
    },
  })

  route(app, {
    method: 'POST',
    url,
    api: 'operator',
    roles: [],
    schema: {
      operationId: 'setLegalHold',
      'x-sdk': 'legalHolds.create',
      'x-cli': {
        command: 'legal-hold set',
        examples: {
          'legal-hold set --tax-id 529.982.247-25 --reason "Ação 0010123-45.2026.5.02.0001"': 'of a person',
          'legal-hold set --company-tax-id 12.ABC.345/01DE-35 --reason Fiscalização': 'of all people of a company',
        },
        columns,
      },
      summary: 'Forbid the deletion of the data of a person or a company',
      description:
        'Until it is released, neither retention nor erasure deletes anything of the person, or of the people of the company.',
      response: { 200: HoldResponse, ...errorResponses('company-not-found', 'legal-hold-in-force') },
    },
    body: json(HoldBody),
    handler: async (request, reply) => {
      const { body } = request
      const subject = { taxId: parseCpf(body['tax-id']), companyTaxId: parseCnpj(body['company-tax-id']) }
      return sendJson(reply, await read(await setHold(context, callerOf(request), subject, body.reason)))
    },
  })

  route(app, {
    method: 'POST',
    url: `${url}/:legalHoldId/release`,
    api: 'operator',
    roles: [],
    schema: {
      operationId: 'releaseLegalHold',
      'x-sdk': 'legalHolds.release',
      'x-cli': {
        command: 'legal-hold release',
        examples: {
          'legal-hold release 01995e10-1a2b-7c3d-8e4f-5a6b7c8d9e0f --reason "Processo arquivado"':
            'it no longer stops deletion',
        },
        columns,
      },
      summary: 'Release a legal hold',
      description: 'What it is on may be deleted again.',
      params: HoldPath,
      response: { 200: HoldResponse, ...errorResponses('legal-hold-not-found', 'legal-hold-released') },
    },
    body: json(ReleaseBody),
    handler: async (request, reply) => {
      const id = request.params.legalHoldId.toLowerCase()
      await endHold(context, callerOf(request), id, request.body.reason)
      return sendJson(reply, await read(id))
    },
  })
}
