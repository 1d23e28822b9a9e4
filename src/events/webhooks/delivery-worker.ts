import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { write } from '#platform/core/write.ts'
import { logUnlessAway } from '#platform/core/database-errors.ts'
import { countDelivery } from '#platform/core/telemetry/metrics.ts'
import { nextAttempt, outcomeOf } from '../rules/webhook.ts'
import type { Context } from '#platform/http/context.ts'
import {
  type AttemptResult,
  claimDueAttempts,
  deliveryBody,
  type DueAttempt,
  lockEndpoints,
  releaseAttempts,
  saveResults,
} from './delivery-queries.ts'
import type { Sender, SendResult } from './sender.ts'
import { signatureHeaders } from './signing.ts'
import { DeliveryConcurrency } from './concurrency.ts'

/** Longer than a call can last. After it, another process repeats the attempts of one that was killed. */
const leaseMs = 30_000

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

/** Sends the attempts that are due. They are claimed by a lease: no transaction is open during a call. */
export class DeliveryWorker {
  readonly #context: DispatchContext
  readonly #options: DeliveryWorkerOptions
  readonly #concurrency = new DeliveryConcurrency()
  readonly #abort = new AbortController()
  readonly #calls = new Set<Promise<void>>()
  #finished: AttemptResult[] = []
  #aborted: Pick<AttemptResult, 'eventId' | 'endpointId' | 'attempt' | 'leasedUntil'>[] = []
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
    if (this.#aborted.length > 0) await releaseAttempts(this.#context.database, this.#aborted).catch(() => {})
  }

  async #attempt(due: DueAttempt, leasedUntil: Date): Promise<void> {
    const at = this.#options.now()
    const result = await this.#send(due, at)
    const { eventId, endpointId, attempt, startedAt, failing } = due
    if (result?.error === 'stopped') {
      this.#aborted.push({ eventId, endpointId, attempt, leasedUntil })
      return
    }
    const base = { eventId, endpointId, attempt, startedAt, failing, leasedUntil }
    this.#finished.push({ ...base, ...this.#resultOf(due, at, result) })
    this.#saving ??= this.#saveAll()
  }

  /** null: there is nothing to send any more. */
  async #send(due: DueAttempt, at: Date): Promise<SendResult | null> {
    const { cipher, log } = this.#context
    if (!due.entitled || due.event === null) return null
    try {
      const message = { id: due.eventId, body: deliveryBody(due.event) }
      const headers = signatureHeaders(cipher, due.endpointId, due.secrets, message, at)
      return await this.#options.sender.send(due.url, headers, message.body, this.#abort.signal)
    } catch (error) {
      log.error({ err: error, 'endpoint-id': due.endpointId }, 'delivery could not be sent')
      return { status: null, error: 'not-sent' }
    }
  }

  #resultOf(
    due: DueAttempt,
    at: Date,
    result: SendResult | null,
  ): Omit<AttemptResult, keyof DueAttempt | 'leasedUntil'> {
    if (result === null) {
      const error = due.entitled ? 'event-removed' : 'not-entitled'
      return { status: 'failed', gone: false, responseStatus: null, error, attemptedAt: null, nextAttemptAt: null }
    }
    const outcome = result.status === null ? 'failed' : outcomeOf(result.status)
    const sent = { responseStatus: result.status, error: result.error, attemptedAt: at, gone: outcome === 'gone' }
    if (outcome === 'succeeded') return { ...sent, status: 'succeeded', nextAttemptAt: null }
    const ids = { 'endpoint-id': due.endpointId, 'event-id': due.eventId, attempt: due.attempt }
    this.#context.log.info({ ...ids, status: result.status, error: result.error }, 'delivery failed')
    const nextAttemptAt = sent.gone ? null : nextAttempt(due.step, this.#options.now(), this.#options.random())
    return { ...sent, status: 'failed', nextAttemptAt }
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
        logUnlessAway(this.#context.log, error, 'results of deliveries could not be saved')
        // What is not saved is sent again after its lease: delivery is at least once.
        if (this.#isStopping) break
        const now = this.#options.now()
        this.#finished.unshift(...attempts.filter(({ leasedUntil }) => leasedUntil > now))
        await pause(retryMs)
      }
    }
    this.#saving = null
  }

  async #save(attempts: readonly AttemptResult[]): Promise<void> {
    const { database, log } = this.#context
    const changed = attempts.filter(({ status, failing }) => status === 'failed' || failing)
    const disabled = await write({ database }, { kind: 'service' }, { may: 'service' }, async (tx) => {
      if (changed.length > 0) await lockEndpoints(tx, [...new Set(changed.map(({ endpointId }) => endpointId))])
      const disabled = await saveResults(tx, attempts, this.#options.now())
      tx.audit(disabled.map(({ id }) => ({ action: 'webhook-endpoint.disabled', target: id, companyId: null })))
      return disabled
    })
    for (const { status, attemptedAt } of attempts) if (attemptedAt !== null) countDelivery(status)
    for (const { id, reason } of disabled)
      log.warn({ 'endpoint-id': id, gone: reason === 'gone' }, 'webhook endpoint disabled')
  }
}
