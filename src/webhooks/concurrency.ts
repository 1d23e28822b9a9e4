/*
 * How many calls may be under way at once. What a receiver holds up is only ever itself: whoever failed last time, or takes long,
 * shares a part of the places with its like, and the others keep theirs.
 */

/** What one endpoint may have under way: a healthy one, a slow one, and one that failed last time. */
const maxOf = { healthy: 16, slow: 4, failing: 1 }
const maxHealthy = 256
const maxTroubled = 128
/** What one client may have under way: a quarter of each. */
const maxOfClient = { healthy: maxHealthy / 4, troubled: maxTroubled / 4 }
const slowMs = 1_000
/** How long an endpoint counts as slow after it was. */
const slowForMs = 60_000

interface Place {
  readonly since: number
  readonly failing: boolean
}

/** What may be taken now. */
export interface SlotLease {
  readonly healthy: number
  readonly troubled: number
  /** Endpoints of which something is known here, with what they have under way and whether they are slow. */
  readonly known: readonly { readonly id: string; readonly underWay: number; readonly slow: boolean }[]
  readonly maxOf: typeof maxOf
  readonly maxOfClient: typeof maxOfClient
}

/** The places of one process. Times are milliseconds of a clock that only ever goes forward. */
export class ConcurrencyLimit {
  readonly #underWay = new Map<string, Set<Place>>()
  readonly #slowSince = new Map<string, number>()

  get size(): number {
    let size = 0
    for (const places of this.#underWay.values()) size += places.size
    return size
  }

  /** Takes a place. @returns how to give it back. */
  take(endpointId: string, failing: boolean, now: number): (at: number) => void {
    const place = { since: now, failing }
    const places = this.#underWay.get(endpointId) ?? new Set()
    this.#underWay.set(endpointId, places.add(place))
    return (at) => {
      places.delete(place)
      if (places.size === 0) this.#underWay.delete(endpointId)
      if (at - place.since >= slowMs) this.#slowSince.set(endpointId, at)
    }
  }

  /** A call that lasts makes its endpoint a slow one at once, so that its places are no longer counted with the healthy ones'. */
  room(now: number): SlotLease {
    for (const [id, since] of this.#slowSince) if (now - since >= slowForMs) this.#slowSince.delete(id)
    let healthy = maxHealthy
    let troubled = maxTroubled
    const known = new Map<string, SlotLease['known'][number]>()
    for (const id of this.#slowSince.keys()) known.set(id, { id, underWay: 0, slow: true })
    for (const [id, places] of this.#underWay) {
      const slow = this.#slowSince.has(id) || [...places].some((place) => now - place.since >= slowMs)
      if (slow || [...places].some((place) => place.failing)) troubled -= places.size
      else healthy -= places.size
      known.set(id, { id, underWay: places.size, slow })
    }
    return {
      healthy: Math.max(0, healthy),
      troubled: Math.max(0, troubled),
      known: [...known.values()],
      maxOf,
      maxOfClient,
    }
  }
}
