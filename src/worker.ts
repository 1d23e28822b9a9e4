import { required } from './core/log.ts'
import { runSchedule } from './schedule.ts'
import { type Tx, write } from './core/write.ts'
import { once } from 'node:events'
import type pg from 'pg'
import type { Sql } from './core/database.ts'
import { isDatabaseAway, logUnlessAway } from './core/database-errors.ts'
import { dispatchEvents } from './webhooks/dispatcher.ts'
import type { MovementKind } from './domain/enums.ts'
import { EarlierRequestError, NotVisibleYetError } from './movements/postponed.ts'
import { processCarrierFile } from './carrier-files/process.ts'
import { processReconciliation } from './reconciliations/process.ts'
import type { Progress } from './movements/batch/process.ts'
import { processDecisionJob } from './movements/decide/job.ts'
import { processItems } from './movements/kinds.ts'
import { processAcknowledgement } from './shipments/acknowledge.ts'
import { processShipment } from './shipments/send.ts'
import { processSubjectFile } from './subject-requests/file.ts'
import { pauseUnlessAborted } from './core/run-periodically.ts'
import { WakeSignal } from './core/wake-signal.ts'
import { type Context, traced } from './http/context.ts'

export interface Worker {
  /** Ends when the steps under way have finished. */
  stop(): Promise<void>
}

const workerSlots = 2
const pollMs = 1_000
/** The pause before a step that waits for another request is tried again. */
const postponeMs = 50
const maxClientsPerClaim = 16

/** Runs the loops of a worker until it is stopped. While the database is away they retry. */
export function startWorker(context: Context): Worker {
  const stopping = new AbortController()
  const wakeSignal = new WakeSignal(stopping.signal)
  const running = [
    listen(context, wakeSignal, stopping.signal),
    ...runSchedule(context, stopping.signal),
    dispatchEvents(context, wakeSignal, stopping.signal),
    ...Array.from({ length: workerSlots }, () => workerSlot(context, wakeSignal, stopping.signal)),
  ]
  return {
    async stop() {
      stopping.abort()
      await Promise.all(running)
    },
  }
}

/** Does all the work that there is, with other workers, and ends when none is left: before `startWorker`. */
export async function finishWork(context: Context): Promise<void> {
  const { signal } = new AbortController()
  const wakeSignal = new WakeSignal(signal)
  const hasWork = async () => (await context.database.query('select from work limit 1')).length > 0
  while ((await processNext(context, wakeSignal)) || (await hasWork())) await pauseUnlessAborted(signal, 1)
}

async function workerSlot(context: Context, wakeSignal: WakeSignal, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const seen = wakeSignal.notifications
    try {
      if (await processNext(context, wakeSignal)) continue
    } catch (error) {
      logUnlessAway(context.log, error, 'work could not be taken')
      await pauseUnlessAborted(signal, pollMs)
    }
    await wakeSignal.wait(seen, pollMs)
  }
}

interface Work {
  readonly id: string
  readonly kind:
    | MovementKind
    | 'decision'
    | 'acknowledgement'
    | 'shipment'
    | 'carrier-file'
    | 'reconciliation'
    | 'subject-request'
  readonly clientId: string
  /** null: of several companies. */
  readonly companyId: string | null
  readonly targetId: string
  /** How often the step failed. */
  readonly attempts: number
}

/** One step of the work of a kind; that of a movement is a batch. */
function step(context: Context, tx: Tx, { kind, companyId, targetId, attempts }: Work): Promise<Progress> {
  const company = () => required(companyId, 'company of the work')
  switch (kind) {
    case 'decision':
      return processDecisionJob(context, tx, targetId, attempts)
    case 'acknowledgement':
      return processAcknowledgement(context, tx, targetId, attempts)
    case 'subject-request':
      return processSubjectFile(context, tx, targetId)
    case 'shipment':
      return processShipment(context, tx, targetId)
    case 'carrier-file':
      return processCarrierFile(context, tx, company(), targetId)
    case 'reconciliation':
      return processReconciliation(context, tx, company(), targetId)
    case 'inclusion':
    case 'exclusion':
    case 'alteration':
      return processItems(context, tx, company(), targetId)
    default:
      return kind satisfies never
  }
}

/**
 * Runs one step of the work of the client that was served longest ago. The row stays locked during the step, which is short; when the
 * process dies, PostgreSQL releases it at once.
 * @returns whether there was any work.
 */
async function processNext(context: Context, wakeSignal: WakeSignal): Promise<boolean> {
  let claimed: Work | null = null
  try {
    return await write(context, { kind: 'service' }, { may: 'service', retriesUniqueViolation: true }, async (sql) => {
      claimed = await claimWork(sql)
      if (claimed === null) return false
      const work: Work = claimed
      const progress = await traced(context, `worker ${work.kind}`, () => step(context, sql, work))
      if (progress === 'done') await sql.execute('delete from work where id = $1', [work.id])
      else if (work.attempts > 0) await sql.execute('update work set attempts = 0 where id = $1', [work.id])
      return true
    })
  } catch (error) {
    const work = claimed as Work | null
    if (work === null || isDatabaseAway(error)) throw error
    if (error instanceof EarlierRequestError || error instanceof NotVisibleYetError) {
      await postpone(context, work)
      setTimeout(() => wakeSignal.notify(), postponeMs).unref()
    } else await retryLater(context, work, error)
    return true
  }
}

async function claimWork(sql: Sql): Promise<Work | null> {
  const clients = await sql.query<{ clientId: string }>(
    `select client_id as "clientId" from work_client
     where exists (select 1 from work where client_id = work_client.client_id and run_at <= now())
     order by last_served_at limit $1`,
    [maxClientsPerClaim],
  )
  for (const { clientId } of clients) {
    const [work] = await sql.query<Work>(
      `select id, kind, client_id as "clientId", company_id as "companyId", target_id as "targetId", attempts from work
       where client_id = $1 and run_at <= now() order by created_at, id limit 1 for update skip locked`,
      [clientId],
    )
    if (work === undefined) continue
    await sql.execute(
      `update work_client set last_served_at = clock_timestamp() where client_id = (
         select client_id from work_client where client_id = $1 for update skip locked)`,
      [clientId],
    )
    return work
  }
  return null
}

/** Postpones a step that waits for another request. */
async function postpone(context: Context, work: Work): Promise<void> {
  await context.database.execute(`update work set run_at = now() + make_interval(secs => $2 / 1000.0) where id = $1`, [
    work.id,
    postponeMs,
  ])
}

/** The name of the target of the work, for the log. */
const idOfTarget = {
  inclusion: 'request-id',
  exclusion: 'request-id',
  alteration: 'request-id',
  decision: 'job-id',
  acknowledgement: 'job-id',
  shipment: 'shipment-id',
  'carrier-file': 'file-id',
  reconciliation: 'reconciliation-id',
  'subject-request': 'subject-request-id',
} as const satisfies Readonly<Record<Work['kind'], string>>

/** Schedules a step that failed again, with exponential backoff up to a minute; that of a movement without an end: it was accepted. */
async function retryLater(context: Context, work: Work, error: unknown): Promise<void> {
  const id = idOfTarget[work.kind]
  context.log.error({ err: error, [id]: work.targetId }, 'step failed, will be tried again')
  await context.database.execute(
    `update work set attempts = attempts + 1,
       run_at = now() + least(interval '1 second' * power(2, least(attempts, 6)), interval '1 minute')
     where id = $1`,
    [work.id],
  )
}

/** Listens for accepted work and events, over a connection that is opened again when it breaks; meanwhile the loops poll. */
async function listen(context: Context, wakeSignal: WakeSignal, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    let client: pg.Client | null = null
    try {
      client = await context.database.connect()
      client.on('notification', () => wakeSignal.notify())
      await client.query('listen vigencia_work; listen vigencia_event')
      wakeSignal.notify()
      await once(client, 'end', { signal }).catch(() => {})
    } catch (error) {
      if (!isDatabaseAway(error)) context.log.warn({ err: error }, 'could not listen for work')
    } finally {
      await client?.end().catch(() => {})
    }
    await pauseUnlessAborted(signal, pollMs)
  }
}
