import { expect, test } from 'vitest'
import { ConcurrencyLimit } from '../../src/webhooks/concurrency.ts'

const known = (slots: ConcurrencyLimit, now: number) =>
  Object.fromEntries(slots.room(now).known.map(({ id, underWay, slow }) => [id, { underWay, slow }]))

test('what is under way takes places of the healthy, until it is given back', () => {
  const slots = new ConcurrencyLimit()
  const all = slots.room(0)
  const back = [slots.take('a', false, 0), slots.take('a', false, 0), slots.take('b', false, 0)]
  expect(slots.room(1).healthy).toBe(all.healthy - 3)
  expect(slots.room(1).troubled).toBe(all.troubled)
  expect(known(slots, 1)).toEqual({ a: { underWay: 2, slow: false }, b: { underWay: 1, slow: false } })
  for (const one of back) one(2)
  expect(slots.room(3)).toEqual(all)
})

test('a call that lasts gives its places back to the healthy at once, and counts among the troubled', () => {
  const slots = new ConcurrencyLimit()
  const all = slots.room(0)
  for (let n = 0; n < all.healthy; n += 1) slots.take(`dead ${n % 8}`, false, 0)
  expect(slots.room(999).healthy).toBe(0)
  const later = slots.room(1_000)
  expect(later.healthy).toBe(all.healthy)
  expect(later.troubled).toBe(0)
  expect(later.known.every(({ slow }) => slow)).toBe(true)
})

test('who failed last time never takes a place of the healthy', () => {
  const slots = new ConcurrencyLimit()
  const all = slots.room(0)
  for (let n = 0; n < 10; n += 1) slots.take(`failing ${n}`, true, 0)
  expect(slots.room(1)).toMatchObject({ healthy: all.healthy, troubled: all.troubled - 10 })
})

test('who was slow counts as slow for a minute, then is forgotten', () => {
  const slots = new ConcurrencyLimit()
  slots.take('a', false, 0)(5_000)
  expect(known(slots, 6_000)).toEqual({ a: { underWay: 0, slow: true } })
  expect(known(slots, 65_000)).toEqual({})
  slots.take('a', false, 70_000)(70_010)
  expect(known(slots, 70_020)).toEqual({})
})

test('an endpoint may have more under way the better it answers', () => {
  const { failing, slow, healthy } = new ConcurrencyLimit().room(0).maxOf
  expect(failing).toBe(1)
  expect(slow).toBeGreaterThan(failing)
  expect(healthy).toBeGreaterThan(slow)
})
