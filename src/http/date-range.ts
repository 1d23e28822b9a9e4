import { ApiError } from '../platform/errors.ts'

/** The `from-dt` and `until-dt` of a query as `YYYY-MM-DD`, null where absent. @throws ApiError 400 unless `until-dt` is the later one. */
export function readDateRange(query: { 'from-dt'?: string; 'until-dt'?: string }): {
  readonly from: string | null
  readonly until: string | null
} {
  const { 'from-dt': from = null, 'until-dt': until = null } = query
  if (from !== null && until !== null && until <= from) {
    throw new ApiError('invalid-date-range')
  }
  return { from, until }
}
