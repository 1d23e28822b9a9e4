/*
 * Why an invoice charges what it charges for a person: the terms of each month of cover, whose sum is its amount, and the causes of the change since
 * the last invoice, whose sum is the change. Pure; amounts are cents.
 */
import { AGE_ON } from '#kernel/broker-enums.ts'
import { type EntryType, isPremiumEntry } from '#kernel/reconciliation.ts'
import { addMonths, type Month } from '#registry/rules/cut-off.ts'
import type { Certainty } from './forecast-causes.ts'
import { chargedFor, type LedgerBenefit, type LedgerRules, type Owed, owedFor, periodOf } from './ledger.ts'
import { type ChargeMonth, type ChargeTerm, type MissingForPrice, priceTerms, sumOf } from './charge-terms.ts'
import type { PriceSetting } from './premium.ts'
import { priceCategory, priceOf } from './price-table.ts'

/** In the order in which they explain the change since the last invoice. */
export const CHARGE_CAUSES = [
  'entry',
  'exit',
  'plan-change',
  'settled-difference',
  'age-band',
  'price-table',
  'age-rule',
  'proration',
  'retroactive-charge',
  'retroactive-credit',
  'claim-credit',
  'other-entry',
  'difference',
] as const
export type ChargeCause = (typeof CHARGE_CAUSES)[number]

export interface ChargeLine {
  readonly lineNumber: number
  readonly amount: number
  readonly entryType: EntryType
  readonly entryPeriod: Month | null
  /** The month of cover of the claim that it credits; null: it credits none. */
  readonly claimedMonth: Month | null
}

export interface ExplainedCharge {
  readonly amount: number
  /** The part of `amount` that the terms do not explain. */
  readonly difference: number
  /** What the last invoice charged for its own month. */
  readonly lastAmount: number
  readonly months: readonly ChargeMonth[]
  readonly causes: readonly {
    readonly cause: ChargeCause
    readonly amount: number
    readonly certainty: Certainty
  }[]
}

interface Explaining {
  readonly month: Month
  /** null: the prices cannot be calculated, `missing` says why. */
  readonly rules: LedgerRules | null
  readonly missing: readonly PriceSetting[]
  /** Months of cover without a line that the comparison told of. */
  readonly toldMonths: readonly Month[]
  /** Whether the benefit began, or ends, by a change of plan. */
  readonly beganByChange: boolean
  readonly endedByChange: boolean
}

/** Explains what the invoice of a month charges for a benefit. @param benefit with the charges of all invoices up to that of the month. */
export function explainCharge(
  benefit: LedgerBenefit,
  lines: readonly ChargeLine[],
  explaining: Explaining,
): ExplainedCharge {
  const { month } = explaining
  const premiums = lines.filter(({ entryType }) => isPremiumEntry(entryType))
  const others = lines.filter(({ entryType }) => !isPremiumEntry(entryType))
  const byPeriod = Map.groupBy(premiums, (line) => periodOf(line, month))
  const periods = [...new Set([...byPeriod.keys(), ...explaining.toldMonths, month])].toSorted()
  const explained = periods.map((period) =>
    explainMonth(benefit, period, byPeriod.get(period) ?? [], period === month ? others : [], explaining),
  )
  const causes = causesOf(benefit, explained, byPeriod, others, explaining)
  const months = explained.filter(({ amount, terms }) => amount !== 0 || terms.length > 0)
  const differences = explained.flatMap(({ terms }) => terms.filter(({ term }) => term === 'difference'))
  return {
    amount: sumOf(explained),
    difference: sumOf(differences),
    lastAmount: lastChargeOf(benefit, explaining)?.amount ?? 0,
    months,
    causes,
  }
}

/** What earlier invoices charged for a month of cover. */
function chargedBefore(benefit: LedgerBenefit, period: Month, owed: Owed, { month, rules }: Explaining): number {
  const charges = benefit.charges.filter(({ fileMonth }) => fileMonth < month)
  if (period === month) return sumOf(charges.filter((charge) => charge.period === period))
  return chargedFor({ ...benefit, charges }, period, month, owed, rules?.knownMonths ?? new Set())
}

function explainMonth(
  benefit: LedgerBenefit,
  period: Month,
  lines: readonly ChargeLine[],
  others: readonly ChargeLine[],
  explaining: Explaining,
): ChargeMonth {
  const { rules, missing } = explaining
  const entries = others.map(({ entryType, amount }): ChargeTerm => ({ term: 'entry', amount, entryType }))
  const all = [...lines, ...others]
  const lineNumbers = all.map(({ lineNumber }) => lineNumber).toSorted((a, b) => a - b)
  const owed = rules === null ? null : owedFor(benefit, period, rules)
  const found = sumOf(lines)
  if (rules === null || owed === null) {
    const missingSettings: readonly MissingForPrice[] = rules === null ? missing : ['price-table']
    const unpriced: readonly ChargeTerm[] =
      found === 0 && lines.length === 0 ? [] : [{ term: 'as-charged', amount: found, missingSettings }]
    return { month: period, amount: found + sumOf(others), lineNumbers, terms: [...unpriced, ...entries] }
  }
  const before = chargedBefore(benefit, period, owed, explaining)
  const terms: ChargeTerm[] = [...priceTerms(benefit, period, owed, rules)]
  if (before !== 0) terms.push({ term: 'charged-before', amount: -before })
  const difference = found - (owed.amount - before)
  if (difference !== 0) terms.push({ term: 'difference', amount: difference })
  return { month: period, amount: found + sumOf(others), lineNumbers, terms: [...terms, ...entries] }
}

/** What the last invoice before charged for its own month; null: it has no line of it. */
function lastChargeOf({ charges }: LedgerBenefit, { month }: Explaining) {
  const last = charges.reduce(
    (latest, { fileMonth }) => (fileMonth < month && fileMonth > latest ? fileMonth : latest),
    '',
  )
  const own = charges.filter(({ fileMonth, period }) => fileMonth === last && period === last)
  // Whoever the last invoice does not have was not charged then, whatever an older one has.
  return own.length === 0 || last < addMonths(month, -1) ? null : { month: last, amount: sumOf(own) }
}

function causesOf(
  benefit: LedgerBenefit,
  explained: readonly ChargeMonth[],
  byPeriod: ReadonlyMap<Month, readonly ChargeLine[]>,
  others: readonly ChargeLine[],
  explaining: Explaining,
): ExplainedCharge['causes'] {
  const { month } = explaining
  const sums = new Map<ChargeCause, number>()
  const add = (cause: ChargeCause, amount: number) => sums.set(cause, (sums.get(cause) ?? 0) + amount)
  for (const { month: period, amount, terms } of explained) {
    const difference = sumOf(terms.filter(({ term }) => term === 'difference'))
    if (period === month) {
      add('other-entry', sumOf(others))
      addOwnMonth(benefit, amount - sumOf(others), difference, explaining, add)
      continue
    }
    const credited = sumOf((byPeriod.get(period) ?? []).filter(({ claimedMonth }) => claimedMonth !== null))
    add('claim-credit', credited)
    add('difference', difference)
    const rest = amount - credited - difference
    add(rest > 0 ? 'retroactive-charge' : 'retroactive-credit', rest)
  }
  return CHARGE_CAUSES.flatMap((cause) => {
    const amount = sums.get(cause) ?? 0
    return amount === 0 ? [] : [{ cause, amount, certainty: 'firm' as const }]
  })
}

/** Why the charge of the own month changed since the last invoice. */
function addOwnMonth(
  benefit: LedgerBenefit,
  charged: number,
  difference: number,
  explaining: Explaining,
  add: (cause: ChargeCause, amount: number) => void,
): void {
  const { month, rules, beganByChange, endedByChange } = explaining
  const last = lastChargeOf(benefit, explaining)
  const owed = rules === null ? null : owedFor(benefit, month, rules)
  if (rules === null || owed === null) {
    add('difference', charged - (last?.amount ?? 0))
    return
  }
  const otherAge = difference === 0 ? false : isOfOtherAge(benefit, charged - difference, charged, explaining)
  add(otherAge ? 'age-rule' : 'difference', difference)
  const expected = charged - difference
  if (last === null) {
    add(beganByChange ? 'plan-change' : 'entry', expected)
    return
  }
  if (owed.amount === 0) {
    add(endedByChange ? 'plan-change' : 'exit', expected - last.amount)
    return
  }
  const before = owedFor(benefit, last.month, rules)
  if (before === null) {
    add('price-table', expected - last.amount)
    return
  }
  // What the last invoice had wrong, and what was charged in advance.
  add('settled-difference', before.amount - last.amount + expected - owed.amount)
  const aged =
    priceOf(before.table, priceCategory(before.table.kind, owed.premium.age, benefit.type)) ?? before.premium.price
  add('age-band', aged - before.premium.price)
  add('price-table', owed.premium.price - aged)
  add('proration', owed.amount - owed.premium.price - (before.amount - before.premium.price))
}

/** Whether an amount is that of the contract's prices by another day of the age. */
function isOfOtherAge(
  benefit: LedgerBenefit,
  expected: number,
  charged: number,
  { month, rules }: Explaining,
): boolean {
  if (rules === null) return false
  const before = (owedFor(benefit, month, rules)?.amount ?? 0) - expected
  return AGE_ON.some((ageOn) => {
    if (ageOn === 'contract-anniversary' && rules.rules.anniversaryMonth === null) return false
    const other = owedFor(benefit, month, { ...rules, rules: { ...rules.rules, ageOn } })
    return other !== null && other.amount - before === charged
  })
}
