import type { Context } from '#platform/http/context.ts'
import type { ClientActor } from '#platform/core/actor.ts'
import { writeMovedDays } from '#platform/core/business-clock.ts'
import { ConcurrencyLimit } from '#platform/core/concurrency-limit.ts'
import type { Database } from '#platform/core/database.ts'
import { unavailable } from '#platform/core/errors.ts'
import { type SaveResponse, write, type WriteOptions } from '#platform/core/write.ts'
import { addDays, daysBetween, type LocalDate } from '#kernel/calendar.ts'
import { type AppliedWork, processDay } from '../worker/due-work.ts'

interface AppliedDay extends AppliedWork {
  readonly date: LocalDate
  readonly ageing: number
}

/** How the business day was moved, with what was applied on each day that had something. */
export interface Advance {
  readonly formerDate: LocalDate
  readonly businessDate: LocalDate
  readonly movedDays: number
  readonly days: readonly AppliedDay[]
}

interface AdvanceOptions {
  readonly may: WriteOptions<unknown>['may']
  /** The day to move to, by the one that it is. @throws ApiError 400 for one that is no later day. */
  readonly targetOf: (today: LocalDate) => LocalDate
  readonly respond: (advance: Advance) => object
  /** Stores the response under the Idempotency-Key. */
  readonly saveResponse?: SaveResponse
  readonly stopping: AbortSignal
}

/** The limits of advances of one process: each of those that wait for another process has a connection. */
const limits = new WeakMap<Context, ConcurrencyLimit>()

/**
 * Moves the business day forward, one day after the other: what is due on a day is applied before the day is stored. One that breaks off
 * leaves the days that it completed; what it did of the next is not due again. Of several at once each starts where another has ended.
 * @throws ApiError 503 when others take too long, and when the service stops.
 */
export async function advanceClock(context: Context, actor: ClientActor, options: AdvanceOptions): Promise<object> {
  const limit = limits.get(context) ?? new ConcurrencyLimit({ max: 1, reserve: 0 })
  limits.set(context, limit)
  return limit.run(actor.clientId, () => locked(context.database, () => advance(context, actor, options)))
}

async function advance(
  context: Context,
  actor: ClientActor,
  { may, targetOf, respond, saveResponse, stopping }: AdvanceOptions,
): Promise<object> {
  const { clock, database } = context
  await clock.read(database)
  const { movedDays } = clock
  const formerDate = clock.today()
  const businessDate = targetOf(formerDate)
  const total = daysBetween(formerDate, businessDate)
  const days: AppliedDay[] = []
  // A call for the day that it is completes that day.
  for (let step = Math.min(1, total); ; step += 1) {
    const date = addDays(formerDate, step)
    const work = await processDay({ ...context, today: () => date }, stopping)
    if (stopping.aborted) throw unavailable()
    if (Object.values(work).some((count) => count > 0)) days.push({ date, ...work })
    const isLast = step === total
    const response = respond({ formerDate, businessDate: date, movedDays: movedDays + step, days })
    const saved = isLast && saveResponse !== undefined ? { saveResponse } : {}
    await write(context, actor, { may, ...saved }, async (tx) => {
      await writeMovedDays(tx, movedDays + step)
      tx.audit({ action: 'clock.advanced', target: date, companyId: null })
      tx.respond(response)
    })
    await clock.read(database)
    if (isLast) return response
  }
}

/** The key of the advisory lock. */
const lockKey = 7_446_103_217

/** Runs the work under a lock of all processes, on a connection of its own: those of the pool are for the work. */
async function locked<T>(database: Database, work: () => Promise<T>): Promise<T> {
  const client = await database.connect()
  try {
    // A transaction, so that the lock also ends with the process behind PgBouncer in transaction mode.
    await client.query("begin; set local idle_in_transaction_session_timeout = 0; set local lock_timeout = '30s'")
    await client.query(`select pg_advisory_xact_lock(${lockKey})`)
    return await work()
  } finally {
    await client.end().catch(() => {})
  }
}
