import type { FastifyReply, FastifyRequest } from 'fastify'
import { setTimeout as pause } from 'node:timers/promises'
import type { Sql } from '../../core/database.ts'
import { ConnectionsBusyError } from '../../core/database-errors.ts'
import { ApiError, invalidCredentials } from '../../core/errors.ts'
import { isActiveClient } from '../../core/access.ts'
import type { ClientActor } from '../../core/actor.ts'
import { type LimitClass, reserve } from './rate-limit-queries.ts'

/** Calls a minute. */
export type Quotas = Readonly<Record<LimitClass, number>>

/** Reads `reads/writes/authenticate` a minute; null for `off`. */
export function parseRateLimits(text: string): Quotas | null {
  if (text === 'off') return null
  const [reads = 0, writes = 0, authenticate = 0] = text.split('/').map(Number)
  return { reads, writes, authenticate, members: 30, redeliveries: 60 }
}

/** A part of a client's quota, leased by this process until the window ends. */
interface Lease {
  remaining: number
  /** What no process had leased at the last reservation. */
  unleased: number
  /** By `performance.now()`. */
  endsAt: number
  /** Calls that wait for the reservation. */
  waiting: number
  /** Resolves with whether the database was reached. */
  reservation: Promise<boolean> | null
}

/** The outcome for one call, with the headers of the IETF's draft 11 of RateLimit header fields. */
interface RateLimitResult {
  readonly ok: boolean
  /** `RateLimit-Policy` */
  readonly policy: string
  /** `RateLimit` */
  readonly limit: string
  readonly resetSeconds: number
}

const sweepMs = 60_000
const activeForMs = 1_000
/** Calls over the limit, in a second, that are rejected at once; later ones are delayed. */
const promptRejections = 10
const rejectionDelayMs = 100

/**
 * Limits calls of a client to a quota a minute over all processes. A process leases a twentieth of what is left of the quota at a time, in
 * one statement, and counts calls against its lease; what it has not used when the window ends is lost. When the database is away nothing
 * is limited.
 */
export class RateLimiter {
  readonly #sql: Sql
  readonly #quotas: Quotas
  readonly #leases = new Map<string, Lease>()
  readonly #active = new Map<string, { until: number; isActive: Promise<boolean>; rejections: number }>()
  #nextSweep = 0

  constructor(sql: Sql, quotas: Quotas) {
    this.#sql = sql
    this.#quotas = quotas
  }

  /** Counts a call. */
  async take(clientId: string, limitClass: LimitClass): Promise<RateLimitResult> {
    const key = `${limitClass} ${clientId}`
    let lease = this.#leases.get(key)
    if (lease === undefined) {
      lease = { remaining: 0, unleased: this.#quotas[limitClass], endsAt: 0, waiting: 0, reservation: null }
      this.#leases.set(key, lease)
    }
    for (;;) {
      if (performance.now() < lease.endsAt) {
        if (lease.remaining > 0) {
          lease.remaining -= 1
          return this.#result(true, limitClass, lease)
        }
        if (lease.unleased === 0) return this.#result(false, limitClass, lease)
      }
      lease.waiting += 1
      let reserved: boolean
      try {
        reserved = await (lease.reservation ??= this.#reserve(clientId, limitClass, lease))
      } finally {
        lease.waiting -= 1
      }
      if (!reserved) return this.#result(true, limitClass, lease)
    }
  }

  /** The error for a call over the limit: 429, or 401 when the client was revoked, which is read at most once a second. */
  async rejection(caller: ClientActor, result: RateLimitResult): Promise<ApiError> {
    const now = performance.now()
    let known = this.#active.get(caller.clientId)
    if (known === undefined || known.until < now) {
      known = { until: now + activeForMs, isActive: isActiveClient(this.#sql, caller), rejections: 0 }
      this.#active.set(caller.clientId, known)
    }
    known.rejections += 1
    if (known.rejections > promptRejections) await pause(rejectionDelayMs)
    return (await known.isActive) ? tooManyRequests(result) : invalidCredentials('client-revoked')
  }

  async #reserve(clientId: string, limitClass: LimitClass, lease: Lease): Promise<boolean> {
    const quota = this.#quotas[limitClass]
    const now = performance.now()
    this.#sweep(now)
    const left = now < lease.endsAt ? lease.unleased : quota
    const amount = Math.max(lease.waiting, Math.floor(left / 20))
    try {
      const { leased, secondsLeft } = await reserve(this.#sql, clientId, limitClass, amount)
      lease.remaining = Math.min(amount, Math.max(0, quota - leased + amount))
      lease.unleased = Math.max(0, quota - leased)
      lease.endsAt = performance.now() + secondsLeft * 1_000
      return true
    } catch (error) {
      if (error instanceof ConnectionsBusyError) throw error
      return false
    } finally {
      lease.reservation = null
    }
  }

  #sweep(now: number): void {
    if (now < this.#nextSweep) return
    this.#nextSweep = now + sweepMs
    for (const [key, { endsAt, waiting }] of this.#leases) if (endsAt < now && waiting === 0) this.#leases.delete(key)
    for (const [key, { until }] of this.#active) if (until < now) this.#active.delete(key)
  }

  #result(ok: boolean, limitClass: LimitClass, { remaining, unleased, endsAt }: Lease): RateLimitResult {
    const resetSeconds = Math.min(60, Math.max(1, Math.ceil((endsAt - performance.now()) / 1_000)))
    return {
      ok,
      policy: `"${limitClass}";q=${this.#quotas[limitClass]};w=60`,
      limit: `"${limitClass}";r=${remaining + unleased};t=${resetSeconds}`,
      resetSeconds,
    }
  }
}

function tooManyRequests({ policy, limit, resetSeconds }: RateLimitResult): ApiError {
  return new ApiError(
    'rate-limited',
    {},
    { headers: { 'retry-after': String(resetSeconds), 'ratelimit-policy': policy, ratelimit: limit } },
  )
}

/** Sets the headers of the limit. @throws ApiError 429. */
export function applyRateLimit(reply: FastifyReply, result: RateLimitResult): void {
  if (!result.ok) throw tooManyRequests(result)
  void reply.header('ratelimit-policy', result.policy).header('ratelimit', result.limit)
}

/** Counts a partner's call as a read or a write. @throws ApiError 429; 401 for a client that was revoked. */
export async function limitCall(limiter: RateLimiter, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { caller, method } = request
  if (caller === null || caller.kind !== 'partner') return
  const result = await limiter.take(caller.clientId, method === 'GET' || method === 'HEAD' ? 'reads' : 'writes')
  if (!result.ok) throw await limiter.rejection(caller, result)
  applyRateLimit(reply, result)
}

/** Before a response that discloses whether a CPF exists (403 and 404 of a member). @throws ApiError 429. */
export async function limitExistenceDisclosure(limiter: RateLimiter | null, caller: ClientActor): Promise<void> {
  const result = await limiter?.take(caller.clientId, 'members')
  if (result?.ok === false) throw tooManyRequests(result)
}

/** Before an event is redelivered or a test is sent. @throws ApiError 429; 401 for a client that was revoked. */
export async function limitRedelivery(limiter: RateLimiter | null, caller: ClientActor): Promise<void> {
  const result = await limiter?.take(caller.clientId, 'redeliveries')
  if (limiter !== null && result?.ok === false) throw await limiter.rejection(caller, result)
}
