import type { Query } from '@vigencia/client'
import { addDays, isLocalDate } from '../../../../src/kernel/calendar.ts'
import { businessDate } from '../../format/date.ts'

/** Ranges that end today, in days. */
export const rangeDays = [7, 30, 90] as const
const defaultDays = 30

/** The range of the figures: the last days, or from one day until another. Without any: the last 30 days. */
export interface OverviewSearch {
  readonly days?: 7 | 90
  readonly 'from-dt'?: string
  readonly 'until-dt'?: string
}

type Raw = Readonly<Record<string, unknown>>

export function overviewSearchOf(raw: Raw): OverviewSearch {
  const { 'from-dt': from, 'until-dt': until, days } = raw
  if (isLocalDate(from) && isLocalDate(until)) return { 'from-dt': from, 'until-dt': until }
  // The router keeps digits as text.
  const range = ([7, 90] as const).find((one) => one === Number(days))
  return range === undefined ? {} : { days: range }
}

/** The last days with today, as the address has them. */
export function lastDays(days: number, today: string = businessDate()): Required<Omit<OverviewSearch, 'days'>> {
  return { 'from-dt': addDays(today, 1 - days), 'until-dt': today }
}

/** The parameters of the statistics. */
export function statisticsQueryOf({ days, ...range }: OverviewSearch): Query<'readStatistics'> {
  return days === undefined ? range : lastDays(days)
}

/** The days of a range that ends today; null for one from a day until another. */
export function daysOf(search: OverviewSearch): number | null {
  return search['from-dt'] === undefined ? (search.days ?? defaultDays) : null
}
