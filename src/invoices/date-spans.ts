import { addDays, type LocalDate } from '../domain/calendar.ts'

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

/** A range of months as whole years and the months before and after them. */
export interface MonthSpans {
  readonly head: DayRange
  /** The first days of the first and the last of the years. */
  readonly years: DayRange
  readonly tail: DayRange
}

/** Takes months apart as `dateSpans` does days. @param months first days of months, as it gives them. */
export function monthSpans(months: DayRange): MonthSpans {
  if (months === null) return { head: null, years: null, tail: null }
  const [first, last] = months
  const firstYear = first === '-infinity' || first.endsWith('-01-01') ? first : yearFrom(first, 1)
  const lastYear = last === 'infinity' ? last : yearFrom(last, last.endsWith('-12-01') ? 0 : -1)
  if (firstYear === null || lastYear === null || isBefore(lastYear, firstYear)) {
    return { head: months, years: null, tail: null }
  }
  const after = lastYear === 'infinity' ? null : yearFrom(lastYear, 1)
  return {
    head: first === firstYear ? null : [first, `${yearFrom(firstYear, -1)?.slice(0, 4)}-12-01`],
    years: [firstYear, lastYear],
    tail: after === null || isBefore(last, after) ? null : [after, last],
  }
}

/** The first day of the year so many after the day's; null where there is no such year. */
function yearFrom(day: LocalDate, years: number): LocalDate | null {
  const year = Number(day.slice(0, 4)) + years
  return year < 1 || year > 9999 ? null : `${String(year).padStart(4, '0')}-01-01`
}

function isBefore(one: string, two: string): boolean {
  return one !== 'infinity' && two !== '-infinity' && (one === '-infinity' || two === 'infinity' || one < two)
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
