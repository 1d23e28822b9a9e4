/* The months in which an employee paid a fixed part of the own plan, which the right to keep it depends on (Lei 9.656/1998 arts. 30 and 31). */
import type { LocalDate } from '#kernel/calendar.ts'
import { type ContributionRule, contributionRuleOf, shareOf } from './contribution.ts'
import { addMonths, type Month } from '#registry/rules/cut-off.ts'

/** A cover of the employee as a primary, with the contribution rules of its contracts. */
export interface OwnCover {
  readonly productId: string
  readonly startDate: LocalDate
  readonly endDate: LocalDate | null
  readonly rules: readonly ContributionRule[]
}

/** A premium that a carrier charged for the employee alone: without co-participation and dependents. */
export interface OwnPremium {
  readonly productId: string
  readonly month: Month
  readonly amount: number
  /** What the carrier's file says that the employee pays; null: it does not. */
  readonly employeeAmount: number | null
  /** What the employee paid of it, as a closing has it; null: the month is open, or it was not known. */
  readonly share: number | null
}

export interface ContributionFacts {
  readonly covers: readonly OwnCover[]
  readonly premiums: readonly OwnPremium[]
  readonly costCenter: string | null
  readonly jobTitle: string | null
}

/** The months until one, the first first. A change of the plan or the carrier does not start the count again. */
export function contributionMonths(facts: ContributionFacts, until: Month): Month[] {
  const starts = facts.covers.map(({ startDate }) => startDate.slice(0, 7)).toSorted()
  const months: Month[] = []
  for (let month = starts[0] ?? addMonths(until, 1); month <= until; month = addMonths(month, 1)) {
    if (isPaid(facts, month)) months.push(month)
  }
  return months
}

/** Whether the employee paid: of what the carrier charged for the month, else by the rule of a cover. */
function isPaid(facts: ContributionFacts, month: Month): boolean {
  const covers = facts.covers.filter(
    ({ startDate, endDate }) => startDate.slice(0, 7) <= month && (endDate === null || endDate >= `${month}-01`),
  )
  const premiums = facts.premiums.filter((premium) => premium.month === month)
  if (premiums.length === 0) return covers.some((cover) => shareUnder(facts, cover, month, 1_000_000) > 0)
  const paid = premiums.reduce((sum, premium) => sum + paidOf(facts, premium), 0)
  return paid > 0
}

function paidOf(facts: ContributionFacts, { productId, month, amount, employeeAmount, share }: OwnPremium): number {
  if (share !== null) return share
  const cover = facts.covers.find((cover) => cover.productId === productId)
  const rule = cover === undefined ? null : ruleOf(facts, cover, month)
  return rule === null ? (employeeAmount ?? 0) : shareOf(amount, rule.primaryShare)
}

function shareUnder(facts: ContributionFacts, cover: OwnCover, month: Month, amount: number): number {
  const rule = ruleOf(facts, cover, month)
  return rule === null ? 0 : shareOf(amount, rule.primaryShare)
}

const ruleOf = ({ costCenter, jobTitle }: ContributionFacts, { productId, rules }: OwnCover, month: Month) =>
  contributionRuleOf(rules, { productId, costCenter, jobTitle }, `${month}-01`)
