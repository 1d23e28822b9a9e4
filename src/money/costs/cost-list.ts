import { readStoredCharges } from '../months/figure-queries.ts'
import { findClosedMonth } from '../months/queries.ts'
import type { Sql } from '#platform/core/database.ts'
import type { AllocationGroup } from '../rules/allocation.ts'
import { type CostGroup, groupCosts, type SharedCharge, withShares } from '../rules/cost.ts'
import type { Month } from '#registry/rules/cut-off.ts'
import { pageBounds, pagination, type PageQuery } from '#platform/http/schemas.ts'
import { readCharges, readRules } from './queries.ts'

/**
 * What a company's people cost in a month, with what employees pay of it; of a closed month as it was when it was closed.
 * @param benefitIds only these; null: all.
 */
export async function readSharedCharges(
  sql: Sql,
  companyId: string,
  month: Month,
  benefitIds: readonly string[] | null = null,
): Promise<SharedCharge[]> {
  const closed = await findClosedMonth(sql, companyId, month)
  if (closed !== null) return readStoredCharges(sql, closed, benefitIds)
  const [charges, rules] = [await readCharges(sql, companyId, month, benefitIds), await readRules(sql, companyId)]
  return withShares(charges, (contractId) => rules.get(contractId) ?? [])
}

/** The body of a page of costs. */
export async function costList(
  sql: Sql,
  companyId: string,
  query: PageQuery & { readonly 'reference-month': Month; readonly 'group-by': AllocationGroup },
) {
  const charges = await readSharedCharges(sql, companyId, query['reference-month'])
  const { groups, total, withoutPerson } = groupCosts(charges, query['group-by'])
  const { limit, offset } = pageBounds(query)
  return {
    result: groups.slice(offset, offset + limit).map(groupJson),
    pagination: pagination(query, groups.length),
    totals: { total, 'without-person': withoutPerson },
  }
}

const groupJson = ({ isUnmatched, employeeAmount, ...group }: CostGroup) => ({
  ...group,
  unmatched: isUnmatched,
  'employee-amount': employeeAmount,
})
