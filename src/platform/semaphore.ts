import { unavailable } from './errors.ts'

/** Bounds how much work runs at once. */
export class Semaphore {
  readonly #maxWaiting: number
  readonly #waiting: (() => void)[] = []
  #free: number

  /** @param max runs at once. @param maxWaiting waits for it. */
  constructor(max: number, maxWaiting = Number.POSITIVE_INFINITY) {
    this.#free = max
    this.#maxWaiting = maxWaiting
  }

  /** Runs the work when its turn has come. @throws ApiError 503 when too many wait. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1
    else {
      if (this.#waiting.length >= this.#maxWaiting) throw unavailable()
      // A permit that is released goes to the first that waits.
      await new Promise<void>((acquired) => this.#waiting.push(acquired))
    }
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#free += 1
      else next()
    }
  }
}
