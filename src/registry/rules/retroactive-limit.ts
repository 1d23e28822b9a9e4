/* How far back a carrier recognizes a movement, by the contract. Pure. */
import type { RETROACTIVE_UNITS } from '#kernel/broker-enums.ts'
import { addDays, type LocalDate } from '#kernel/calendar.ts'
import type { LIMIT_WARNINGS } from '#kernel/warnings.ts'
import { addMonths, coverChange, type CutOffCalendar, nextCutOff } from './cut-off.ts'

/** Days before it is told, or reference months before the invoice that brings it. */
export interface RetroactiveLimit {
  readonly unit: (typeof RETROACTIVE_UNITS)[number]
  readonly count: number
}

/** The movements that a limit is of. */
export type LimitedMovement = 'exclusion' | 'inclusion'

/** What a contract says of it; null: not known. */
export type RetroactiveLimits = Readonly<Record<LimitedMovement, RetroactiveLimit | null>>

/**
 * The last day on which the carrier can be told of a movement and recognizes its date; null: months are counted by cut-offs, and there is no calendar.
 * @param date the last day of an exclusion, the first day of an inclusion.
 */
export function retroactiveUntil(
  kind: LimitedMovement,
  date: LocalDate,
  limit: RetroactiveLimit,
  calendar: CutOffCalendar,
): LocalDate
export function retroactiveUntil(
  kind: LimitedMovement,
  date: LocalDate,
  limit: RetroactiveLimit,
  calendar: CutOffCalendar | null,
): LocalDate | null
export function retroactiveUntil(
  kind: LimitedMovement,
  date: LocalDate,
  { unit, count }: RetroactiveLimit,
  calendar: CutOffCalendar | null,
): LocalDate | null {
  if (unit === 'days') return addDays(date, count)
  if (calendar === null) return null
  const lastMonth = addMonths(coverChange(kind, date).slice(0, 7), count)
  let day: LocalDate = `${addMonths(lastMonth, -4)}-01`
  for (;;) {
    const next = nextCutOff(calendar, addDays(day, 1))
    if (next['coverage-start'].slice(0, 7) > lastMonth) return day
    day = next['cut-off-date']
  }
}

/** What a contract says of the movements of a product. */
export interface ContractLimits extends RetroactiveLimits {
  readonly productId: string
  readonly calendar: CutOffCalendar | null
}

/** A movement of a product with a limit, perhaps. */
export interface DatedMovement {
  readonly kind: LimitedMovement
  readonly productId: string
  /** As of `retroactiveUntil`. */
  readonly day: LocalDate
}

/** The last day for a movement; null: its contract has no limit, or none that can be calculated. @param limits by product. */
export function limitOf(
  limits: ReadonlyMap<string, ContractLimits>,
  { kind, productId, day }: DatedMovement,
): LocalDate | null {
  const contract = limits.get(productId)
  const limit = contract?.[kind] ?? null
  return contract === undefined || limit === null ? null : retroactiveUntil(kind, day, limit, contract.calendar)
}

/** What is worth a look when a movement is requested: the limit is near, or has passed. */
export interface LimitWarning {
  readonly warning: (typeof LIMIT_WARNINGS)[number]
  readonly until: LocalDate
}

/** A limit is near with so many days left. */
const NEAR_DAYS = 7

/** The warnings of movements that are requested on one day, of a batch in linear time: days are few. */
export class LimitWarnings {
  readonly #limits: ReadonlyMap<string, ContractLimits>
  readonly #near: LocalDate
  readonly #today: LocalDate
  readonly #found = new Map<string, LocalDate | null>()

  constructor(limits: readonly ContractLimits[], today: LocalDate) {
    this.#limits = new Map(limits.map((contract) => [contract.productId, contract]))
    this.#today = today
    this.#near = addDays(today, NEAR_DAYS)
  }

  /** @returns null: nothing is to be said. */
  of(movement: DatedMovement): LimitWarning | null {
    const until = this.#until(movement)
    if (until === null || until > this.#near) return null
    return { warning: until < this.#today ? 'retroactive-limit-passed' : 'retroactive-limit-near', until }
  }

  #until(movement: DatedMovement): LocalDate | null {
    const key = `${movement.kind} ${movement.productId} ${movement.day}`
    let until = this.#found.get(key)
    if (until === undefined) this.#found.set(key, (until = limitOf(this.#limits, movement)))
    return until
  }
}
