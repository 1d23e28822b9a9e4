/*
 * How many deliveries one process sends at once. Endpoints that are slow or failed last time share a pool of their own, so that they
 * cannot use up the slots of the healthy ones.
 */

/** The slots of one endpoint, by its condition. */
export const maxPerEndpoint = { healthy: 16, slow: 4, failing: 1 }
const maxHealthy = 256
const maxDegraded = 128
/** The slots of one client: a quarter of each pool. */
export const maxPerClient = { healthy: maxHealthy / 4, degraded: maxDegraded / 4 }
const slowMs = 1_000
/** How long an endpoint counts as slow after a slow call. */
const slowForMs = 60_000

interface Slot {
  readonly since: number
  readonly failing: boolean
}

/** The slots that are free now. */
export interface FreeSlots {
  readonly healthy: number
  readonly degraded: number
  /** Endpoints with calls in flight or a recent slow call. */
  readonly endpoints: readonly { readonly id: string; readonly inFlight: number; readonly slow: boolean }[]
}

/** The delivery slots of one process. Times are milliseconds of a monotonic clock. */
export class DeliveryConcurrency {
  readonly #inFlight = new Map<string, Set<Slot>>()
  readonly #slowSince = new Map<string, number>()

  /** Takes a slot. @returns the function that releases it. */
  acquire(endpointId: string, failing: boolean, now: number): (at: number) => void {
    const slot = { since: now, failing }
    const slots = this.#inFlight.get(endpointId) ?? new Set()
    this.#inFlight.set(endpointId, slots.add(slot))
    return (at) => {
      slots.delete(slot)
      if (slots.size === 0) this.#inFlight.delete(endpointId)
      if (at - slot.since >= slowMs) this.#slowSince.set(endpointId, at)
    }
  }

  /** An endpoint counts as slow while one of its calls takes long, so its slots return to the healthy pool at once. */
  free(now: number): FreeSlots {
    for (const [id, since] of this.#slowSince) if (now - since >= slowForMs) this.#slowSince.delete(id)
    let healthy = maxHealthy
    let degraded = maxDegraded
    const endpoints = new Map<string, FreeSlots['endpoints'][number]>()
    for (const id of this.#slowSince.keys()) endpoints.set(id, { id, inFlight: 0, slow: true })
    for (const [id, slots] of this.#inFlight) {
      const slow = this.#slowSince.has(id) || [...slots].some((slot) => now - slot.since >= slowMs)
      if (slow || [...slots].some((slot) => slot.failing)) degraded -= slots.size
      else healthy -= slots.size
      endpoints.set(id, { id, inFlight: slots.size, slow })
    }
    return { healthy: Math.max(0, healthy), degraded: Math.max(0, degraded), endpoints: [...endpoints.values()] }
  }
}
