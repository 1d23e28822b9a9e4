import type { FastifyReply, FastifyRequest } from 'fastify'
import { setTimeout as pause } from 'node:timers/promises'
import type { Sql } from '../../platform/database.ts'
import { ApiError, invalidCredentials } from '../../platform/errors.ts'
import {
  book,
  type Bucket,
  drawSize,
  isDry,
  type LimitClass,
  newBucket,
  parseRateLimits,
  phaseOf,
  policyText,
  remaining,
  resetSeconds,
  runsLow,
  takePermit,
  windowSeconds,
} from './rate-limit-policy.ts'
import { isActiveClient } from '../active-client.ts'
import { type Draw, type DrawAnswer, drawPermits } from './rate-limit-queries.ts'
import type { Caller } from '../caller.ts'

/*
 * Each process draws permits of a client from the shared count some at a time, so that most calls cost a subtraction. What lies
 * idle goes back after a moment. The database being away opens the limits: nothing can be done without it anyway.
 */

/** What a call is told of its limit. */
export interface Permit {
  readonly ok: boolean
  readonly policy: string
  /** `RateLimit` (IETF RateLimit headers, draft 11). */
  readonly limit: string
  readonly resetSeconds: number
}

export interface RateLimits {
  /** A permit at once where one is at hand, else after asking the database. */
  take(clientId: string, limited: LimitClass): Permit | Promise<Permit>
  /** The refusal of a client that has none left; null for any other. Takes nothing. */
  refusal(clientId: string, limited: LimitClass): Permit | null
  /**
   * Before a 429: whether the client is not revoked, asked at most once a second, so that a flood costs the database nothing.
   * Slow for a client that goes on regardless: who waits for its answers before calling again takes little of the process then.
   */
  isAlive(caller: Caller): Promise<boolean>
  stop(): void
}

interface Entry extends Bucket {
  readonly clientId: string
  readonly class: LimitClass
  readonly phase: number
  readonly policy: string
  /** Calls that wait for permits. */
  waiting: number
  /** Resolves when the draw under way has been booked; false when it failed. */
  drawing: Promise<boolean> | null
  /** Since the last look for idle permits. */
  touched: boolean
  alive: { readonly until: number; readonly answer: Promise<boolean>; refusals: number } | null
}

/** How often idle permits are looked for, and how long "none left" is believed: others may have given back. */
const idleCheckIntervalMs = 250
const maxAtOnce = 500
const aliveForMs = 1_000
/** Refusals of a second that are answered at once, and how late the others are. */
const promptRefusals = 10
const lateByMs = 100

/** @param setting as in the configuration. @returns null for `off`. */
export function openRateLimits(sql: Sql, setting: string): RateLimits | null {
  const quotas = parseRateLimits(setting)
  if (quotas === null) return null
  const classes = Object.keys(quotas) as LimitClass[]
  const entries = Object.fromEntries(classes.map((one) => [one, new Map<string, Entry>()])) as Record<
    LimitClass,
    Map<string, Entry>
  >
  const draw = openDraws(sql)
  let look: NodeJS.Timeout | null = null

  const entryOf = (clientId: string, limited: LimitClass): Entry => {
    const known = entries[limited].get(clientId)
    if (known !== undefined) return known
    const made = newEntry(clientId, limited, quotas[limited])
    entries[limited].set(clientId, made)
    look ??= setInterval(lookForIdle, idleCheckIntervalMs).unref()
    return made
  }
  const lookForIdle = () => {
    const idle = Object.values(entries).flatMap((some) => tidied(some, performance.now()))
    if (idle.length > 0) drawPermits(sql, idle).catch(() => {})
    if (look === null || Object.values(entries).some((some) => some.size > 0)) return
    clearInterval(look)
    look = null
  }
  return {
    take(clientId, limited) {
      const entry = entryOf(clientId, limited)
      const now = performance.now()
      const taking = takePermit(entry, now)
      if (taking === 'ask') return waited(entry, draw)
      entry.touched = true
      if (taking === 'taken' && entry.drawing === null && runsLow(entry)) void draw(entry)
      return permitOf(entry, taking === 'taken', now)
    },
    refusal(clientId, limited) {
      const entry = entries[limited].get(clientId)
      const now = performance.now()
      return entry !== undefined && isDry(entry, now) ? permitOf(entry, false, now) : null
    },
    async isAlive(caller) {
      const entry = entryOf(caller.clientId, 'reads')
      const now = performance.now()
      if (entry.alive === null || entry.alive.until < now) {
        entry.alive = { until: now + aliveForMs, answer: isActiveClient(sql, caller), refusals: 0 }
      }
      const { answer } = entry.alive
      if ((entry.alive.refusals += 1) > promptRefusals) await pause(lateByMs)
      return answer
    },
    stop() {
      if (look !== null) clearInterval(look)
      look = null
    },
  }
}

function newEntry(clientId: string, limited: LimitClass, quota: number): Entry {
  return {
    ...newBucket(quota),
    clientId,
    class: limited,
    phase: phaseOf(clientId),
    policy: policyText(limited, quota),
    waiting: 0,
    drawing: null,
    touched: true,
    alive: null,
  }
}

/** Forgets those whose window is over, and takes back what nobody needed since the last look. */
function tidied(entries: Map<string, Entry>, now: number): Draw[] {
  const idle: Draw[] = []
  for (const [clientId, entry] of entries) {
    const { drawing, touched, stock, window } = entry
    entry.touched = false
    if (touched || drawing !== null || entry.waiting > 0) continue
    if (now >= entry.endsAt) entries.delete(clientId)
    else if (stock > 0) {
      idle.push({ ...drawOf(entry), asked: -stock, minute: window })
      entry.stock = 0
      entry.drawn = Math.max(0, entry.drawn - stock)
    }
  }
  return idle
}

async function waited(entry: Entry, draw: (entry: Entry) => Promise<boolean>): Promise<Permit> {
  for (;;) {
    entry.waiting += 1
    const told = await (entry.drawing ?? draw(entry))
    entry.waiting -= 1
    entry.touched = true
    const now = performance.now()
    if (!told) return permitOf(entry, true, now)
    const taking = takePermit(entry, now)
    if (taking !== 'ask') return permitOf(entry, taking === 'taken', now)
  }
}

function permitOf(entry: Entry, ok: boolean, now: number): Permit {
  const seconds = resetSeconds(entry, now)
  const left = ok ? remaining(entry) : 0
  return { ok, policy: entry.policy, limit: `"${entry.class}";r=${left};t=${seconds}`, resetSeconds: seconds }
}

/** One statement at a time; whoever comes meanwhile goes together with the next. */
function openDraws(sql: Sql): (entry: Entry) => Promise<boolean> {
  const pending = new Map<Entry, (told: boolean) => void>()
  let running = false
  const run = async (): Promise<void> => {
    running = true
    while (pending.size > 0) {
      const batch = [...pending].slice(0, maxAtOnce)
      for (const [entry] of batch) pending.delete(entry)
      const told = await exchange(
        sql,
        batch.map(([entry]) => entry),
      )
      for (const [entry, tell] of batch) {
        entry.drawing = null
        tell(told)
      }
    }
    running = false
  }
  return (entry) => {
    entry.drawing = new Promise((tell) => pending.set(entry, tell))
    if (!running) void run()
    return entry.drawing
  }
}

async function exchange(sql: Sql, batch: readonly Entry[]): Promise<boolean> {
  try {
    const answers = await drawPermits(sql, batch.map(drawOf))
    const found = new Map(answers.map((answer) => [`${answer.class} ${answer.clientId}`, answer]))
    for (const entry of batch) bookAnswer(entry, found.get(`${entry.class} ${entry.clientId}`))
    return true
  } catch {
    return false
  }
}

function drawOf(entry: Entry): Draw {
  const { clientId, class: limited, phase, quota } = entry
  return { clientId, class: limited, phase, quota, asked: drawSize(entry, entry.waiting), minute: null }
}

function bookAnswer(entry: Entry, answer: DrawAnswer | undefined): void {
  if (answer === undefined) return
  const { granted, drawn, minute, now } = answer
  const leftMs = ((minute + 1) * windowSeconds - entry.phase - now) * 1_000
  book(entry, { granted, drawn, window: minute, leftMs }, performance.now(), idleCheckIntervalMs)
}

/** 429 with how long to wait. */
export function tooManyRequests({ policy, limit, resetSeconds: seconds }: Permit): ApiError {
  return new ApiError(
    429,
    'Too many requests',
    {},
    { 'retry-after': String(seconds), 'ratelimit-policy': policy, ratelimit: limit },
  )
}

/** Puts the limit on the answer. @throws ApiError 429. */
export function applyRateLimit(reply: FastifyReply, permit: Permit): void {
  if (!permit.ok) throw tooManyRequests(permit)
  void reply.header('ratelimit-policy', permit.policy).header('ratelimit', permit.limit)
}

/** Counts a partner's call as a read or a write. @throws ApiError 429; 401 for a client that was revoked. */
export async function limitCall(limits: RateLimits, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { caller, method } = request
  if (caller === null || caller.api !== 'partner') return
  const taken = limits.take(caller.clientId, method === 'GET' || method === 'HEAD' ? 'reads' : 'writes')
  const permit = taken instanceof Promise ? await taken : taken
  if (!permit.ok) {
    if (!(await limits.isAlive(caller))) throw invalidCredentials()
    request.callerVerified = true
  }
  applyRateLimit(reply, permit)
}

/** Before a caller is told whether a CPF exists (403 and 404 of a member). @throws ApiError 429 after too many such answers. */
export async function limitExistenceDisclosure(limits: RateLimits | null, caller: Caller): Promise<void> {
  const permit = await limits?.take(caller.clientId, 'members')
  if (permit?.ok === false) throw tooManyRequests(permit)
}

/** Before an event is redelivered or a test is sent. @throws ApiError 429 after too many of them; 401 for a client that was revoked. */
export async function limitRedelivery(limits: RateLimits | null, caller: Caller): Promise<void> {
  const permit = await limits?.take(caller.clientId, 'redeliveries')
  if (permit?.ok !== false) return
  if ((await limits?.isAlive(caller)) === false) throw invalidCredentials()
  throw tooManyRequests(permit)
}
