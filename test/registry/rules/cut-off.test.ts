import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { HOLIDAY_SETS, isBusinessDay } from '#kernel/business-days.ts'
import { addDays, daysBetween } from '#kernel/calendar.ts'
import {
  addMonths,
  coverChange,
  type CutOffCalendar,
  cutOffFor,
  cutOffOf,
  cutOffsOf,
  formerCutOff,
  monthsOf,
  nextCutOff,
  NOT_BUSINESS_DAY_RULES,
} from '#registry/rules/cut-off.ts'

const seed = 34

const onDay = (day: number, rule: CutOffCalendar['when-not-business-day'], more: Partial<CutOffCalendar> = {}) => ({
  'cut-off-day': day,
  'cut-off-business-days-before-billing': null,
  'when-not-business-day': rule,
  holidays: 'national' as const,
  'own-holidays': [],
  'coverage-day': 1,
  'coverage-month-offset': 1,
  exceptions: [],
  ...more,
})

describe('the cut-off of a month', () => {
  test.each([
    [20, 'previous', '2026-11', '2026-11-19'],
    [20, 'next', '2026-11', '2026-11-23'],
    [20, 'none', '2026-11', '2026-11-20'],
    [15, 'previous', '2026-11', '2026-11-13'],
    [15, 'next', '2026-11', '2026-11-16'],
    [20, 'previous', '2026-10', '2026-10-20'],
    [31, 'none', '2027-02', '2027-02-28'],
    [31, 'none', '2028-02', '2028-02-29'],
    // 31 January 2027 is a Sunday.
    [31, 'next', '2027-01', '2027-02-01'],
    // 1 January is a holiday, the days before it a weekend in 2029.
    [1, 'previous', '2029-01', '2028-12-29'],
  ] as const)('on day %i, %s, in %s: %s', (day, rule, month, expected) => {
    expect(cutOffOf(onDay(day, rule), month)['cut-off-date']).toBe(expected)
  })

  test('covers from the coverage day, the month of the offset later', () => {
    const starts = [0, 1, 2].map(
      (offset) => cutOffOf(onDay(20, 'previous', { 'coverage-month-offset': offset }), '2026-11')['coverage-start'],
    )
    expect(starts).toEqual(['2026-11-01', '2026-12-01', '2027-01-01'])
  })

  test('so many business days before the coverage day', () => {
    const calendar = { ...onDay(1, 'none'), 'cut-off-day': null, 'cut-off-business-days-before-billing': 7 }
    // 20 November is a holiday.
    expect(cutOffOf(calendar, '2026-11')).toEqual({
      month: '2026-11',
      'cut-off-date': '2026-11-19',
      'coverage-start': '2026-12-01',
      exception: false,
    })
  })

  test('is an exception where there is one for the month, also on a Sunday', () => {
    const exceptions = [{ month: '2026-12', 'cut-off-date': '2026-12-13' }]
    const cutOffs = cutOffsOf(onDay(20, 'previous', { exceptions }), '2026-11', '2027-01')
    expect(cutOffs.map((one) => [one.month, one['cut-off-date'], one.exception])).toEqual([
      ['2026-11', '2026-11-19', false],
      ['2026-12', '2026-12-13', true],
      ['2027-01', '2027-01-20', false],
    ])
  })
})

describe('the next cut-off', () => {
  test.each([
    ['2026-11-19', '2026-11-19', '2026-12-01'],
    // After the cut-off of November: the movement starts with those of December.
    ['2026-11-20', '2026-12-18', '2027-01-01'],
    ['2026-12-31', '2027-01-20', '2027-02-01'],
  ])('of %s is %s, and covers from %s', (date, cutOff, start) => {
    expect(nextCutOff(onDay(20, 'previous'), date)).toMatchObject({ 'cut-off-date': cutOff, 'coverage-start': start })
  })
})

const months = fc
  .tuple(fc.integer({ min: 2001, max: 2198 }), fc.integer({ min: 1, max: 12 }))
  .map(([year, month]) => `${year}-${String(month).padStart(2, '0')}`)
const calendars = fc
  .record({
    'cut-off-day': fc.option(fc.integer({ min: 1, max: 31 })),
    'when-not-business-day': fc.constantFrom(...NOT_BUSINESS_DAY_RULES),
    holidays: fc.constantFrom(...HOLIDAY_SETS),
    before: fc.integer({ min: 1, max: 30 }),
    'coverage-day': fc.integer({ min: 1, max: 28 }),
    'coverage-month-offset': fc.integer({ min: 0, max: 2 }),
  })
  .map(({ before, ...calendar }) => ({
    ...calendar,
    'own-holidays': [],
    'cut-off-business-days-before-billing': calendar['cut-off-day'] === null ? before : null,
    exceptions: [],
  }))

describe('of any calendar', () => {
  const days = ({ holidays }: CutOffCalendar) => ({ holidays, ownHolidays: [] })

  test('a cut-off is a business day unless the calendar says `none`, and lies where its rule says', () => {
    fc.assert(
      fc.property(calendars, months, (calendar, month) => {
        const { 'cut-off-date': date, 'coverage-start': start } = cutOffOf(calendar, month)
        const isMoved = calendar['cut-off-day'] === null || calendar['when-not-business-day'] !== 'none'
        expect(!isMoved || isBusinessDay(date, days(calendar))).toBe(true)
        expect(start.slice(0, 7)).toBe(addMonths(month, calendar['coverage-month-offset']))
        if (calendar['cut-off-day'] === null) expect(date < start).toBe(true)
        else if (calendar['when-not-business-day'] === 'none') expect(date.slice(0, 7)).toBe(month)
        else
          expect(
            Math.abs(daysBetween(`${month}-${String(Math.min(28, calendar['cut-off-day'])).padStart(2, '0')}`, date)),
          ).toBeLessThan(10)
      }),
      { seed },
    )
  })

  test('the next cut-off is the first on or after the day', () => {
    fc.assert(
      fc.property(calendars, months, fc.integer({ min: 0, max: 27 }), (calendar, month, offset) => {
        const date = addDays(`${month}-01`, offset)
        const next = nextCutOff(calendar, date)
        const all = cutOffsOf(calendar, addMonths(month, -6), addMonths(month, 6)).map((one) => one['cut-off-date'])
        expect(next['cut-off-date']).toBe(all.filter((one) => one >= date).toSorted()[0])
      }),
      { seed },
    )
  })

  test('months follow each other', () => {
    expect(monthsOf('2026-11', '2027-02')).toEqual(['2026-11', '2026-12', '2027-01', '2027-02'])
    expect(monthsOf('2026-11', '2026-10')).toEqual([])
    expect(addMonths('2027-01', -1)).toBe('2026-12')
  })
})

describe('the cut-off by which the carrier must hear of a day', () => {
  test.each([
    // [cut-off day, offset, day of the change, cut-off]
    [20, 1, '2027-01-01', '2026-12-18'],
    [20, 1, '2026-12-31', '2026-11-19'],
    [20, 1, '2027-01-31', '2026-12-18'],
    [20, 0, '2027-01-01', '2027-01-20'],
    [20, 2, '2027-01-01', '2026-11-19'],
    [31, 1, '2027-03-01', '2027-02-26'],
  ] as const)('on day %i, offset %i, of %s: %s', (day, offset, change, expected) => {
    const own = onDay(day, 'previous', { 'coverage-month-offset': offset })
    expect(cutOffFor(own, change)['cut-off-date']).toBe(expected)
  })

  test('an exclusion changes the cover on the day after its last one', () => {
    const own = onDay(20, 'previous')
    expect(cutOffFor(own, coverChange('exclusion', '2026-12-31'))['cut-off-date']).toBe('2026-12-18')
    expect(cutOffFor(own, coverChange('inclusion', '2026-12-31'))['cut-off-date']).toBe('2026-11-19')
  })

  test('is the last one whose cover reaches the day; before today there is a former one', () => {
    const calendars = fc.record({
      day: fc.integer({ min: 1, max: 31 }),
      rule: fc.constantFrom(...NOT_BUSINESS_DAY_RULES),
      offset: fc.integer({ min: 0, max: 2 }),
      coverage: fc.integer({ min: 1, max: 31 }),
      date: fc.integer({ min: 0, max: 2000 }).map((days) => addDays('2025-01-01', days)),
    })
    fc.assert(
      fc.property(calendars, ({ day, rule, offset, coverage, date }) => {
        const own = onDay(day, rule, { 'coverage-month-offset': offset, 'coverage-day': coverage })
        const found = cutOffFor(own, date)
        const next = cutOffOf(own, addMonths(found.month, 1))
        expect(found['coverage-start'] <= date && next['coverage-start'] > date).toBe(true)
        const former = formerCutOff(own, date)
        expect(former['cut-off-date'] < date).toBe(true)
        expect(nextCutOff(own, addDays(former['cut-off-date'], 1))).toEqual(nextCutOff(own, date))
      }),
      { seed, numRuns: 500 },
    )
  })
})
