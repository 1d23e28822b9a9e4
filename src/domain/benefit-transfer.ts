/*
 * Plan and company changes: the old benefit ends on the day before the new one starts, without a gap and without an overlap. Pure.
 */
import { addDays, type LocalDate } from './calendar.ts'

export interface ChangedBenefit {
  readonly startDate: LocalDate
  /** The last day, where an exclusion was approved ahead. */
  readonly endDate: LocalDate | null
}

export interface Change {
  /** The old benefit's last day; the day before its own start when it never comes to be. */
  readonly oldEnd: LocalDate
  readonly newStart: LocalDate
  readonly newEnd: LocalDate | null
  /** Whether it takes effect now; else the clock does it on the day. */
  readonly now: boolean
}

/**
 * What a change on a day means for one benefit of the family; null when the benefit ends before it.
 * A dependent who starts later than the change starts the new benefit on that later day.
 */
export function transferOf(benefit: ChangedBenefit, day: LocalDate, today: LocalDate): Change | null {
  const newStart = day < benefit.startDate ? benefit.startDate : day
  if (benefit.endDate !== null && benefit.endDate < newStart) return null
  return { oldEnd: addDays(newStart, -1), newStart, newEnd: benefit.endDate, now: day <= today }
}
