import { activeClient, companiesOf, rowOfActiveClient } from '#platform/core/access.ts'
import type { ClientActor } from '#platform/core/actor.ts'
import type { Sql } from '#platform/core/database.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import type { ProductSubject } from '../rules/requested-documents.ts'
import type { RequirementRule } from '../rules/requirement.ts'
import type { NamedProduct } from '../rules/requirement-rule.ts'
import { pages, readerOf } from '#platform/http/pages.ts'
import type { PageQuery } from '#platform/http/schemas.ts'

const columns = `'rule-id', requirement_rule.id, 'name', requirement_rule.name, 'active', requirement_rule.active,
  'valid-from', requirement_rule.valid_from, 'when', requirement_rule.conditions, 'require', requirement_rule.require,
  'enforcement', requirement_rule.enforcement`

const publicJson = `json_build_object(${columns}, 'created-at', iso(requirement_rule.created_at),
  'updated-at', iso(requirement_rule.updated_at))`

const ruleJson = `json_build_object(${columns}, 'carrierKeys', coalesce((select json_agg(fold(btrim(carrier.name)))
  from jsonb_array_elements_text(requirement_rule.conditions->'carrier-names') carrier(name)), '[]'))`

/** SQL: the rules that are in force on the day of the parameter, as an array of `RequirementRule`. */
export const rulesInForce = (today: string): string => `coalesce((select json_agg(${ruleJson}) from requirement_rule
  where requirement_rule.active and (requirement_rule.valid_from is null or requirement_rule.valid_from <= ${today}::date)), '[]')`

/** The rules that are in force. */
export async function readRulesInForce(sql: Sql, today: LocalDate): Promise<readonly RequirementRule[]> {
  const [row] = await sql.query<{ rules: RequirementRule[] }>(`select ${rulesInForce('$1')} as rules`, [today])
  return row?.rules ?? []
}

/** All rules, also those that are off. */
export async function readRules(sql: Sql): Promise<readonly RequirementRule[]> {
  const rows = await sql.query<{ rule: RequirementRule }>(
    `select ${ruleJson} as rule from requirement_rule order by id`,
  )
  return rows.map(({ rule }) => rule)
}

/** A page of the rules by name. */
export const rulePage = pages<PageQuery>({
  from: 'requirement_rule',
  item: publicJson,
  order: 'fold(requirement_rule.name) collate "C", requirement_rule.id',
  where: {},
})

/** `{ "result": rule }`; null when there is none. */
export const readRule = readerOf({ from: 'requirement_rule', item: publicJson })

/** Serializes the writes of rules until the transaction ends: each is compared with the others. */
export async function lockRules(sql: Sql): Promise<void> {
  await sql.execute(`select pg_advisory_xact_lock(hashtext('requirement_rule'))`)
}

/** Inserts a rule, or replaces the one with its id. */
export async function putRuleRow(sql: Sql, rule: RequirementRule, at: Date): Promise<void> {
  await sql.execute(
    `insert into requirement_rule (id, name, active, valid_from, conditions, require, enforcement, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $8)
     on conflict (id) do update set name = excluded.name, active = excluded.active, valid_from = excluded.valid_from,
       conditions = excluded.conditions, require = excluded.require, enforcement = excluded.enforcement,
       updated_at = excluded.updated_at`,
    [
      rule['rule-id'],
      rule.name,
      rule.active,
      rule['valid-from'],
      JSON.stringify(rule.when),
      JSON.stringify(rule.require),
      rule.enforcement,
      at,
    ],
  )
}

/** Deletes a rule. @returns whether there was one. */
export async function deleteRuleRow(sql: Sql, id: string): Promise<boolean> {
  return (await sql.execute('delete from requirement_rule where id = $1', [id])) > 0
}

interface NamedThings {
  readonly carrierKeys: readonly (string | null)[]
  readonly products: readonly NamedProduct[]
  readonly companyTaxIds: readonly string[]
}

/** What a rule names, as far as it exists. `carrierKeys` has the place of each name; null for one that no carrier has. */
export async function readNamed(
  sql: Sql,
  carrierNames: readonly string[],
  productIds: readonly string[],
  companyTaxIds: readonly string[],
): Promise<NamedThings> {
  const [row] = await sql.query<NamedThings>(
    `select coalesce((select json_agg(carrier.key order by sent.place)
         from unnest($1::text[]) with ordinality sent(name, place) left join carrier on carrier.key = fold(btrim(sent.name))), '[]')
         as "carrierKeys",
       coalesce((select json_agg(json_build_object('id', product.id, 'productType', product.product_type,
           'carrierKey', product.carrier_key, 'companyTaxId', company.tax_id))
         from product join company on company.id = product.company_id where product.id = any($2::uuid[])), '[]') as products,
       coalesce((select json_agg(company.tax_id) from company where company.tax_id = any($3::text[])), '[]') as "companyTaxIds"`,
    [carrierNames, productIds, companyTaxIds],
  )
  return row ?? { carrierKeys: [], products: [], companyTaxIds: [] }
}

/** SQL: the CTE `plan` of `productSubjects`. @param companies continues the name of the column of the company. */
export const plansOf = (companies: string) => `plan as materialized (
  select contract_plan.company_id, contract_plan.active_product_id as product_id, contract.lives from contract_plan
  join contract on contract.company_id = contract_plan.company_id and contract.id = contract_plan.contract_id
  where contract_plan.company_id ${companies} and contract_plan.active_product_id is not null)`

/** SQL: a `product` of a `company` as the JSON of `ProductSubject`, over `productSubjects`. */
export const subjectJson = `json_build_object('productId', product.id, 'productType', product.product_type,
  'carrierKey', product.carrier_key, 'companyTaxId', company.tax_id, 'lives', plan.lives)`

/** SQL: the products of companies, each with the `plan` of its active contract. */
export const productSubjects = `company join product on product.company_id = company.id
  left join plan on plan.company_id = product.company_id and plan.product_id = product.id`

/** A product of a company, as rules see it; null when the company has none of this id. */
export async function readProductSubject(
  sql: Sql,
  companyTaxId: string,
  productId: string,
): Promise<ProductSubject | null> {
  const rows = await sql.query<{ product: ProductSubject }>(
    `with ${plansOf('in (select id from company where tax_id = $1)')}
     select ${subjectJson} as product from ${productSubjects}
     where company.tax_id = $1 and product.id = $2 and product.retired_at is null`,
    [companyTaxId, productId],
  )
  return rows[0]?.product ?? null
}

interface CallerRequirements {
  /** Whether the caller is entitled to the company. */
  readonly isEntitled: boolean
  readonly product: ProductSubject | null
  readonly rules: readonly RequirementRule[]
}

/** What a client may ask about: a product of one of its companies, and the rules in force. @throws ApiError 401 when the client is revoked. */
export async function readCallerRequirements(
  sql: Sql,
  caller: Pick<ClientActor, 'clientId' | 'kind'>,
  { companyTaxId, productId, today }: { companyTaxId: string; productId: string; today: LocalDate },
): Promise<CallerRequirements> {
  const rows = await sql.query<CallerRequirements>(
    `with ${plansOf('in (select id from company where tax_id = $2)')}, subject as materialized (
       select ${subjectJson} as product from ${productSubjects}
       where company.tax_id = $2 and product.id = $3 and product.retired_at is null
     )
     select exists (select company.id from company ${companiesOf(caller, 'company.id')} where company.tax_id = $2) as "isEntitled",
       (select product from subject) as product, ${rulesInForce('$4')} as rules
     from (select id from ${activeClient(caller)}) caller`,
    [caller.clientId, companyTaxId, productId, today],
  )
  return rowOfActiveClient(rows)
}
