import type { Static } from 'typebox'
import type { Sql } from '#platform/core/database.ts'
import { equals } from '#platform/core/parameters.ts'
import { pages } from '#platform/http/pages.ts'
import type { ContractQuery } from '../prices/schema.ts'
import type { ContributionRuleData, ContributionRuleInput } from './schema.ts'

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

/** Inserts a rule, or replaces the one with its id. */
export async function putContributionRuleRow(
  sql: Sql,
  companyId: string,
  id: string,
  rule: ContributionRuleInput,
  at: Date,
): Promise<void> {
  const coparticipation = rule['coparticipation-employee-share'] ?? null
  await sql.execute(
    `insert into contribution_rule (company_id, id, contract_id, product_id, valid_from, primary_share, dependent_share, coparticipation_share,
       cost_centers, job_titles, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11)
     on conflict (company_id, id) do update set product_id = excluded.product_id, valid_from = excluded.valid_from,
       primary_share = excluded.primary_share, dependent_share = excluded.dependent_share,
       coparticipation_share = excluded.coparticipation_share, cost_centers = excluded.cost_centers, job_titles = excluded.job_titles,
       updated_at = excluded.updated_at`,
    [
      companyId,
      id,
      rule['contract-id'],
      rule['product-id'],
      rule['valid-from'],
      JSON.stringify(rule['primary-employee-share']),
      JSON.stringify(rule['dependent-employee-share']),
      coparticipation === null ? null : JSON.stringify(coparticipation),
      rule['cost-centers'] ?? [],
      rule['job-titles'] ?? [],
      at,
    ],
  )
}

export async function deleteContributionRuleRow(sql: Sql, companyId: string, id: string): Promise<void> {
  await sql.execute('delete from contribution_rule where company_id = $1 and id = $2', [companyId, id])
}
