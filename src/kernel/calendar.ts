/** A calendar day, `YYYY-MM-DD`, years 0001 to 9999. Plain string order is calendar order. */
export type LocalDate = string

// Sweden's format is `YYYY-MM-DD`.
const SAO_PAULO = new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Sao_Paulo' })
const LOCAL_DATE = /^(?!0000)\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/
const DAY_MS = 24 * 60 * 60_000

/** The business day of an instant in America/Sao_Paulo, whatever the zone of the machine. Throws RangeError for an invalid Date. */
export function businessDate(instant: Date): LocalDate {
  return SAO_PAULO.format(instant)
}

/** Whether a value is a real calendar day written `YYYY-MM-DD`, years 0001 to 9999. */
export function isLocalDate(value: unknown): value is LocalDate {
  if (typeof value !== 'string' || !LOCAL_DATE.test(value)) return false
  const day = value.slice(8)
  // Date reads 30 February as 2 March.
  return day <= '28' || new Date(value).getUTCDate() === Number(day)
}

/** The day `days` (whole, may be negative) after a day. Throws RangeError outside the years 0001 to 9999. */
export function addDays(date: LocalDate, days: number): LocalDate {
  const later = new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10)
  if (!isLocalDate(later)) throw new RangeError('the day is outside the years 0001 to 9999')
  return later
}

/** Whole days from one day to another; negative when `to` comes first. */
export function daysBetween(from: LocalDate, to: LocalDate): number {
  return (Date.parse(to) - Date.parse(from)) / DAY_MS
}

/**
 * The start of `on-next-billing-period`: the billing day (1..28, null means 1) strictly after today, or the one after
 * that when today's day of the month is past the cut-off day (null means no cut-off).
 */
export function nextBillingDate(today: LocalDate, billingDay: number | null, cutOffDay: number | null): LocalDate {
  const date = new Date(today)
  const day = date.getUTCDate()
  const billing = billingDay ?? 1
  const months = (billing > day ? 0 : 1) + (cutOffDay !== null && day > cutOffDay ? 1 : 0)
  date.setUTCMonth(date.getUTCMonth() + months, billing)
  return date.toISOString().slice(0, 10)
}

/** The last day of a month. @param month `yyyy-mm`. */
export function lastDayOf(month: string): LocalDate {
  const last = new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0)).getUTCDate()
  return `${month}-${last}`
}
