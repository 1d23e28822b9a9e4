/* What it costs when a movement misses the next cut-off. For people: no rule reads it. Pure; amounts are cents. */
import { addDays, type LocalDate } from '#kernel/calendar.ts'
import { addMonths, type CutOffCalendar, type Month, monthsOf, nextCutOff } from '#registry/rules/cut-off.ts'
import { type LimitedMovement, retroactiveUntil, type RetroactiveLimits } from '#registry/rules/retroactive-limit.ts'
import {
  changeDay,
  coverOwes,
  daysFrom,
  type ForecastMovement,
  lastOwed,
  recognized,
  type Told,
  toldOn,
  withMovement,
} from './forecast-movement.ts'
import { chargedFor, LEDGER_MONTHS, type LedgerBenefit, type LedgerRules, owedFor } from './ledger.ts'

export interface MoneyAtRisk {
  /** The price of a whole month, in the invoice of the next cut-off; null: no price table is of the plan. */
  readonly perMonth: number | null
  /** What invoices charged beyond the end. */
  readonly chargedBeyondEnd: number | null
  readonly cutOffDate: LocalDate
  /** What the invoice of the next cut-off charges if the movement misses it. */
  readonly ifMissed: number | null
  /** What the carrier does not credit if it is told at the next cut-off. */
  readonly lost: number | null
  /** What it does not credit beyond that if it is told at the cut-off after the next. */
  readonly lostIfMissed: number | null
  readonly uncoveredDaysIfMissed: number | null
  readonly windowUntil: LocalDate | null
  readonly missingSettings: readonly RetroactiveSetting[]
}

type RetroactiveSetting = 'retroactive-exclusion' | 'retroactive-inclusion'

export interface RiskRules extends LedgerRules {
  readonly calendar: CutOffCalendar
  readonly limits: RetroactiveLimits
  readonly asOf: LocalDate
}

/** The money at risk of an inclusion or exclusion that is open. @param told when the carrier was told of it; null: it was not. */
export function moneyAtRisk(
  benefit: LedgerBenefit,
  movement: ForecastMovement & { readonly kind: LimitedMovement },
  sentOn: LocalDate | null,
  rules: RiskRules,
): MoneyAtRisk {
  const { calendar, asOf } = rules
  const cutOff = nextCutOff(calendar, asOf)
  const next = toldOn(calendar, cutOff['cut-off-date'])
  // Nothing that was sent can be missed any more.
  const told = sentOn === null ? next : toldOn(calendar, sentOn)
  const following = nextCutOff(calendar, addDays(cutOff['cut-off-date'], 1))['cut-off-date']
  const late = sentOn === null ? toldOn(calendar, following) : told
  const limit = rules.limits[movement.kind]
  const price = lastOwed(withMovement([benefit], movement), next.dueIn, rules)
  const common = {
    perMonth: price?.premium.price ?? null,
    cutOffDate: cutOff['cut-off-date'],
    windowUntil: limit === null ? null : retroactiveUntil(movement.kind, movement.date, limit, calendar),
    missingSettings: limit === null ? [`retroactive-${movement.kind}` as const] : [],
  }
  if (movement.kind === 'inclusion') {
    return {
      ...common,
      chargedBeyondEnd: null,
      ifMissed: null,
      lost: 0,
      lostIfMissed: 0,
      uncoveredDaysIfMissed:
        limit === null ? null : daysFrom(movement.date, recognized(movement, late, rules.limits).date),
    }
  }
  const lost = limit === null ? null : lostOf(benefit, movement, told, rules)
  const lostLate = limit === null ? null : lostOf(benefit, movement, late, rules)
  const missed = difference(benefit, movement, next.dueIn, rules)
  return {
    ...common,
    chargedBeyondEnd: chargedBeyond(benefit, movement, next.dueIn, rules),
    ifMissed: sentOn === null ? missed : missed === null ? null : 0,
    lost,
    lostIfMissed: lost === null || lostLate === null ? null : lostLate - lost,
    uncoveredDaysIfMissed: null,
  }
}

/** What a month costs more without an end than with it. */
function difference(benefit: LedgerBenefit, end: ForecastMovement, period: Month, rules: LedgerRules): number | null {
  const without = coverOwes([benefit], period, rules)
  const ended = coverOwes(withMovement([benefit], end), period, rules)
  return without === null || ended === null ? null : without - ended
}

const monthsAfter = (movement: ForecastMovement, dueIn: Month): Month[] => {
  const [first, oldest] = [changeDay(movement).slice(0, 7), addMonths(dueIn, -LEDGER_MONTHS)]
  return monthsOf(first > oldest ? first : oldest, addMonths(dueIn, -1))
}

const sumOf = (amounts: readonly (number | null)[]): number | null =>
  amounts.includes(null) ? null : amounts.reduce<number>((sum, amount) => sum + (amount ?? 0), 0)

/** What was charged for days after the end, in the months before that of an invoice. */
function chargedBeyond(benefit: LedgerBenefit, end: ForecastMovement, dueIn: Month, rules: LedgerRules): number | null {
  const ended = withMovement([benefit], end)
  return sumOf(
    monthsAfter(end, dueIn).map((period) => {
      const [owed, owedThen] = [owedFor(benefit, period, rules), coverOwes(ended, period, rules)]
      if (owed === null || owedThen === null) return null
      return Math.max(0, chargedFor(benefit, period, dueIn, owed, rules.knownMonths) - owedThen)
    }),
  )
}

/** What a limit keeps a carrier from crediting when it is told then. */
function lostOf(benefit: LedgerBenefit, end: ForecastMovement, told: Told, rules: RiskRules): number | null {
  const asRecognized = withMovement([benefit], recognized(end, told, rules.limits))
  const ended = withMovement([benefit], end)
  return sumOf(
    monthsAfter(end, told.dueIn).map((period) => {
      const [recognizedOwes, owes] = [coverOwes(asRecognized, period, rules), coverOwes(ended, period, rules)]
      return recognizedOwes === null || owes === null ? null : recognizedOwes - owes
    }),
  )
}
