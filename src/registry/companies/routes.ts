import { json } from '#platform/http/bodies.ts'
import { Type, type Static } from 'typebox'
import { v7 as uuidv7 } from 'uuid'
import type { Actor } from '#platform/core/actor.ts'
import { write } from '#platform/core/write.ts'
import { resource } from '#platform/http/resource.ts'
import { companySearchOf, readAnyCompany, searchCompanies } from './queries.ts'
import { type KnownProduct, type ProductRow, putCompany, putProducts, readProducts } from './rows.ts'
import { type AgeLimitInput, CompanyBody, OperatorCompany } from './schema.ts'
import { CompanyPath } from '#platform/http/filters.ts'
import { productsOfOtherCarriers } from '../contracts/rows.ts'
import type { Sql } from '#platform/core/database.ts'
import { type Detail, invalidBody } from '#platform/core/errors.ts'
import { type AgeLimit, ageLimitErrors } from '../rules/age-limit.ts'
import { productNameKey } from '#kernel/product-name.ts'
import { storedContacts } from '#platform/http/contact-schemas.ts'
import { parseCnpj } from '#kernel/tax-id.ts'
import type { App, Context } from '#platform/http/context.ts'
import { Closed, pageBounds, pageQuery } from '#platform/http/schemas.ts'
import { MAX_TEXT_CHARACTERS } from '#kernel/field-types.ts'

type Body = Static<typeof CompanyBody>

/** `/operator/v1/company`: companies and their products. */
export async function companyAdminRoutes(app: App, context: Context): Promise<void> {
  const company = resource(app, context, {
    noun: 'company',
    plural: 'companies',
    mayRead: ['analyst', 'finance', 'auditor'],
    mayWrite: [],
    item: OperatorCompany,
    read: readAnyCompany,
    columns: { 'COMPANY-TAX-ID': 'tax-id', NAME: 'name', PRODUCTS: 'products[].product-name' },
    parameter: 'companyTaxId',
    id: CompanyPath.properties.companyTaxId,
  })

  company.put({
    summary: 'Create or replace a company with its products',
    description:
      'Products are matched by `product-id`, else by name (trimmed, ignoring case and accents); names are unique in a company. A ' +
      'product that is not in the list is retired: it takes no new inclusion and is not shown in `products`; its benefits continue. A ' +
      'retired product that is sent again keeps its id.',
    cli: {
      file: true,
      examples: {
        'company put test/data/company.json':
          'the file is the body of PUT /operator/v1/company, with `company-tax-id` beside it',
        'company put - --company-tax-id 12ABC34501DE35 < company.json': 'the CNPJ as an option',
      },
      message: 'A partner may use it after: vigencia entitlement grant CLIENT-ID COMPANY-TAX-ID',
    },
    body: json(CompanyBody),
    run: (actor, taxId, body) => replaceCompany(context, actor, taxId, checkBody(body, taxId)),
  })
  company.list({
    operationId: 'searchCompanies',
    summary: 'List all companies',
    description: 'Ordered by name; `q` selects those whose name or CNPJ contains it.',
    cli: { examples: { 'company list --query aurora': 'operator: those whose name or CNPJ holds the word' } },
    query: Closed({
      q: Type.Optional(
        Type.String({
          maxLength: MAX_TEXT_CHARACTERS,
          description: 'A part of the name, ignoring case and accents, or of the CNPJ, formatted or not.',
        }),
      ),
      ...pageQuery,
    }),
    page: (sql, query) => searchCompanies(sql, companySearchOf(query.q ?? ''), pageBounds(query)),
  })
  company.get({
    operationId: 'readAnyCompany',
    summary: 'Read a company and its products',
    description: 'Without its retired products.',
  })
}

/** Checks what the schema cannot express: names are unique as an inclusion compares them, ids are not repeated. */
function checkBody(body: Body, taxId: string): Body {
  const details: Detail[] = []
  if (body['company-tax-id'] !== undefined && parseCnpj(body['company-tax-id']) !== taxId)
    details.push({ field: 'company-tax-id', code: 'invalid' })
  const keys = new Set<string>()
  const ids = new Set<string>()
  for (const [index, product] of body.products.entries()) {
    const key = productNameKey(product['product-name'])
    if (key === '' || keys.has(key))
      details.push({ field: `products[${index}].product-name`, code: key === '' ? 'invalid' : 'repeated' })
    keys.add(key)
    const limits = (product['age-limits'] ?? []).map(ageLimitOf)
    details.push(...ageLimitErrors(limits, `products[${index}].age-limits`))
    const id = product['product-id']
    if (id === undefined) continue
    if (ids.has(id)) details.push({ field: `products[${index}].product-id`, code: 'repeated' })
    ids.add(id)
  }
  if (details.length > 0) throw invalidBody(details)
  return body
}

/** Writes the company, its products and the audit row in one transaction. */
async function replaceCompany(context: Context, actor: Actor, taxId: string, body: Body): Promise<void> {
  const name = body.name.trim()
  await write(context, actor, { may: [] }, async (sql) => {
    const at = sql.at()
    const newId = uuidv7()
    const contacts = body.contacts === undefined ? null : storedContacts(body.contacts)
    const id = await putCompany(sql, { id: newId, taxId, name, searchName: productNameKey(name), contacts }, at)
    const newCarriers = await putProducts(sql, id, at, matchProducts(body.products, await readProducts(sql, id)))
    for (const carrierId of newCarriers) sql.audit({ action: 'carrier.created', target: carrierId, companyId: null })
    await checkContracts(sql, id)
    const action = id === newId ? 'company.created' : 'company.replaced'
    sql.audit({ action, target: id, companyId: id })
  })
}

/** @throws ApiError 400 when a product of an active contract has another carrier now. */
async function checkContracts(sql: Sql, companyId: string): Promise<void> {
  const moved = await productsOfOtherCarriers(sql, companyId)
  if (moved.length === 0) return
  throw invalidBody(
    moved.map(({ position, contractNumber }) => ({
      field: `products[${position}].carrier-name`,
      code: 'invalid',
      message: { key: 'product-in-contract', number: contractNumber },
    })),
  )
}

/** Gives each product the id of the stored product that it matches, by id or by name, else a new id. */
function matchProducts(products: Body['products'], known: readonly KnownProduct[]): ProductRow[] {
  const ids = new Set(known.map((product) => product.id))
  const usedIds = new Set(products.map((product) => product['product-id']))
  const unknown = products.flatMap((product, index) => {
    const id = product['product-id']
    return id === undefined || ids.has(id) ? [] : [{ field: `products[${index}].product-id`, code: 'unknown' as const }]
  })
  if (unknown.length > 0) throw invalidBody(unknown)
  return products.map((product) => {
    const name_key = productNameKey(product['product-name'])
    const match = known.find(({ id, nameKey }) => nameKey === name_key && !usedIds.has(id))
    return {
      id: product['product-id'] ?? match?.id ?? uuidv7(),
      name: product['product-name'].trim(),
      name_key,
      carrier_name: product['carrier-name'].trim(),
      product_type: product['product-type'],
      allowed_dependent_types: product['allowed-dependent-types'],
      allowed_start_options: product['allowed-start-options'],
      age_limits: (product['age-limits'] ?? []).map(ageLimitOf),
      billing_day: product['billing-day'] ?? null,
      cut_off_day: product['cut-off-day'] ?? null,
    }
  })
}

/** A limit with all its keys. */
function ageLimitOf({ 'student-max-age': studentMaxAge = null, unless = [], ...limit }: AgeLimitInput): AgeLimit {
  const { 'draft-exclusion': draftExclusion = false } = limit
  return { ...limit, 'student-max-age': studentMaxAge, unless, 'draft-exclusion': draftExclusion }
}
