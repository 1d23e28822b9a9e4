/** Pieces of work beside each other, each under a key: a slow one delays no other. */
export class WorkSlots {
  readonly #max: number
  readonly #running = new Map<string, Promise<void>>()

  constructor(max: number) {
    this.#max = max
  }

  /** How many may begin. */
  get free(): number {
    return this.#max - this.#running.size
  }

  /** The keys of what is under way. */
  get keys(): string[] {
    return [...this.#running.keys()]
  }

  /** @param work that never rejects. */
  start(key: string, work: () => Promise<void>): void {
    this.#running.set(
      key,
      work().finally(() => this.#running.delete(key)),
    )
  }

  /** Resolves when nothing is under way. */
  async ended(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.values())
  }
}
