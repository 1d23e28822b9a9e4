import { expect, test } from 'vitest'
import { DeliveryConcurrency, maxPerEndpoint } from '#events/webhooks/concurrency.ts'

const endpointsOf = (concurrency: DeliveryConcurrency, now: number) =>
  Object.fromEntries(concurrency.free(now).endpoints.map(({ id, inFlight, slow }) => [id, { inFlight, slow }]))

test('a call in flight uses a slot of the healthy pool until it is released', () => {
  const concurrency = new DeliveryConcurrency()
  const all = concurrency.free(0)
  const releases = ['a', 'a', 'b'].map((id) => concurrency.acquire(id, false, 0))
  expect(concurrency.free(1).healthy).toBe(all.healthy - 3)
  expect(concurrency.free(1).degraded).toBe(all.degraded)
  expect(endpointsOf(concurrency, 1)).toEqual({ a: { inFlight: 2, slow: false }, b: { inFlight: 1, slow: false } })
  for (const release of releases) release(2)
  expect(concurrency.free(3)).toEqual(all)
})

test('the slots of a slow call move from the healthy to the degraded pool while it is in flight', () => {
  const concurrency = new DeliveryConcurrency()
  const all = concurrency.free(0)
  for (let n = 0; n < all.healthy; n += 1) concurrency.acquire(`dead ${n % 8}`, false, 0)
  expect(concurrency.free(999).healthy).toBe(0)
  const later = concurrency.free(1_000)
  expect(later.healthy).toBe(all.healthy)
  expect(later.degraded).toBe(0)
  expect(later.endpoints.every(({ slow }) => slow)).toBe(true)
})

test('an endpoint that failed last time uses the degraded pool only', () => {
  const concurrency = new DeliveryConcurrency()
  const all = concurrency.free(0)
  for (let n = 0; n < 10; n += 1) concurrency.acquire(`failing ${n}`, true, 0)
  expect(concurrency.free(1)).toMatchObject({ healthy: all.healthy, degraded: all.degraded - 10 })
})

test('an endpoint counts as slow for a minute after a slow call', () => {
  const concurrency = new DeliveryConcurrency()
  concurrency.acquire('a', false, 0)(5_000)
  expect(endpointsOf(concurrency, 6_000)).toEqual({ a: { inFlight: 0, slow: true } })
  expect(endpointsOf(concurrency, 65_000)).toEqual({})
  concurrency.acquire('a', false, 70_000)(70_010)
  expect(endpointsOf(concurrency, 70_020)).toEqual({})
})

test('a healthy endpoint has more slots than a slow one, and a slow one more than a failing one', () => {
  const { failing, slow, healthy } = maxPerEndpoint
  expect(failing).toBe(1)
  expect(slow).toBeGreaterThan(failing)
  expect(healthy).toBeGreaterThan(slow)
})
