import { addDays, type LocalDate } from './calendar.ts'

/** Days from one to another, both included; null: none. The bounds may be `-infinity` and `infinity`, as PostgreSQL has them. */
export type DayRange = readonly [first: LocalDate, last: LocalDate] | null

/** A range of days as whole months and the days before and after them. */
export interface DateSpans {
  readonly head: DayRange
  /** The first days of the first and the last of the months. */
  readonly months: DayRange
  readonly tail: DayRange
}

/** Takes a range apart so that counts by month serve for what lies between its edges. Both days are included; null: no bound. */
export function dateSpans(from: LocalDate | null, until: LocalDate | null): DateSpans {
  const firstMonth = from === null ? '-infinity' : firstMonthFrom(from)
  const lastMonth = until === null ? 'infinity' : lastMonthUntil(until)
  if (firstMonth === null || lastMonth === null || isBefore(lastMonth, firstMonth)) {
    return { head: [from ?? '-infinity', until ?? 'infinity'], months: null, tail: null }
  }
  const after = until === null ? null : dayAfterMonth(lastMonth)
  return {
    head: from === null || from === firstMonth ? null : [from, addDays(firstMonth, -1)],
    months: [firstMonth, lastMonth],
    tail: until === null || after === null || after > until ? null : [after, until],
  }
}

function isBefore(one: string, two: string): boolean {
  return one !== 'infinity' && two !== '-infinity' && one < two
}

/** The first month that begins on the day or later; null past the last month that there is. */
function firstMonthFrom(day: LocalDate): LocalDate | null {
  if (day.endsWith('-01')) return day
  return day.startsWith('9999-12') ? null : dayAfterMonth(`${day.slice(0, 7)}-01`)
}

/** The last month that ends on the day or earlier; null before the first month that there is. */
function lastMonthUntil(day: LocalDate): LocalDate | null {
  const month = `${day.slice(0, 7)}-01`
  if (lastDayOf(month) === day) return month
  return month === '0001-01-01' ? null : `${addDays(month, -1).slice(0, 7)}-01`
}

function lastDayOf(month: LocalDate): LocalDate {
  return month === '9999-12-01' ? '9999-12-31' : addDays(dayAfterMonth(month) ?? month, -1)
}

/** The first day after a month; null after the last month that there is. */
function dayAfterMonth(month: LocalDate): LocalDate | null {
  return month === '9999-12-01' ? null : `${addDays(month, 31).slice(0, 7)}-01`
}
