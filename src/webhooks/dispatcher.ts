import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../platform/database.ts'
import { runPeriodically, type PeriodicTask } from '../platform/run-periodically.ts'
import type { Context } from '../http/context.ts'
import { WakeSignal } from '../platform/wake-signal.ts'
import { DeliveryWorker, type DispatchContext } from './delivery-worker.ts'
import { openSender, type Sender } from './sender.ts'
import { assignBatches, dismissBatches, fanOut, readBacklog, deleteDispatched } from './fan-out-queries.ts'

export interface DispatchOptions {
  readonly sender?: Sender
  readonly now?: () => Date
  readonly chance?: () => number
}

const pollMs = 500
const intervalMs = 25
const againMs = 1_000
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
  eventSignal: Pick<WakeSignal, 'notifications' | 'wait'>,
  signal: AbortSignal,
  options: DispatchOptions = {},
): Promise<void> {
  const { config } = context
  const httpsOnly = config.environment === 'production'
  const sender = options.sender ?? openSender({ httpsOnly, allowPrivate: config.webhookAllowPrivate })
  const now = options.now ?? (() => new Date())
  const courier = new DeliveryWorker(context, { sender, now, chance: options.chance ?? Math.random })
  const deliverySignal = new WakeSignal(signal)
  await Promise.all([
    runPeriodically(context, signal, round('events could not be fanned out'), async () => {
      const seen = eventSignal.notifications
      await fanOutAll(context.database, now, signal, () => deliverySignal.notify())
      await eventSignal.wait(seen, pollMs)
      // An event to be delivered again, or deliveries of another process.
      deliverySignal.notify()
    }),
    runPeriodically(context, signal, round('deliveries could not be taken'), async () => {
      const seen = deliverySignal.notifications
      const begun = await courier.begin()
      const rest = begun > 0 ? pause(intervalMs) : deliverySignal.wait(seen, pollMs)
      await Promise.race([rest, courier.halfDone()])
    }).then(() => courier.stop()),
    runPeriodically(context, signal, { ...round('old events could not be swept'), intervalMs: sweepMs }, async () => {
      while (!signal.aborted && (await deleteDispatched(context.database, new Date(now().getTime() - keptMs))));
    }),
  ])
}

/** A round that waits by itself while all is well. */
function round(fault: string): PeriodicTask {
  return { fault, intervalMs: 0, againMs }
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
