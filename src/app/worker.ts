import type pg from 'pg'
import { deleteExpired } from './retention.ts'
import { appendBlocks } from '../audit/append-block.ts'
import { isDatabaseAway, type Sql } from '../platform/database.ts'
import { deleteUnusedDocuments } from '../documents/retention.ts'
import { processDueWork } from '../enrollments/due-work.ts'
import { dispatchEvents } from '../webhooks/dispatcher.ts'
import { processInclusion, WaitsForEarlier } from '../movements/include/process.ts'
import { runPeriodically, pauseUnlessAborted } from '../platform/run-periodically.ts'
import { type Context, traced } from '../http/context.ts'
import { analyzeGrownTables } from '../platform/analyze-tables.ts'

export interface Worker {
  /** Lets the steps under way finish, then ends. */
  stop(): Promise<void>
}

const workerSlots = 2
const pollMs = 1_000
const clockMs = 5_000
const sweepMs = 3_600_000
const appendBlockMs = 1_000
const maxClientsPerClaim = 16

/** Carries accepted work on and moves the clock, until stopped. A database that is away is waited for. */
export function startWorker(context: Context): Worker {
  const stopping = new AbortController()
  const wakeSignal = new WakeSignal(stopping.signal)
  const running = [
    listen(context, wakeSignal, stopping.signal),
    ...rounds(context, stopping.signal),
    dispatchEvents(context, wakeSignal, stopping.signal),
    ...Array.from({ length: workerSlots }, () => workerSlot(context, wakeSignal, stopping.signal)),
  ]
  return {
    async stop() {
      stopping.abort()
      wakeSignal.notify()
      await Promise.all(running)
    },
  }
}

/** What is done every so often, each beside the others: a store of files that is slow must not hold up the clock. */
function rounds(context: Context, signal: AbortSignal): Promise<void>[] {
  const { database } = context
  return [
    runPeriodically(
      context,
      signal,
      { errorMessage: 'the clock could not be moved', intervalMs: clockMs },
      async () => {
        await analyzeGrownTables(database)
        await traced(context, 'worker clock', () => processDueWork(context, signal))
      },
    ),
    runPeriodically(context, signal, { errorMessage: 'documents could not be swept', intervalMs: sweepMs }, () =>
      traced(context, 'worker sweep', () => deleteUnusedDocuments(context, signal)),
    ),
    runPeriodically(
      context,
      signal,
      { errorMessage: 'old idempotency keys could not be swept', intervalMs: sweepMs },
      () => deleteExpired(database),
    ),
    runPeriodically(
      context,
      signal,
      { errorMessage: 'the audit chain could not be extended', intervalMs: appendBlockMs },
      () => appendBlocks(context, signal),
    ),
  ]
}

/** Wakes whoever waits; a ring while nobody waits is remembered by the counter. */
class WakeSignal {
  #notifications = 0
  readonly #waiting = new Set<() => void>()
  readonly #signal: AbortSignal

  constructor(signal: AbortSignal) {
    this.#signal = signal
  }

  get notifications(): number {
    return this.#notifications
  }

  notify(): void {
    this.#notifications += 1
    for (const wake of this.#waiting) wake()
    this.#waiting.clear()
  }

  /** Returns at the next ring after `since`, at the latest after the time given. */
  async wait(since: number, ms: number): Promise<void> {
    if (this.#notifications !== since || this.#signal.aborted) return
    await new Promise<void>((resolve) => {
      const wake = () => {
        clearTimeout(timer)
        this.#waiting.delete(wake)
        resolve()
      }
      const timer = setTimeout(wake, ms)
      this.#waiting.add(wake)
    })
  }
}

async function workerSlot(context: Context, wakeSignal: WakeSignal, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const heard = wakeSignal.notifications
    try {
      if (await processNext(context)) continue
    } catch (error) {
      if (!isDatabaseAway(error)) context.log.error({ err: error }, 'work could not be taken')
      await pauseUnlessAborted(signal, pollMs)
    }
    await wakeSignal.wait(heard, pollMs)
  }
}

interface Work {
  readonly id: string
  readonly clientId: string
  readonly companyId: string
  readonly targetId: string
}

/**
 * Takes one step of the work whose client was served longest ago. The row stays locked for the step, which is short; a
 * process that dies lets it go at once.
 * @returns whether there was anything to do.
 */
async function processNext(context: Context): Promise<boolean> {
  let taken: Work | null = null
  try {
    return await context.database.transactionRetryingUniqueViolation(async (sql) => {
      taken = await claimWork(sql)
      if (taken === null) return false
      const { companyId, targetId } = taken
      const progress = await traced(context, 'worker inclusion', () =>
        processInclusion(context, sql, companyId, targetId),
      )
      if (progress === 'done') await sql.run('delete from work where id = $1', [taken.id])
      return true
    })
  } catch (error) {
    const work = taken as Work | null
    if (work === null || isDatabaseAway(error)) throw error
    await retryLater(context, work, error)
    return true
  }
}

async function claimWork(sql: Sql): Promise<Work | null> {
  const clients = await sql.rows<{ clientId: string }>(
    `select t.client_id as "clientId" from work_turn t
     where exists (select 1 from work w where w.client_id = t.client_id and w.run_at <= now())
     order by t.served_at limit $1`,
    [maxClientsPerClaim],
  )
  for (const { clientId } of clients) {
    const [work] = await sql.rows<Work>(
      `select id, client_id as "clientId", company_id as "companyId", target_id as "targetId" from work
       where client_id = $1 and run_at <= now() order by created_at, id limit 1 for update skip locked`,
      [clientId],
    )
    if (work === undefined) continue
    await sql.run(
      `update work_turn set served_at = clock_timestamp() where client_id = (
         select client_id from work_turn where client_id = $1 for update skip locked)`,
      [clientId],
    )
    return work
  }
  return null
}

/** A step that failed comes back later, ever later up to a minute; it is never given up: the movement was accepted. */
async function retryLater(context: Context, work: Work, error: unknown): Promise<void> {
  const waits = error instanceof WaitsForEarlier
  if (!waits) context.log.error({ err: error, 'request-id': work.targetId }, 'step failed, will be tried again')
  await context.database.run(
    `update work set attempts = attempts + $2::int,
       run_at = now() + case when $2::int = 0 then interval '50 milliseconds'
         else least(interval '1 second' * power(2, least(attempts, 6)), interval '1 minute') end
     where id = $1`,
    [work.id, waits ? 0 : 1],
  )
}

/** Listens for accepted work. Without a connection the poll of the lanes is enough; it is made anew by itself. */
async function listen(context: Context, wakeSignal: WakeSignal, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    let client: pg.Client | null = null
    try {
      client = await context.database.connect()
      const ended = new Promise<void>((resolve) => {
        client?.once('end', resolve)
        signal.addEventListener('abort', () => resolve(), { once: true })
        // A stop that came while the connection was made rings no more.
        if (signal.aborted) resolve()
      })
      client.on('notification', () => wakeSignal.notify())
      await client.query('listen vigencia_work; listen vigencia_event')
      wakeSignal.notify()
      await ended
    } catch (error) {
      if (!isDatabaseAway(error)) context.log.warn({ err: error }, 'could not listen for work')
    } finally {
      await client?.end().catch(() => {})
    }
    await pauseUnlessAborted(signal, pollMs)
  }
}
