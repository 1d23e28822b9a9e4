/* Which differences of an invoice a movement explains: those that follow from it, to the cent. Pure. */
import { addDays } from '#kernel/calendar.ts'
import type { Month } from '#registry/rules/cut-off.ts'
import type { ChargedBenefit, ComparisonRules, CoverMovement } from './charged-benefit.ts'
import { type OwingBenefit, owedFor } from '#money/rules/ledger.ts'
import type { Explanation } from '#kernel/reconciliation.ts'

/**
 * Why a charge probably differs; null: no movement explains it.
 * @param charged for the month in all, and `owed` what is owed.
 */
export function explanationByMovement(
  benefit: ChargedBenefit,
  month: Month,
  charged: number,
  owed: number,
  comparison: ComparisonRules,
): Explanation | null {
  const found = benefit.movements.find((movement) =>
    amountsBy(benefit, movement, month, comparison).some(
      (amount) => amount !== owed && Math.abs(amount - charged) <= comparison.tolerance,
    ),
  )
  if (found === undefined) return null
  return found.isOpen ? 'open-movement' : 'within-cut-off'
}

/** What a carrier charges that has decided on an open movement already, or that has not heard of a completed one. */
function amountsBy(
  benefit: ChargedBenefit,
  { kind, isOpen, date, newPlanCode }: CoverMovement,
  month: Month,
  comparison: ComparisonRules,
): number[] {
  const whole = { ...benefit, endDate: null }
  switch (kind) {
    case 'inclusion':
      return isOpen ? premium(benefit, month, comparison) : [0]
    case 'arrival':
      return isOpen ? premium(benefit, month, comparison) : [0]
    case 'exclusion':
      if (!isOpen) return premium(whole, month, comparison)
      return date === null ? [] : premium({ ...benefit, endDate: date }, month, comparison)
    case 'departure': {
      if (!isOpen) return premium(whole, month, comparison)
      if (date === null) return []
      const before = premium({ ...benefit, endDate: addDays(date, -1) }, month, comparison)
      if (newPlanCode === null) return before
      const after = premium({ ...benefit, startDate: date, planCode: newPlanCode }, month, comparison)
      // The line of the person may have the whole of it.
      return [...before, ...after, ...before.flatMap((start) => after.map((other) => start + other))]
    }
    default:
      return kind satisfies never
  }
}

/** What a cover costs in a month; nothing without a price. */
function premium(benefit: OwingBenefit, month: Month, comparison: ComparisonRules): number[] {
  const owed = owedFor({ ...benefit, isPending: false }, month, comparison)
  return owed === null ? [] : [owed.amount]
}
