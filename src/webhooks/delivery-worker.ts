import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { writeAudit } from '../audit/audit-log.ts'
import { isDatabaseAway } from '../platform/database.ts'
import { countDelivery } from '../telemetry/metrics.ts'
import { nextAttempt, outcomeOf } from '../domain/webhook.ts'
import type { Context } from '../http/context.ts'
import {
  disableFailing,
  disableGone,
  type Due,
  lockEndpoints,
  markEndpoints,
  releaseAttempts,
  type Settled,
  settleAttempts,
  takeDue,
} from './delivery-queries.ts'
import type { Sender, SendResult } from './sender.ts'
import { signatureHeaders } from './signing.ts'
import { ConcurrencyLimit } from './concurrency.ts'

/** Longer than any call lasts: whose process was killed is taken up again after it. */
export const leaseMs = 30_000

const lastCallsMs = 3_000
const againMs = 1_000
const gatherMs = 15

export type DispatchContext = Pick<Context, 'database' | 'log' | 'cipher'>

export interface DeliveryWorkerOptions {
  readonly sender: Sender
  /** The time of day; another one in tests. */
  readonly now: () => Date
  /** From 0 to 1. */
  readonly chance: () => number
}

interface Outcome extends Settled {
  readonly due: Due
  readonly gone: boolean
}

/** Makes the attempts that are due. What it takes it holds by a lease, and keeps no transaction open while a receiver thinks. */
export class DeliveryWorker {
  readonly #teller: DispatchContext
  readonly #options: DeliveryWorkerOptions
  readonly #slots = new ConcurrencyLimit()
  readonly #cut = new AbortController()
  readonly #calls = new Set<Promise<void>>()
  #outcomes: Outcome[] = []
  #stopped: { due: Due; leasedUntil: Date }[] = []
  #settling: Promise<void> | null = null
  #onEnded: () => void = () => {}
  #isStopping = false

  constructor(teller: DispatchContext, options: DeliveryWorkerOptions) {
    this.#teller = teller
    this.#options = options
  }

  /** Takes what is due, as far as there are places, and begins to call. @returns how many calls were begun. */
  async begin(): Promise<number> {
    const now = this.#options.now()
    const leasedUntil = new Date(now.getTime() + leaseMs)
    const room = this.#slots.room(performance.now())
    const taken = await takeDue(this.#teller.database, room, now, leasedUntil)
    for (const due of taken) {
      const giveBack = this.#slots.take(due.endpointId, due.failing, performance.now())
      const call = this.#make(due, leasedUntil).finally(() => {
        giveBack(performance.now())
        this.#calls.delete(call)
        this.#onEnded()
      })
      this.#calls.add(call)
      // Calls begin one a turn of the event loop, so that requests are served between them.
      await nextTurn()
    }
    return taken.length
  }

  /** Returns when half of the calls now under way have ended: to take for each of them alone would cost more than the calls. */
  halfDone(): Promise<void> {
    const enough = Math.floor(this.#calls.size / 2)
    return new Promise((resolve) => {
      this.#onEnded = () => {
        if (this.#calls.size <= enough) resolve()
      }
    })
  }

  /** Lets the calls under way end, for a few seconds; gives back those that do not. */
  async stop(): Promise<void> {
    this.#isStopping = true
    const limit = setTimeout(() => this.#cut.abort(), lastCallsMs)
    while (this.#calls.size > 0) await Promise.all(this.#calls)
    clearTimeout(limit)
    await this.#settling
    this.#options.sender.close()
    const back = this.#stopped.map(({ due, leasedUntil }) => ({ ...keyOf(due), leasedUntil }))
    if (back.length > 0) await releaseAttempts(this.#teller.database, back).catch(() => {})
  }

  async #make(due: Due, leasedUntil: Date): Promise<void> {
    const at = this.#options.now()
    const result = await this.#send(due, at)
    if (result?.error === 'stopped') {
      this.#stopped.push({ due, leasedUntil })
      return
    }
    this.#outcomes.push(this.#judge(due, leasedUntil, at, result))
    this.#settling ??= this.#settleAll()
  }

  /** null: there is nothing to send any more. */
  async #send(due: Due, at: Date): Promise<SendResult | null> {
    const { cipher, log } = this.#teller
    if (!due.entitled || due.event === null) return null
    try {
      const message = { id: due.eventId, body: JSON.stringify(due.event) }
      const headers = signatureHeaders(cipher, due.endpointId, due.secrets, message, at)
      return await this.#options.sender.send(due.url, headers, message.body, this.#cut.signal)
    } catch (error) {
      log.error({ err: error, 'endpoint-id': due.endpointId }, 'delivery could not be made')
      return { status: null, error: 'not-sent' }
    }
  }

  #judge(due: Due, leasedUntil: Date, at: Date, result: SendResult | null): Outcome {
    const base = { ...keyOf(due), leasedUntil, due }
    if (result === null) {
      const error = due.entitled ? 'event-removed' : 'not-entitled'
      const none = { responseStatus: null, attemptedAt: null, nextAttemptAt: null }
      return { ...base, ...none, status: 'failed', error, gone: false }
    }
    const outcome = result.status === null ? 'failed' : outcomeOf(result.status)
    const made = { ...base, responseStatus: result.status, error: result.error, attemptedAt: at }
    if (outcome === 'succeeded') return { ...made, status: 'succeeded', nextAttemptAt: null, gone: false }
    const gone = outcome === 'gone'
    const nextAttemptAt = gone ? null : nextAttempt(due.step, this.#options.now(), this.#options.chance())
    const { log } = this.#teller
    const noted = { 'endpoint-id': due.endpointId, 'event-id': due.eventId, attempt: due.attempt }
    log.info({ ...noted, status: result.status, error: result.error }, 'delivery failed')
    return { ...made, status: 'failed', nextAttemptAt, gone }
  }

  /** Keeps what became of calls, all that ended meanwhile in one transaction. */
  async #settleAll(): Promise<void> {
    while (this.#outcomes.length > 0) {
      await pause(gatherMs)
      const outcomes = this.#outcomes
      this.#outcomes = []
      try {
        await this.#settle(outcomes)
      } catch (error) {
        if (!isDatabaseAway(error)) this.#teller.log.error({ err: error }, 'deliveries could not be noted')
        // What is not noted is called again by somebody once its lease is over: at least once, as promised.
        if (this.#isStopping) break
        const now = this.#options.now()
        this.#outcomes.unshift(...outcomes.filter((outcome) => outcome.leasedUntil > now))
        await pause(againMs)
      }
    }
    this.#settling = null
  }

  async #settle(outcomes: readonly Outcome[]): Promise<void> {
    const { database, log } = this.#teller
    const at = this.#options.now()
    const made = outcomes.filter((outcome) => outcome.attemptedAt !== null)
    const well = new Set(made.filter(({ status }) => status === 'succeeded').map(({ endpointId }) => endpointId))
    const badly = made.filter(({ status, endpointId }) => status === 'failed' && !well.has(endpointId))
    const spent = badly.filter(({ nextAttemptAt, gone }) => nextAttemptAt === null && !gone)
    const recovered = new Set(
      made.filter(({ due, endpointId }) => due.failing && well.has(endpointId)).map(({ endpointId }) => endpointId),
    )
    const gone = new Set(made.filter((outcome) => outcome.gone).map(({ endpointId }) => endpointId))
    const disabled = await database.transaction(async (sql) => {
      const changed = new Set([
        ...recovered,
        ...outcomes.flatMap((one) => (one.status === 'failed' ? [one.endpointId] : [])),
      ])
      if (changed.size > 0) await lockEndpoints(sql, [...changed])
      await settleAttempts(
        sql,
        outcomes.map(({ due: _due, gone: _gone, ...settled }) => settled),
      )
      await markEndpoints(sql, firstFailures(badly), [...recovered])
      const ids = [
        ...(gone.size > 0 ? await disableGone(sql, [...gone], at) : []),
        ...(spent.length > 0
          ? await disableFailing(
              sql,
              spent.map(({ due }) => due),
              at,
            )
          : []),
      ]
      const action = 'webhook-endpoint.disabled'
      await writeAudit(
        sql,
        ids.map((target) => ({ actor: 'service', action, target, companyId: null, origin: null })),
      )
      return ids
    })
    for (const { status } of made) countDelivery(status === 'succeeded' ? 'succeeded' : 'failed')
    for (const id of disabled) log.warn({ 'endpoint-id': id, gone: gone.has(id) }, 'webhook endpoint disabled')
  }
}

function keyOf({ eventId, endpointId, attempt }: Due): Pick<Due, 'eventId' | 'endpointId' | 'attempt'> {
  return { eventId, endpointId, attempt }
}

/** Of endpoints that were not known to fail, the first failed attempt. */
function firstFailures(failed: readonly Outcome[]): { id: string; at: Date }[] {
  const first = new Map<string, Date>()
  for (const { due, endpointId, attemptedAt } of failed) {
    const earlier = first.get(endpointId)
    if (due.failing || attemptedAt === null || (earlier !== undefined && earlier <= attemptedAt)) continue
    first.set(endpointId, attemptedAt)
  }
  return [...first].map(([id, at]) => ({ id, at }))
}
