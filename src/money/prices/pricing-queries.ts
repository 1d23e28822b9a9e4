import type { Sql } from '#platform/core/database.ts'
import { ApiError } from '#platform/core/errors.ts'
import type { ContractFee } from '#registry/rules/contract-fee.ts'
import type { ContributionRule } from '../rules/contribution.ts'
import type { Month } from '#registry/rules/cut-off.ts'
import {
  type DatedTable,
  firstDay,
  lastDay,
  missingSettings,
  type PriceRules,
  type PriceSetting,
  type PriceSettings,
  tableOf,
} from '../rules/premium.ts'
import { type PricedBenefit, type Pricing, expectedCharge } from '../rules/expected-charge.ts'

/** The prices of a contract as they are stored. */
export interface ContractPrices {
  readonly companyId: string
  readonly companyTaxId: string
  readonly settings: PriceSettings
  /** Cents. */
  readonly tolerance: number
  readonly tables: readonly DatedTable[]
  readonly contributionRules: readonly ContributionRule[]
  readonly planCodes: readonly (string | null)[]
  readonly fees: readonly ContractFee[]
}

/** The prices of a contract; null when there is none. */
export async function readContractPrices(sql: Sql, contractId: string): Promise<ContractPrices | null> {
  const rows = await sql.query<ContractPrices>(
    `select company.id as "companyId", company.tax_id as "companyTaxId",
       json_build_object('ageOn', contract.age_on, 'proration', contract.proration, 'prorationDay', contract.proration_day,
         'anniversaryMonth', contract.anniversary_month) as settings, contract.tolerance, contract.fees,
       coalesce((select json_agg(json_build_object('id', price_table.id, 'kind', price_table.kind, 'prices', price_table.prices,
           'carrierPlanCode', price_table.carrier_plan_code, 'validFrom', price_table.valid_from))
         from price_table where price_table.company_id = contract.company_id and price_table.contract_id = contract.id), '[]') as tables,
       coalesce((select json_agg(json_build_object('id', contribution_rule.id, 'productId', contribution_rule.product_id,
           'validFrom', contribution_rule.valid_from, 'primaryShare', contribution_rule.primary_share,
           'dependentShare', contribution_rule.dependent_share, 'coparticipationShare', contribution_rule.coparticipation_share,
           'costCenters', contribution_rule.cost_centers, 'jobTitles', contribution_rule.job_titles))
         from contribution_rule where contribution_rule.company_id = contract.company_id and contribution_rule.contract_id = contract.id), '[]')
         as "contributionRules",
       coalesce((select json_agg(distinct contract_plan.carrier_plan_code) from contract_plan
         where contract_plan.company_id = contract.company_id and contract_plan.contract_id = contract.id), '[]') as "planCodes"
     from contract join company on company.id = contract.company_id where contract.id = $1`,
    [contractId],
  )
  return rows[0] ?? null
}

/** The settings that the prices of a contract need in a month and that are not set. */
export function missingOf({ settings, tables, planCodes }: ContractPrices, month: Month): PriceSetting[] {
  return missingSettings(
    settings,
    planCodes.flatMap((code) => tableOf(tables, code, month) ?? []),
  )
}

/** @throws ApiError 409 that says which settings the prices of the contract need in a month and lack. */
export async function requirePrices(sql: Sql, contractId: string, month: Month): Promise<void> {
  const prices = await readContractPrices(sql, contractId)
  if (prices !== null) pricingOf(prices, month)
}

/** What prices are calculated from. @throws ApiError 409 that says which settings are missing. */
export function pricingOf(prices: ContractPrices, month: Month): Pricing {
  const missing = missingOf(prices, month)
  if (missing.length > 0) throw new ApiError('price-setting-missing', { 'missing-settings': missing })
  const { settings, tables, contributionRules } = prices
  // Without a table by age `ageOn` is not read.
  const rules: PriceRules = {
    ...settings,
    ageOn: settings.ageOn ?? 'first-day-of-reference-month',
    proration: settings.proration ?? 'none',
  }
  return { rules, tables, contributionRules }
}

/** SQL: the JSON of `PricedBenefit`, over the joins below. */
export const pricedBenefitColumns = `'benefitId', benefit.id, 'type', benefit.type, 'dateOfBirth', member.date_of_birth,
  'startDate', benefit.start_date, 'endDate', benefit.end_date, 'productId', benefit.product_id, 'planCode', contract_plan.carrier_plan_code,
  'costCenter', coalesce(primary_member.cost_center, member.cost_center),
  'jobTitle', coalesce(primary_member.details, member.details)->>'job-title'`

/** SQL: the benefits of the plans of a contract, with their members and primaries. */
export const pricedBenefits = `contract_plan
  join benefit on benefit.company_id = contract_plan.company_id and benefit.product_id = contract_plan.product_id
  join member on member.company_id = benefit.company_id and member.id = benefit.member_id
  left join member primary_member on primary_member.company_id = benefit.company_id and primary_member.id = benefit.primary_member_id`

/** SQL: whether a `benefit` covers a day of the month between two parameters. */
export const coversMonth = (first: string, last: string): string => `benefit.status <> 'pending'
  and benefit.start_date <= ${last}::date and (benefit.end_date is null or benefit.end_date >= greatest(${first}::date, benefit.start_date))`

/** A benefit with what the list of expected charges shows. */
export interface ListedBenefit extends PricedBenefit {
  readonly memberId: string
  readonly memberName: string
  readonly employeeId: string | null
}

/** Those who are covered in a month, 2000 at a time: by a cursor of the transaction. */
export async function* coveredBenefits(
  sql: Sql,
  companyId: string,
  contractId: string,
  month: Month,
): AsyncGenerator<ListedBenefit[]> {
  const { text, values } = coveredInMonth(companyId, contractId, month)
  await sql.execute(`declare covered_benefit no scroll cursor for ${text}`, values)
  for (;;) {
    const rows = await sql.query<{ item: string }>('fetch forward 2000 from covered_benefit')
    if (rows.length === 0) break
    yield rows.map(({ item }) => JSON.parse(item) as ListedBenefit)
  }
  await sql.execute('close covered_benefit')
}

/** The statement of those who are covered in a month, one JSON of `ListedBenefit` a row. */
export function coveredInMonth(companyId: string, contractId: string, month: Month) {
  return {
    text: `select json_build_object(${pricedBenefitColumns}, 'memberId', member.id, 'memberName', member.name,
        'employeeId', member.employee_id)::text as item
      from ${pricedBenefits}
      where contract_plan.company_id = $1 and contract_plan.contract_id = $2 and ${coversMonth('$3', '$4')}
      order by benefit.id`,
    values: [companyId, contractId, firstDay(month), lastDay(month)],
  }
}

/** What is expected for a benefit in a month, in wire keys. */
export function expectedLine(benefit: ListedBenefit, pricing: Pricing, month: Month) {
  const expected = expectedCharge(benefit, month, pricing)
  return {
    'benefit-id': benefit.benefitId,
    'member-id': benefit.memberId,
    'member-name': benefit.memberName,
    'beneficiary-type': benefit.type,
    'employee-id': benefit.employeeId,
    'cost-center': benefit.costCenter,
    'product-id': benefit.productId,
    'carrier-plan-code': benefit.planCode,
    'start-date': benefit.startDate,
    'end-date': benefit.endDate,
    'price-table-id': expected?.table.id ?? null,
    category: expected?.premium.category ?? null,
    age: expected?.premium.age ?? null,
    price: expected?.premium.price ?? null,
    'covered-days': expected?.premium.coveredDays ?? null,
    amount: expected?.premium.amount ?? null,
    'contribution-rule-id': expected?.contributionRule?.id ?? null,
    'employee-amount': expected?.employeeAmount ?? null,
  }
}
