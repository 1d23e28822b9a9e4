import { currentLanguage } from '../language/language.ts'
import { formatDate } from './date.ts'

/** The first and the last day of a month, as the API writes them. */
export interface MonthDays {
  readonly start: string
  readonly end: string
}

/** `mm/yyyy`, `mmyyyy`, `m-yyyy` or `yyyy-mm`; null for no month. */
export function parseMonth(text: string): MonthDays | null {
  const [, month, year] = /^(\d{1,2})[/.-]?(\d{4})$/.exec(text.trim()) ?? []
  const [, isoYear, isoMonth] = /^(\d{4})-(\d{2})$/.exec(text.trim()) ?? []
  const [y, m] = [Number(year ?? isoYear), Number(month ?? isoMonth)]
  if (Number.isNaN(y) || Number.isNaN(m) || m < 1 || m > 12) return null
  const day = (date: Date) => date.toISOString().slice(0, 10)
  return { start: day(new Date(Date.UTC(y, m - 1, 1))), end: day(new Date(Date.UTC(y, m, 0))) }
}

/** `2026-11` as `11/2026`. */
export const formatMonth = (month: string): string => `${month.slice(5, 7)}/${month.slice(0, 4)}`

/** The month as `mm/yyyy`, when the days are those of one; else null. */
export function monthOf(start: string, end: string): string | null {
  const days = parseMonth(start.slice(0, 7))
  return days?.start === start && days.end === end ? `${start.slice(5, 7)}/${start.slice(0, 4)}` : null
}

/** The month of an invoice, as `11/2026`, or its first and last day. */
export function formatPeriod(start: string, end: string): string {
  return monthOf(start, end) ?? `${formatDate(start)} – ${formatDate(end)}`
}

/** `3` as `março`, in the language of the console. */
export const formatMonthName = (month: number): string =>
  new Intl.DateTimeFormat(currentLanguage(), { month: 'long', timeZone: 'UTC' }).format(
    new Date(Date.UTC(2000, month - 1)),
  )
