import { type ApiError, unavailable } from './errors.ts'

interface ConcurrencyLimitOptions {
  /** The sum of the amounts of all permits: a client that is alone may hold all of it. */
  readonly max: number
  /** The share of one client while others wait; a quarter of `max` by default. */
  readonly share?: number
  /** Beyond `max`, for clients within their share: no client has to wait for one that holds everything. A quarter of `max` by default. */
  readonly reserve?: number
  /** Beyond both, for privileged clients within their share. None by default. */
  readonly privilegedReserve?: number
  readonly maxWaiting?: number
  readonly maxWaitMs?: number
  /** The response after a wait that was too long. */
  readonly busy?: () => ApiError
}

interface AcquireOptions {
  readonly amount?: number
  readonly privileged?: boolean
  /** Where it is shorter than that of the limit. */
  readonly maxWaitMs?: number
  /**
   * Ends what holds the permit, where it only waits for its client: a body that is still being sent, a response that is not read. Called when
   * a client that holds less has waited for a while. @returns whether it was ended.
   */
  readonly end?: () => boolean
}

/** A part of a limit, held by one client until it is released. */
export interface Permit {
  /** Sets its amount, also beyond the limit. */
  resize(amount: number): void
  /** Gives everything back; may be called more than once. */
  release(): void
}

interface Waiting {
  readonly amount: number
  readonly privileged: boolean
  readonly end: AcquireOptions['end']
  readonly resolve: (permit: Permit) => void
  readonly reject: (error: Error) => void
}

/** A permit that may be ended. */
interface Endable {
  readonly end: () => boolean
  readonly release: () => void
}

interface Client {
  held: number
  readonly waiting: Waiting[]
  /** The oldest first. */
  readonly endable: Set<Endable>
}

/** Who waits for so long gets what others hold whose clients send or read nothing. */
const patienceMs = 500

/**
 * A limit that clients share: on a number of things at once, or on bytes. What exceeds it waits in a queue of its client; clients are served
 * in turn, those within their share first. When one of these still waits after half a second, transfers of the client that holds most are
 * ended, the oldest first: however many clients hold what they do not use, another gets its part.
 */
export class ConcurrencyLimit {
  readonly #max: number
  readonly #share: number
  readonly #reserve: number
  readonly #privilegedReserve: number
  readonly #maxWaiting: number
  readonly #maxWaitMs: number
  readonly #busy: () => ApiError
  /** Those that hold or wait. */
  readonly #clients = new Map<string, Client>()
  /** Those that wait, the one whose turn is next first. */
  readonly #turns = new Set<string>()
  #total = 0
  #waiting = 0

  constructor(options: ConcurrencyLimitOptions) {
    const { max } = options
    this.#max = max
    this.#share = Math.max(1, options.share ?? Math.floor(max / 4))
    this.#reserve = options.reserve ?? Math.floor(max / 4)
    this.#privilegedReserve = options.privilegedReserve ?? 0
    this.#maxWaiting = options.maxWaiting ?? 1_000
    this.#maxWaitMs = options.maxWaitMs ?? 30_000
    this.#busy = options.busy ?? (() => unavailable('too-many-calls', 1))
  }

  /** How many wait for a permit. */
  get waiting(): number {
    return this.#waiting
  }

  /**
   * Waits for a permit.
   * @param id of the client; before authentication its address.
   * @throws ApiError 503 after the longest wait, or when too many wait.
   */
  async acquire(id: string, options: AcquireOptions = {}): Promise<Permit> {
    const { privileged = false } = options
    const maxWaitMs = Math.min(this.#maxWaitMs, options.maxWaitMs ?? Number.POSITIVE_INFINITY)
    // A larger one would wait for ever.
    const amount = Math.min(options.amount ?? 1, this.#max)
    const client = this.#clientOf(id)
    if (client.waiting.length === 0 && this.#isGranted(client, amount, privileged))
      return this.#grant(id, amount, options.end)
    if (this.#waiting >= this.#maxWaiting && !this.#displaceFor(client)) {
      this.#forgetIdle(id, client)
      throw this.#busy()
    }
    return this.#wait(id, client, { amount, privileged, maxWaitMs, end: options.end })
  }

  /** A permit at once, also beyond the limit: for what is in memory already. */
  charge(id: string, amount: number, end?: () => boolean): Permit {
    return this.#grant(id, amount, end)
  }

  /** Runs the work under a permit. @throws ApiError as `acquire`. */
  async run<T>(id: string, work: () => Promise<T>, options: AcquireOptions = {}): Promise<T> {
    const permit = await this.acquire(id, options)
    try {
      return await work()
    } finally {
      permit.release()
    }
  }

  /** Ends the wait of all that wait. */
  rejectWaiting(error: Error): void {
    const all = [...this.#turns].flatMap((id) => this.#clients.get(id)?.waiting ?? [])
    for (const { reject } of all) reject(error)
  }

  #wait(
    id: string,
    client: Client,
    { amount, privileged, maxWaitMs, end: endWork }: Omit<Waiting, 'resolve' | 'reject'> & { maxWaitMs: number },
  ): Promise<Permit> {
    return new Promise((resolve, reject) => {
      const end = () => {
        clearTimeout(timer)
        clearInterval(patience)
        client.waiting.splice(client.waiting.indexOf(waiting), 1)
        this.#waiting -= 1
        if (client.waiting.length === 0) this.#turns.delete(id)
      }
      const waiting: Waiting = {
        amount,
        privileged,
        end: endWork,
        resolve: (permit) => {
          end()
          resolve(permit)
        },
        reject: (error) => {
          end()
          this.#forgetIdle(id, client)
          reject(error)
        },
      }
      const timer = setTimeout(() => waiting.reject(this.#busy()), maxWaitMs).unref()
      const patience = setInterval(() => this.#makeRoom(client, waiting), patienceMs).unref()
      client.waiting.push(waiting)
      this.#waiting += 1
      this.#turns.add(id)
    })
  }

  /** Ends transfers of the others until the client is served, while it is within its share and one of them holds more. */
  #makeRoom(client: Client, waiting: Waiting): void {
    const wanted = client.held + waiting.amount
    while (client.waiting[0] === waiting && this.#isWithinShare(client, waiting.amount)) {
      const victim = [...this.#clients.values()]
        .filter((other) => other !== client && other.held >= wanted)
        .toSorted((a, b) => b.held - a.held)
        .flatMap(({ endable }) => [...endable])
        .find(({ end }) => end())
      if (victim === undefined) return
      victim.release()
    }
  }

  #grant(id: string, amount: number, end?: () => boolean): Permit {
    let held = 0
    let isReleased = false
    let endable: Endable | null = null
    const resize = (wanted: number) => {
      if (isReleased) return
      const client = this.#clientOf(id)
      const isLess = wanted < held
      client.held += wanted - held
      this.#total += wanted - held
      held = wanted
      if (isLess) this.#serve()
      this.#forgetIdle(id, client)
    }
    resize(amount)
    const release = () => {
      if (endable !== null) this.#clients.get(id)?.endable.delete(endable)
      resize(0)
      isReleased = true
    }
    if (end !== undefined) {
      endable = { end, release }
      this.#clientOf(id).endable.add(endable)
    }
    return { resize, release }
  }

  #clientOf(id: string): Client {
    const client = this.#clients.get(id) ?? { held: 0, waiting: [], endable: new Set() }
    this.#clients.set(id, client)
    return client
  }

  /** Whether the amount is free for the client. One that exceeds its share leaves it to those within theirs that wait. */
  #isGranted(client: Client, amount: number, privileged: boolean): boolean {
    if (!this.#isWithinShare(client, amount)) return this.#total + amount <= this.#max && !this.#isShareAwaited()
    return this.#total + amount <= this.#max + this.#reserve + (privileged ? this.#privilegedReserve : 0)
  }

  /** One thing that is larger than the share is within it. */
  #isWithinShare({ held }: Client, amount: number): boolean {
    return held === 0 || held + amount <= this.#share
  }

  #isShareAwaited(): boolean {
    for (const id of this.#turns) {
      const client = this.#clients.get(id)
      const first = client?.waiting[0]
      if (client !== undefined && first !== undefined && this.#isWithinShare(client, first.amount)) return true
    }
    return false
  }

  /** Serves those that wait, while there is something for one of them. */
  #serve(): void {
    while (this.#turns.size > 0 && this.#serveOne());
  }

  #serveOne(): boolean {
    if (this.#total >= this.#max + this.#reserve + this.#privilegedReserve) return false
    for (const id of this.#turns) {
      const client = this.#clients.get(id)
      const first = client?.waiting[0]
      if (client === undefined || first === undefined) continue
      if (!this.#isGranted(client, first.amount, first.privileged)) continue
      const permit = this.#grant(id, first.amount, first.end)
      first.resolve(permit)
      // Its next turn is after those of the others.
      if (this.#turns.delete(id)) this.#turns.add(id)
      return true
    }
    return false
  }

  /** Rejects the last of the longest queue, unless that is the client's own. @returns whether there is room now. */
  #displaceFor(client: Client): boolean {
    let longest = client
    for (const id of this.#turns) {
      const other = this.#clients.get(id)
      if (other !== undefined && other.waiting.length > longest.waiting.length) longest = other
    }
    if (longest.waiting.length <= client.waiting.length + 1) return false
    longest.waiting.at(-1)?.reject(this.#busy())
    return true
  }

  #forgetIdle(id: string, client: Client): void {
    if (client.held === 0 && client.waiting.length === 0) this.#clients.delete(id)
  }
}
