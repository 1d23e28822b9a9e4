/* What the next invoice charges a benefit, by how certain it is and by its cause. Pure; amounts are cents. */
import type { LocalDate } from '#kernel/calendar.ts'
import { addMonths, type CutOffCalendar, type Month, monthsOf, nextCutOff } from '#registry/rules/cut-off.ts'
import type { RetroactiveLimits } from '#registry/rules/retroactive-limit.ts'
import { sumOf } from './charge-terms.ts'
import {
  type ByCertainty,
  type CauseAmount,
  CauseSums,
  type Certainty,
  type ForecastCausePart,
} from './forecast-causes.ts'
import {
  changeDay,
  coverOwes,
  type Cover,
  type ForecastMovement,
  recognized,
  type Told,
  toldOn,
  withMovement,
} from './forecast-movement.ts'
import { type OwedByPrice, OwnMonth } from './forecast-own-month.ts'
import { chargedFor, LEDGER_MONTHS, type LedgerBenefit, type LedgerRules, owedFor } from './ledger.ts'
import { firstDay, prorate } from './premium.ts'

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

/** What the invoice charges or credits for a month of cover. */
export interface ForecastMonth {
  readonly month: Month
  readonly amount: number
  /** As the carrier recognizes it. */
  readonly cover: Cover
  /** What earlier invoices charged. */
  readonly chargedBefore: number
}

interface LaterAmount {
  /** The month of the invoice. */
  readonly dueIn: Month
  readonly amount: number
}

export interface ForecastLine {
  readonly benefitId: string
  readonly lastAmount: number
  /** The firm one has what the last invoice had, too. */
  readonly amounts: ByCertainty
  /** They add up to the amounts less `lastAmount`, those of a certainty to its amount. */
  readonly causes: readonly ForecastCausePart[]
  /** They add up to the amounts. */
  readonly months: readonly ForecastMonth[]
  /** What movements change of the month that only a later invoice can have. */
  readonly later: readonly LaterAmount[]
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

/** The forecast of a benefit; null where no price table is of its plan. */
export function forecastBenefit(benefit: ForecastBenefit, rules: ForecastRules): ForecastLine | null {
  const { month, calendar } = rules
  const last = lastKnown(rules.knownMonths, month)
  const lastCharges = benefit.charges.filter(({ fileMonth, period }) => fileMonth === last && period === last)
  const told = (on: LocalDate): Told => toldOn(calendar, on)
  const late = benefit.completed.filter((movement) => told(movement.toldOn).dueIn > month)
  const known = withoutMovements(benefit, late)
  // What came after the cut-off of the last invoice is in the next one; what is older is in an invoice or is claimed.
  const since = benefit.completed.filter((movement) => {
    const { dueIn } = told(movement.toldOn)
    return dueIn === month && last !== null && dueIn > last
  })
  const causes = new CauseSums()
  const ownMonth = new OwnMonth(benefit, lastCharges.length === 0 ? null : last, sumOf(lastCharges), rules)
  const ledger = new Ledger(benefit, known, causes, rules)
  const firm = firmOwed(known, lastCharges.length === 0 ? null : last, rules)
  const current = coverOwes([known], month, rules)
  const actual = coverOwes([benefit], month, rules)
  if (current === null || actual === null || firm === null) return null
  causes.replace('firm', [], ownMonth.causesOfPrice(firm))
  let ownCauses = ownMonth.causes([known], current)
  causes.replace('scheduled', ownMonth.causesOfPrice(firm), ownCauses)
  const charged = sumOf(benefit.charges.filter(({ period }) => period === month))
  causes.add({ cause: 'settled-difference', certainty: 'firm', amount: -charged })
  ledger.takeCompleted(since)
  const claims = isNext(last, month) ? benefit.claims : []
  for (const { certainty, amount } of claims) {
    if (certainty !== null) causes.add({ cause: 'claim-credit', certainty, amount: -amount })
  }
  const later = [
    { dueIn: late.map((movement) => told(movement.toldOn).dueIn).toSorted()[0] ?? month, amount: actual - current },
  ]
  let cover: Cover = [known]
  const inOrder = [
    ...benefit.open.filter(({ toldOn }) => toldOn !== null),
    ...benefit.open.filter(({ toldOn }) => toldOn === null),
  ]
  for (const movement of inOrder) {
    const at = told(movement.toldOn ?? nextCutOff(calendar, rules.asOf)['cut-off-date'])
    const dueIn = last !== null && at.dueIn <= last ? addMonths(last, 1) : at.dueIn
    const changed = withMovement(cover, movement)
    const owes = coverOwes(changed, month, rules)
    if (dueIn > month) {
      later.push({ dueIn, amount: (owes ?? 0) - (coverOwes(cover, month, rules) ?? 0) })
      continue
    }
    if (owes === null) return null
    const certainty = movement.toldOn === null ? 'requested' : 'at-carrier'
    const changedCauses = ownMonth.causes(changed, owes)
    causes.replace(certainty, ownCauses, changedCauses)
    ownCauses = changedCauses
    if (dueIn === month) ledger.take(certainty, cover, movement, { on: at.on, dueIn })
    cover = changed
  }
  const owes = coverOwes(cover, month, rules) ?? 0
  const lastAmount = sumOf(lastCharges)
  return {
    benefitId: benefit.benefitId,
    lastAmount,
    amounts: causes.amounts(lastAmount),
    causes: causes.list(),
    months: [...ledger.months(claims), { month, amount: owes - charged, cover, chargedBefore: charged }],
    later: later.filter(({ amount }) => amount !== 0),
    lost: ledger.lost,
  }
}

const isNext = (last: Month | null, month: Month): boolean => last === null || addMonths(last, 1) === month

/** The benefit as the carrier knows it without movements of which it was told too late for the invoice. */
function withoutMovements(benefit: ForecastBenefit, late: readonly ForecastMovement[]): ForecastBenefit {
  return {
    ...benefit,
    isPending: benefit.isPending || late.some(({ kind }) => kind === 'inclusion'),
    endDate: late.some(({ kind }) => kind === 'exclusion' || kind === 'departure') ? null : benefit.endDate,
  }
}

/** What is owed of the month by what holds today: the price of the last invoice, and no start or end that is still to come. */
function firmOwed(benefit: ForecastBenefit, last: Month | null, rules: ForecastRules): OwedByPrice | null {
  const { month, asOf } = rules
  const isAhead = benefit.endDate !== null && benefit.endDate >= asOf
  const today = isAhead ? { ...benefit, endDate: null } : benefit
  if (today.isPending || today.startDate > asOf) return { amount: 0, price: 0 }
  const owed = owedFor(today, last ?? month, rules)
  if (owed === null) return null
  const { price } = owed.premium
  return { amount: prorate(price, today, month, rules.rules), price }
}

const causesOfBalance = (amount: number): CauseAmount[] => [
  { cause: amount > 0 ? 'retroactive-charge' : 'retroactive-credit', amount },
]

/** What earlier months of cover still have to be charged or credited by an invoice, movement by movement. */
class Ledger {
  readonly #periods = new Map<Month, ForecastMonth & { readonly lost: number }>()
  readonly #benefit: ForecastBenefit
  readonly #causes: CauseSums
  readonly #rules: ForecastRules
  /** As the carrier recognizes it. */
  #cover: Cover

  constructor(benefit: ForecastBenefit, known: ForecastBenefit, causes: CauseSums, rules: ForecastRules) {
    this.#benefit = benefit
    this.#cover = [known]
    this.#causes = causes
    this.#rules = rules
  }

  /** What completed movements leave. The cover has them already. */
  takeCompleted(movements: ForecastBenefit['completed']): void {
    let told = this.#cover
    for (const movement of movements) {
      const at = toldOn(this.#rules.calendar, movement.toldOn)
      const { date } = recognized(movement, at, this.#rules.limits)
      if (date === movement.date) continue
      const change = movement.kind === 'inclusion' ? { startDate: date } : { endDate: date }
      told = told.map((part) => ({ ...part, ...change }))
    }
    const first = movements.map((movement) => this.#firstDay(movement)).toSorted()[0]
    if (first !== undefined) this.#count('firm', this.#cover, told, first)
  }

  /** What an open movement changes of what is left. @param cover without it. */
  take(certainty: Certainty, cover: Cover, movement: ForecastMovement, told: Told): void {
    const asTold = withMovement(this.#cover, recognized(movement, told, this.#rules.limits))
    this.#count(certainty, withMovement(cover, movement), asTold, this.#firstDay(movement))
  }

  /** The first day of which a movement changes the amount. A date of birth changes those of months whose charge is known. */
  #firstDay(movement: ForecastMovement): LocalDate {
    const day = changeDay(movement)
    const known = firstDay([...this.#rules.knownMonths].toSorted()[0] ?? this.#rules.month)
    return movement.kind === 'birth-date' && day < known ? known : day
  }

  /** @param cover as it is. @param told as the carrier recognizes it. */
  #count(certainty: Certainty, cover: Cover, told: Cover, first: LocalDate): void {
    const { month, knownMonths } = this.#rules
    const [start, oldest] = [first.slice(0, 7), addMonths(month, -LEDGER_MONTHS)]
    for (const period of monthsOf(start > oldest ? start : oldest, addMonths(month, -1))) {
      const owed = owedFor(this.#benefit, period, this.#rules)
      const [owes, toldOwes, before] = [cover, told, this.#cover].map((one) => coverOwes(one, period, this.#rules))
      if (owed === null || owes == null || toldOwes == null || before == null) continue
      // What a claim asks for is not forecast again.
      const isClaimed = this.#benefit.claims.some((claim) => claim.period === period)
      const known = this.#periods.get(period)?.amount ?? 0
      const chargedBefore = chargedFor(this.#benefit, period, month, owed, knownMonths)
      const amount = isClaimed ? known + toldOwes - before : toldOwes - chargedBefore
      this.#causes.replace(certainty, causesOfBalance(known), causesOfBalance(amount))
      this.#periods.set(period, {
        month: period,
        amount,
        cover: told,
        chargedBefore,
        lost: Math.max(0, toldOwes - owes),
      })
    }
    this.#cover = told
  }

  /** The credits that the carrier does not recognize any more. */
  get lost(): number {
    return [...this.#periods.values()].reduce((sum, { lost }) => sum + lost, 0)
  }

  /** With the credits of claims that the carrier was told of. */
  months(claims: ForecastBenefit['claims']): ForecastMonth[] {
    const { month, knownMonths } = this.#rules
    const credits = Map.groupBy(
      claims.filter(({ certainty }) => certainty !== null),
      ({ period }) => period,
    )
    return [...new Set([...this.#periods.keys(), ...credits.keys()])].toSorted().map((period) => {
      const owed = owedFor(this.#benefit, period, this.#rules)
      const { amount, cover, chargedBefore } = this.#periods.get(period) ?? {
        amount: 0,
        cover: this.#cover,
        chargedBefore: owed === null ? 0 : chargedFor(this.#benefit, period, month, owed, knownMonths),
      }
      return { month: period, amount: amount - sumOf(credits.get(period) ?? []), cover, chargedBefore }
    })
  }
}
