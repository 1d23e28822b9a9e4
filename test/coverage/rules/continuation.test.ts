import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isBusinessDay } from '#kernel/business-days.ts'
import { addDays } from '#kernel/calendar.ts'
import {
  calculateContinuation,
  type ContinuationFacts,
  LEAVING_REASONS,
  sameDayAfter,
} from '#coverage/rules/continuation.ts'
import { RETIREMENT_REMAINDERS } from '#kernel/broker-enums.ts'

const facts = (more: Partial<ContinuationFacts> = {}): ContinuationFacts => ({
  reason: 'dismissal',
  contributed: true,
  contributionMonths: 40,
  keepsWorking: false,
  isPostPaid: false,
  noticeDate: null,
  endDate: null,
  remainder: null,
  ...more,
})

describe('the term after a dismissal', () => {
  test.each([
    [1, 6, ['minimum-term']],
    [12, 6, ['minimum-term']],
    [17, 6, ['fraction-rounded-up']],
    [18, 6, []],
    [19, 7, ['fraction-rounded-up']],
    [39, 13, []],
    [40, 14, ['fraction-rounded-up']],
    [71, 24, ['fraction-rounded-up']],
    [72, 24, []],
    [73, 24, ['maximum-term']],
    [90, 24, ['maximum-term']],
    [720, 24, ['maximum-term']],
  ])('is, for %i months of contribution, %i months, and the notes say why', (contributionMonths, months, notes) => {
    expect(calculateContinuation(facts({ contributionMonths }))).toMatchObject({
      kind: 'eligible',
      ground: 'dismissal',
      months,
      notes: ['third-of-contribution', ...notes],
      norms: ['Lei 9.656/1998 art. 30 § 1', 'RN 488 art. 4'],
    })
  })

  test('follows the last day as an employee, and the answer counts until 30 days after the notice', () => {
    const dated = facts({ contributionMonths: 12, noticeDate: '2026-11-25', endDate: '2026-11-30' })
    expect(calculateContinuation(dated)).toMatchObject({
      optionUntil: '2026-12-28',
      termStart: '2026-12-01',
      termEnd: '2027-05-31',
    })
  })
})

describe('the term after a retirement', () => {
  test.each([
    [120, null, null, ['ten-years-or-more']],
    [119, 'whole-years', 108, ['year-for-year', 'whole-years']],
    [119, 'proportional', 119, ['year-for-year', 'proportional']],
    [108, null, 108, ['year-for-year']],
    [12, 'whole-years', 12, ['year-for-year']],
    [11, 'proportional', 11, ['year-for-year', 'proportional']],
  ] as const)('is, for %i months and the setting %s, %s months', (contributionMonths, remainder, months, notes) => {
    const verdict = calculateContinuation(facts({ reason: 'retirement', contributionMonths, remainder }))
    expect(verdict).toMatchObject({ kind: 'eligible', ground: 'retirement', months, notes })
  })

  test('is not calculated without the setting that it needs', () => {
    expect(calculateContinuation(facts({ reason: 'retirement', contributionMonths: 119 }))).toEqual({
      kind: 'missing-setting',
      setting: 'retirement-remainder',
    })
  })

  test('starts when the person leaves', () => {
    const working = facts({ reason: 'retirement', contributionMonths: 120, keepsWorking: true })
    expect(calculateContinuation(working)).toMatchObject({
      notes: ['ten-years-or-more', 'starts-when-leaving'],
      termStart: null,
      termEnd: null,
    })
    const leaving = calculateContinuation({ ...working, endDate: '2026-11-30' })
    expect(leaving).toMatchObject({ notes: ['ten-years-or-more'], termStart: '2026-12-01', termEnd: null })
  })
})

test.each([
  ['no-contribution', { contributed: false }],
  ['no-contribution', { contributionMonths: 0 }],
  ['no-contribution', { reason: 'retirement', contributed: false }],
  ['with-cause', { reason: 'dismissal-with-cause' }],
  ['resignation', { reason: 'resignation' }],
  ['mutual-agreement', { reason: 'mutual-agreement' }],
  ['no-contribution', { reason: 'resignation', keepsWorking: true, contributed: false }],
  ['post-paid-plan', { isPostPaid: true }],
  ['less-than-a-year', { reason: 'retirement', contributionMonths: 11, remainder: 'whole-years' }],
] as const)('nothing is kept: %s', (reason, more) => {
  expect(calculateContinuation(facts(more))).toMatchObject({ kind: 'not-eligible', reason })
})

test.each([
  ['2026-12-01', 6, '2027-06-01'],
  ['2026-08-31', 6, '2027-03-01'],
  ['2027-08-31', 6, '2028-03-01'],
  ['2026-08-29', 6, '2027-03-01'],
  ['2027-08-29', 6, '2028-02-29'],
  ['2026-01-31', 24, '2028-01-31'],
  ['2026-12-15', 1, '2027-01-15'],
])('%s and %i months later is %s', (day, months, expected) => {
  expect(sameDayAfter(day, months)).toBe(expected)
})

const national = { holidays: 'national', ownHolidays: [] } as const
const days = fc.integer({ min: 0, max: 20_000 }).map((count) => addDays('2000-01-01', count))
const anyFacts = fc.record({
  reason: fc.constantFrom(...LEAVING_REASONS),
  contributed: fc.boolean(),
  contributionMonths: fc.integer({ min: 0, max: 720 }),
  keepsWorking: fc.boolean(),
  isPostPaid: fc.boolean(),
  noticeDate: fc.option(days),
  endDate: fc.option(days),
  remainder: fc.option(fc.constantFrom(...RETIREMENT_REMAINDERS)),
})
const fixed = { seed: 3_056, numRuns: 2_000 }

describe('for everybody', () => {
  test('more months of contribution never shorten the term', () => {
    const termOf = (one: ContinuationFacts) => {
      const verdict = calculateContinuation(one)
      if (verdict.kind === 'missing-setting') return undefined
      return verdict.kind === 'not-eligible' ? 0 : (verdict.months ?? Number.POSITIVE_INFINITY)
    }
    fc.assert(
      fc.property(anyFacts, (one) => {
        const [less, more] = [termOf(one), termOf({ ...one, contributionMonths: one.contributionMonths + 1 })]
        fc.pre(less !== undefined && more !== undefined)
        expect(more).toBeGreaterThanOrEqual(less)
      }),
      fixed,
    )
  })

  test('a dismissal is never less than 6, more than 24 months, nor less than the third', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 720 }), (contributionMonths) => {
        const verdict = calculateContinuation(facts({ contributionMonths }))
        const months = verdict.kind === 'eligible' ? verdict.months! : Number.NaN
        expect(months).toBeGreaterThanOrEqual(Math.min(24, contributionMonths / 3))
        expect(months).toBeGreaterThanOrEqual(6)
        expect(months).toBeLessThanOrEqual(24)
        expect(months - 1 < Math.max(6, contributionMonths / 3)).toBe(true)
      }),
      fixed,
    )
  })

  test('the dates are given together: the term starts on the next day and ends after it', () => {
    fc.assert(
      fc.property(anyFacts, (one) => {
        const verdict = calculateContinuation(one)
        if (verdict.kind !== 'eligible') return
        const thirty =
          one.noticeDate === null ? [] : [30, 31, 32, 33, 34, 35].map((count) => addDays(one.noticeDate!, count))
        expect(verdict.optionUntil).toBe(thirty.find((day) => isBusinessDay(day, national)) ?? null)
        expect(verdict.termStart).toBe(one.endDate === null ? null : addDays(one.endDate, 1))
        if (verdict.termStart === null || verdict.months === null) expect(verdict.termEnd).toBeNull()
        else expect(addDays(verdict.termEnd!, 1)).toBe(sameDayAfter(verdict.termStart, verdict.months))
      }),
      fixed,
    )
  })
})
