import { PageOf } from '#platform/http/page.ts'
import type { Actor } from '#platform/core/actor.ts'
import { ApiError, invalidBody } from '#platform/core/errors.ts'
import { write } from '#platform/core/write.ts'
import { json } from '#platform/http/bodies.ts'
import type { App, Context } from '#platform/http/context.ts'
import { listBody, sendJson } from '#platform/http/json-response.ts'
import { route } from '#platform/http/route.ts'
import { Closed, MAX_PAGE_ITEMS, pageQuery } from '#platform/http/schemas.ts'
import { carrierPage, readCarrier, updateCarrier } from './queries.ts'
import { CarrierBody, type CarrierInput, Carrier } from './schema.ts'
import { searchParameter } from '#platform/http/search-parameter.ts'
import { resource } from '#platform/http/resource.ts'

const mayRead = ['analyst', 'finance', 'auditor'] as const
const mayWrite = ['analyst'] as const

const columns = {
  CARRIER: 'name',
  'CARRIER-ID': 'carrier-id',
  'ANS-REGISTRATION': 'ans-registration',
  'TAX-ID': 'tax-id',
}

/** `/operator/v1/carrier`: the carriers that products name. */
export async function carrierRoutes(app: App, context: Context): Promise<void> {
  const carrier = resource(app, context, {
    noun: 'carrier',
    mayRead,
    mayWrite,
    item: Carrier,
    read: readCarrier,
    columns,
  })

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
        q: searchParameter('the name'),
        page: pageQuery.page,
        'items-per-page': { ...pageQuery['items-per-page'], default: MAX_PAGE_ITEMS },
      }),
      response: { 200: PageOf(Carrier) },
    },
    handler: async ({ query }, reply) => sendJson(reply, listBody(await carrierPage(context.database, query), query)),
  })

  carrier.get({ summary: 'Read a carrier', description: 'Its name, its registration at the ANS and its CNPJ.' })
  carrier.put({
    summary: 'Replace a carrier',
    description:
      'What is left out is removed. The name may change in case and accents only: another name is another carrier, which a product names. ' +
      'Products keep their spelling.',
    cli: {
      examples: {
        'carrier put 01995e0b-31c4-7a40-9a5b-0c6d7e8f9a10 --name "Operadora Aurora" --ans-registration 326305':
          'what is left out is removed',
      },
    },
    errors: ['carrier-not-found'],
    body: json(CarrierBody),
    run: (actor, id, body) => replaceCarrier(context, actor, id, body),
  })
}

/** Replaces a carrier. @throws ApiError 404, or 400 for another name. */
async function replaceCarrier(context: Context, actor: Actor, id: string, body: CarrierInput): Promise<void> {
  await write(context, actor, { may: mayWrite }, async (tx) => {
    if ((await readCarrier(tx, id)) === null) throw new ApiError('carrier-not-found')
    const isReplaced = await updateCarrier(tx, id, body, tx.at())
    if (!isReplaced) throw invalidBody([{ field: 'name', code: 'invalid', message: { key: 'not-another' } }])
    tx.audit({ action: 'carrier.replaced', target: id, companyId: null })
  })
}
