/* The cut-off days of a contract: by when the carrier must have a month's movements, and when their cover starts. */
import { type BusinessDays, businessDaysBefore, type HolidaySet, nearestBusinessDay } from '#kernel/business-days.ts'
import { addDays, type LocalDate } from '#kernel/calendar.ts'
import type { MovementKind } from '#kernel/enums.ts'
import { movementRules } from '#kernel/movement-rules.ts'

/** What becomes of a cut-off day that is no business day. */
export const NOT_BUSINESS_DAY_RULES = ['previous', 'next', 'none'] as const
type NotBusinessDayRule = (typeof NOT_BUSINESS_DAY_RULES)[number]

/** A month, `YYYY-MM`, of the years that a calendar takes: 2000 to 2199. */
export type Month = string
export const MONTH_PATTERN = '^2[01]\\d{2}-(0[1-9]|1[0-2])$'

/** The calendar of a contract, in wire keys. */
export interface CutOffCalendar {
  /** In a shorter month its last day. One of this and the next is a number. */
  readonly 'cut-off-day': number | null
  /** Business days before the coverage day. */
  readonly 'cut-off-business-days-before-billing': number | null
  /** Only for `cut-off-day`. */
  readonly 'when-not-business-day': NotBusinessDayRule
  readonly holidays: HolidaySet
  readonly 'own-holidays': readonly string[]
  /** The cover of a month's movements starts on this day, so many months later. */
  readonly 'coverage-day': number
  readonly 'coverage-month-offset': number
  readonly exceptions: readonly { readonly month: Month; readonly 'cut-off-date': LocalDate }[]
}

interface CutOff {
  readonly month: Month
  readonly 'cut-off-date': LocalDate
  readonly 'coverage-start': LocalDate
  /** Whether the day is one of `exceptions`. */
  readonly exception: boolean
}

/** The cut-off of a month. */
export function cutOffOf(calendar: CutOffCalendar, month: Month): CutOff {
  const coverageStart = dayOf(addMonths(month, calendar['coverage-month-offset']), calendar['coverage-day'])
  const exception = calendar.exceptions.find((exception) => exception.month === month)
  const date = exception?.['cut-off-date'] ?? ruledDate(calendar, month, coverageStart)
  return { month, 'cut-off-date': date, 'coverage-start': coverageStart, exception: exception !== undefined }
}

function ruledDate(calendar: CutOffCalendar, month: Month, coverageStart: LocalDate): LocalDate {
  const days = businessDaysOf(calendar)
  const before = calendar['cut-off-business-days-before-billing']
  if (before !== null) return businessDaysBefore(coverageStart, before, days)
  const day = dayOf(month, calendar['cut-off-day'] ?? 31)
  const rule = calendar['when-not-business-day']
  return rule === 'none' ? day : nearestBusinessDay(day, rule, days)
}

/** The business days of a calendar; without one those without the national holidays. */
export function businessDaysOf(calendar: CutOffCalendar | null): BusinessDays {
  return { holidays: calendar?.holidays ?? 'national', ownHolidays: calendar?.['own-holidays'] ?? [] }
}

/** The cut-offs of the months, both included. */
export function cutOffsOf(calendar: CutOffCalendar, from: Month, until: Month): CutOff[] {
  return monthsOf(from, until).map((month) => cutOffOf(calendar, month))
}

/** No cut-off lies further from its month: a holiday or an exception moves it by one, the most business days before the cover by two. */
const MONTHS_APART = 2

/** The first cut-off on or after a day: that of a movement which is created then. */
export function nextCutOff(calendar: CutOffCalendar, date: LocalDate): CutOff {
  const month = date.slice(0, 7)
  const near = cutOffsOf(calendar, addMonths(month, -MONTHS_APART), addMonths(month, MONTHS_APART + 1))
  const [first] = near
    .filter((cutOff) => cutOff['cut-off-date'] >= date)
    .toSorted((a, b) => compare(a['cut-off-date'], b['cut-off-date']) || compare(a.month, b.month))
  if (first === undefined) throw new RangeError('a calendar has a cut-off each month')
  return first
}

/** The last cut-off before a day. */
export function formerCutOff(calendar: CutOffCalendar, date: LocalDate): CutOff {
  const month = date.slice(0, 7)
  const near = cutOffsOf(calendar, addMonths(month, -MONTHS_APART - 1), addMonths(month, MONTHS_APART))
  const former = near
    .filter((cutOff) => cutOff['cut-off-date'] < date)
    .toSorted((a, b) => compare(a['cut-off-date'], b['cut-off-date']) || compare(a.month, b.month))
    .at(-1)
  if (former === undefined) throw new RangeError('a calendar has a cut-off each month')
  return former
}

/** The cut-off by which the carrier must hear of a change of cover on a day: the last one whose cover starts then or before. */
export function cutOffFor(calendar: CutOffCalendar, day: LocalDate): CutOff {
  const month = addMonths(day.slice(0, 7), -calendar['coverage-month-offset'])
  const own = cutOffOf(calendar, month)
  return own['coverage-start'] <= day ? own : cutOffOf(calendar, addMonths(month, -1))
}

/** The first day on which the cover is another one by a movement: an exclusion's date is the last day of cover. */
export function coverChange(kind: MovementKind, date: LocalDate): LocalDate {
  return movementRules[kind].endsBenefit ? addDays(date, 1) : date
}

const compare = (a: string, b: string): number => Number(a > b) - Number(a < b)

/** The months, both included; none when `until` comes first. */
export function monthsOf(from: Month, until: Month): Month[] {
  const months: Month[] = []
  for (let month = from; month <= until; month = addMonths(month, 1)) months.push(month)
  return months
}

/** The month so many months later. */
export function addMonths(month: Month, months: number): Month {
  const count = Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1 + months
  return `${String(Math.floor(count / 12)).padStart(4, '0')}-${String((count % 12) + 1).padStart(2, '0')}`
}

/** A day of a month; in a shorter month its last day. */
function dayOf(month: Month, day: number): LocalDate {
  const last = new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0)).getUTCDate()
  return `${month}-${String(Math.min(day, last)).padStart(2, '0')}`
}
