import { unavailable } from './errors.ts'

/** Lets a few in at a time; the others wait their turn, and past a limit are sent away. */
export interface Semaphore {
  pass<T>(work: () => Promise<T>): Promise<T>
}

/** @param mostInside of them work at once, @param mostWaiting wait; whoever comes then gets 503. */
export function openSemaphore(maxInside: number, maxWaiting: number): Semaphore {
  let inside = 0
  const waiting: (() => void)[] = []
  return {
    async pass(work) {
      if (inside >= maxInside) {
        if (waiting.length >= maxWaiting) throw unavailable()
        // Whoever leaves hands over the place, so `inside` stays as it is.
        await new Promise<void>((enter) => waiting.push(enter))
      } else inside += 1
      try {
        return await work()
      } finally {
        const next = waiting.shift()
        if (next === undefined) inside -= 1
        else next()
      }
    },
  }
}
