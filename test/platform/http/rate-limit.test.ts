import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseRateLimits, type Quotas, RateLimiter } from '#platform/http/limits/rate-limit.ts'
import type { Sql } from '#platform/core/database.ts'

test.for([
  ['off', null],
  ['600/120/20', { reads: 600, writes: 120, authenticate: 20, members: 30, redeliveries: 60 }],
  ['1/0/999999', { reads: 1, writes: 0, authenticate: 999_999, members: 30, redeliveries: 60 }],
] as const)('the setting %s', ([text, quotas]) => {
  expect(parseRateLimits(text)).toEqual(quotas)
})

/** The shared count of one client in one window. */
function sharedCount() {
  const statements: number[] = []
  let leased = 0
  const query = async (_text: string, [, , amount]: [string, string, number]) => {
    statements.push(amount)
    leased += amount
    return [{ leased, secondsLeft: 60 }]
  }
  return { sql: { query } as unknown as Sql, statements }
}

const quotas = (reads: number): Quotas => ({ reads, writes: 0, authenticate: 0, members: 0, redeliveries: 0 })

async function passed(limiters: readonly RateLimiter[], calls: readonly number[]): Promise<number> {
  let count = 0
  for (const index of calls) if ((await limiters[index]?.take('client', 'reads'))?.ok) count += 1
  return count
}

test('however calls fall on the processes, no more than the quota pass, and hardly fewer while calls go on', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 700 }),
      fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 1, maxLength: 1_500 }),
      async (quota, calls) => {
        const { sql } = sharedCount()
        const limiters = [0, 1, 2].map(() => new RateLimiter(sql, quotas(quota)))
        const count = await passed(limiters, calls)
        expect(count).toBeLessThanOrEqual(quota)
        expect(count).toBeGreaterThanOrEqual(Math.min(calls.length, quota) - 3 * Math.max(1, Math.floor(quota / 20)))
      },
    ),
  )
})

test('calls at once share reservations', async () => {
  const { sql, statements } = sharedCount()
  const limiter = new RateLimiter(sql, quotas(60))
  const results = await Promise.all(Array.from({ length: 200 }, () => limiter.take('client', 'reads')))
  expect(results.filter(({ ok }) => ok)).toHaveLength(60)
  expect(statements.length).toBeLessThanOrEqual(3)
})

test('of a large quota one call in twenty asks the database; of an exhausted one none', async () => {
  const { sql, statements } = sharedCount()
  const limiter = new RateLimiter(sql, quotas(600))
  await passed(
    [limiter],
    Array.from({ length: 100 }, () => 0),
  )
  expect(statements).toEqual([30, 28, 27, 25])
  await passed(
    [limiter],
    Array.from({ length: 1_000 }, () => 0),
  )
  const before = statements.length
  expect((await limiter.take('client', 'reads')).ok).toBe(false)
  expect(statements).toHaveLength(before)
})

test('a database that cannot be asked limits nothing', async () => {
  const sql = { query: () => Promise.reject(new Error('away')) } as unknown as Sql
  expect((await new RateLimiter(sql, quotas(0)).take('client', 'reads')).ok).toBe(true)
})
