/** Clocks that differ by less count as equal: the difference is not known better than the time of a round trip. */
const toleranceMs = 1_000

/**
 * The clock of the database's server. Processes store times, and compare them with those of other processes: a machine whose clock is hours ahead
 * would delay work and deliveries by as much for all others.
 */
export class DatabaseClock {
  #wallMs = Date.now()
  #monotonicMs = performance.now()
  #correctionMs = 0

  /** A step of this machine's clock since the last `read` is left out. */
  now(): Date {
    const wallMs = Date.now()
    const expectedMs = this.#wallMs + performance.now() - this.#monotonicMs
    const hasStepped = Math.abs(wallMs - expectedMs) >= toleranceMs
    return new Date((hasStepped ? expectedMs : wallMs) + this.#correctionMs)
  }

  /** @param query requests the server's time, in milliseconds since 1970. */
  async read(query: () => Promise<number>): Promise<void> {
    const sentMs = performance.now()
    const databaseMs = await query()
    const [wallMs, monotonicMs] = [Date.now(), performance.now()]
    // A slow response says little.
    if (monotonicMs - sentMs >= toleranceMs) return
    const differenceMs = databaseMs - wallMs
    this.#wallMs = wallMs
    this.#monotonicMs = monotonicMs
    this.#correctionMs = Math.abs(differenceMs) < toleranceMs ? 0 : differenceMs
  }
}
