/** A calendar day, `YYYY-MM-DD`. Plain string order is calendar order. */
export type LocalDate = string

const SAO_PAULO = new Intl.DateTimeFormat('en-US', {
  timeZone: 'America/Sao_Paulo',
  calendar: 'gregory',
  numberingSystem: 'latn',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
})
const QUARTER_HOUR_MS = 15 * 60_000
const DAYS_BEFORE_EPOCH = 719_468

// Offsets have been whole quarter hours since 1914, so the day cannot change within one.
const MEMO_FROM_MS = Date.UTC(1970, 0, 1)
let memoQuarter = Number.NaN
let memoDate: LocalDate = ''

/**
 * The business day of an instant in America/Sao_Paulo, whatever the zone of the machine.
 * Throws RangeError for an invalid Date.
 */
export function businessDate(instant: Date): LocalDate {
  const quarter = Math.floor(instant.getTime() / QUARTER_HOUR_MS)
  if (quarter === memoQuarter) return memoDate
  let year = ''
  let month = ''
  let day = ''
  for (const part of SAO_PAULO.formatToParts(instant)) {
    if (part.type === 'year') year = part.value.padStart(4, '0')
    else if (part.type === 'month') month = part.value
    else if (part.type === 'day') day = part.value
  }
  const date = `${year}-${month}-${day}`
  if (instant.getTime() >= MEMO_FROM_MS) {
    memoQuarter = quarter
    memoDate = date
  }
  return date
}

/** Whether a value is a real calendar day written `YYYY-MM-DD`, years 0001 to 9999. */
export function isLocalDate(value: unknown): value is LocalDate {
  if (typeof value !== 'string' || value.length !== 10) return false
  if (value.charCodeAt(4) !== 45 || value.charCodeAt(7) !== 45) return false
  for (let i = 0; i < 10; i++) {
    const code = value.charCodeAt(i)
    if (i !== 4 && i !== 7 && (code < 48 || code > 57)) return false
  }
  const { year, month, day } = partsOf(value)
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month)
}

/** The day `days` (whole, may be negative) after a day. Throws RangeError outside the years 0001 to 9999. */
export function addDays(date: LocalDate, days: number): LocalDate {
  return dateOfDayNumber(dayNumber(date) + days)
}

/** Whole days from one day to another; negative when `to` comes first. */
export function daysBetween(from: LocalDate, to: LocalDate): number {
  return dayNumber(to) - dayNumber(from)
}

/**
 * The start of `on-next-billing-period`: the billing day (1..28, null means 1) strictly after today, or the one after
 * that when today's day of the month is past the cut-off day (null means no cut-off).
 */
export function nextBillingDate(today: LocalDate, billingDay: number | null, cutOffDay: number | null): LocalDate {
  const { year, month, day } = partsOf(today)
  const billing = billingDay ?? 1
  let months = billing > day ? 0 : 1
  if (cutOffDay !== null && day > cutOffDay) months += 1
  const target = year * 12 + (month - 1) + months
  return write(Math.floor(target / 12), (target % 12) + 1, billing)
}

function partsOf(date: LocalDate): { year: number; month: number; day: number } {
  const digit = (i: number): number => date.charCodeAt(i) - 48
  return {
    year: digit(0) * 1000 + digit(1) * 100 + digit(2) * 10 + digit(3),
    month: digit(5) * 10 + digit(6),
    day: digit(8) * 10 + digit(9),
  }
}

function daysInMonth(year: number, month: number): number {
  if (month !== 2) return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28
}

// Days since 1970-01-01 in the proleptic Gregorian calendar; years begin in March, so that the leap day comes last.
function dayNumber(date: LocalDate): number {
  const { year, month, day } = partsOf(date)
  const shifted = month <= 2 ? year - 1 : year
  const era = Math.floor(shifted / 400)
  const yearOfEra = shifted - era * 400
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return era * 146_097 + dayOfEra - DAYS_BEFORE_EPOCH
}

function dateOfDayNumber(number: number): LocalDate {
  const shifted = number + DAYS_BEFORE_EPOCH
  const era = Math.floor(shifted / 146_097)
  const dayOfEra = shifted - era * 146_097
  const leaps = Math.floor(dayOfEra / 1460) - Math.floor(dayOfEra / 36_524) + Math.floor(dayOfEra / 146_096)
  const yearOfEra = Math.floor((dayOfEra - leaps) / 365)
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153)
  const day = dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
  return write(yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
}

function write(year: number, month: number, day: number): LocalDate {
  if (!(year >= 1 && year <= 9999)) throw new RangeError('the day lies outside the years 0001 to 9999')
  const two = (n: number): string => String(n).padStart(2, '0')
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`
}
