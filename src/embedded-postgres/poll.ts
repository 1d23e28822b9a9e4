import { setTimeout as pause } from 'node:timers/promises'

/** Asks again and again, with short pauses, until there is an answer; undefined when the time is over first. */
export async function waitFor<T>(limitMs: number, ask: () => Promise<T | undefined>): Promise<T | undefined> {
  const end = performance.now() + limitMs
  for (let pauseMs = 5; ; pauseMs = Math.min(pauseMs * 1.5, 50)) {
    const answer = await ask()
    if (answer !== undefined || performance.now() >= end) return answer
    await pause(pauseMs)
  }
}
