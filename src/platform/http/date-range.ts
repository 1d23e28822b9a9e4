import { ApiError } from '../core/errors.ts'

interface DateRangeQuery {
  readonly 'from-dt'?: string
  readonly 'until-dt'?: string
}

interface DateRange {
  readonly from: string | null
  readonly until: string | null
}

/** The `from-dt` and `until-dt` of a query as `YYYY-MM-DD`, both days included, null where absent. @throws ApiError 400 when the last day comes before the first. */
export function readDateRange(query: DateRangeQuery): DateRange {
  const { 'from-dt': from = null, 'until-dt': until = null } = query
  if (from !== null && until !== null && until < from) throw new ApiError('invalid-date-range')
  return { from, until }
}

/** The same for `GET /v1/invoices/pending-payment`, where the interface document refuses one day. @throws ApiError 400 unless `until-dt` is the later one. */
export function readPendingDateRange(query: DateRangeQuery): DateRange {
  const range = readDateRange(query)
  if (range.from !== null && range.until === range.from) throw new ApiError('invalid-date-range')
  return range
}

/** A day of a parameter as `YYYY-MM-DD`, null where absent. */
interface DayParameter {
  readonly name: string
  readonly day: string | null
}

/** Checks a range of days that may be a single day. @throws ApiError 400 when the last day comes before the first. */
export function checkDays(first: DayParameter, last: DayParameter): void {
  if (first.day !== null && last.day !== null && last.day < first.day) {
    throw invalidRange(`'${last.name}' must not be before '${first.name}'`)
  }
}

/** Checks a range that ends before its last day. @throws ApiError 400 when it is empty. */
export function checkDaysBefore(first: DayParameter, end: DayParameter): void {
  if (first.day !== null && end.day !== null && end.day <= first.day) {
    throw invalidRange(`'${end.name}' must be greater than '${first.name}'`)
  }
}

function invalidRange(rule: string): ApiError {
  return new ApiError('invalid-date-range', {}, { message: `Invalid date filter: ${rule}` })
}

/** SQL: the instant at which a day begins in Sao Paulo. @param day SQL of a date. */
export const startOfDay = (day: string) => `(${day})::timestamp at time zone 'America/Sao_Paulo'`
