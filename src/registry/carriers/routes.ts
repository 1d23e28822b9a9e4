import type { Static } from 'typebox'
import type { Actor } from '#platform/core/actor.ts'
import type { Database } from '#platform/core/database.ts'
import { ApiError, invalidBody } from '#platform/core/errors.ts'
import { required } from '#platform/core/log.ts'
import { write } from '#platform/core/write.ts'
import { parseCnpj } from '#kernel/tax-id.ts'
import { json } from '#platform/http/bodies.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { listBody, sendJson } from '#platform/http/json-response.ts'
import { route } from '#platform/http/route.ts'
import { Closed, errorResponses, MAX_PAGE_ITEMS, pageBounds, pageQuery } from '#platform/http/schemas.ts'
import { listCarriers, readCarrier, updateCarrier } from './queries.ts'
import { CarrierBody, CarrierList, CarrierPath, CarrierResponse } from './schema.ts'

const mayRead = ['analyst', 'finance', 'auditor'] as const
const mayWrite = ['analyst'] as const

const columns = {
  CARRIER: 'name',
  'CARRIER-ID': 'carrier-id',
  'ANS-REGISTRATION': 'ans-registration',
  'TAX-ID': 'tax-id',
}

/** `/operator/v1/carrier`: the carriers that products name. */
export async function carrierRoutes(app: App, { database }: Context): Promise<void> {
  route(app, {
    method: 'GET',
    url: '/operator/v1/carrier',
    api: 'operator',
    roles: mayRead,
    schema: {
      operationId: 'listCarriers',
      'x-sdk': 'companies.carriers',
      'x-cli': { command: 'company carriers', columns },
      summary: 'List the carriers of all products',
      description:
        'Ordered by name, also of retired products. Names that differ only in case and accents are one carrier, which is made when the first ' +
        'product names it. Without parameters the page has 500.',
      querystring: Closed({
        page: pageQuery.page,
        'items-per-page': { ...pageQuery['items-per-page'], default: MAX_PAGE_ITEMS },
      }),
      response: { 200: CarrierList },
    },
    handler: async ({ query }, reply) =>
      sendJson(reply, listBody(await listCarriers(database, pageBounds(query)), query)),
  })

  route(app, {
    method: 'GET',
    url: '/operator/v1/carrier/:carrierId',
    api: 'operator',
    roles: mayRead,
    schema: {
      operationId: 'readCarrier',
      'x-sdk': 'carriers.get',
      'x-cli': { command: 'carrier show' },
      summary: 'Read a carrier',
      description: 'Its name, its registration at the ANS and its CNPJ.',
      params: CarrierPath,
      response: { 200: CarrierResponse, ...errorResponses('carrier-not-found') },
    },
    handler: async (request, reply) => {
      const body = await readCarrier(database, request.params.carrierId.toLowerCase())
      if (body === null) throw new ApiError('carrier-not-found')
      return sendJson(reply, body)
    },
  })

  route(app, {
    method: 'PUT',
    url: '/operator/v1/carrier/:carrierId',
    api: 'operator',
    roles: mayWrite,
    schema: {
      operationId: 'putCarrier',
      'x-sdk': 'carriers.put',
      'x-cli': {
        command: 'carrier put',
        examples: {
          'carrier put 01995e0b-31c4-7a40-9a5b-0c6d7e8f9a10 --name "Operadora Aurora" --ans-registration 326305':
            'what is left out is removed',
        },
        columns,
      },
      summary: 'Replace a carrier',
      description:
        'What is left out is removed. The name may change in case and accents only: another name is another carrier, which a product names. ' +
        'Products keep their spelling.',
      params: CarrierPath,
      response: { 200: CarrierResponse, ...errorResponses('carrier-not-found') },
    },
    body: json(CarrierBody),
    handler: async (request, reply) => {
      const id = request.params.carrierId.toLowerCase()
      return sendJson(reply, await replaceCarrier(database, callerOf(request), id, request.body))
    },
  })
}

/** Replaces a carrier. @returns `{ "result": Carrier }`. @throws ApiError 404, or 400 for another name. */
async function replaceCarrier(
  database: Database,
  actor: Actor,
  id: string,
  body: Static<typeof CarrierBody>,
): Promise<string> {
  const data = {
    name: body.name.trim(),
    ansRegistration: body['ans-registration'] ?? null,
    taxId: parseCnpj(body['tax-id']),
  }
  return write({ database }, actor, { may: mayWrite }, async (sql) => {
    if ((await readCarrier(sql, id)) === null) throw new ApiError('carrier-not-found')
    const isReplaced = await updateCarrier(sql, id, data, sql.at())
    if (!isReplaced) throw invalidBody([{ field: 'name', code: 'invalid', message: { key: 'not-another' } }])
    sql.audit({ action: 'carrier.replaced', target: id, companyId: null })
    return required(await readCarrier(sql, id), 'carrier')
  })
}
