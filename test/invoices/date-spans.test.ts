import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays } from '../../src/domain/calendar.ts'
import { dateSpans, type DayRange, monthSpans } from '../../src/invoices/date-spans.ts'

const rank = (day: string) => (day === '-infinity' ? '0' : day === 'infinity' ? 'z' : day)

/** How often a day is counted. */
function timesIn(day: string, from: string | null, until: string | null): number {
  const { head, months, tail } = dateSpans(from, until)
  const whole = monthSpans(months)
  const isIn = (one: string, range: DayRange) => range !== null && one >= rank(range[0]) && one <= rank(range[1])
  const [month, year] = [`${day.slice(0, 7)}-01`, `${day.slice(0, 4)}-01-01`]
  const byMonth = [isIn(month, whole.head), isIn(year, whole.years), isIn(month, whole.tail)]
  expect(byMonth.filter(Boolean)).toHaveLength(isIn(month, months) ? 1 : 0)
  return [isIn(day, head), isIn(month, months), isIn(day, tail)].filter(Boolean).length
}

const day = fc.integer({ min: 0, max: 1_200 }).map((days) => addDays('2024-01-01', days))
const bound = fc.option(day)

test('every day of a range is counted once, by its month or by itself, and no other day', () => {
  fc.assert(
    fc.property(bound, bound, day, (from, until, one) => {
      fc.pre(from === null || until === null || from < until)
      const isIn = (from === null || one >= from) && (until === null || one <= until)
      expect(timesIn(one, from, until)).toBe(isIn ? 1 : 0)
    }),
    { numRuns: 2_000 },
  )
})

test('whole months are counted by the month', () => {
  expect(dateSpans('2026-11-01', '2026-12-31')).toEqual({
    head: null,
    months: ['2026-11-01', '2026-12-01'],
    tail: null,
  })
  expect(dateSpans('2026-10-15', '2026-12-05')).toEqual({
    head: ['2026-10-15', '2026-10-31'],
    months: ['2026-11-01', '2026-11-01'],
    tail: ['2026-12-01', '2026-12-05'],
  })
})

test('whole years are counted by the year', () => {
  expect(monthSpans(['2024-11-01', '2026-02-01'])).toEqual({
    head: ['2024-11-01', '2024-12-01'],
    years: ['2025-01-01', '2025-01-01'],
    tail: ['2026-01-01', '2026-02-01'],
  })
  expect(monthSpans(['-infinity', '2026-12-01'])).toEqual({
    head: null,
    years: ['-infinity', '2026-01-01'],
    tail: null,
  })
  expect(monthSpans(['2026-02-01', '2026-11-01'])).toEqual({
    head: ['2026-02-01', '2026-11-01'],
    years: null,
    tail: null,
  })
})

test('the last days that there are', () => {
  for (const [from, until] of [
    ['9999-12-15', '9999-12-31'],
    ['2026-01-01', '9999-12-31'],
    ['9999-12-15', null],
    [null, '9999-12-31'],
    ['0001-01-01', '0001-01-02'],
  ] as const) {
    for (const one of ['0001-01-01', '2026-05-05', '9999-12-14', '9999-12-15', '9999-12-31']) {
      const isIn = (from === null || one >= from) && (until === null || one <= until)
      expect(timesIn(one, from, until)).toBe(isIn ? 1 : 0)
    }
  }
})
