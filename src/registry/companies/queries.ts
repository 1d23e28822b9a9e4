import type { Page } from '#platform/http/page.ts'
import { productNameKey } from '#kernel/product-name.ts'
import { activePartner, rowOfActiveClient } from '#platform/core/access.ts'
import type { Client, ClientActor } from '#platform/core/actor.ts'
import type { Sql } from '#platform/core/database.ts'
import { ApiError } from '#platform/core/errors.ts'

/** Fields of a Product, over `product`. */
const productColumns = `'product-id', product.id, 'product-name', product.name, 'carrier-name', product.carrier_name,
    'product-type', product.product_type, 'allowed-dependent-types', product.allowed_dependent_types,
    'allowed-start-options', product.allowed_start_options, 'age-limits', product.age_limits, 'billing-day', product.billing_day, 'cut-off-day', product.cut_off_day`

/** Fields of a Company with the products that are not retired, over `company`. */
const companyFields = `'id', company.id, 'name', company.name, 'tax-id', company.tax_id, 'products', (
  select coalesce(json_agg(json_build_object(${productColumns}) order by product.position, product.id), '[]')
  from product where product.company_id = company.id and product.retired_at is null)`
const companyJson = `json_build_object(${companyFields})`
const operatorCompanyJson = `json_build_object(${companyFields}, 'contacts', company.contacts)`

// Collation C: the order does not depend on the server's locale.
const byName = `company.search_name collate "C", company.id`

const companyOfCaller = `
select case when entitlement.client_id is not null then json_build_object('result', ${companyJson})::text end as body
from ${activePartner}
left join company on company.tax_id = $2
left join entitlement on entitlement.company_id = company.id and entitlement.client_id = client.id`

/** `{ "result": Company }`; null when there is none or the caller is not entitled to it. @throws ApiError 401 when the client is revoked. */
export async function readCompany(sql: Sql, caller: Client, taxId: string): Promise<{ readonly body: string | null }> {
  return rowOfActiveClient(await sql.query<{ body: string | null }>(companyOfCaller, [caller.clientId, taxId]))
}

const companiesOfCaller = `
select (select count(*) from entitlement where entitlement.client_id = client.id) as total,
  (select coalesce(json_agg(${companyJson} order by ${byName}), '[]')::text from (
    select company.* from entitlement join company on company.id = entitlement.company_id
    where entitlement.client_id = client.id order by ${byName} limit $2 offset $3) company) as items
from ${activePartner}`

/** A page of the caller's companies by name, with their total. @throws ApiError 401 when the client is revoked. */
export async function listCompanies(
  sql: Sql,
  caller: Client,
  bounds: { limit: number; offset: number },
): Promise<Page> {
  return rowOfActiveClient(await sql.query<Page>(companiesOfCaller, [caller.clientId, bounds.limit, bounds.offset]))
}

/** SQL of whether the `client` of `activePartner` is entitled to the company whose CNPJ is the parameter `taxId`; `true` for null. */
export function isEntitledTo(taxId: string | null): string {
  if (taxId === null) return 'true'
  return `exists (select 1 from entitlement join company on company.id = entitlement.company_id
    where entitlement.client_id = client.id and company.tax_id = ${taxId})`
}

/** Whether the caller may access the company with this CNPJ. @throws ApiError 401 when the client is revoked. */
export async function isEntitledToCompany(sql: Sql, caller: Client, taxId: string): Promise<boolean> {
  const statement = `select ${isEntitledTo('$2')} as entitled from ${activePartner}`
  return rowOfActiveClient(await sql.query<{ entitled: boolean }>(statement, [caller.clientId, taxId])).entitled
}

const productsOfCaller = (condition: string, entitled: string) => `
select (select json_build_object('result', coalesce(json_agg(json_build_object(${productColumns}, 'company-tax-id', company.tax_id)
      order by ${byName}, product.position, product.id), '[]'))::text
    from entitlement
    join company on company.id = entitlement.company_id
    join product on product.company_id = company.id and product.retired_at is null
    where entitlement.client_id = client.id ${condition}) as body,
  ${entitled} as entitled
from ${activePartner}`

const productsOfAll = productsOfCaller('', isEntitledTo(null))
const productsOfOne = productsOfCaller('and company.tax_id = $2', isEntitledTo('$2'))

/**
 * `{ "result": [Product + company-tax-id] }` of the caller's companies by name, or of one of them, without retired products. The body is
 * null when there is no such company or the caller is not entitled to it.
 * @throws ApiError 401 when the client is revoked.
 */
export async function listProducts(
  sql: Sql,
  caller: Client,
  companyTaxId: string | null,
): Promise<{ readonly body: string | null }> {
  const found = rowOfActiveClient(
    companyTaxId === null
      ? await sql.queryPlanned<{ entitled: boolean; body: string }>(productsOfAll, [caller.clientId])
      : await sql.query<{ entitled: boolean; body: string }>(productsOfOne, [caller.clientId, companyTaxId]),
  )
  return { body: found.entitled ? found.body : null }
}

/** `{ "result": OperatorCompany }` of any company, for operators; null when there is none. */
export async function readAnyCompany(sql: Sql, taxId: string): Promise<string | null> {
  const rows = await sql.query<{ body: string }>(
    `select json_build_object('result', ${operatorCompanyJson})::text as body from company where company.tax_id = $1`,
    [taxId],
  )
  return rows[0]?.body ?? null
}

/** The company with its products, of a partner one that it is entitled to; null when there is none. @throws ApiError 401. */
export async function readCompanyFor(
  sql: Sql,
  caller: Pick<ClientActor, 'clientId' | 'kind'>,
  taxId: string,
): Promise<string | null> {
  return caller.kind === 'partner' ? (await readCompany(sql, caller, taxId)).body : readAnyCompany(sql, taxId)
}

/** Search terms escaped for LIKE; null matches every company. */
interface CompanySearch {
  readonly name: string | null
  readonly taxId: string | null
}

/** The search terms of `q`: the name as stored for the search, with the wildcards of LIKE escaped. */
export function companySearchOf(q: string): CompanySearch {
  const name = productNameKey(q)
  if (name === '') return { name: null, taxId: null }
  const taxId = q.trim().replaceAll(/[./-]/g, '').toUpperCase()
  return { name: name.replaceAll(/[\\%_]/g, '\\$&'), taxId: /^[0-9A-Z]{1,14}$/.test(taxId) ? taxId : null }
}

const matching = `from company
  where $1::text is null or fold_name(company.search_name) like '%' || fold_name($1) || '%' or company.tax_id like '%' || $2::text || '%'`

const matchingCompanies = `
select (select count(*) ${matching}) as total,
  (select coalesce(json_agg(${operatorCompanyJson} order by ${byName}), '[]')::text from (
    select company.* ${matching} order by ${byName} limit $3 offset $4) company) as items`

/** A page of the matching companies by name, with their total, for operators. */
export async function searchCompanies(
  sql: Sql,
  search: CompanySearch,
  bounds: { limit: number; offset: number },
): Promise<Page> {
  const rows = await sql.query<Page>(matchingCompanies, [search.name, search.taxId, bounds.limit, bounds.offset])
  return rows[0] ?? { total: 0, items: '[]' }
}

/** The ids of companies by their CNPJ, unformatted; unknown ones are left out. */
export async function companyIdsOf(sql: Sql, taxIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await sql.query<{ id: string; taxId: string }>(
    'select id, tax_id as "taxId" from company where tax_id = any($1)',
    [taxIds],
  )
  return new Map(rows.map(({ id, taxId }) => [taxId, id]))
}

/** The id of a company by its CNPJ, for operators. @throws ApiError 404. */
export async function requireCompany(sql: Sql, taxId: string): Promise<string> {
  const companyId = (await companyIdsOf(sql, [taxId])).get(taxId)
  if (companyId === undefined) throw new ApiError('company-not-found')
  return companyId
}
