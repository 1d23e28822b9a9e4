import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays } from '#kernel/calendar.ts'
import {
  ageAt,
  ageDay,
  coveredDays,
  type DatedTable,
  firstDay,
  lastDay,
  missingSettings,
  premiumOf,
  type PriceRules,
  prorate,
  tableOf,
} from '#money/rules/premium.ts'
import { AGE_ON, PRORATIONS } from '#kernel/broker-enums.ts'
import { bands, pricesOf } from '../../data/prices.ts'

const rules = (more: Partial<PriceRules> = {}): PriceRules => ({
  ageOn: 'month-after-birthday',
  proration: 'none',
  prorationDay: null,
  anniversaryMonth: null,
  ...more,
})
const table = { id: 'table', kind: 'age-band-10', prices: bands } as const
const person = { dateOfBirth: '1987-11-18', type: 'primary', startDate: '2020-01-01', endDate: null } as const

describe('the age that counts for November 2026', () => {
  test.each([
    ['first-day-of-reference-month', null, '2026-11-01'],
    ['month-after-birthday', null, '2026-10-31'],
    ['birthday-month', null, '2026-11-30'],
    ['contract-anniversary', 3, '2026-03-01'],
    ['contract-anniversary', 11, '2026-11-01'],
    ['contract-anniversary', 12, '2025-12-01'],
  ] as const)('%s, anniversary %j: is that of %s', (ageOn, anniversaryMonth, day) => {
    expect(ageDay('2026-11', rules({ ageOn, anniversaryMonth }))).toBe(day)
  })

  test.each([
    ['1987-11-18', '2026-11-17', 38],
    ['1987-11-18', '2026-11-18', 39],
    ['2004-02-29', '2026-02-28', 21],
    ['2004-02-29', '2026-03-01', 22],
    ['2004-02-29', '2028-02-29', 24],
    ['2026-11-30', '2026-11-01', 0],
  ])('somebody of %s has on %s %i years', (dateOfBirth, day, years) => {
    expect(ageAt(dateOfBirth, day)).toBe(years)
  })

  test.each([
    ['first-day-of-reference-month', 74_163],
    ['month-after-birthday', 74_163],
    ['birthday-month', 81_579],
    ['contract-anniversary', 74_163],
  ] as const)('%s: the month of the 39th birthday costs %i cents', (ageOn, amount) => {
    const premium = premiumOf(person, '2026-11', table, rules({ ageOn, anniversaryMonth: 3 }))
    expect(premium).toMatchObject({ amount, price: amount, coveredDays: 30 })
  })

  test('changes the band one month later with the month after the birthday', () => {
    expect(premiumOf(person, '2026-12', table, rules())).toMatchObject({ amount: 81_579, category: '39-43', age: 39 })
  })

  test('is not asked for where the price does not depend on it', () => {
    const perRole = { id: 'table', kind: 'per-role', prices: pricesOf('per-role', [30_000, 20_000]) } as const
    expect(premiumOf({ ...person, type: 'dependent' }, '2026-11', perRole, rules())).toMatchObject({
      category: 'dependent',
      amount: 20_000,
    })
  })
})

describe('a month that is covered in part', () => {
  const cover = (startDate: string, endDate: string | null = null) => ({ startDate, endDate })
  test.each([
    ['from the 16th', cover('2026-11-16'), 15, 41_235, 20_618, 20_618],
    ['until the 10th', cover('2020-01-01', '2026-11-10'), 10, 41_235, 13_745, 13_745],
    ['on one day', cover('2026-11-30', '2026-11-30'), 1, 41_235, 1375, 1375],
    ['in whole', cover('2020-01-01'), 30, 41_235, 41_235, 41_235],
    ['not at all', cover('2020-01-01', '2026-10-31'), 0, 0, 0, 0],
    ['not yet', cover('2026-12-01'), 0, 0, 0, 0],
    ['void', cover('2026-11-16', '2026-11-15'), 0, 0, 0, 0],
  ] as const)('%s costs what the contract says', (_, dates, days, none, thirtieths, calendar) => {
    expect(coveredDays(dates, '2026-11')).toBe(days)
    const owed = (proration: PriceRules['proration']) => prorate(41_235, dates, '2026-11', rules({ proration }))
    expect([owed('none'), owed('daily-30'), owed('daily-calendar')]).toEqual([none, thirtieths, calendar])
  })

  test('counts thirtieths at most, and a whole month of 28 days as one', () => {
    const daily30 = rules({ proration: 'daily-30' })
    expect(prorate(30_000, cover('2026-12-01', '2026-12-30'), '2026-12', daily30)).toBe(30_000)
    expect(prorate(30_000, cover('2026-12-02'), '2026-12', daily30)).toBe(30_000)
    expect(prorate(30_000, cover('2026-01-01'), '2026-02', daily30)).toBe(30_000)
    expect(prorate(30_000, cover('2026-02-15'), '2026-02', daily30)).toBe(14_000)
    expect(prorate(30_000, cover('2026-02-15'), '2026-02', rules({ proration: 'daily-calendar' }))).toBe(15_000)
  })

  test.each([
    ['2026-11-15', 41_235],
    ['2026-11-16', 0],
    ['2026-10-31', 41_235],
  ])('is, started on %s until the 15th, %i cents', (startDate, amount) => {
    const started = rules({ proration: 'full-if-started-until-day', prorationDay: 15 })
    expect(prorate(41_235, cover(startDate, '2026-11-20'), '2026-11', started)).toBe(amount)
  })

  test('never costs more than the price, and nothing without a day', () => {
    const day = fc.integer({ min: 0, max: 120 }).map((days) => addDays('2026-09-15', days))
    fc.assert(
      fc.property(
        day,
        fc.option(day),
        fc.constantFrom(...PRORATIONS),
        fc.integer({ min: 0, max: 9_999_999 }),
        (startDate, endDate, proration, price) => {
          const owed = prorate(price, { startDate, endDate }, '2026-11', rules({ proration, prorationDay: 10 }))
          expect(owed).toBeGreaterThanOrEqual(0)
          expect(owed).toBeLessThanOrEqual(price)
          if (startDate > lastDay('2026-11') || (endDate !== null && endDate < firstDay('2026-11'))) {
            expect(owed).toBe(0)
          }
        },
      ),
      { seed: 3702, numRuns: 2000 },
    )
  })
})

describe('the settings that are missing', () => {
  const nothing = { ageOn: null, proration: null, prorationDay: null, anniversaryMonth: null }
  const perPerson = { id: 'table', kind: 'per-person', prices: pricesOf('per-person', [100]) } as const
  test('are those that the tables need', () => {
    expect(missingSettings(nothing, [table])).toEqual(['age-on', 'proration'])
    expect(missingSettings(nothing, [perPerson])).toEqual(['proration'])
    expect(missingSettings({ ...nothing, ageOn: 'contract-anniversary' }, [table, perPerson])).toEqual([
      'proration',
      'anniversary-month',
    ])
    expect(missingSettings({ ...nothing, ageOn: 'contract-anniversary', proration: 'none' }, [perPerson])).toEqual([])
    for (const ageOn of AGE_ON) {
      const whole = { ageOn, proration: 'none', prorationDay: null, anniversaryMonth: 3 } as const
      expect(missingSettings(whole, [table])).toEqual([])
    }
  })
})

describe('the table of a plan in a month', () => {
  const dated = (id: string, carrierPlanCode: string | null, validFrom: string): DatedTable => ({
    ...table,
    id,
    carrierPlanCode,
    validFrom,
  })
  const tables = [
    dated('all', null, '2025-01-01'),
    dated('own', 'AE1230', '2025-03-01'),
    dated('own-next', 'AE1230', '2026-03-02'),
    dated('all-next', null, '2026-03-01'),
  ]
  test.each([
    ['AE1230', '2025-02', 'all'],
    ['AE1230', '2025-03', 'own'],
    ['AE1230', '2026-03', 'own'],
    ['AE1230', '2026-04', 'own-next'],
    ['AE1231', '2026-02', 'all'],
    ['AE1231', '2026-03', 'all-next'],
    [null, '2026-03', 'all-next'],
    [null, '2024-12', undefined],
  ])('%s, %s: is %s, in any order of the tables', (planCode, month, id) => {
    expect(tableOf(tables, planCode, month)?.id).toBe(id)
    expect(tableOf(tables.toReversed(), planCode, month)?.id).toBe(id)
  })
})
