import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '#platform/core/database.ts'
import { runPeriodically, type PeriodicTask } from '#platform/core/run-periodically.ts'
import type { Context } from '#platform/http/context.ts'
import { noted } from '#platform/steps/attempts.ts'
import { WakeSignal } from '#platform/core/wake-signal.ts'
import { DeliveryWorker, type DeliveryWorkerOptions, type DispatchContext } from './delivery-worker.ts'
import { openSender } from './sender.ts'
import { assignBatches, deleteDispatched, discardBatches, fanOut, readBacklog } from './fan-out-queries.ts'

/** For tests. */
export type DispatchOptions = Partial<DeliveryWorkerOptions>

const pollMs = 500
const intervalMs = 25
const retryMs = 1_000
const sweepMs = 3_600_000
const retentionMs = 90 * 86_400_000
/** Deliveries of one statement: few enough that it takes a fraction of a second. */
const maxRows = 10_000
const maxDiscarded = 5_000

/**
 * Fans the events of the outbox out to deliveries, sends these, and deletes both after 90 days, until aborted; then it waits for the
 * calls in flight. Any number of processes may run it at once.
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
  const now = options.now ?? (() => context.database.now())
  const worker = new DeliveryWorker(context, { sender, now, random: options.random ?? Math.random })
  const deliverySignal = new WakeSignal(signal)
  await Promise.all([
    runPeriodically(
      context,
      signal,
      continuous('events could not be fanned out'),
      noted(context, 'task-fan-out', async () => {
        const seen = eventSignal.notifications
        await fanOutAll(context.database, now, signal, () => deliverySignal.notify())
        await eventSignal.wait(seen, pollMs)
        // An event to be delivered again, or deliveries of another process.
        deliverySignal.notify()
      }),
    ),
    runPeriodically(
      context,
      signal,
      continuous('deliveries could not be claimed'),
      noted(context, 'task-webhooks', async () => {
        const seen = deliverySignal.notifications
        const started = await worker.start()
        const next = started > 0 ? pause(intervalMs) : deliverySignal.wait(seen, pollMs)
        await Promise.race([next, worker.halfDone()])
      }),
    ).then(() => worker.stop()),
    runPeriodically(
      context,
      signal,
      { errorMessage: 'old events could not be deleted', intervalMs: sweepMs, retryMs },
      noted(context, 'task-events', () => deleteOldEvents(context, signal, now)),
    ),
  ])
}

/** Deletes the events and deliveries of more than 90 days ago. */
export async function deleteOldEvents(
  { database }: Pick<Context, 'database'>,
  signal: AbortSignal,
  now = () => database.now(),
): Promise<void> {
  while (!signal.aborted && (await deleteDispatched(database, new Date(now().getTime() - retentionMs))));
}

/** A task that waits for its next run itself, except after an error. */
function continuous(errorMessage: string): PeriodicTask {
  return { errorMessage, intervalMs: 0, retryMs }
}

/** Fans out until only work that other processes have locked is left. New batches are assigned before each statement. */
async function fanOutAll(
  database: Database,
  now: () => Date,
  signal: AbortSignal,
  onDeliveries: () => void,
): Promise<void> {
  while (!signal.aborted) {
    const { hasBatches, hasTasks, hasEndpoints } = await readBacklog(database)
    if (!hasBatches && !hasTasks) return
    if (!hasEndpoints && !hasTasks) {
      if ((await discardBatches(database, maxDiscarded)) < maxDiscarded) return
      continue
    }
    const replace = () => (hasEndpoints ? assignBatches(database) : discardBatches(database, maxDiscarded))
    const replaced = hasBatches ? await replace() : 0
    const { tasks, deliveries } = await fanOut(database, maxRows, now())
    if (deliveries > 0) onDeliveries()
    if (replaced === 0 && tasks === 0) return
  }
}
