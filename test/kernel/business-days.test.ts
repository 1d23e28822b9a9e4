import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  businessDaysBefore,
  easter,
  HOLIDAY_SETS,
  holidaysOf,
  isBusinessDay,
  nearestBusinessDay,
} from '#kernel/business-days.ts'
import { addDays, daysBetween } from '#kernel/calendar.ts'

const seed = 34
const banking = { holidays: 'banking', ownHolidays: [] } as const
const national = { holidays: 'national', ownHolidays: [] } as const
const dates = fc
  .date({ min: new Date('2000-01-01T00:00:00Z'), max: new Date('2199-12-31T00:00:00Z'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))
const businessDays = fc.record({
  holidays: fc.constantFrom(...HOLIDAY_SETS),
  ownHolidays: fc.array(
    fc.oneof(
      dates,
      dates.map((date) => date.slice(5)),
    ),
    { maxLength: 5 },
  ),
})

test.each([
  [2008, '2008-03-23'],
  [2026, '2026-04-05'],
  [2027, '2027-03-28'],
  [2028, '2028-04-16'],
  [2038, '2038-04-25'],
])('Easter of %i is %s', (year, date) => {
  expect(easter(year)).toBe(date)
})

test('Easter is a Sunday from 22 March to 25 April', () => {
  for (let year = 1900; year < 2200; year += 1) {
    const date = easter(year)
    expect([year, new Date(date).getUTCDay()]).toEqual([year, 0])
    expect(date >= `${year}-03-22` && date <= `${year}-04-25`).toBe(true)
  }
})

test('the holidays of 2026, and those on which banks are closed', () => {
  const of2026 = '01-01 04-03 04-21 05-01 09-07 10-12 11-02 11-15 11-20 12-25'.split(' ').map((day) => `2026-${day}`)
  expect([...holidaysOf(2026, 'national')].toSorted()).toEqual(of2026)
  expect([...holidaysOf(2026, 'banking')].toSorted()).toEqual(
    [...of2026, '2026-02-16', '2026-02-17', '2026-06-04'].toSorted(),
  )
})

test('20 November is one since 2024', () => {
  expect(holidaysOf(2023, 'national').has('2023-11-20')).toBe(false)
  expect(holidaysOf(2024, 'national').has('2024-11-20')).toBe(true)
})

describe('a business day', () => {
  test.each([
    ['2026-11-19', true],
    ['2026-11-20', false],
    ['2026-11-21', false],
    ['2026-11-22', false],
    ['2026-11-23', true],
    ['2026-06-04', false],
  ])('%s: %s', (date, expected) => {
    expect(isBusinessDay(date, banking)).toBe(expected)
  })

  test('Carnival and Corpus Christi are, where only national holidays count', () => {
    expect(['2026-02-16', '2026-02-17', '2026-06-04'].filter((date) => !isBusinessDay(date, national))).toEqual([])
  })

  test('a day of one’s own is none: of its year, or of each year', () => {
    const days = { holidays: 'national', ownHolidays: ['2026-07-09', '01-25'] } as const
    expect(['2026-07-09', '2028-01-25', '2029-01-25'].map((date) => isBusinessDay(date, days))).toEqual([
      false,
      false,
      false,
    ])
    expect(isBusinessDay('2027-07-09', days)).toBe(true)
  })
})

test('the nearest business day is one, in its direction, with none between', () => {
  fc.assert(
    fc.property(dates, fc.constantFrom('previous', 'next'), businessDays, (date, direction, days) => {
      const nearest = nearestBusinessDay(date, direction, days)
      expect(isBusinessDay(nearest, days)).toBe(true)
      const step = direction === 'next' ? 1 : -1
      for (let day = date; day !== nearest; day = addDays(day, step)) expect(isBusinessDay(day, days)).toBe(false)
    }),
    { seed },
  )
})

test('so many business days before a day: that many lie in between, the first included', () => {
  expect(businessDaysBefore('2026-12-01', 5, banking)).toBe('2026-11-24')
  fc.assert(
    fc.property(dates, fc.integer({ min: 1, max: 30 }), businessDays, (date, count, days) => {
      const before = businessDaysBefore(date, count, days)
      const between = Array.from({ length: daysBetween(before, date) }, (_, index) => addDays(before, index))
      expect(isBusinessDay(before, days)).toBe(true)
      expect(between.filter((day) => isBusinessDay(day, days))).toHaveLength(count)
    }),
    { seed },
  )
})
