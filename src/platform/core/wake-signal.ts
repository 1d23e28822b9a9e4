/** Wakes loops that wait for something to do. A notification while none waits is not lost: it is counted. */
export class WakeSignal {
  #notifications = 0
  readonly #waiting = new Set<() => void>()
  readonly #stopping: AbortSignal

  /** @param stopping wakes all and lets none wait any more. */
  constructor(stopping: AbortSignal) {
    this.#stopping = stopping
    stopping.addEventListener('abort', () => this.notify(), { once: true })
  }

  get notifications(): number {
    return this.#notifications
  }

  notify(): void {
    this.#notifications += 1
    for (const wake of this.#waiting) wake()
    this.#waiting.clear()
  }

  /** Resolves with the first notification after the count `since`, at the latest after `ms` milliseconds. */
  async wait(since: number, ms: number): Promise<void> {
    if (this.#notifications !== since || this.#stopping.aborted) return
    await new Promise<void>((resolve) => {
      const wake = () => {
        clearTimeout(timer)
        this.#waiting.delete(wake)
        resolve()
      }
      const timer = setTimeout(wake, ms)
      this.#waiting.add(wake)
    })
  }
}
