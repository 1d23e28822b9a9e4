import type { LocalDate } from '#kernel/calendar.ts'
import { type ContributionRule, contributionRuleOf, employeeAmount } from './contribution.ts'
import type { Month } from '#registry/rules/cut-off.ts'
import type { BeneficiaryType } from '#kernel/enums.ts'
import { type DatedTable, firstDay, type Premium, premiumOf, type PriceRules, tableOf } from './premium.ts'

/** What the prices of a contract are calculated from. */
export interface Pricing {
  readonly rules: PriceRules
  readonly tables: readonly DatedTable[]
  readonly contributionRules: readonly ContributionRule[]
}

/** A benefit, as its price depends on it. */
export interface PricedBenefit {
  readonly benefitId: string
  readonly type: BeneficiaryType
  readonly dateOfBirth: LocalDate
  readonly startDate: LocalDate
  readonly endDate: LocalDate | null
  readonly productId: string
  readonly planCode: string | null
  /** The cost center of the primary. */
  readonly costCenter: string | null
  readonly jobTitle: string | null
}

/** What is expected for a benefit in a month, and by what. */
interface ExpectedCharge {
  readonly premium: Premium
  readonly table: DatedTable
  readonly contributionRule: ContributionRule | null
  /** null: no rule says which part the employee pays. */
  readonly employeeAmount: number | null
}

/** What is expected for a benefit in a month; null where no price table is of its plan. */
export function expectedCharge(benefit: PricedBenefit, month: Month, pricing: Pricing): ExpectedCharge | null {
  const table = tableOf(pricing.tables, benefit.planCode, month)
  const premium = table === null ? null : premiumOf(benefit, month, table, pricing.rules)
  if (table === null || premium === null) return null
  const rule = contributionRuleOf(pricing.contributionRules, benefit, firstDay(month))
  return {
    premium,
    table,
    contributionRule: rule,
    employeeAmount: rule === null ? null : employeeAmount(premium.amount, rule, benefit.type),
  }
}
