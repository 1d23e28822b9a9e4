import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ConcurrencyLimit, type Permit } from '#platform/core/concurrency-limit.ts'
import { rngOf } from '../../crash/rng.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

interface Call {
  readonly client: string
  permit: Permit | null
  error: { readonly code?: string; readonly headers?: Readonly<Record<string, string>> } | null
}

function start(limit: ConcurrencyLimit, client: string, options = {}): Call {
  const call: Call = { client, permit: null, error: null }
  limit.acquire(client, options).then(
    (permit) => (call.permit = permit),
    (error) => (call.error = error as Call['error']),
  )
  return call
}

/** Starts that many calls of a client, and lets those that are granted begin. */
async function startMany(limit: ConcurrencyLimit, client: string, count: number, options = {}): Promise<Call[]> {
  const calls = Array.from({ length: count }, () => start(limit, client, options))
  await settle()
  return calls
}

const settle = () => vi.advanceTimersByTimeAsync(0)
const running = (calls: readonly Call[]) => calls.filter(({ permit }) => permit !== null).length

async function release(call: Call | undefined): Promise<void> {
  call?.permit?.release()
  await settle()
}

describe('a limit of 8, of which a share is 2', () => {
  test('a client that is alone has all of it; its next call runs when one ends', async () => {
    const limit = new ConcurrencyLimit({ max: 8 })
    const calls = await startMany(limit, 'a', 9)
    expect(running(calls)).toBe(8)
    await release(calls[3])
    expect(calls[8]?.permit).not.toBeNull()
  })

  test('another client within its share does not wait for it, also when it has taken all', async () => {
    const limit = new ConcurrencyLimit({ max: 8 })
    await startMany(limit, 'a', 20)
    expect(running(await startMany(limit, 'b', 3))).toBe(2)
    expect(running(await startMany(limit, 'c', 1))).toBe(0)
  })

  test('what is released goes to clients within their share first, then in turn by client', async () => {
    const limit = new ConcurrencyLimit({ max: 8 })
    const a = await startMany(limit, 'a', 40)
    const b = await startMany(limit, 'b', 10)
    const c = await startMany(limit, 'c', 10)
    expect([a, b, c].map(running)).toEqual([8, 2, 0])
    for (const call of a.slice(0, 2)) await release(call)
    expect([a, b, c].map(running)).toEqual([8, 2, 2])
    for (const call of a.slice(2, 8)) await release(call)
    // Two beyond `max` had to end first.
    expect([a, b, c].map(running)).toEqual([10, 3, 3])
  })

  test('503 with Retry-After after 30 seconds', async () => {
    const limit = new ConcurrencyLimit({ max: 8 })
    const calls = await startMany(limit, 'a', 9)
    await vi.advanceTimersByTimeAsync(29_999)
    expect(calls[8]).toMatchObject({ permit: null, error: null })
    await vi.advanceTimersByTimeAsync(1)
    expect(calls[8]?.error).toMatchObject({ code: 'too-many-calls', headers: { 'retry-after': '1' } })
    await release(calls[0])
    expect([limit.waiting, running(await startMany(limit, 'a', 1))]).toEqual([0, 1])
  })

  test('1,000 wait, the next gets 503 at once; one of another client takes the place of the last', async () => {
    const limit = new ConcurrencyLimit({ max: 8 })
    const calls = await startMany(limit, 'a', 1_008)
    expect(calls.some(({ error }) => error !== null)).toBe(false)
    const [next] = await startMany(limit, 'a', 1)
    expect(next?.error).toMatchObject({ code: 'too-many-calls' })
    const others = await startMany(limit, 'b', 3)
    expect(others.map(({ error }) => error)).toEqual([null, null, null])
    expect(calls.map(({ error }, n) => (error === null ? [] : n)).flat()).toEqual([1_007])
  })
})

describe('a client within its share that waits while others hold all', () => {
  const ending = () => {
    const ended: string[] = []
    const endable = (name: string, isEnded = true) => ({
      end: () => {
        if (isEnded) ended.push(name)
        return isEnded
      },
    })
    return { ended, endable }
  }

  test('is served after half a second: the oldest that can be ended of the client that holds most is', async () => {
    const limit = new ConcurrencyLimit({ max: 8 })
    const { ended, endable } = ending()
    await startMany(limit, 'a', 1, endable('a0', false))
    for (let n = 1; n < 8; n += 1) await startMany(limit, 'a', 1, endable(`a${n}`))
    for (let n = 0; n < 2; n += 1) await startMany(limit, 'b', 1, endable(`b${n}`))
    const [waiting] = await startMany(limit, 'c', 1)
    await vi.advanceTimersByTimeAsync(499)
    expect([waiting?.permit, ended]).toEqual([null, []])
    await vi.advanceTimersByTimeAsync(1)
    expect([waiting?.permit !== null, ended]).toEqual([true, ['a1']])
  })

  test('ends as many as its amount needs, and none of who holds less than it', async () => {
    const limit = new ConcurrencyLimit({ max: 80 })
    const { ended, endable } = ending()
    for (let n = 0; n < 8; n += 1) await startMany(limit, 'a', 1, { amount: 10, ...endable(`a${n}`) })
    await startMany(limit, 'b', 1, { amount: 19, ...endable('b') })
    const [waiting] = await startMany(limit, 'c', 1, { amount: 20 })
    await vi.advanceTimersByTimeAsync(500)
    expect([waiting?.permit !== null, ended]).toEqual([true, ['a0', 'a1']])
  })

  test('ends nothing while it is beyond its share, or where nothing can be ended', async () => {
    const limit = new ConcurrencyLimit({ max: 8 })
    const { ended, endable } = ending()
    await startMany(limit, 'a', 6, endable('a'))
    await startMany(limit, 'b', 4, {})
    const [beyond] = await startMany(limit, 'b', 1)
    await vi.advanceTimersByTimeAsync(5_000)
    expect([beyond?.permit, ended]).toEqual([null, []])
    const fixed = new ConcurrencyLimit({ max: 8 })
    await startMany(fixed, 'a', 8)
    await startMany(fixed, 'b', 2)
    const [late] = await startMany(fixed, 'c', 1)
    await vi.advanceTimersByTimeAsync(30_000)
    expect(late?.error).toMatchObject({ code: 'too-many-calls' })
  })
})

test('a reserve for privileged clients is left when all others are busy', async () => {
  const limit = new ConcurrencyLimit({ max: 2, share: 2, reserve: 1, privilegedReserve: 1 })
  await startMany(limit, 'a', 9)
  await startMany(limit, 'b', 9)
  expect(running(await startMany(limit, 'c', 1))).toBe(0)
  expect(running(await startMany(limit, 'operator', 2, { privileged: true }))).toBe(1)
})

test('a large amount is served before smaller ones of clients beyond their share', async () => {
  const limit = new ConcurrencyLimit({ max: 100, reserve: 0 })
  const small = await startMany(limit, 'a', 100, { amount: 1 })
  const [large] = await startMany(limit, 'b', 1, { amount: 25 })
  const more = await startMany(limit, 'a', 100, { amount: 1 })
  for (const call of small.slice(0, 24)) await release(call)
  expect([large?.permit, running(more)]).toEqual([null, 0])
  await release(small[24])
  expect(large?.permit).not.toBeNull()
})

test('an amount that is known later is set, and what it was too much is served to others', async () => {
  const limit = new ConcurrencyLimit({ max: 16, reserve: 0 })
  const [unknown] = await startMany(limit, 'a', 1, { amount: 1_000 })
  const [waiting] = await startMany(limit, 'b', 1, { amount: 8 })
  expect(waiting?.permit).toBeNull()
  unknown?.permit?.resize(8)
  await settle()
  expect(waiting?.permit).not.toBeNull()
})

test('clients that wait are served in turn: each once before one is served twice', async () => {
  const limit = new ConcurrencyLimit({ max: 1, reserve: 0 })
  const [first] = await startMany(limit, 'z', 1)
  const calls = [
    ...(await startMany(limit, 'a', 30)),
    ...(await startMany(limit, 'b', 4)),
    ...(await startMany(limit, 'c', 2)),
  ]
  let served = ''
  let held = first
  while (served.length < 12) {
    await release(held)
    held = calls.find(({ permit }) => permit !== null)
    calls.splice(calls.indexOf(held as Call), 1)
    served += held?.client
  }
  expect(served).toBe('abcabcababaa')
})

test.each([1, 2, 3, 4, 5, 6])(
  'random calls and releases, seed %i: bounds hold, nothing is idle, and each is served',
  async (seed) => {
    const rng = rngOf(seed)
    const max = rng.between(2, 10)
    const [share, reserve, privilegedReserve] = [rng.between(1, max), rng.between(0, 3), rng.between(0, 2)]
    const limit = new ConcurrencyLimit({ max, share, reserve, privilegedReserve })
    const clients = ['a', 'b', 'c', 'd', 'operator']
    const calls: Call[] = []
    const held = (client?: string) =>
      calls.filter((call) => call.permit !== null && (client === undefined || call.client === client)).length
    const waits = (client: string) => calls.some((call) => call.client === client && call.permit === null)
    const optionsOf = (client: string) => ({ privileged: client === 'operator' })
    for (let round = 0; round < 400; round += 1) {
      const before = new Map(clients.map((client) => [client, held(client)]))
      const begun = calls.filter(({ permit }) => permit !== null)
      if (rng.between(1, 5) <= 3 && calls.length < 60) {
        const client = clients[rng.oneIn(2) ? 0 : rng.between(0, clients.length - 1)] ?? 'a'
        calls.push(start(limit, client, optionsOf(client)))
      } else if (begun.length > 0) {
        const ended = begun[rng.between(0, begun.length - 1)]
        ended?.permit?.release()
        if (ended !== undefined) calls.splice(calls.indexOf(ended), 1)
      }
      await settle()
      expect(held()).toBeLessThanOrEqual(max + reserve + privilegedReserve)
      for (const client of clients) {
        if (held(client) > (before.get(client) ?? 0) && held(client) > share && held() > max)
          expect.fail('beyond its share')
        const isStarving = waits(client) && held(client) < share
        if (isStarving) expect(held()).toBeGreaterThanOrEqual(max + reserve)
        if (waits(client)) expect(held()).toBeGreaterThanOrEqual(max)
      }
    }
    while (calls.length > 0) {
      const index = calls.findIndex(({ permit }) => permit !== null)
      expect(index).toBeGreaterThanOrEqual(0)
      calls.splice(index, 1)[0]?.permit?.release()
      await settle()
    }
    expect(limit.waiting).toBe(0)
  },
)
