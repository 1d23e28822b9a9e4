import { expect, test } from 'vitest'
import { NoThreadError, openThreads, openThreadSession, ThreadTimeoutError } from '#platform/core/threads.ts'

const open = (maxMs: number) => openThreads({ file: new URL('slow-thread.ts', import.meta.url), max: 1, maxMs })
const forEver = 10 ** 9

test('a thread that passes its deadline is ended and replaced, and what waits for it is done', async () => {
  const threads = open(1_000)
  try {
    const slow = openThreadSession<number, string>(threads)
    expect(await slow.request(0)).toBe('done')
    const next = openThreadSession<number, string>(threads)
    const asked = next.request(0)
    await expect(slow.request(forEver)).rejects.toThrow(ThreadTimeoutError)
    // The thread is gone for this session, and another one serves the next.
    await expect(slow.request(0)).rejects.toThrow(ThreadTimeoutError)
    expect(await asked).toBe('done')
    next.end()
  } finally {
    await threads.pool.destroy()
  }
})

test('a signal ends a thread at once, also while it computes', async () => {
  // Longer than a test may take.
  const threads = open(600_000)
  const stopping = new AbortController()
  try {
    const warm = openThreadSession<number, string>(threads)
    expect(await warm.request(0)).toBe('done')
    warm.end()
    const session = openThreadSession<number, string>(threads, stopping.signal)
    const asked = session.request(forEver)
    stopping.abort()
    await expect(asked).rejects.toThrow(NoThreadError)
    await expect(session.request(0)).rejects.toThrow(NoThreadError)
  } finally {
    await threads.pool.destroy()
  }
})
