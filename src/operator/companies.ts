import type { FastifyRequest } from 'fastify'
import { Type, type Static } from 'typebox'
import { v7 as uuidv7 } from 'uuid'
import { auditWrite } from '../audit/audit-log.ts'
import { listBody, sendJson } from '../http/json-response.ts'
import { readAnyCompany, searchCompanies, type CompanySearch } from '../companies/queries.ts'
import {
  type KnownProduct,
  type ProductRow,
  putCompany,
  putProducts,
  readProducts,
} from '../companies/write-queries.ts'
import { CompanyAnswer, CompanyBody, CompanyList, CompanyPath } from '../companies/schema.ts'
import type { Database } from '../platform/database.ts'
import { ApiError, type Detail, invalidBody, invalidParameter } from '../platform/errors.ts'
import { productNameKey } from '../domain/product-name.ts'
import { parseCnpj } from '../domain/tax-id.ts'
import { type App, type Context } from '../http/context.ts'
import { errorAnswers, pageBounds, pageQuery } from '../http/schemas.ts'
import { MAX_TEXT_CHARACTERS } from '../domain/field-types.ts'

const mayRead = ['analyst', 'finance', 'auditor'] as const

type Body = Static<typeof CompanyBody>

/** Companies and their products, as the operator keeps them. */
export async function companyAdminRoutes(app: App, { database }: Context): Promise<void> {
  app.route({
    method: 'PUT',
    url: '/operator/v1/company/:companyTaxId',
    config: { api: 'operator', roles: [] },
    schema: {
      operationId: 'putCompany',
      tags: ['operator'],
      summary: 'Create or replace a company with its products',
      description:
        'Products are matched by `product-id`, else by name (trimmed, without case and accents); names are unique in a company. ' +
        'One left out is retired: it takes no new inclusion and leaves `products`, its benefits go on. One that comes again ' +
        'keeps its id.',
      params: CompanyPath,
      body: CompanyBody,
      response: { 200: CompanyAnswer, ...errorAnswers(400, 401, 403, 413, 415, 503) },
    },
    handler: async (request, reply) => {
      const taxId = taxIdOf(request.params.companyTaxId)
      const body = checkBody(request.body, taxId)
      return sendJson(reply, await replaceCompany(database, request, taxId, body))
    },
  })

  app.route({
    method: 'GET',
    url: '/operator/v1/company',
    config: { api: 'operator', roles: mayRead },
    schema: {
      operationId: 'searchCompanies',
      tags: ['operator'],
      summary: 'List all companies',
      description: 'By name; `q` finds those whose name or CNPJ contains it.',
      querystring: Type.Object(
        {
          q: Type.Optional(
            Type.String({
              maxLength: MAX_TEXT_CHARACTERS,
              description:
                'Part of the name, in any case and with or without accents, or of the CNPJ, formatted or not.',
            }),
          ),
          ...pageQuery,
        },
        { additionalProperties: false },
      ),
      response: { 200: CompanyList, ...errorAnswers(400, 401, 503) },
    },
    handler: async (request, reply) => {
      const { query } = request
      const page = await searchCompanies(database, searchOf(query.q ?? ''), pageBounds(query))
      return sendJson(reply, listBody(page, query))
    },
  })

  app.route({
    method: 'GET',
    url: '/operator/v1/company/:companyTaxId',
    config: { api: 'operator', roles: mayRead },
    schema: {
      operationId: 'readAnyCompany',
      tags: ['operator'],
      summary: 'Read a company and its products',
      description: 'Without its retired products.',
      params: CompanyPath,
      response: { 200: CompanyAnswer, ...errorAnswers(400, 401, 404, 503) },
    },
    handler: async (request, reply) => {
      const body = await readAnyCompany(database, taxIdOf(request.params.companyTaxId))
      if (body === null) throw new ApiError(404, 'Company not found')
      return sendJson(reply, body)
    },
  })
}

function taxIdOf(value: string): string {
  const taxId = parseCnpj(value)
  if (taxId === null) throw invalidParameter([], 'Invalid company-tax-id')
  return taxId
}

/** What the schema cannot say: names are unique as an inclusion reads them, ids are named once. */
function checkBody(body: Body, taxId: string): Body {
  const faults: Detail[] = []
  if (body['company-tax-id'] !== undefined && parseCnpj(body['company-tax-id']) !== taxId)
    faults.push({ field: 'company-tax-id', code: 'invalid' })
  const keys = new Set<string>()
  const ids = new Set<string>()
  for (const [index, product] of body.products.entries()) {
    const key = productNameKey(product['product-name'])
    if (key === '' || keys.has(key))
      faults.push({ field: `products[${index}].product-name`, code: key === '' ? 'invalid' : 'repeated' })
    keys.add(key)
    const id = product['product-id']?.toLowerCase()
    if (id === undefined) continue
    if (ids.has(id)) faults.push({ field: `products[${index}].product-id`, code: 'repeated' })
    ids.add(id)
  }
  if (faults.length > 0) throw invalidBody(faults)
  return body
}

/** One transaction: the company, its products and the audit row. */
async function replaceCompany(database: Database, request: FastifyRequest, taxId: string, body: Body): Promise<string> {
  const name = body.name.trim()
  return database.transaction(async (sql) => {
    const at = new Date()
    const newId = uuidv7()
    const id = await putCompany(sql, { id: newId, taxId, name, searchName: productNameKey(name) }, at)
    await putProducts(sql, id, at, matchProducts(body.products, await readProducts(sql, id)))
    const action = id === newId ? 'company.created' : 'company.replaced'
    await auditWrite(sql, request, { action, target: id, companyId: id })
    return (await readAnyCompany(sql, taxId)) ?? ''
  })
}

/** Each product with the id of the one it continues, by id, else by name, else with a new one. */
function matchProducts(products: Body['products'], known: readonly KnownProduct[]): ProductRow[] {
  const ids = new Set(known.map((product) => product.id))
  const named = new Set(products.map((product) => product['product-id']?.toLowerCase()))
  const unknown = products.flatMap((product, index) => {
    const id = product['product-id']?.toLowerCase()
    return id === undefined || ids.has(id) ? [] : [{ field: `products[${index}].product-id`, code: 'unknown' as const }]
  })
  if (unknown.length > 0) throw invalidBody(unknown)
  return products.map((product) => {
    const name_key = productNameKey(product['product-name'])
    const same = known.find((one) => one.nameKey === name_key && !named.has(one.id))
    return {
      id: product['product-id']?.toLowerCase() ?? same?.id ?? uuidv7(),
      name: product['product-name'].trim(),
      name_key,
      carrier_name: product['carrier-name'].trim(),
      product_type: product['product-type'],
      allowed_dependent_types: product['allowed-dependent-types'],
      allowed_start_options: product['allowed-start-options'],
      billing_day: product['billing-day'] ?? null,
      cut_off_day: product['cut-off-day'] ?? null,
    }
  })
}

/** The search of a name as names are kept for it; wildcards of LIKE stand for themselves. */
function searchOf(q: string): CompanySearch {
  const name = productNameKey(q)
  if (name === '') return { name: null, taxId: null }
  const taxId = q.trim().replaceAll(/[./-]/g, '').toUpperCase()
  return { name: name.replaceAll(/[\\%_]/g, '\\$&'), taxId: /^[0-9A-Z]{1,14}$/.test(taxId) ? taxId : null }
}
