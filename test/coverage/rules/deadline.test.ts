import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isBusinessDay } from '#kernel/business-days.ts'
import { addDays, daysBetween } from '#kernel/calendar.ts'
import {
  continuationOptionUntil,
  type DeadlineFacts,
  deadlinesOf,
  lossDateOf,
  proofUntil,
} from '#coverage/rules/deadline.ts'
import { EXCLUSION_REASONS } from '#kernel/enums.ts'

const nothing: DeadlineFacts = {
  acceptedOn: '2026-11-23',
  eventDate: null,
  newbornDate: null,
  requestedOn: null,
  retroactiveUntil: null,
  informedOn: null,
  proofUntil: null,
  noticeDate: null,
  lossDate: null,
}
const own = (facts: Partial<DeadlineFacts>) =>
  deadlinesOf({ ...nothing, ...facts }).map(({ kind, until }) => `${kind} ${until}`)

describe('the clocks of a movement', () => {
  test.each<[Partial<DeadlineFacts>, string[]]>([
    [{}, []],
    [{ eventDate: '2026-11-01' }, ['inclusion-window 2026-12-01']],
    [{ eventDate: '2026-10-24' }, ['inclusion-window 2026-11-23']],
    [{ eventDate: '2026-10-23' }, []],
    [{ eventDate: '2026-11-20', newbornDate: '2026-11-10' }, ['newborn 2026-12-10', 'inclusion-window 2026-12-20']],
    [{ newbornDate: '2026-10-23' }, []],
    [{ requestedOn: '2026-11-10' }, ['carrier-notice 2026-12-10']],
    // It is overdue, not void.
    [{ requestedOn: '2026-10-01' }, ['carrier-notice 2026-10-31']],
    [{ retroactiveUntil: '2026-11-23' }, ['retroactive-limit 2026-11-23']],
    // Nobody can meet it.
    [{ retroactiveUntil: '2026-11-22' }, []],
    [
      { requestedOn: '2026-12-01', informedOn: '2026-12-18', proofUntil: '2027-01-05' },
      ['effective-exclusion 2026-12-18', 'carrier-notice 2026-12-31', 'proof-of-exclusion 2027-01-05'],
    ],
    [
      { noticeDate: '2026-11-25', lossDate: '2026-11-25' },
      // Christmas, and a Sunday.
      ['continuation-option 2026-12-28', 'portability-window 2027-01-25'],
    ],
  ])('%j: %j', (facts, expected) => {
    expect(own(facts)).toEqual(expected)
  })

  test('each names its norm', () => {
    expect(deadlinesOf({ ...nothing, eventDate: '2026-11-02' })).toEqual([
      { kind: 'inclusion-window', until: '2026-12-02', norm: 'RN 557, art. 6' },
    ])
  })
})

const banking = {
  'cut-off-day': 20,
  'cut-off-business-days-before-billing': null,
  'when-not-business-day': 'previous',
  holidays: 'banking',
  'own-holidays': ['12-31'],
  'coverage-day': 1,
  'coverage-month-offset': 1,
  exceptions: [],
} as const

describe('the proof of an exclusion', () => {
  test.each([
    ['2026-12-18', null, '2027-01-05'],
    ['2027-03-19', null, '2027-04-05'],
    ['2026-12-18', banking, '2027-01-06'],
    ['2027-01-29', banking, '2027-02-16'],
    ['2027-01-29', null, '2027-02-12'],
  ])('after %s, with the calendar %j, is due on %s', (informedOn, calendar, expected) => {
    expect(proofUntil(informedOn, calendar)).toBe(expected)
  })

  test('is due on a business day, ten of them later', () => {
    const days = fc
      .date({ min: new Date('2020-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10))
    const national = { holidays: 'national', ownHolidays: [] } as const
    fc.assert(
      fc.property(days, (informedOn) => {
        const until = proofUntil(informedOn, null)
        const between = Array.from({ length: daysBetween(informedOn, until) }, (_, day) => addDays(informedOn, day + 1))
        expect(between.filter((day) => isBusinessDay(day, national))).toHaveLength(10)
        expect(isBusinessDay(until, national)).toBe(true)
      }),
      { seed: 35 },
    )
  })
})

test.each([
  ['2026-11-23', '2026-12-23'],
  ['2026-11-25', '2026-12-28'],
  ['2026-11-26', '2026-12-28'],
  ['2027-02-24', '2027-03-29'],
])('the option to keep the plan after a notice of %s ends on %s', (notice, until) => {
  expect(continuationOptionUntil(notice)).toBe(until)
})

describe('the loss of the cover', () => {
  const exclusion = { keepsPlan: false, followsPrimary: false, noticeDate: null, endDate: '2026-11-30' }

  test('counts for portability after these reasons', () => {
    const portable = EXCLUSION_REASONS.filter((reason) => lossDateOf({ ...exclusion, reason }) !== null)
    expect(portable).toEqual([
      'dismissal',
      'dismissal-with-cause',
      'resignation',
      'mutual-agreement',
      'end-of-contract',
      'retirement',
      'loss-of-dependent-status',
    ])
  })

  test('is known since the notice, else since the last day; dependents have it after a death, and nobody who keeps the plan', () => {
    const reason = 'dismissal'
    expect(lossDateOf({ ...exclusion, reason })).toBe('2026-11-30')
    expect(lossDateOf({ ...exclusion, reason, noticeDate: '2026-11-25' })).toBe('2026-11-25')
    expect(lossDateOf({ ...exclusion, reason, keepsPlan: true })).toBeNull()
    expect(lossDateOf({ ...exclusion, reason: 'death', followsPrimary: true })).toBe('2026-11-30')
  })
})
