/* How far back a carrier recognizes a movement, by the contract. Pure. */
import type { RETROACTIVE_UNITS } from '#kernel/broker-enums.ts'
import { addDays, type LocalDate } from '#kernel/calendar.ts'
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
