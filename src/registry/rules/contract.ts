/* The contract of a company with a carrier, and what a schema cannot say of its fields. */
import { isLocalDate } from '#kernel/calendar.ts'
import { addMonths, type CutOffCalendar } from './cut-off.ts'
import type { FieldError } from '#kernel/fields.ts'

/** What is wrong with a calendar whose fields are valid each. */
export function calendarErrors(calendar: CutOffCalendar): FieldError[] {
  const errors: FieldError[] = []
  const [day, before] = ['cut-off-day', 'cut-off-business-days-before-billing'] as const
  if ((calendar[day] === null) === (calendar[before] === null)) {
    errors.push({ field: `calendar.${day}`, code: 'invalid', message: { key: 'one-of-two', other: before } })
  }
  for (const [index, holiday] of calendar['own-holidays'].entries()) {
    const isDay = isLocalDate(holiday.length === 5 ? `2024-${holiday}` : holiday)
    if (!isDay) errors.push({ field: `calendar.own-holidays[${index}]`, code: 'invalid' })
  }
  const months = new Set<string>()
  for (const [index, { month, 'cut-off-date': date }] of calendar.exceptions.entries()) {
    const field = `calendar.exceptions[${index}]`
    if (months.has(month)) errors.push({ field: `${field}.month`, code: 'repeated' })
    months.add(month)
    const dated = date.slice(0, 7)
    if (dated < addMonths(month, -1) || dated > addMonths(month, 1))
      errors.push({ field: `${field}.cut-off-date`, code: 'invalid', message: { key: 'near-month' } })
  }
  return errors
}

/** The errors when the day is sent without the rule that needs it, or the rule without the day. */
export function prorationErrors(proration: string | null, day: number | null): FieldError[] {
  const needsDay = proration === 'full-if-started-until-day'
  if (needsDay === (day !== null)) return []
  return [{ field: 'proration-day', code: needsDay ? 'missing' : 'not-applicable' }]
}

/** The products that are named twice. */
export function repeatedPlans(productIds: readonly string[]): FieldError[] {
  return productIds.flatMap((id, index) =>
    productIds.indexOf(id) < index ? [{ field: `plans[${index}].product-id`, code: 'repeated' as const }] : [],
  )
}
