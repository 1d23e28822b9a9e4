import type { Detail } from '#platform/core/errors.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import { addMonths, type Month } from '#registry/rules/cut-off.ts'
import { nextMonth } from '../rules/forecast.ts'
import type { ForecastContract } from './queries.ts'

/** How many months after the next invoice can be forecast. */
const FURTHER_MONTHS = 2

/** The month of the next invoice. */
export const monthOfNext = ({ calendar }: Pick<ForecastContract, 'calendar'>, today: LocalDate): Month =>
  calendar === null ? addMonths(today.slice(0, 7), 1) : nextMonth(calendar, today)

/** Whether a month is near that of the next invoice: the one before may not be read yet. */
export function isNear(contract: Pick<ForecastContract, 'calendar'>, month: Month, today: LocalDate): boolean {
  return month >= addMonths(monthOfNext(contract, today), -1) && !isTooFar(contract, month, today)
}

/** Whether a month is later than any that can be forecast. */
export const isTooFar = (contract: Pick<ForecastContract, 'calendar'>, month: Month, today: LocalDate): boolean =>
  month > addMonths(monthOfNext(contract, today), FURTHER_MONTHS)

/** What is wrong with a month that is not. */
export const notNear = [
  { field: 'reference-month', code: 'invalid', message: { key: 'month-not-forecast' } },
] as const satisfies readonly Detail[]
