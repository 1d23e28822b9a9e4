import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  book,
  drawSize,
  isDry,
  newBucket,
  parseRateLimits,
  phaseOf,
  policyText,
  remaining,
  resetSeconds,
  runsLow,
  takePermit,
} from '../../src/http/limits/rate-limit-policy.ts'

test.for([
  ['off', null],
  ['600/120/20', { reads: 600, writes: 120, authenticate: 20, members: 30, redeliveries: 60 }],
  ['1/0/999999', { reads: 1, writes: 0, authenticate: 999_999, members: 30, redeliveries: 60 }],
] as const)('the setting %s', ([text, quotas]) => {
  expect(parseRateLimits(text)).toEqual(quotas)
})

test('a policy reads as draft 11 has it', () => {
  expect(policyText('reads', 600)).toBe('"reads";q=600;w=60')
})

const drawn = (granted: number, all: number, window = 1, leftMs = 30_000) => ({ granted, drawn: all, window, leftMs })

test('permits at hand are taken one by one; then the process asks', () => {
  const bucket = newBucket(10)
  expect(takePermit(bucket, 0)).toBe('ask')
  book(bucket, drawn(2, 5), 0, 250)
  expect(remaining(bucket)).toBe(7)
  expect([0, 1, 2].map((now) => takePermit(bucket, now))).toEqual(['taken', 'taken', 'ask'])
  expect(remaining(bucket)).toBe(5)
})

test('nothing left is believed for a moment, then asked again; a new window begins anew', () => {
  const bucket = newBucket(10)
  book(bucket, drawn(0, 10), 0, 250)
  expect([takePermit(bucket, 249), isDry(bucket, 249)]).toEqual(['refused', true])
  expect([takePermit(bucket, 250), isDry(bucket, 250)]).toEqual(['ask', false])
  book(bucket, drawn(0, 10), 29_990, 250)
  expect(takePermit(bucket, 30_000 + 29_990)).toBe('ask')
})

test('permits of a window that is over are gone', () => {
  const bucket = newBucket(10)
  book(bucket, drawn(5, 5), 0, 250)
  expect(takePermit(bucket, 30_000)).toBe('ask')
  book(bucket, drawn(1, 1, 2, 60_000), 30_000, 250)
  expect([bucket.stock, remaining(bucket)]).toEqual([1, 10])
})

test('seconds until the window ends are whole, and at least one', () => {
  const bucket = newBucket(10)
  book(bucket, drawn(1, 1), 0, 250)
  expect([0, 1, 29_999, 30_000, 40_000].map((now) => resetSeconds(bucket, now))).toEqual([30, 30, 1, 1, 1])
})

test('small quotas are drawn one by one, large ones some ahead, fewer towards the end', () => {
  expect([1, 20, 29].map((quota) => drawSize(newBucket(quota), 1))).toEqual([1, 1, 1])
  const bucket = newBucket(600)
  expect([0, 1, 50].map((waiting) => drawSize(bucket, waiting))).toEqual([20, 21, 70])
  book(bucket, drawn(0, 560), 0, 250)
  expect(drawSize(bucket, 1)).toBe(6)
  book(bucket, drawn(0, 600), 0, 250)
  expect(drawSize(bucket, 0)).toBe(1)
})

test('a process draws ahead only while there is something left', () => {
  const bucket = newBucket(600)
  book(bucket, drawn(10, 100), 0, 250)
  expect(runsLow(bucket)).toBe(true)
  book(bucket, drawn(1, 600), 0, 250)
  expect(runsLow(bucket)).toBe(false)
})

test('clients’ windows begin at different seconds', () => {
  const phases = Array.from({ length: 600 }, (_, n) =>
    phaseOf(`01995e0c-6f3a-7c52-9d0e-${String(n).padStart(12, '0')}`),
  )
  expect(phases.every((phase) => Number.isInteger(phase) && phase >= 0 && phase < 60)).toBe(true)
  expect(new Set(phases).size).toBeGreaterThan(40)
})

/** The shared count of one window, as the statement keeps it. */
function openCount(quota: number) {
  let all = 0
  return (asked: number) => {
    const granted = Math.max(0, Math.min(asked, quota - all))
    all = Math.max(0, all + Math.min(asked, quota - all))
    return { granted, drawn: all, window: 1, leftMs: 60_000 }
  }
}

test('however calls fall on the processes, no more than the quota pass, and hardly fewer while calls go on', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 700 }),
      fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 1, maxLength: 1_500 }),
      (quota, calls) => {
        const ask = openCount(quota)
        const processes = [newBucket(quota), newBucket(quota), newBucket(quota)]
        let passed = 0
        for (const [now, at] of calls.entries()) {
          const bucket = processes[at] ?? newBucket(quota)
          let taking = takePermit(bucket, now)
          if (taking === 'ask') {
            book(bucket, ask(drawSize(bucket, 1)), now, 0)
            taking = takePermit(bucket, now)
          }
          if (taking === 'taken') passed += 1
        }
        const heldUnused = processes.reduce((sum, { stock }) => sum + stock, 0)
        expect(passed).toBeLessThanOrEqual(quota)
        expect(passed).toBeGreaterThanOrEqual(Math.min(calls.length, quota) - heldUnused)
        expect(heldUnused).toBeLessThanOrEqual(3 * Math.max(1, quota / 30))
      },
    ),
  )
})
