import { readContributionMonths } from '#money/contributions/months.ts'
import type { Sql } from '#platform/core/database.ts'
import { ApiError } from '#platform/core/errors.ts'
import type { LocalDate } from '#kernel/calendar.ts'

/** How many months of contribution of a primary are known until a day, at most what a person may send. @throws ApiError 404. */
export async function knownMonths(sql: Sql, benefitId: string, until: LocalDate): Promise<number> {
  const months = await readContributionMonths(sql, benefitId, until.slice(0, 7))
  if (months === null) throw new ApiError('benefit-not-found')
  return Math.min(months.length, 720)
}
