import { invalidBody } from '#platform/core/errors.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import { isFarFrom, outOfRangeDetails } from '../rules/completion-fields.ts'

/** @param days of a continuation, by field; null: not sent. @throws ApiError 400 for days far from today. */
export function checkDays(days: Readonly<Record<string, LocalDate | null>>, today: LocalDate): void {
  const far = Object.entries(days).flatMap(([field, day]) => (day !== null && isFarFrom(today, day) ? [field] : []))
  if (far.length > 0) throw invalidBody(outOfRangeDetails(far), 'date-out-of-range')
}
