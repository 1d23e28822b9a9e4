/* Movements of cover, applied to a benefit in memory; and how far back a carrier recognizes them. Pure. */
import { addDays, daysBetween, type LocalDate } from '#kernel/calendar.ts'
import { addMonths, type CutOffCalendar, type Month, nextCutOff } from '#registry/rules/cut-off.ts'
import type { LimitedMovement, RetroactiveLimit, RetroactiveLimits } from '#registry/rules/retroactive-limit.ts'
import { type LedgerRules, type OwingBenefit, type Owed, owedFor } from './ledger.ts'
import { firstDay, lastDay } from './premium.ts'

/** When a carrier is told of a movement, and the month of the first invoice that can have it. */
export interface Told {
  readonly on: LocalDate
  readonly dueIn: Month
}

/** The month of the invoice that has what the carrier is told on a day. */
export function toldOn(calendar: CutOffCalendar, on: LocalDate): Told {
  return { on, dueIn: nextCutOff(calendar, on)['coverage-start'].slice(0, 7) }
}

/** A movement of the cover of a benefit. */
export interface ForecastMovement {
  /** `departure`: a change of plan or company. `birth-date`: another date of birth, which holds from the start of the cover. */
  readonly kind: 'inclusion' | 'exclusion' | 'departure' | 'birth-date'
  /** The last day of an exclusion, the first day of the others. */
  readonly date: LocalDate
  readonly dateOfBirth?: LocalDate | null
  /** For a departure within the contract: the code of the new plan; null: the benefit leaves the contract. */
  readonly newPlanCode: string | null
  readonly staysInContract: boolean
}

/** The cover of one benefit: one part, or two where the plan changes. */
export type Cover<B extends OwingBenefit = OwingBenefit> = readonly B[]

/** The first day that is covered in another way by a movement. */
export const changeDay = ({ kind, date }: Pick<ForecastMovement, 'date' | 'kind'>): LocalDate =>
  kind === 'exclusion' ? addDays(date, 1) : date

/** The cover as it is with a movement. */
export function withMovement<B extends OwingBenefit>(cover: Cover<B>, movement: ForecastMovement): Cover<B> {
  if (movement.kind === 'inclusion') {
    return cover.map((part) => ({ ...part, isPending: false, startDate: movement.date }))
  }
  if (movement.kind === 'birth-date') {
    return cover.map((part) => ({ ...part, dateOfBirth: movement.dateOfBirth ?? part.dateOfBirth }))
  }
  const lastCovered = addDays(changeDay(movement), -1)
  const until = cover.map((part) =>
    part.endDate !== null && part.endDate <= lastCovered ? part : { ...part, endDate: lastCovered },
  )
  const last = cover.at(-1)
  if (movement.kind === 'exclusion' || !movement.staysInContract || last === undefined) return until
  return [...until, { ...last, planCode: movement.newPlanCode, startDate: movement.date }]
}

/** The first day on which a carrier recognizes a change. */
function earliestChange({ unit, count }: RetroactiveLimit, { on, dueIn }: Told, kind: LimitedMovement) {
  if (unit === 'months') return firstDay(addMonths(dueIn, -count))
  const day = addDays(on, -count)
  return kind === 'exclusion' ? addDays(day, 1) : day
}

/** A movement with the date that the carrier recognizes when it is told then. Limits concern inclusions and exclusions only. */
export function recognized<M extends Pick<ForecastMovement, 'date' | 'kind'>>(
  movement: M,
  told: Told,
  limits: RetroactiveLimits,
): M {
  if (movement.kind !== 'inclusion' && movement.kind !== 'exclusion') return movement
  const limit = limits[movement.kind]
  if (limit === null) return movement
  const earliest = earliestChange(limit, told, movement.kind)
  const date = movement.kind === 'exclusion' ? addDays(earliest, -1) : earliest
  return date > movement.date ? { ...movement, date } : movement
}

/** What a cover owes for a month of it; null where no price table is of its plan. */
export function coverOwes(cover: Cover, period: Month, rules: Pick<LedgerRules, 'rules' | 'tables'>): number | null {
  let sum = 0
  for (const part of cover) {
    if (part.isPending || part.startDate > lastDay(period)) continue
    if (part.endDate !== null && (part.endDate < firstDay(period) || part.endDate < part.startDate)) continue
    const owed = owedFor(part, period, rules)
    if (owed === null) return null
    sum += owed.amount
  }
  return sum
}

/** What the part of a cover owes that is the last to be covered in a month. */
export function lastOwed(cover: Cover, period: Month, rules: Pick<LedgerRules, 'rules' | 'tables'>): Owed | null {
  const part = cover.findLast(({ startDate }) => startDate <= lastDay(period)) ?? cover.at(-1)
  return part === undefined ? null : owedFor(part, period, rules)
}

/** The days from a day until another; none when it comes first. */
export const daysFrom = (from: LocalDate, until: LocalDate): number => Math.max(0, daysBetween(from, until))
