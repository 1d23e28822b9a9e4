/* Since when an employee's deduction is what it is, why it changed then, and when it changes again. */
import { addMonths, type Month } from '#registry/rules/cut-off.ts'
import { type DeductedBenefit, type DeductionFacts, knownShare, owedAsEmployee, ruleOf } from './deduction.ts'
import type { OpenLine } from './payroll.ts'

/** Why a deduction changed; `charge`: a closed month charges another amount than was expected. */
export const DEDUCTION_CAUSES = [
  'entry',
  'exit',
  'age-band',
  'price-table',
  'contribution',
  'proration',
  'charge',
] as const
type DeductionCause = (typeof DEDUCTION_CAUSES)[number]

interface DeductionChange {
  readonly since: Month
  /** null: it has been so for a year, or nothing says it. */
  readonly cause: DeductionCause | null
  /** The first month of the next year in which another amount is known; null: none. */
  readonly next: Month | null
}

const MONTHS = 12

/** The change of a line of premiums. @param facts null: the amounts are those of charges alone. */
export function changeOf(line: OpenLine, facts: DeductionFacts | null): DeductionChange {
  const { originMonth: month } = line
  if (facts === null || line.kind === 'coparticipation') return { since: month, cause: null, next: null }
  const benefits = facts.benefits.filter(
    ({ employeeMemberId, type, productType }) =>
      employeeMemberId === line.memberId && type === line.kind && productType === line.productType,
  )
  const known = (of: Month) => benefits.reduce((sum, benefit) => sum + amountOf(benefit, of, facts), 0)
  const amount = known(month)
  let next: Month | null = addMonths(month, 1)
  while (next !== null && known(next) === amount) next = next >= addMonths(month, MONTHS) ? null : addMonths(next, 1)
  if (line.isCharged && line.due !== amount) return { since: month, cause: 'charge', next }
  let since = month
  while (since > addMonths(month, -MONTHS) && known(addMonths(since, -1)) === amount) since = addMonths(since, -1)
  return { since, cause: since === addMonths(month, -MONTHS) ? null : causeOf(benefits, since, facts), next }
}

function amountOf(benefit: DeductedBenefit, month: Month, { pricings }: DeductionFacts): number {
  const share = knownShare(benefit, month, pricings.get(benefit.contractId) ?? [])
  return typeof share === 'number' ? share : 0
}

/** Why the amounts of a month are not those of the month before: the reason of the first benefit that differs. */
function causeOf(benefits: readonly DeductedBenefit[], month: Month, facts: DeductionFacts): DeductionCause | null {
  const before = addMonths(month, -1)
  for (const benefit of benefits) {
    const [then, now] = [amountOf(benefit, before, facts), amountOf(benefit, month, facts)]
    if (then === now) continue
    const pricing = facts.pricings.get(benefit.contractId)
    if (then === 0 || now === 0 || pricing === undefined || !('tables' in pricing)) return now === 0 ? 'exit' : 'entry'
    const [former, owed] = [owedAsEmployee(benefit, before, pricing), owedAsEmployee(benefit, month, pricing)]
    if (ruleOf(benefit, before, pricing)?.id !== ruleOf(benefit, month, pricing)?.id) return 'contribution'
    if (former?.premium.category !== owed?.premium.category) return 'age-band'
    return former?.table.id === owed?.table.id ? 'proration' : 'price-table'
  }
  return null
}
