const RFC_3339 =
  /^(\d{4})-(\d\d)-(\d\d)[Tt ]([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(?:\.(\d{1,20}))?(?:[Zz]|([+ -])([01]\d|2[0-3]):([0-5]\d))$/

// What PostgreSQL takes, and more than any row has.
const EARLIEST = '0001-01-01T00:00:00.000000Z'
const LATEST = '9999-12-31T23:59:59.999999Z'

/**
 * A timestamp of RFC 3339, with any offset, as UTC with microseconds; further digits are cut. A blank before the offset is the `+` of a URL that
 * was not encoded. Instants outside of the years 0001 to 9999 become the first or the last one. @returns null when it is none.
 */
export function parseTimestamp(text: string): string | null {
  const [, year, month, day, hour, minute, second, fraction = '', sign, offsetHour, offsetMinute] =
    RFC_3339.exec(text) ?? []
  if (year === undefined) return null
  const date = new Date(0)
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day))
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) return null
  const minutes = Number(offsetHour ?? 0) * 60 + Number(offsetMinute ?? 0)
  date.setUTCHours(Number(hour), Number(minute) + (sign === '-' ? minutes : -minutes), Number(second))
  if (date.getUTCFullYear() < 1) return EARLIEST
  if (date.getUTCFullYear() > 9999) return LATEST
  return `${date.toISOString().slice(0, 19)}.${fraction.slice(0, 6).padEnd(6, '0')}Z`
}
