import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { allocate } from '#money/rules/allocation.ts'

describe('a fee is split by the amounts of the groups', () => {
  test.each<[string, number, number[], number[]]>([
    ['R$ 100.00 over three equal groups', 10_000, [5_000, 5_000, 5_000], [3_334, 3_333, 3_333]],
    ['a discount', -10_000, [5_000, 5_000, 5_000], [-3_334, -3_333, -3_333]],
    ['a cent goes to the largest remainder', 100, [1, 1, 4], [17, 17, 66]],
    ['groups that were credited only get nothing', 300, [-50, 100, 200], [0, 100, 200]],
    ['no amount at all: equal parts', 5, [0, 0], [3, 2]],
    ['nothing', 0, [1, 2], [0, 0]],
    ['no group', 7, [], []],
  ])('%s', (_name, amount, weights, expected) => expect(allocate(amount, weights)).toEqual(expected))
})

const cents = fc.integer({ min: -1_000_000_000_000, max: 1_000_000_000_000 })

test('the parts are the amount to the cent, and each is less than a cent away from its exact share', () => {
  fc.assert(
    fc.property(
      cents,
      fc.array(fc.integer({ min: 0, max: 900_000_000 }), { minLength: 1, maxLength: 40 }),
      (amount, weights) => {
        const parts = allocate(amount, weights)
        expect(parts.reduce((sum, part) => sum + part, 0)).toBe(amount)
        const total = weights.reduce((sum, weight) => sum + weight, 0)
        for (const [index, part] of parts.entries()) {
          const exact = total === 0 ? amount / weights.length : amount * ((weights[index] ?? 0) / total)
          expect(Math.abs(part - exact)).toBeLessThan(1.001)
        }
      },
    ),
    { numRuns: 2_000 },
  )
})

test('of two groups the larger never gets less', () => {
  fc.assert(
    fc.property(fc.nat(1_000_000), fc.array(fc.nat(100_000), { minLength: 2, maxLength: 20 }), (amount, weights) => {
      const parts = allocate(amount, weights)
      for (const [a, one] of weights.entries())
        for (const [b, other] of weights.entries())
          if (one > other) expect(parts[a] ?? 0).toBeGreaterThanOrEqual(parts[b] ?? 0)
    }),
    { numRuns: 500 },
  )
})
