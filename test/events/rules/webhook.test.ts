import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nextAttempt, outcomeOf, retryDelaysMs } from '#events/rules/webhook.ts'

const at = new Date('2026-11-21T13:05:09.120Z')
const delayOf = (step: number, random: number) => Number(nextAttempt(step, at, random)) - Number(at)

test('ten attempts: at once, then after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h', () => {
  const [second, minute, hour] = [1_000, 60_000, 3_600_000]
  const delays = Array.from({ length: 9 }, (_, n) => delayOf(n + 1, 0.5))
  expect(delays).toEqual([
    5 * second,
    5 * minute,
    30 * minute,
    2 * hour,
    5 * hour,
    10 * hour,
    14 * hour,
    20 * hour,
    24 * hour,
  ])
  expect(nextAttempt(10, at, 0.5)).toBe(null)
})

test('the jitter is a tenth at most, to either side', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9 }), fc.double({ min: 0, max: 1, noNaN: true }), (step, random) => {
      const delay = retryDelaysMs[step - 1] ?? 0
      expect(Math.abs(delayOf(step, random) - delay)).toBeLessThanOrEqual(delay / 10 + 1)
    }),
  )
  expect(delayOf(1, 0)).toBe(4_500)
  expect(delayOf(1, 1)).toBe(5_500)
})

test.for([
  [200, 'succeeded'],
  [204, 'succeeded'],
  [299, 'succeeded'],
  [302, 'failed'],
  [400, 'failed'],
  [404, 'failed'],
  [410, 'gone'],
  [500, 'failed'],
] as const)('%i is %s', ([status, outcome]) => {
  expect(outcomeOf(status)).toBe(outcome)
})
