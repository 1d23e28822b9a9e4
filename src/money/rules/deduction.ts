/*
 * What payroll deducts from employees by month of cover: the part that is known before the invoice, and what the closed months correct. Pure;
 * amounts are cents.
 */
import type { BeneficiaryType } from '#kernel/enums.ts'
import type { PayrollKind } from '#kernel/broker-enums.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import { type Month, monthsOf } from '#registry/rules/cut-off.ts'
import { type ContributionRule, contributionRuleOf, employeeAmount } from './contribution.ts'
import { MISSING_SHARES, type MissingShare } from './cost.ts'
import { type LedgerRules, type Owed, type OwingBenefit, owedFor } from './ledger.ts'
import { firstDay, lastDay, type PriceSetting } from './premium.ts'

/** How the prices of a contract follow for payroll. */
export interface DeductionPricing extends Pick<LedgerRules, 'rules' | 'tables'> {
  readonly contributionRules: readonly ContributionRule[]
  /** Differences up to it are not contested. */
  readonly tolerance: number
}

/** A benefit with whom it is of. */
export interface DeductedBenefit extends OwingBenefit {
  readonly contractId: string
  readonly memberId: string
  /** The employee: the member itself, or its primary. */
  readonly employeeMemberId: string
  readonly productType: string
  /** The last day as an employee of somebody in a continuation, who pays the carrier afterwards; null: there is no continuation. */
  readonly employedUntil: LocalDate | null
  /** Former cost centers of the employee with the day until which it had each, the first first. */
  readonly formerCostCenters: readonly { readonly until: LocalDate; readonly costCenter: string | null }[]
}

/** What an employee pays of a charge, as a closed month has it. */
export interface ClosedShare {
  /** null: in a month that was closed before benefits were stored with its charges. */
  readonly benefitId: string | null
  readonly contractId: string
  readonly memberId: string
  readonly employeeMemberId: string
  readonly type: BeneficiaryType
  readonly isPremium: boolean
  readonly productType: string
  /** The month of cover of a premium; that of the file of all else. */
  readonly period: Month
  readonly amount: number
  readonly share: number | MissingShare
  /** For a month that was closed before the company deducts by effective date: it was deducted then. */
  readonly isBefore: boolean
  /** The inclusion was refused afterwards: nothing is owed. */
  readonly isGone: boolean
}

/** What carriers charge too much of a benefit and month of cover, and nobody contests any more. */
export interface AcceptedAmount {
  readonly benefitId: string
  readonly period: Month
  readonly amount: number
}

/** Why the part of an employee is not known before the invoice. */
export const DEDUCTION_PROBLEMS = ['price-table-missing', 'price-setting-missing', ...MISSING_SHARES] as const
export type DeductionProblem = (typeof DEDUCTION_PROBLEMS)[number]

/** Why it is not known who collects it. */
export const LEAVE_PROBLEMS = ['unpaid-leave-unknown'] as const
export type LeaveProblem = (typeof LEAVE_PROBLEMS)[number]

export interface DeductionFacts {
  readonly benefits: readonly DeductedBenefit[]
  readonly shares: readonly ClosedShare[]
  readonly accepted: readonly AcceptedAmount[]
  /** By contract; settings that lack in place of it. */
  readonly pricings: ReadonlyMap<string, DeductionPricing | readonly PriceSetting[]>
}

export interface DeductionMonths {
  /** The first month of cover that is deducted by effective date. */
  readonly firstMonth: Month
  /** The months of cover of which a part is known before the invoice. */
  readonly from: Month
  readonly through: Month
}

/** The part of an amount that is for a person in a contract. */
export interface PersonPart {
  readonly memberId: string
  /** null: not known, of exports that did not say it. */
  readonly contractId: string | null
  readonly amount: number
}

/** What an employee owes to the company for a kind, a type of products and a month of cover. */
export interface DueLine {
  /** The employee. */
  readonly memberId: string
  readonly kind: PayrollKind
  readonly productType: string
  readonly originMonth: Month
  readonly due: number
  /** The part of the closed months that is not deducted while the carrier's charge is contested. */
  readonly held: number
  /** A closed month charges it. */
  readonly isCharged: boolean
  readonly people: readonly PersonPart[]
}

export interface DueLines {
  readonly lines: readonly DueLine[]
  /** The employees of whom a part is not known, and why. Their lines are incomplete. */
  readonly problems: ReadonlyMap<string, DeductionProblem>
}

/** What each employee owes by kind, type of products and month of cover, those of zero as well. */
export function dueLines(facts: DeductionFacts, { firstMonth, from, through }: DeductionMonths): DueLines {
  const sums = sumsOfLines()
  const premiums = Map.groupBy(
    facts.shares.filter(({ isPremium }) => isPremium),
    (share) => keyOf(share.benefitId ?? share.memberId, share.period),
  )
  const benefitOf = new Map(facts.benefits.map((benefit) => [benefit.benefitId, benefit]))
  // Whoever is charged for an older month has a whole line of it.
  const older = Map.groupBy(
    facts.shares.filter(({ period }) => period >= firstMonth && period < from),
    ({ employeeMemberId }) => employeeMemberId,
  )
  const months = monthsOf(from, through)
  for (const benefit of facts.benefits) {
    const charged = older.get(benefit.employeeMemberId)?.map(({ period }) => period) ?? []
    for (const month of [...new Set(charged), ...months]) {
      if (premiums.has(keyOf(benefit.benefitId, month))) continue
      const share = knownShare(benefit, month, facts.pricings.get(benefit.contractId) ?? [])
      if (typeof share === 'string') sums.fail(benefit.employeeMemberId, share)
      else if (share !== 0) sums.add(benefit, benefit.type, month, { due: share, held: 0, isCharged: false })
    }
  }
  const accepted = Map.groupBy(facts.accepted, ({ benefitId, period }) => keyOf(benefitId, period))
  for (const [key, group] of premiums) {
    const [first] = group
    if (first === undefined) continue
    const benefit = benefitOf.get(first.benefitId ?? '')
    const held = heldOf(
      group,
      benefit,
      benefit && facts.pricings.get(benefit.contractId),
      sumOf(accepted.get(key) ?? []),
    )
    addCharged(sums, first, first.type, group, held)
  }
  for (const share of facts.shares) if (!share.isPremium) addCharged(sums, share, 'coparticipation', [share], 0)
  return sums.result()
}

const keyOf = (id: string, month: Month): string => `${id} ${month}`
const sumOf = (amounts: readonly { readonly amount: number }[]): number =>
  amounts.reduce((sum, { amount }) => sum + amount, 0)

/** The part of an employee of what a benefit owes for a month of cover, or why it is not known. */
export function knownShare(
  benefit: DeductedBenefit,
  month: Month,
  pricing: DeductionPricing | readonly PriceSetting[],
): number | DeductionProblem {
  if (!covers(benefit, month)) return 0
  if (!('tables' in pricing)) return 'price-setting-missing'
  const owed = owedAsEmployee(benefit, month, pricing)
  if (owed === null) return 'price-table-missing'
  if (owed.amount === 0) return 0
  const rule = ruleOf(benefit, month, pricing)
  return rule === null ? 'no-contribution-rule' : employeeAmount(owed.amount, rule, benefit.type)
}

/** Whether a benefit covers a day of the month on which its holder is an employee. */
function covers(benefit: DeductedBenefit, month: Month): boolean {
  const { isPending, startDate } = benefit
  const endDate = endAsEmployee(benefit)
  return (
    !isPending &&
    startDate <= lastDay(month) &&
    (endDate === null || (endDate >= firstDay(month) && endDate >= startDate))
  )
}

const endAsEmployee = ({ endDate, employedUntil }: DeductedBenefit): LocalDate | null =>
  endDate !== null && employedUntil !== null && employedUntil < endDate ? employedUntil : (endDate ?? employedUntil)

/** What a benefit owes for a month of cover while its holder is an employee. */
export const owedAsEmployee = (benefit: DeductedBenefit, month: Month, pricing: DeductionPricing): Owed | null =>
  owedFor({ ...benefit, endDate: endAsEmployee(benefit) }, month, pricing)

/** The contribution rule of a month of cover: that of its first day. */
export function ruleOf(
  benefit: DeductedBenefit,
  month: Month,
  { contributionRules }: DeductionPricing,
): ContributionRule | null {
  const day = firstDay(month)
  const former = benefit.formerCostCenters.find(({ until }) => until > day)
  const costCenter = former === undefined ? benefit.costCenter : former.costCenter
  return contributionRuleOf(contributionRules, { ...benefit, costCenter }, day)
}

/**
 * What of the closed months is not deducted: the part of what the carrier charges too much, beyond the tolerance, until it is credited or accepted.
 * Nothing is held of a charge whose price or rule is not known.
 */
function heldOf(
  shares: readonly ClosedShare[],
  benefit: DeductedBenefit | undefined,
  pricing: DeductionPricing | readonly PriceSetting[] | undefined,
  accepted: number,
): number {
  const month = shares[0]?.period ?? ''
  const charged = shares.reduce((sum, { share }) => sum + (typeof share === 'number' ? share : 0), 0)
  // What an earlier way of deducting took is not given back.
  const openPart = Math.max(0, charged - shareBefore(shares))
  if (shares[0]?.isGone === true) return accepted === 0 ? openPart : 0
  if (benefit === undefined || pricing === undefined || !('tables' in pricing)) return 0
  const [owed, rule] = [owedAsEmployee(benefit, month, pricing), ruleOf(benefit, month, pricing)]
  if (owed === null || rule === null) return 0
  if (sumOf(shares) - owed.amount - accepted <= pricing.tolerance) return 0
  return Math.min(openPart, Math.max(0, charged - employeeAmount(owed.amount + accepted, rule, benefit.type)))
}

const shareBefore = (shares: readonly ClosedShare[]): number =>
  shares.reduce((sum, { share, isBefore }) => sum + (isBefore && typeof share === 'number' ? share : 0), 0)

type Holder = Pick<DeductedBenefit, 'contractId' | 'memberId' | 'employeeMemberId' | 'productType'>

function addCharged(sums: Sums, holder: Holder, kind: PayrollKind, shares: readonly ClosedShare[], held: number): void {
  let charged = 0
  for (const { share, isBefore } of shares) {
    if (isBefore) continue
    if (typeof share === 'number') charged += share
    else sums.fail(holder.employeeMemberId, share)
  }
  sums.add(holder, kind, shares[0]?.period ?? '', { due: charged - held, held, isCharged: true })
}

/** One part of each person and contract. */
export function sumByPerson(parts: readonly PersonPart[]): readonly PersonPart[] {
  if (parts.length < 2) return parts
  const groups = Map.groupBy(parts, ({ memberId, contractId }) => `${memberId} ${contractId ?? ''}`)
  return [...groups.values()].flatMap((group) => group.slice(0, 1).map((part) => ({ ...part, amount: sumOf(group) })))
}

type Sums = ReturnType<typeof sumsOfLines>

function sumsOfLines() {
  const lines = new Map<string, Omit<DueLine, 'people'> & { readonly people: PersonPart[] }>()
  const problems = new Map<string, DeductionProblem>()
  return {
    fail: (employee: string, problem: DeductionProblem): void => {
      if (!problems.has(employee)) problems.set(employee, problem)
    },
    add: (
      { employeeMemberId: employee, memberId, contractId, productType }: Holder,
      kind: PayrollKind,
      originMonth: Month,
      { due, held, isCharged }: Pick<DueLine, 'due' | 'held' | 'isCharged'>,
    ): void => {
      const key = `${employee} ${kind} ${productType} ${originMonth}`
      const former = lines.get(key)
      lines.set(key, {
        memberId: employee,
        kind,
        productType,
        originMonth,
        due: (former?.due ?? 0) + due,
        held: (former?.held ?? 0) + held,
        isCharged: isCharged || former?.isCharged === true,
        people: [...(former?.people ?? []), { memberId, contractId, amount: due }],
      })
    },
    result: (): DueLines => ({
      lines: [...lines.values()].map((line) => ({ ...line, people: sumByPerson(line.people) })),
      problems,
    }),
  }
}
