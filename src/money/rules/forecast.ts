/* What the next invoice charges a benefit, by how certain it is and by its cause. Pure; amounts are cents. */
import type { LocalDate } from '#kernel/calendar.ts'
import { addMonths, type CutOffCalendar, type Month, monthsOf, nextCutOff } from '#registry/rules/cut-off.ts'
import {
  changeDay,
  coverOwes,
  type Cover,
  type ForecastMovement,
  lastOwed,
  recognized,
  type RetroactiveLimits,
  type Told,
  toldOn,
  withMovement,
} from './forecast-movement.ts'
import { chargedFor, LEDGER_MONTHS, type LedgerBenefit, type LedgerRules, owedFor } from './ledger.ts'
import { prorate } from './premium.ts'

/** From what is known to what is only asked for. */
export const CERTAINTIES = ['firm', 'scheduled', 'at-carrier', 'requested'] as const
export type Certainty = (typeof CERTAINTIES)[number]

/** Why an amount is another one than that of the last invoice. */
export const FORECAST_CAUSES = [
  'entry',
  'exit',
  'plan-change',
  'age-band',
  'price-table',
  'proration',
  'retroactive-charge',
  'retroactive-credit',
  'claim-credit',
  'settled-difference',
] as const
export type ForecastCause = (typeof FORECAST_CAUSES)[number]

export type ByCertainty = Readonly<Record<Certainty, number>>

/** What a claim asks for of a month of cover and was not credited. */
interface WaitingClaim {
  readonly period: Month
  readonly amount: number
  /** null: not sent. */
  readonly certainty: 'at-carrier' | 'firm' | null
}

export interface ForecastBenefit extends LedgerBenefit {
  /** Movements that are completed, with the day on which the carrier was told. */
  readonly completed: readonly (ForecastMovement & { readonly toldOn: LocalDate })[]
  /** Open movements in their order; without a day the carrier was not told. */
  readonly open: readonly (ForecastMovement & { readonly toldOn: LocalDate | null })[]
  readonly claims: readonly WaitingClaim[]
}

export interface ForecastRules extends LedgerRules {
  readonly calendar: CutOffCalendar
  readonly limits: RetroactiveLimits
  readonly asOf: LocalDate
  readonly month: Month
}

export interface ForecastLine {
  readonly benefitId: string
  readonly lastAmount: number
  readonly amounts: ByCertainty
  /** They add up to the amounts less `lastAmount`. */
  readonly causes: readonly { readonly cause: ForecastCause; readonly amount: number }[]
  /** What movements change of the month that only a later invoice can have. */
  readonly later: number
  /** Credits that the carrier does not recognize any more. */
  readonly lost: number
}

/** The month of the next invoice: that of the cover which the next cut-off starts. */
export const nextMonth = (calendar: CutOffCalendar, asOf: LocalDate): Month =>
  nextCutOff(calendar, asOf)['coverage-start'].slice(0, 7)

/** The month of the last invoice before one that is known. */
export const lastKnown = (knownMonths: ReadonlySet<Month>, month: Month): Month | null =>
  [...knownMonths]
    .filter((known) => known < month)
    .toSorted()
    .at(-1) ?? null

export const totalOf = (amounts: ByCertainty): number =>
  CERTAINTIES.reduce((sum, certainty) => sum + amounts[certainty], 0)

/** The forecast of a benefit; null where no price table is of its plan. */
export function forecastBenefit(benefit: ForecastBenefit, rules: ForecastRules): ForecastLine | null {
  const { month, calendar } = rules
  const last = lastKnown(rules.knownMonths, month)
  const lastCharges = benefit.charges.filter(({ fileMonth, period }) => fileMonth === last && period === last)
  const lastAmount = lastCharges.reduce((sum, { amount }) => sum + amount, 0)
  const told = (on: LocalDate): Told => toldOn(calendar, on)
  const late = benefit.completed.filter((movement) => told(movement.toldOn).dueIn > month)
  const known = withoutMovements(benefit, late)
  // What came after the cut-off of the last invoice is in the next one; what is older is in an invoice or is claimed.
  const since = benefit.completed.filter((movement) => {
    const { dueIn } = told(movement.toldOn)
    return dueIn === month && last !== null && dueIn > last
  })
  const ledger = new Ledger(benefit, rules)
  const current = coverOwes([known], month, rules)
  const actual = coverOwes([benefit], month, rules)
  const firm = firmAmount(known, lastCharges.length === 0 ? null : last, rules)
  if (current === null || actual === null || firm === null) return null
  const amounts = { firm, scheduled: current - firm, 'at-carrier': 0, requested: 0 }
  let later = actual - current
  amounts.firm += ledger.takeCompleted(known, since)
  const claims = isNext(last, month) ? benefit.claims : []
  for (const { certainty, amount } of claims) if (certainty !== null) amounts[certainty] -= amount
  const claimCredit = -claims.reduce((sum, claim) => sum + (claim.certainty === null ? 0 : claim.amount), 0)

  let cover: Cover = [known]
  const inOrder = [
    ...benefit.open.filter(({ toldOn }) => toldOn !== null),
    ...benefit.open.filter(({ toldOn }) => toldOn === null),
  ]
  for (const movement of inOrder) {
    const at = told(movement.toldOn ?? nextCutOff(calendar, rules.asOf)['cut-off-date'])
    const dueIn = last !== null && at.dueIn <= last ? addMonths(last, 1) : at.dueIn
    const changed = withMovement(cover, movement)
    const change = (coverOwes(changed, month, rules) ?? 0) - (coverOwes(cover, month, rules) ?? 0)
    if (dueIn > month) {
      later += change
      continue
    }
    const certainty = movement.toldOn === null ? 'requested' : 'at-carrier'
    amounts[certainty] += change
    if (dueIn === month) amounts[certainty] += ledger.take(cover, movement, { on: at.on, dueIn })
    cover = changed
  }
  const owes = coverOwes(cover, month, rules)
  if (owes === null) return null
  const causes = [
    ...currentCauses({ benefit, cover, owes, last: lastCharges.length === 0 ? null : last, lastAmount }, rules),
    ...ledger.causes(),
    { cause: 'claim-credit' as const, amount: claimCredit },
  ]
  return {
    benefitId: benefit.benefitId,
    lastAmount,
    amounts,
    causes: causes.filter(({ amount }) => amount !== 0),
    later,
    lost: ledger.lost,
  }
}

const isNext = (last: Month | null, month: Month): boolean => last === null || addMonths(last, 1) === month

/** The benefit as the carrier knows it without movements of which it was told too late for the invoice. */
function withoutMovements(benefit: ForecastBenefit, late: readonly ForecastMovement[]): ForecastBenefit {
  return {
    ...benefit,
    isPending: benefit.isPending || late.some(({ kind }) => kind === 'inclusion'),
    endDate: late.some(({ kind }) => kind !== 'inclusion') ? null : benefit.endDate,
  }
}

/** What is owed of the month by what holds today: the price of the last invoice, and no start or end that is still to come. */
function firmAmount(benefit: ForecastBenefit, last: Month | null, rules: ForecastRules): number | null {
  const { month, asOf } = rules
  const isAhead = benefit.endDate !== null && benefit.endDate >= asOf
  const today = isAhead ? { ...benefit, endDate: null } : benefit
  if (today.isPending || today.startDate > asOf) return 0
  const owed = owedFor(today, last ?? month, rules)
  return owed === null ? null : prorate(owed.premium.price, today, month, rules.rules)
}

/** What earlier months of cover still have to be charged or credited by an invoice, movement by movement. */
class Ledger {
  /** The credits that the carrier does not recognize any more. */
  lost = 0
  readonly #balances = new Map<Month, number>()
  readonly #benefit: ForecastBenefit
  readonly #rules: ForecastRules

  constructor(benefit: ForecastBenefit, rules: ForecastRules) {
    this.#benefit = benefit
    this.#rules = rules
  }

  /** What completed movements leave. The cover has them already. */
  takeCompleted(benefit: ForecastBenefit, movements: ForecastBenefit['completed']): number {
    const asTold = (movement: (typeof movements)[number]) =>
      recognized(movement, toldOn(this.#rules.calendar, movement.toldOn), this.#rules.limits)
    let told: ForecastBenefit = benefit
    for (const movement of movements) {
      const { date } = asTold(movement)
      if (date === movement.date) continue
      told = movement.kind === 'inclusion' ? { ...told, startDate: date } : { ...told, endDate: date }
    }
    const first = movements.map((movement) => changeDay(movement).slice(0, 7)).toSorted()[0]
    return first === undefined ? 0 : this.#count([benefit], [told], first, [benefit])
  }

  /** What an open movement changes of what is left. */
  take(cover: Cover, movement: ForecastMovement, told: Told): number {
    const asTold = withMovement(cover, recognized(movement, told, this.#rules.limits))
    return this.#count(withMovement(cover, movement), asTold, changeDay(movement).slice(0, 7), cover)
  }

  /** @param cover as it is. @param asTold as the carrier recognizes it. @param before without the movement. */
  #count(cover: Cover, asTold: Cover, first: Month, before: Cover): number {
    const { month } = this.#rules
    const oldest = addMonths(month, -LEDGER_MONTHS)
    let sum = 0
    for (const period of monthsOf(first > oldest ? first : oldest, addMonths(month, -1))) {
      const owed = owedFor(this.#benefit, period, this.#rules)
      const [owes, toldOwes, owedBefore] = [cover, asTold, before].map((one) => coverOwes(one, period, this.#rules))
      if (owed === null || owes == null || toldOwes == null || owedBefore == null) continue
      // What a claim asks for is not forecast again.
      const isClaimed = this.#benefit.claims.some((claim) => claim.period === period)
      const known = this.#balances.get(period) ?? 0
      const charged = chargedFor(this.#benefit, period, month, owed, this.#rules.knownMonths)
      const balance = isClaimed ? known + toldOwes - owedBefore : toldOwes - charged
      this.lost += Math.max(0, toldOwes - owes)
      sum += balance - known
      this.#balances.set(period, balance)
    }
    return sum
  }

  causes(): { readonly cause: ForecastCause; readonly amount: number }[] {
    const sumOf = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0)
    const balances = [...this.#balances.values()]
    return [
      { cause: 'retroactive-charge', amount: sumOf(balances.filter((balance) => balance > 0)) },
      { cause: 'retroactive-credit', amount: sumOf(balances.filter((balance) => balance < 0)) },
    ]
  }
}

interface CurrentMonth {
  readonly benefit: ForecastBenefit
  /** With the movements. */
  readonly cover: Cover
  readonly owes: number
  /** The month of the last invoice; null: it has no line of the benefit. */
  readonly last: Month | null
  readonly lastAmount: number
}

/** Why the amount for the month itself is another one than that of the last invoice, in the order in which they are asked. */
function currentCauses(
  { benefit, cover, owes, last, lastAmount }: CurrentMonth,
  rules: ForecastRules,
): { readonly cause: ForecastCause; readonly amount: number }[] {
  if (last === null) return [{ cause: 'entry', amount: owes }]
  if (owes === 0) return [{ cause: 'exit', amount: -lastAmount }]
  const former = owedFor(benefit, last, rules)
  const now = lastOwed(cover, rules.month, rules)
  if (former === null || now === null) return [{ cause: 'settled-difference', amount: owes - lastAmount }]
  // The age of the month at the prices of the last invoice.
  const tables = [{ ...former.table, carrierPlanCode: null, validFrom: '2000-01-01' }]
  const aged = owedFor(benefit, rules.month, { ...rules, tables })?.premium.price ?? former.premium.price
  const isOtherPlan = cover.at(-1)?.planCode !== benefit.planCode
  return [
    { cause: 'settled-difference', amount: former.amount - lastAmount },
    { cause: 'age-band', amount: aged - former.premium.price },
    { cause: isOtherPlan ? 'plan-change' : 'price-table', amount: now.premium.price - aged },
    { cause: 'proration', amount: owes - now.premium.price - (former.amount - former.premium.price) },
  ]
}
