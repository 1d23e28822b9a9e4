import type { Server } from 'node:http'
import type { BlockList, Socket } from 'node:net'
import { unavailable } from '../../platform/errors.ts'
import { contains } from '../../platform/networks.ts'

export interface ConcurrencyLimitOptions {
  /** Of the amounts of all permits. */
  readonly max: number
  /** How many may wait for a permit in `run`; none unless given. */
  readonly maxWaiting?: number
  /** Of the 503. */
  readonly retryAfterSeconds?: number
}

/** A part of a limit, held by one client until it is released. */
export interface Permit {
  /** Takes more of the limit. @throws ApiError 503. */
  add(amount: number): void
  /** Takes more of the limit even beyond it: for what is in memory already. */
  charge(amount: number): void
  /** Gives everything back; may be called more than once. */
  release(): void
}

/**
 * A limit that clients share: on a number of things at once, or on bytes. One client holds at most a quarter of it, so that
 * no client locks the others out.
 */
export class ConcurrencyLimit {
  readonly #max: number
  readonly #maxPerClient: number
  readonly #maxWaiting: number
  readonly #retryAfterSeconds: number
  readonly #byClient = new Map<string, number>()
  readonly #waiting: (() => void)[] = []
  #total = 0

  constructor({ max, maxWaiting = 0, retryAfterSeconds = 1 }: ConcurrencyLimitOptions) {
    this.#max = max
    this.#maxPerClient = Math.max(1, Math.floor(max / 4))
    this.#maxWaiting = maxWaiting
    this.#retryAfterSeconds = retryAfterSeconds
  }

  /** @throws ApiError 503 when a permit of this amount is not available now. */
  check(client: string, amount = 1): void {
    if (this.#total + amount > this.#max || !this.#isWithinShare(client, amount)) throw this.#full()
  }

  /** @param client its id; before authentication its address. @throws ApiError 503 at once when the limit or its share is used up. */
  acquire(client: string, amount = 1): Permit {
    let held = 0
    const charge = (more: number) => {
      held += more
      this.#total += more
      this.#add(client, more)
    }
    const add = (more: number) => {
      this.check(client, more)
      charge(more)
    }
    add(amount)
    return {
      add,
      charge,
      release: () => {
        this.#total -= held
        this.#add(client, -held)
        held = 0
        while (this.#total < this.#max && this.#waiting.length > 0) this.#waiting.shift()?.()
      },
    }
  }

  /** Runs the work under one permit; a client within its share waits for one. @throws ApiError 503 beyond its share, or when too many wait. */
  async run<T>(client: string, work: () => Promise<T>): Promise<T> {
    const permit = await this.#acquireOrWait(client)
    try {
      return await work()
    } finally {
      permit.release()
    }
  }

  async #acquireOrWait(client: string): Promise<Permit> {
    if (this.#total < this.#max) return this.acquire(client)
    if (this.#waiting.length >= this.#maxWaiting || !this.#isWithinShare(client, 1)) throw this.#full()
    // One that waits counts in its client's share.
    this.#add(client, 1)
    return new Promise((resolve) => {
      this.#waiting.push(() => {
        this.#add(client, -1)
        resolve(this.acquire(client))
      })
    })
  }

  #isWithinShare(client: string, amount: number): boolean {
    return (this.#byClient.get(client) ?? 0) + amount <= this.#maxPerClient
  }

  #add(client: string, amount: number): void {
    const now = (this.#byClient.get(client) ?? 0) + amount
    if (now === 0) this.#byClient.delete(client)
    else this.#byClient.set(client, now)
  }

  #full(): Error {
    return unavailable('too-many-calls', this.#retryAfterSeconds)
  }
}

/** Closes connections over the limit, or over the share of their address, at once. A trusted proxy, which many clients share, has no share. */
export function limitConnections(server: Server, max: number, trustedProxies: BlockList | null): void {
  const connections = new ConcurrencyLimit({ max })
  server.on('connection', (socket: Socket) => {
    try {
      const { remoteAddress: address = '', remotePort } = socket
      const isProxy = trustedProxies !== null && contains(trustedProxies, address)
      const permit = connections.acquire(isProxy ? `${address} ${remotePort}` : address)
      socket.once('close', () => permit.release())
    } catch {
      socket.destroy()
    }
  })
}
