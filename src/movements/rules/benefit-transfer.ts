/*
 * Plan and company changes: the old benefit ends on the day before the new one starts, without a gap and without an overlap.
 */
import { addDays, type LocalDate } from '#kernel/calendar.ts'

interface TransferredBenefit {
  readonly startDate: LocalDate
  /** The last day, when an exclusion was approved in advance. */
  readonly endDate: LocalDate | null
}

interface Transfer {
  /** The last day of the old benefit; the day before its start when it is void. */
  readonly oldEnd: LocalDate
  /** After the end when former cover lasts as long: then there is no new benefit. */
  readonly newStart: LocalDate
  readonly newEnd: LocalDate | null
  /** Whether it takes effect now; else the scheduled work applies it on the day. */
  readonly now: boolean
}

/**
 * The transfer of one benefit of a family on a day; null when the benefit ends before it.
 * A benefit that starts later than the day is transferred on its start.
 * @param formerEnd the last day of former cover in the destination: the new benefit starts after it.
 */
export function transferOf(
  benefit: TransferredBenefit,
  day: LocalDate,
  today: LocalDate,
  formerEnd: LocalDate | null = null,
): Transfer | null {
  const first = day < benefit.startDate ? benefit.startDate : day
  if (benefit.endDate !== null && benefit.endDate < first) return null
  const newStart = dayAfterCover(first, formerEnd)
  return { oldEnd: addDays(first, -1), newStart, newEnd: benefit.endDate, now: day <= today }
}

/** The day, or the one after the last day of former cover. */
export function dayAfterCover(day: LocalDate, formerEnd: LocalDate | null): LocalDate {
  return formerEnd === null || formerEnd < day ? day : addDays(formerEnd, 1)
}
