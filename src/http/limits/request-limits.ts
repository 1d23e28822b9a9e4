import type { FastifyReply, FastifyRequest } from 'fastify'
import { Transform, type TransformCallback } from 'node:stream'
import { ConcurrencyLimit, type Permit } from './concurrency-limit.ts'
import type { Limits } from '../../platform/limits.ts'
import type { MinimumSpeed } from './minimum-speed.ts'

/*
 * Bounds what is in memory: over a limit a call gets 503 at once, while those in progress still end in seconds. A call counts among the
 * arriving bodies until its body has arrived, then among the calls in progress. Its permits are released when the response has been sent and its
 * work has ended, also when the client closed the connection.
 */

/** The permits of a call. */
interface HeldPermits {
  /** While the body arrives. */
  arriving: Permit | null
  /** The bytes of the body, and of a large response. */
  bytes: Permit | null
  inProgress: Permit | null
  isWorkEnded: boolean
  isClosed: boolean
}

declare module 'fastify' {
  interface FastifyRequest {
    permits: HeldPermits | null
  }
  interface FastifyContextConfig {
    /** The handler streams the body, under a limit of its own; none of it is buffered. */
    streamsBody?: true
  }
}

/** Responses from this size on count as bytes held in memory. */
const largeResponse = 64 * 1024

export class RequestLimits {
  readonly #inProgress: { readonly partner: ConcurrencyLimit; readonly operator: ConcurrencyLimit }
  readonly #arriving: ConcurrencyLimit
  readonly #bytes: ConcurrencyLimit
  readonly #speed: MinimumSpeed

  /** @param connections to the database. */
  constructor(limits: Limits, connections: number, speed: MinimumSpeed) {
    this.#inProgress = {
      partner: new ConcurrencyLimit({ max: connections * limits.partnerCallsPerConnection }),
      operator: new ConcurrencyLimit({ max: limits.operatorCalls }),
    }
    this.#arriving = new ConcurrencyLimit({ max: limits.arrivingBodies })
    this.#bytes = new ConcurrencyLimit({ max: limits.bodyBytes, retryAfterSeconds: 2 })
    this.#speed = speed
  }

  /** To be called once the caller is known, before the body is read. @param tooSlow ends the connection. @throws ApiError 503. */
  begin(request: FastifyRequest, reply: FastifyReply, tooSlow: () => void): void {
    const permits: HeldPermits = { arriving: null, bytes: null, inProgress: null, isWorkEnded: false, isClosed: false }
    request.permits = permits
    reply.raw.once('close', () => {
      permits.isClosed = true
      if (permits.isWorkEnded) release(permits)
    })
    const { caller } = request
    if (hasBody(request)) {
      this.#speed.watchBody(request.raw, tooSlow)
      if (caller !== null) this.#inProgress[caller.api].check(caller.clientId)
    } else this.bodyArrived(request)
  }

  /** Before the body is parsed. @returns what to parse. @throws ApiError 503. */
  limitBody(request: FastifyRequest, payload: NodeJS.ReadableStream): NodeJS.ReadableStream {
    const { permits } = request
    const { config, bodyLimit } = request.routeOptions
    if (permits === null || !hasBody(request) || config.streamsBody === true) return payload
    const client = request.caller?.clientId ?? request.clientAddress
    permits.arriving = this.#arriving.acquire(client)
    const length = request.headers['content-length']
    // A body over the route's limit is rejected unread.
    if (length === undefined || Number(length) <= bodyLimit)
      permits.bytes = this.#bytes.acquire(client, Number(length ?? 0))
    return length === undefined ? counted(request, payload, permits) : payload
  }

  /** @throws ApiError 503. */
  bodyArrived({ permits, caller }: FastifyRequest): void {
    if (permits === null) return
    permits.arriving?.release()
    if (caller !== null && permits.inProgress === null) {
      permits.inProgress = this.#inProgress[caller.api].acquire(caller.clientId)
    }
  }

  /** The work of the call has ended; what is left is its response. */
  workEnded({ permits, caller, clientAddress }: FastifyRequest, reply: FastifyReply, payload: unknown): void {
    const size = typeof payload === 'string' || Buffer.isBuffer(payload) ? payload.length : null
    if (size === null ? payload !== null && payload !== undefined : size >= largeResponse) {
      this.#speed.watchResponse(reply.raw)
    }
    if (permits === null || permits.isWorkEnded) return
    permits.isWorkEnded = true
    permits.arriving?.release()
    if (size !== null && size >= largeResponse && !permits.isClosed) {
      permits.bytes ??= this.#bytes.acquire(caller?.clientId ?? clientAddress, 0)
      permits.bytes.charge(size)
    }
    if (permits.isClosed) release(permits)
  }
}

function release({ arriving, bytes, inProgress }: HeldPermits): void {
  for (const permit of [arriving, bytes, inProgress]) permit?.release()
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** A body of undeclared length, counted as it is received. */
function counted({ raw }: FastifyRequest, payload: NodeJS.ReadableStream, { bytes }: HeldPermits): Transform {
  const counting = new Transform({
    transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback) {
      try {
        bytes?.add(chunk.length)
        done(null, chunk)
      } catch (error) {
        done(error as Error)
      }
    },
  })
  // The connection stays open after an error of the counting, for the response.
  raw.once('error', (error) => counting.destroy(error))
  raw.once('close', () => raw.complete || counting.destroy(new Error('the body broke off')))
  return payload.pipe(counting)
}
