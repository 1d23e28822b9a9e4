import { expect, test } from 'vitest'
import { moneyAtRisk } from '#money/rules/money-at-risk.ts'
import { daviIn, marcioOut, people, rules } from './vale-claro.ts'

const days = { unit: 'days', count: 30 } as const
const months = { unit: 'months', count: 2 } as const
const limited = (
  exclusion: typeof days | typeof months | null,
  inclusion: typeof days | typeof months | null = null,
) => ({
  ...rules,
  limits: { exclusion, inclusion },
})

const marcio = {
  perMonth: 82_953,
  chargedBeyondEnd: 58_067,
  cutOffDate: '2026-12-18',
  ifMissed: 82_953,
  uncoveredDaysIfMissed: null,
}

test('an exclusion, with days before it is told', () => {
  expect(moneyAtRisk(people.marcio, marcioOut, null, limited(days))).toEqual({
    ...marcio,
    lost: 0,
    lostIfMissed: 27_651,
    windowUntil: '2027-01-08',
    missingSettings: [],
  })
})

test('an exclusion, with months before the invoice', () => {
  expect(moneyAtRisk(people.marcio, marcioOut, null, limited(months))).toEqual({
    ...marcio,
    lost: 0,
    lostIfMissed: 0,
    windowUntil: '2027-01-18',
    missingSettings: [],
  })
})

test('an exclusion, without the setting', () => {
  expect(moneyAtRisk(people.marcio, marcioOut, null, rules)).toEqual({
    ...marcio,
    lost: null,
    lostIfMissed: null,
    windowUntil: null,
    missingSettings: ['retroactive-exclusion'],
  })
})

test('an exclusion that the carrier has misses no cut-off any more', () => {
  expect(moneyAtRisk(people.marcio, marcioOut, '2026-12-10', limited(days))).toMatchObject({
    ifMissed: 0,
    lost: 0,
    lostIfMissed: 0,
  })
})

test('what is lost already is not lost again', () => {
  const early = { ...marcioOut, date: '2026-10-31' } as const
  // Told on 18 December the earliest end is 18 November: 829.53 x 18/30. A month later it is 19 December.
  expect(moneyAtRisk(people.marcio, early, null, limited(days))).toMatchObject({
    lost: 49_772,
    lostIfMissed: 82_953 + 52_537 - 49_772,
    chargedBeyondEnd: 2 * 82_953,
    windowUntil: '2026-11-30',
  })
})

test('an inclusion', () => {
  expect(moneyAtRisk(people.davi, daviIn, null, limited(null, days))).toEqual({
    perMonth: 26_208,
    chargedBeyondEnd: null,
    cutOffDate: '2026-12-18',
    ifMissed: null,
    lost: 0,
    lostIfMissed: 0,
    uncoveredDaysIfMissed: 18,
    windowUntil: '2026-12-31',
    missingSettings: [],
  })
})

test('without a price only the days are known', () => {
  expect(moneyAtRisk(people.marcio, marcioOut, null, { ...limited(days), tables: [] })).toMatchObject({
    perMonth: null,
    chargedBeyondEnd: null,
    ifMissed: null,
    lost: null,
    lostIfMissed: null,
    windowUntil: '2027-01-08',
  })
})
