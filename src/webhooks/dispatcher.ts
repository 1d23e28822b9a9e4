import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../platform/database.ts'
import { runPeriodically, type PeriodicTask } from '../platform/run-periodically.ts'
import type { Context } from '../http/context.ts'
import { DeliveryWorker, type DispatchContext } from './delivery-worker.ts'
import { openSender, type Sender } from './sender.ts'
import { assignBatches, dismissBatches, fanOut, readBacklog, deleteDispatched } from './fan-out-queries.ts'

/** Rings when there may be something to do. */
export interface WakeSignal {
  readonly notifications: number
  /** Returns at the next ring after `since`, at the latest after the time given. */
  wait(since: number, ms: number): Promise<void>
}

export interface DispatchOptions {
  readonly sender?: Sender
  readonly now?: () => Date
  readonly chance?: () => number
}

const pollMs = 500
const intervalMs = 25
const retryMs = 1_000
const sweepMs = 3_600_000
const keptMs = 90 * 86_400_000
/** Deliveries that one statement makes: what waits behind it waits for a fraction of a second. */
const maxRows = 10_000
const maxDismissed = 5_000

/**
 * Tells whoever listens of what happened: makes deliveries of the events in the outbox, carries them out, and removes them after 90
 * days. Any number of processes may do so at once. Until aborted; then it lets the calls under way end.
 */
export async function dispatchEvents(
  context: DispatchContext & Pick<Context, 'config'>,
  deliverySignal: WakeSignal,
  signal: AbortSignal,
  options: DispatchOptions = {},
): Promise<void> {
  const { config } = context
  const httpsOnly = config.environment === 'production'
  const sender = options.sender ?? openSender({ httpsOnly, allowPrivate: config.webhookAllowPrivate })
  const now = options.now ?? (() => new Date())
  const courier = new DeliveryWorker(context, { sender, now, chance: options.chance ?? Math.random })
  const wakeSignal = new LocalBell(deliverySignal)
  await Promise.all([
    runPeriodically(context, signal, round('events could not be fanned out'), async () => {
      await fanOutAll(context.database, now, signal, () => wakeSignal.notify())
      await deliverySignal.wait(deliverySignal.notifications, pollMs)
    }),
    runPeriodically(context, signal, round('deliveries could not be taken'), async () => {
      const heard = wakeSignal.notifications
      const begun = await courier.begin()
      const rest = begun > 0 ? pause(intervalMs) : wakeSignal.wait(heard, pollMs)
      await Promise.race([rest, courier.halfDone()])
    }).then(() => courier.stop()),
    runPeriodically(context, signal, { ...round('old events could not be swept'), intervalMs: sweepMs }, async () => {
      while (!signal.aborted && (await deleteDispatched(context.database, new Date(now().getTime() - keptMs))));
    }),
  ])
}

/** A round that waits by itself while all is well. */
function round(errorMessage: string): PeriodicTask {
  return { errorMessage, intervalMs: 0, retryMs }
}

/** Until nothing waits that no other process works on. New batches are assigned before each statement, so that they wait for one at most. */
async function fanOutAll(database: Database, now: () => Date, signal: AbortSignal, onMade: () => void): Promise<void> {
  while (!signal.aborted) {
    const { batches, assigned, listening } = await readBacklog(database)
    if (!batches && !assigned) return
    const replaced = !batches
      ? 0
      : listening
        ? await assignBatches(database)
        : await dismissBatches(database, maxDismissed)
    const made = await fanOut(database, maxRows, now())
    if (made.deliveries > 0) onMade()
    if (replaced === 0 && made.assigned === 0) return
  }
}

/** Rings for what happens in this process as well as for what the alarm tells. */
class LocalBell {
  readonly #alarm: WakeSignal
  #own = 0
  #heard: Promise<void> | null = null
  #wake: () => void = () => {}

  constructor(deliverySignal: WakeSignal) {
    this.#alarm = deliverySignal
  }

  get notifications(): number {
    return this.#own + this.#alarm.notifications
  }

  notify(): void {
    this.#own += 1
    this.#wake()
  }

  async wait(since: number, ms: number): Promise<void> {
    if (this.notifications !== since) return
    // One wait for the alarm at a time: this bell rings far more often.
    this.#heard ??= this.#alarm.wait(this.#alarm.notifications, ms).finally(() => {
      this.#heard = null
    })
    await Promise.race([
      this.#heard,
      new Promise<void>((resolve) => {
        this.#wake = resolve
      }),
    ])
  }
}
