import type { Static } from 'typebox'
import type { Sql } from '#platform/core/database.ts'
import { equals } from '#platform/core/parameters.ts'
import { pages } from '#platform/http/pages.ts'
import type { ContractQuery } from '../prices/schema.ts'
import type { ContributionRuleData } from './schema.ts'

const ruleJson = `json_build_object('contribution-rule-id', contribution_rule.id, 'contract-id', contribution_rule.contract_id,
  'product-id', contribution_rule.product_id, 'valid-from', contribution_rule.valid_from,
  'primary-employee-share', contribution_rule.primary_share, 'dependent-employee-share', contribution_rule.dependent_share,
  'coparticipation-employee-share', contribution_rule.coparticipation_share, 'cost-centers', contribution_rule.cost_centers,
  'job-titles', contribution_rule.job_titles, 'created-at', iso(contribution_rule.created_at), 'updated-at', iso(contribution_rule.updated_at))`

/** A page of the rules of a contract, or of all: by contract, the latest first. */
export const contributionRulePage = pages<Static<typeof ContractQuery>>({
  from: 'contribution_rule',
  item: ruleJson,
  order: 'contract_id, valid_from desc, id',
  where: { 'contract-id': equals('contract_id') },
})

/** A contribution rule; null when there is none. */
export async function readContributionRule(sql: Sql, id: string): Promise<ContributionRuleData | null> {
  const rows = await sql.query<{ item: ContributionRuleData }>(
    `select ${ruleJson} as item from contribution_rule where id = $1`,
    [id],
  )
  return rows[0]?.item ?? null
}

/** Whether a product is one of the plans of a contract. */
export async function hasPlan(sql: Sql, companyId: string, contractId: string, productId: string): Promise<boolean> {
  const rows = await sql.query(
    'select from contract_plan where company_id = $1 and contract_id = $2 and product_id = $3',
    [companyId, contractId, productId],
  )
  return rows.length > 0
}
