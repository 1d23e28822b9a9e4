import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../platform/database.ts'
import { inRounds, type Rounds } from '../platform/run-periodically.ts'
import type { Service } from '../http/context.ts'
import { Courier, type Teller } from './delivery-worker.ts'
import { openSender, type Sender } from './sender.ts'
import { assignBatches, dismissBatches, fanOut, readBacklog, removeTold } from './fan-out-queries.ts'

/** Rings when there may be something to do. */
export interface Alarm {
  readonly rings: number
  /** Returns at the next ring after `since`, at the latest after the time given. */
  wait(since: number, ms: number): Promise<void>
}

export interface TellOptions {
  readonly sender?: Sender
  readonly now?: () => Date
  readonly chance?: () => number
}

const pollMs = 500
const restMs = 25
const againMs = 1_000
const sweepMs = 3_600_000
const keptMs = 90 * 86_400_000
/** Deliveries that one statement makes: what waits behind it waits for a fraction of a second. */
const maxRows = 10_000
const mostDismissed = 5_000

/**
 * Tells whoever listens of what happened: makes deliveries of the events in the outbox, carries them out, and removes them after 90
 * days. Any number of processes may do so at once. Until aborted; then it lets the calls under way end.
 */
export async function tellEvents(
  service: Teller & Pick<Service, 'config'>,
  alarm: Alarm,
  signal: AbortSignal,
  options: TellOptions = {},
): Promise<void> {
  const { config } = service
  const httpsOnly = config.environment === 'production'
  const sender = options.sender ?? openSender({ httpsOnly, allowPrivate: config.webhookAllowPrivate })
  const now = options.now ?? (() => new Date())
  const courier = new Courier(service, { sender, now, chance: options.chance ?? Math.random })
  const bell = new LocalBell(alarm)
  await Promise.all([
    inRounds(service, signal, round('events could not be fanned out'), async () => {
      await fanOutAll(service.database, now, signal, () => bell.ring())
      await alarm.wait(alarm.rings, pollMs)
    }),
    inRounds(service, signal, round('deliveries could not be taken'), async () => {
      const heard = bell.rings
      const begun = await courier.begin()
      const rest = begun > 0 ? pause(restMs) : bell.wait(heard, pollMs)
      await Promise.race([rest, courier.halfDone()])
    }).then(() => courier.stop()),
    inRounds(service, signal, { ...round('old events could not be swept'), restMs: sweepMs }, async () => {
      while (!signal.aborted && (await removeTold(service.database, new Date(now().getTime() - keptMs))));
    }),
  ])
}

/** A round that waits by itself while all is well. */
function round(fault: string): Rounds {
  return { fault, restMs: 0, againMs }
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
        : await dismissBatches(database, mostDismissed)
    const made = await fanOut(database, maxRows, now())
    if (made.deliveries > 0) onMade()
    if (replaced === 0 && made.assigned === 0) return
  }
}

/** Rings for what happens in this process as well as for what the alarm tells. */
class LocalBell {
  readonly #alarm: Alarm
  #own = 0
  #heard: Promise<void> | null = null
  #wake: () => void = () => {}

  constructor(alarm: Alarm) {
    this.#alarm = alarm
  }

  get rings(): number {
    return this.#own + this.#alarm.rings
  }

  ring(): void {
    this.#own += 1
    this.#wake()
  }

  async wait(since: number, ms: number): Promise<void> {
    if (this.rings !== since) return
    // One wait for the alarm at a time: this bell rings far more often.
    this.#heard ??= this.#alarm.wait(this.#alarm.rings, ms).finally(() => {
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
