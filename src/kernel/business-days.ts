/*
 * Business days in Brazil: Monday to Friday without the national holidays, those of the banks, and days of one's own. No library: the holidays
 * are nine dates and four days that follow from Easter.
 */
import { addDays, type LocalDate } from './calendar.ts'

/** `banking`: also the days on which banks are closed, Carnival and Corpus Christi. */
export const HOLIDAY_SETS = ['national', 'banking'] as const
export type HolidaySet = (typeof HOLIDAY_SETS)[number]

export interface BusinessDays {
  readonly holidays: HolidaySet
  /** Such as those of a municipality: `YYYY-MM-DD`, or `MM-DD` of each year. */
  readonly ownHolidays: readonly string[]
}

const FIXED = ['01-01', '04-21', '05-01', '09-07', '10-12', '11-02', '11-15', '12-25'] as const
/** Lei 14.759/2023. */
const CONSCIENCIA_NEGRA = { day: '11-20', since: 2024 } as const
/** Days from Easter. */
const GOOD_FRIDAY = -2
const OF_BANKS = [-48, -47, 60] as const

/** Easter Sunday of a year of the Gregorian calendar (Meeus, Jones and Butcher). */
export function easter(year: number): LocalDate {
  const golden = year % 19
  const century = Math.floor(year / 100)
  const yearOfCentury = year % 100
  const correction = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3)
  const moon = (19 * golden + century - Math.floor(century / 4) - correction + 15) % 30
  const weekday = (32 + 2 * (century % 4) + 2 * Math.floor(yearOfCentury / 4) - moon - (yearOfCentury % 4)) % 7
  const shift = Math.floor((golden + 11 * moon + 22 * weekday) / 451)
  const march = 114 + moon + weekday - 7 * shift
  return `${yearText(year)}-0${Math.floor(march / 31)}-${String((march % 31) + 1).padStart(2, '0')}`
}

const yearText = (year: number): string => String(year).padStart(4, '0')

/** The holidays of a year, on whatever day of the week. */
export function holidaysOf(year: number, set: HolidaySet): Set<LocalDate> {
  const fixed = year < CONSCIENCIA_NEGRA.since ? FIXED : [...FIXED, CONSCIENCIA_NEGRA.day]
  const movable = set === 'banking' ? [GOOD_FRIDAY, ...OF_BANKS] : [GOOD_FRIDAY]
  const sunday = easter(year)
  return new Set([...fixed.map((day) => `${yearText(year)}-${day}`), ...movable.map((days) => addDays(sunday, days))])
}

/** Computed once: the calendars of many contracts need the same years. */
const known = new Map<string, ReadonlySet<LocalDate>>()

function isHoliday(date: LocalDate, { holidays, ownHolidays }: BusinessDays): boolean {
  const key = `${date.slice(0, 4)} ${holidays}`
  let ofYear = known.get(key)
  if (ofYear === undefined) known.set(key, (ofYear = holidaysOf(Number(date.slice(0, 4)), holidays)))
  return ofYear.has(date) || ownHolidays.includes(date) || ownHolidays.includes(date.slice(5))
}

/** Whether a day is a business day. */
export function isBusinessDay(date: LocalDate, days: BusinessDays): boolean {
  const weekday = new Date(date).getUTCDay()
  return weekday !== 0 && weekday !== 6 && !isHoliday(date, days)
}

/** The day itself when it is a business day, else the nearest one in that direction. */
export function nearestBusinessDay(date: LocalDate, direction: 'previous' | 'next', days: BusinessDays): LocalDate {
  let day = date
  while (!isBusinessDay(day, days)) day = addDays(day, direction === 'next' ? 1 : -1)
  return day
}

/** The `count`-th business day before a day, which itself does not count. */
export function businessDaysBefore(date: LocalDate, count: number, days: BusinessDays): LocalDate {
  let day = date
  for (let left = count; left > 0; left -= 1) day = nearestBusinessDay(addDays(day, -1), 'previous', days)
  return day
}

/** The `count`-th business day after a day, which itself does not count. */
export function businessDaysAfter(date: LocalDate, count: number, days: BusinessDays): LocalDate {
  let day = date
  for (let left = count; left > 0; left -= 1) day = nearestBusinessDay(addDays(day, 1), 'next', days)
  return day
}
