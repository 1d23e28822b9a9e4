/* Which part of a premium the employee pays. */
import type { LocalDate } from '#kernel/calendar.ts'
import type { BeneficiaryType } from '#kernel/enums.ts'
import { portion, WHOLE } from '#kernel/money.ts'

/** A part of a premium: in hundredths of a percent, or in cents. */
type Share = { readonly 'basis-points': number } | { readonly amount: number }

export interface ContributionRule {
  readonly id: string
  /** null: of every product of the contract. */
  readonly productId: string | null
  readonly validFrom: LocalDate
  readonly primaryShare: Share
  readonly dependentShare: Share
  /** The share of what is used; null: the contract has no such part. */
  readonly coparticipationShare: Share | null
  /** The cost centers of the primary; empty: any. */
  readonly costCenters: readonly string[]
  readonly jobTitles: readonly string[]
}

/** What a rule depends on. The cost center and the job title of a dependent are those of its primary. */
interface ContributionSubject {
  readonly productId: string
  readonly costCenter: string | null
  readonly jobTitle: string | null
}

/** The rule that holds on a day: that with the most conditions, of equal ones the latest; null: none. */
export function contributionRuleOf<T extends ContributionRule>(
  rules: readonly T[],
  subject: ContributionSubject,
  day: LocalDate,
): T | null {
  const isAmong = (values: readonly string[], value: string | null) =>
    values.length === 0 || (value !== null && values.includes(value))
  return (
    rules
      .filter(
        (rule) =>
          rule.validFrom <= day &&
          (rule.productId === null || rule.productId === subject.productId) &&
          isAmong(rule.costCenters, subject.costCenter) &&
          isAmong(rule.jobTitles, subject.jobTitle),
      )
      .toSorted(
        (a, b) => conditionsOf(b) - conditionsOf(a) || compare(b.validFrom, a.validFrom) || compare(a.id, b.id),
      )[0] ?? null
  )
}

const conditionsOf = (rule: ContributionRule): number =>
  Number(rule.productId !== null) + Number(rule.costCenters.length > 0) + Number(rule.jobTitles.length > 0)

const compare = (a: string, b: string): number => Number(a > b) - Number(a < b)

/** What the employee pays of an amount: never more than all of it. Of a credit a fixed part is given back at most once. */
export function shareOf(amount: number, share: Share): number {
  if (!('amount' in share)) return portion(amount, share['basis-points'], WHOLE)
  return amount < 0 ? Math.max(amount, -share.amount) : Math.min(amount, share.amount)
}

/** What the employee pays of the premium of a person. */
export function employeeAmount(amount: number, rule: ContributionRule, type: BeneficiaryType): number {
  return shareOf(amount, type === 'primary' ? rule.primaryShare : rule.dependentShare)
}
