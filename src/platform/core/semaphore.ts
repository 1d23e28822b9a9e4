import { unavailable } from './errors.ts'

/** Limits how many pieces of work run at once; further ones wait in a queue. */
export interface Semaphore {
  /** @throws ApiError 503 when the queue is full. */
  run<T>(work: () => Promise<T>): Promise<T>
}

/** A semaphore with `maxRunning` permits and a queue of `maxWaiting`. */
export function openSemaphore(maxRunning: number, maxWaiting: number): Semaphore {
  let running = 0
  const waiting: (() => void)[] = []
  return {
    async run(work) {
      if (running >= maxRunning) {
        if (waiting.length >= maxWaiting) throw unavailable()
        // A permit is handed over to the first of the queue, so `running` stays the same.
        await new Promise<void>((resume) => waiting.push(resume))
      } else running += 1
      try {
        return await work()
      } finally {
        const next = waiting.shift()
        if (next === undefined) running -= 1
        else next()
      }
    },
  }
}
