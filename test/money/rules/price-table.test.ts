import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { portion } from '#kernel/money.ts'
import {
  adjustPrices,
  isByAge,
  PRICE_CATEGORIES,
  PRICE_TABLE_KINDS,
  type PriceCategory,
  priceCategory,
  priceErrors,
  priceWarnings,
} from '#money/rules/price-table.ts'
import { bands, pricesOf } from '../../data/prices.ts'

describe('the category of a person', () => {
  test.each([
    [0, '0-18', '0-17'],
    [17, '0-18', '0-17'],
    [18, '0-18', '18-29'],
    [19, '19-23', '18-29'],
    [28, '24-28', '18-29'],
    [30, '29-33', '30-39'],
    [38, '34-38', '30-39'],
    [39, '39-43', '30-39'],
    [58, '54-58', '50-59'],
    [59, '59+', '50-59'],
    [60, '59+', '60-69'],
    [70, '59+', '70+'],
    [104, '59+', '70+'],
  ])('of %i years is %s of ten bands and %s of seven', (age, ten, seven) => {
    expect(priceCategory('age-band-10', age, 'primary')).toBe(ten)
    expect(priceCategory('age-band-7', age, 'primary')).toBe(seven)
  })

  test('is the role, or one for everybody, where the age does not count', () => {
    expect(priceCategory('per-role', 40, 'dependent')).toBe('dependent')
    expect(priceCategory('per-role', 40, 'primary')).toBe('primary')
    expect(priceCategory('per-person', 40, 'dependent')).toBe('person')
    expect(PRICE_TABLE_KINDS.filter(isByAge)).toEqual(['age-band-10', 'age-band-7'])
  })
})

describe('the bands of a table', () => {
  test('give no warning with the prices that are in force', () => {
    expect(priceWarnings({ kind: 'age-band-10', prices: bands })).toEqual([])
  })

  test('are warned about above six times the first, and when they vary more at the end', () => {
    const last = bands.map((price) => (price.category === '59+' ? { ...price, amount: 255_000 } : price))
    expect(priceWarnings({ kind: 'age-band-10', prices: last })).toEqual(['band-above-six-times', 'band-variation'])
  })

  test.each([
    [600, []],
    [601, ['band-above-six-times', 'band-variation']],
  ])('are at the limit, with a last price of %i cents, %j', (last, warnings) => {
    const amounts = [100, 120, 140, 160, 180, 200, 245, 300, 400, last]
    expect(priceWarnings({ kind: 'age-band-10', prices: pricesOf('age-band-10', amounts) })).toEqual(warnings)
  })

  test('of other kinds are not judged', () => {
    const amounts = [100, 120, 140, 160, 180, 200, 9000]
    expect(priceWarnings({ kind: 'age-band-7', prices: pricesOf('age-band-7', amounts) })).toEqual([])
  })
})

describe('the prices of a table', () => {
  test.each(PRICE_TABLE_KINDS)('of the kind %s have each category once', (kind) => {
    const categories: readonly PriceCategory[] = PRICE_CATEGORIES[kind]
    const whole = categories.map((category) => ({ category, amount: 100 }))
    expect(priceErrors(kind, whole)).toEqual([])
    expect(priceErrors(kind, whole.slice(1))).toEqual([
      { field: 'prices', code: 'missing', allowed: categories.slice(0, 1) },
    ])
    expect(priceErrors(kind, [...whole, ...whole.slice(0, 1)])).toEqual([
      { field: `prices[${whole.length}].category`, code: 'repeated' },
    ])
    const other = kind === 'per-person' ? 'primary' : 'person'
    expect(priceErrors(kind, [...whole, { category: other, amount: 1 }])).toEqual([
      { field: `prices[${whole.length}].category`, code: 'not-applicable', allowed: categories },
    ])
  })

  test('are adjusted to the cent, each by itself', () => {
    expect(adjustPrices(bands, 1523).map((price) => price.amount)).toEqual([
      47_515, 55_593, 67_823, 81_388, 85_458, 94_003, 117_505, 129_255, 161_569, 282_746,
    ])
    expect(adjustPrices(pricesOf('per-person', [1000]), -500)).toEqual(pricesOf('per-person', [950]))
  })
})

describe('a portion of an amount', () => {
  test.each([
    [100, 1, 3, 33],
    [100, 2, 3, 67],
    [1, 1, 2, 1],
    [-1, 1, 2, -1],
    [3, 1, 2, 2],
    [41_235, 15, 30, 20_618],
    [0, 1, 2, 0],
  ])('of %i cents, %i of %i, is %i', (cents, numerator, denominator, rounded) => {
    expect(portion(cents, numerator, denominator)).toBe(rounded)
  })

  test('is the nearest cent, a half upwards', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 9_999_999 }),
        fc.integer({ min: 0, max: 20_000 }),
        fc.integer({ min: 1, max: 10_000 }),
        (cents, numerator, denominator) => {
          const exact = (2n * BigInt(cents) * BigInt(numerator) + BigInt(denominator)) / (2n * BigInt(denominator))
          expect(portion(cents, numerator, denominator)).toBe(Number(exact))
        },
      ),
      { seed: 3701, numRuns: 2000 },
    )
  })
})
