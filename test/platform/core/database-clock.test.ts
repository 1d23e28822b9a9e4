import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { DatabaseClock } from '#platform/core/database-clock.ts'

const start = Date.parse('2026-11-23T12:00:00Z')
const hour = 3_600_000

/** A database whose clock differs from that of the machine, and whose response takes so long. */
const databaseAt =
  (differenceMs: number, takesMs = 0) =>
  async () => {
    vi.advanceTimersByTime(takesMs)
    return Date.now() + differenceMs
  }

beforeEach(() => void vi.useFakeTimers({ now: start, toFake: ['Date', 'performance'] }))
afterEach(() => void vi.useRealTimers())

const agoFrom = (clock: DatabaseClock) => clock.now().getTime() - start

test('a machine hours ahead or behind has the time of the database', async () => {
  const clock = new DatabaseClock()
  for (const difference of [3 * hour, -3 * hour]) {
    await clock.read(databaseAt(difference))
    expect(agoFrom(clock)).toBe(difference)
  }
})

test('clocks that differ by less than a second count as equal', async () => {
  const clock = new DatabaseClock()
  await clock.read(databaseAt(999))
  expect(agoFrom(clock)).toBe(0)
})

test('a step of the machine changes nothing, before and after the next reading', async () => {
  const clock = new DatabaseClock()
  await clock.read(databaseAt(0))
  for (const step of [3 * hour, -3 * hour]) {
    const before = clock.now().getTime()
    const machine = Date.now()
    vi.setSystemTime(machine + step)
    expect(clock.now().getTime()).toBe(before)
    await clock.read(databaseAt(-step))
    expect(clock.now().getTime()).toBe(before)
    vi.setSystemTime(machine)
    await clock.read(databaseAt(0))
  }
})

test('time goes on between readings', async () => {
  const clock = new DatabaseClock()
  await clock.read(databaseAt(hour))
  vi.advanceTimersByTime(5_000)
  expect(agoFrom(clock)).toBe(hour + 5_000)
})

test('a response that took a second is not used', async () => {
  const clock = new DatabaseClock()
  await clock.read(databaseAt(hour, 1_000))
  expect(agoFrom(clock)).toBe(1_000)
})
