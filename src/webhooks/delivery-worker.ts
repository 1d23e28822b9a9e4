import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { writeAudit } from '../audit/audit-log.ts'
import { isDatabaseAway } from '../platform/database.ts'
import { countDelivery } from '../telemetry/metrics.ts'
import { nextAttempt, outcomeOf } from '../domain/webhook.ts'
import type { Context } from '../http/context.ts'
import {
  type AttemptResult,
  claimDueAttempts,
  disableFailing,
  disableGone,
  type DueAttempt,
  lockEndpoints,
  releaseAttempts,
  saveResults,
  updateFailingSince,
} from './delivery-queries.ts'
import type { Sender, SendResult } from './sender.ts'
import { signatureHeaders } from './signing.ts'
import { DeliveryConcurrency } from './concurrency.ts'

/** Longer than a call can last. After it, another process repeats the attempts of one that was killed. */
export const leaseMs = 30_000

const shutdownMs = 3_000
const retryMs = 1_000
const batchMs = 15

export type DispatchContext = Pick<Context, 'database' | 'log' | 'cipher'>

export interface DeliveryWorkerOptions {
  readonly sender: Sender
  /** The current time. */
  readonly now: () => Date
  /** A random number from 0 to 1, for the jitter of retries. */
  readonly random: () => number
}

interface FinishedAttempt extends AttemptResult {
  readonly due: DueAttempt
  readonly gone: boolean
}

/** Sends the attempts that are due. They are claimed by a lease: no transaction is open during a call. */
export class DeliveryWorker {
  readonly #context: DispatchContext
  readonly #options: DeliveryWorkerOptions
  readonly #concurrency = new DeliveryConcurrency()
  readonly #abort = new AbortController()
  readonly #calls = new Set<Promise<void>>()
  #finished: FinishedAttempt[] = []
  #aborted: { due: DueAttempt; leasedUntil: Date }[] = []
  #saving: Promise<void> | null = null
  #onCallEnd: () => void = () => {}
  #isStopping = false

  constructor(context: DispatchContext, options: DeliveryWorkerOptions) {
    this.#context = context
    this.#options = options
  }

  /** Claims due attempts for the free slots and starts to send them. @returns the number of calls started. */
  async start(): Promise<number> {
    const now = this.#options.now()
    const leasedUntil = new Date(now.getTime() + leaseMs)
    const slots = this.#concurrency.free(performance.now())
    const claimed = await claimDueAttempts(this.#context.database, slots, now, leasedUntil)
    for (const due of claimed) {
      const release = this.#concurrency.acquire(due.endpointId, due.failing, performance.now())
      const call = this.#attempt(due, leasedUntil).finally(() => {
        release(performance.now())
        this.#calls.delete(call)
        this.#onCallEnd()
      })
      this.#calls.add(call)
      // Calls begin one a turn of the event loop, so that requests are served between them.
      await nextTurn()
    }
    return claimed.length
  }

  /** Resolves when half of the calls in flight have ended: a claim for each of them would cost more than the calls. */
  halfDone(): Promise<void> {
    const enough = Math.floor(this.#calls.size / 2)
    return new Promise((resolve) => {
      this.#onCallEnd = () => {
        if (this.#calls.size <= enough) resolve()
      }
    })
  }

  /** Waits a few seconds for the calls in flight, aborts the others and releases their leases. */
  async stop(): Promise<void> {
    this.#isStopping = true
    const timer = setTimeout(() => this.#abort.abort(), shutdownMs)
    while (this.#calls.size > 0) await Promise.all(this.#calls)
    clearTimeout(timer)
    await this.#saving
    this.#options.sender.close()
    const aborted = this.#aborted.map(({ due, leasedUntil }) => ({ ...keyOf(due), leasedUntil }))
    if (aborted.length > 0) await releaseAttempts(this.#context.database, aborted).catch(() => {})
  }

  async #attempt(due: DueAttempt, leasedUntil: Date): Promise<void> {
    const at = this.#options.now()
    const result = await this.#send(due, at)
    if (result?.error === 'stopped') {
      this.#aborted.push({ due, leasedUntil })
      return
    }
    this.#finished.push(this.#finish(due, leasedUntil, at, result))
    this.#saving ??= this.#saveAll()
  }

  /** null: there is nothing to send any more. */
  async #send(due: DueAttempt, at: Date): Promise<SendResult | null> {
    const { cipher, log } = this.#context
    if (!due.entitled || due.event === null) return null
    try {
      const message = { id: due.eventId, body: JSON.stringify(due.event) }
      const headers = signatureHeaders(cipher, due.endpointId, due.secrets, message, at)
      return await this.#options.sender.send(due.url, headers, message.body, this.#abort.signal)
    } catch (error) {
      log.error({ err: error, 'endpoint-id': due.endpointId }, 'delivery could not be sent')
      return { status: null, error: 'not-sent' }
    }
  }

  #finish(due: DueAttempt, leasedUntil: Date, at: Date, result: SendResult | null): FinishedAttempt {
    const base = { ...keyOf(due), leasedUntil, due }
    if (result === null) {
      const error = due.entitled ? 'event-removed' : 'not-entitled'
      const notSent = { responseStatus: null, attemptedAt: null, nextAttemptAt: null }
      return { ...base, ...notSent, status: 'failed', error, gone: false }
    }
    const outcome = result.status === null ? 'failed' : outcomeOf(result.status)
    const sent = { ...base, responseStatus: result.status, error: result.error, attemptedAt: at }
    if (outcome === 'succeeded') return { ...sent, status: 'succeeded', nextAttemptAt: null, gone: false }
    const gone = outcome === 'gone'
    const nextAttemptAt = gone ? null : nextAttempt(due.step, this.#options.now(), this.#options.random())
    const ids = { 'endpoint-id': due.endpointId, 'event-id': due.eventId, attempt: due.attempt }
    this.#context.log.info({ ...ids, status: result.status, error: result.error }, 'delivery failed')
    return { ...sent, status: 'failed', nextAttemptAt, gone }
  }

  /** Saves the results, all that arrived in the last milliseconds in one transaction. */
  async #saveAll(): Promise<void> {
    while (this.#finished.length > 0) {
      await pause(batchMs)
      const attempts = this.#finished
      this.#finished = []
      try {
        await this.#save(attempts)
      } catch (error) {
        if (!isDatabaseAway(error)) this.#context.log.error({ err: error }, 'results of deliveries could not be saved')
        // What is not saved is sent again after its lease: delivery is at least once.
        if (this.#isStopping) break
        const now = this.#options.now()
        this.#finished.unshift(...attempts.filter(({ leasedUntil }) => leasedUntil > now))
        await pause(retryMs)
      }
    }
    this.#saving = null
  }

  async #save(attempts: readonly FinishedAttempt[]): Promise<void> {
    const { database, log } = this.#context
    const at = this.#options.now()
    const sent = attempts.filter(({ attemptedAt }) => attemptedAt !== null)
    const succeeded = new Set(endpointIds(sent.filter(({ status }) => status === 'succeeded')))
    const failed = sent.filter(({ status, endpointId }) => status === 'failed' && !succeeded.has(endpointId))
    const exhausted = failed
      .filter(({ nextAttemptAt, gone }) => nextAttemptAt === null && !gone)
      .map(({ due: { eventId, endpointId, startedAt } }) => ({ eventId, endpointId, startedAt }))
    const recovered = new Set(endpointIds(sent.filter(({ due }) => due.failing && succeeded.has(due.endpointId))))
    const gone = new Set(endpointIds(sent.filter((attempt) => attempt.gone)))
    const changed = new Set([...recovered, ...endpointIds(attempts.filter(({ status }) => status === 'failed'))])
    const disabled = await database.transaction(async (sql) => {
      if (changed.size > 0) await lockEndpoints(sql, [...changed])
      await saveResults(
        sql,
        attempts.map(({ due: _due, gone: _gone, ...result }) => result),
      )
      await updateFailingSince(sql, firstFailures(failed), [...recovered])
      const ids = [
        ...(gone.size > 0 ? await disableGone(sql, [...gone], at) : []),
        ...(exhausted.length > 0 ? await disableFailing(sql, exhausted, at) : []),
      ]
      const action = 'webhook-endpoint.disabled'
      await writeAudit(
        sql,
        ids.map((target) => ({ actor: 'service', action, target, companyId: null, origin: null })),
      )
      return ids
    })
    for (const { status } of sent) countDelivery(status)
    for (const id of disabled) log.warn({ 'endpoint-id': id, gone: gone.has(id) }, 'webhook endpoint disabled')
  }
}

function keyOf({ eventId, endpointId, attempt }: DueAttempt): Pick<DueAttempt, 'eventId' | 'endpointId' | 'attempt'> {
  return { eventId, endpointId, attempt }
}

function endpointIds(attempts: readonly FinishedAttempt[]): string[] {
  return attempts.map(({ endpointId }) => endpointId)
}

/** The time of the first failed attempt of each endpoint that was not failing before. */
function firstFailures(failed: readonly FinishedAttempt[]): { id: string; at: Date }[] {
  const first = new Map<string, Date>()
  for (const { due, endpointId, attemptedAt } of failed) {
    const earlier = first.get(endpointId)
    if (due.failing || attemptedAt === null || (earlier !== undefined && earlier <= attemptedAt)) continue
    first.set(endpointId, attemptedAt)
  }
  return [...first].map(([id, at]) => ({ id, at }))
}
