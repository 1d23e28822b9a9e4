import type { FastifyReply, FastifyRequest } from 'fastify'
import { networkOf } from '../../core/networks.ts'
import { ConcurrencyLimit, type Permit } from '../../core/concurrency-limit.ts'
import { unavailable } from '../../core/errors.ts'
import { RawJson } from '../validation.ts'
import type { Limits } from '../../core/limits.ts'
import { endBody, endUnread, hasBody } from './end-transfer.ts'
import type { MinimumSpeed } from './minimum-speed.ts'

/*
 * Bounds what is in memory: over a limit a call waits for its turn. A body counts by its bytes, unless it is small: then the limit of
 * connections bounds it, and no call waits for those who send none. A call counts among those in progress only once its body has arrived. Its permits
 * are released when the response has been sent and its work has ended, also when the client closed the connection.
 */

/** The permits of a call. */
interface HeldPermits {
  /** The bytes of the body. */
  bytes: Permit | null
  /** The bytes of a large response. */
  response: Permit | null
  inProgress: Permit | null
  isWorkEnded: boolean
  isClosed: boolean
}

declare module 'fastify' {
  interface FastifyRequest {
    permits: HeldPermits | null
  }
}

/** Bodies up to this size are read without a permit; Node holds as much of any other before it is read. */
const smallBody = 16 * 1024
/** Responses from this size on count as bytes held in memory. */
const largeResponse = 64 * 1024

export class RequestLimits {
  readonly #inProgress: { readonly partner: ConcurrencyLimit; readonly operator: ConcurrencyLimit }
  readonly #bytes: ConcurrencyLimit
  readonly #anonymousBytes: ConcurrencyLimit
  readonly #speed: MinimumSpeed

  /** @param connections to the database. */
  constructor(limits: Limits, connections: number, speed: MinimumSpeed) {
    const limitOf = (max: number) => new ConcurrencyLimit({ max, maxWaitMs: limits.maxWaitMs })
    this.#inProgress = {
      partner: limitOf(connections * limits.partnerCallsPerConnection),
      operator: limitOf(limits.operatorCalls),
    }
    this.#bytes = limitOf(limits.bodyBytes)
    this.#anonymousBytes = limitOf(limits.anonymousBodyBytes)
    this.#speed = speed
  }

  /** To be called once the caller is known, before the body is read. @param tooSlow ends the connection. @throws ApiError 503. */
  async begin(request: FastifyRequest, reply: FastifyReply, tooSlow: () => void): Promise<void> {
    const none = { bytes: null, response: null, inProgress: null }
    const permits: HeldPermits = { ...none, isWorkEnded: false, isClosed: false }
    request.permits = permits
    reply.raw.once('close', () => {
      permits.isClosed = true
      if (permits.isWorkEnded) release(permits)
    })
    if (hasBody(request.raw)) this.#speed.watchBody(request.raw, tooSlow)
    else await this.bodyArrived(request)
  }

  /** Before the body is read. @throws ApiError 503. */
  async limitBody(request: FastifyRequest): Promise<void> {
    const { permits, caller, raw } = request
    const { config, bodyLimit } = request.routeOptions
    if (permits === null || !hasBody(raw) || config.streamsBody === true) return
    const amount = Number(raw.headers['content-length'] ?? bodyLimit)
    // A body over the route's limit is rejected unread. One without a length counts as the largest until it has arrived.
    if (amount <= smallBody || amount > bodyLimit) return
    const end = () => endBody(raw)
    permits.bytes = await (caller === null
      ? this.#anonymousBytes.acquire(networkOf(request.clientAddress), { amount, end })
      : this.#bytes.acquire(caller.clientId, { amount, end }))
  }

  /** @throws ApiError 503. */
  async bodyArrived({ permits, caller, body, headers }: FastifyRequest): Promise<void> {
    if (permits === null) return
    if (headers['content-length'] === undefined) permits.bytes?.resize(sizeOf(body))
    if (caller === null || permits.inProgress !== null) return
    permits.inProgress = await this.#inProgress[caller.kind].acquire(caller.clientId)
    // No caller would receive the response.
    if (permits.isClosed) throw unavailable()
  }

  /** The work of the call has ended; what is left is its response. */
  workEnded({ permits, caller, clientAddress }: FastifyRequest, reply: FastifyReply, payload: unknown): void {
    const size = typeof payload === 'string' || Buffer.isBuffer(payload) ? payload.length : null
    if (size === null ? payload !== null && payload !== undefined : size >= largeResponse) {
      this.#speed.watchResponse(reply.raw)
    }
    if (permits === null || permits.isWorkEnded) return
    permits.isWorkEnded = true
    if (size !== null && size >= largeResponse && !permits.isClosed) {
      permits.response = this.#bytes.charge(caller?.clientId ?? networkOf(clientAddress), size, () =>
        endUnread(reply.raw),
      )
    }
    if (permits.isClosed) release(permits)
  }
}

function release({ bytes, response, inProgress }: HeldPermits): void {
  for (const permit of [bytes, response, inProgress]) permit?.release()
}

function sizeOf(body: unknown): number {
  if (body instanceof RawJson) return body.bytes.length
  return Buffer.isBuffer(body) ? body.length : 0
}
