import { once } from 'node:events'
import type pg from 'pg'
import { isDatabaseAway, logUnlessAway } from '#platform/core/database-errors.ts'
import { required } from '#platform/core/log.ts'
import { type Tx, write } from '#platform/core/write.ts'
import { MAX_ATTEMPTS, WORK_TARGETS, type WorkKind } from '#kernel/steps.ts'
import { EarlierRequestError, NotVisibleYetError } from '#movements/postponed.ts'
import { runSchedule } from './schedule.ts'
import { saveFailure } from '#platform/steps/attempts.ts'
import { failureOf } from '#platform/steps/reason.ts'
import { dispatchEvents } from '#events/webhooks/dispatcher.ts'
import { exchange } from '#exchange/district.ts'
import { movements } from '#movements/district.ts'
import { privacy } from '#privacy/district.ts'
import type { FileStep, Progress, Step } from '#platform/http/district.ts'
import { pauseUnlessAborted } from '#platform/core/run-periodically.ts'
import { WakeSignal } from '#platform/core/wake-signal.ts'
import { type Context, traced } from '#platform/http/context.ts'

export interface Worker {
  /** Ends when the steps under way have finished. */
  stop(): Promise<void>
}

/** What a slot takes. Files are read in threads, for up to a minute each: other work does not wait for them. */
interface Slot {
  readonly kinds: 'files' | 'others'
  readonly signal: AbortSignal
}

const slots = ['others', 'others', 'files', 'files'] as const
const pollMs = 1_000
/** The pause before a step that waits for another request is tried again. */
const postponeMs = 50
/** The lease of a file that is read: it is free so long after its process was killed. */
const [leaseSeconds, renewMs] = [15, 5_000]
/** The lease of other work, until its transaction has locked it. */
const gapSeconds = 2
const maxClientsPerClaim = 16

/** Runs the loops of a worker until it is stopped. While the database is away they retry. */
export function startWorker(context: Context): Worker {
  const stopping = new AbortController()
  const wakeSignal = new WakeSignal(stopping.signal)
  const running = [
    listen(context, wakeSignal, stopping.signal),
    ...runSchedule(context, stopping.signal),
    dispatchEvents(context, wakeSignal, stopping.signal),
    ...slots.map((kinds) => workerSlot(context, wakeSignal, { kinds, signal: stopping.signal })),
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
  const hasWork = async () =>
    (await context.database.query(`select from work where client_id is not null and run_at < 'infinity' limit 1`))
      .length > 0
  const processAny = async () => {
    for (const kinds of ['others', 'files'] as const)
      if (await processNext(context, wakeSignal, { kinds, signal })) return true
    return false
  }
  while ((await processAny()) || (await hasWork())) await pauseUnlessAborted(signal, 1)
}

async function workerSlot(context: Context, wakeSignal: WakeSignal, slot: Slot): Promise<void> {
  const { signal } = slot
  while (!signal.aborted) {
    const seen = wakeSignal.notifications
    try {
      if (await processNext(context, wakeSignal, slot)) continue
    } catch (error) {
      logUnlessAway(context.log, error, 'work could not be taken')
      await pauseUnlessAborted(signal, pollMs)
    }
    await wakeSignal.wait(seen, pollMs)
  }
}

interface Work {
  readonly id: string
  readonly kind: WorkKind
  readonly companyId: string | null
  readonly targetId: string
  /** This one among them. */
  readonly attempts: number
  readonly isAside: boolean
}

const fileSteps = { ...movements.fileSteps, ...exchange.fileSteps } satisfies Partial<Record<WorkKind, FileStep>>
type FileKind = keyof typeof fileSteps
const isFileKind = (kind: WorkKind): kind is FileKind => Object.hasOwn(fileSteps, kind)
const steps: Readonly<Record<Exclude<WorkKind, FileKind>, Step>> = {
  ...movements.steps,
  ...exchange.steps,
  ...privacy.steps,
}

/** A step in the transaction of the worker; that of a movement is a batch. */
const step = (
  context: Context,
  tx: Tx,
  kind: Exclude<WorkKind, FileKind>,
  { companyId, targetId, attempts }: Work,
): Promise<Progress> =>
  steps[kind](context, tx, {
    targetId,
    failures: attempts - 1,
    company: () => required(companyId, 'company of the work'),
  })

/**
 * Runs one step of the work of the client that was served longest ago. The attempt is counted first, in a transaction of its own: also one that
 * the server ends, and one in which the process dies. The row is locked during the step, which is short.
 * @returns whether there was any work.
 */
async function processNext(context: Context, wakeSignal: WakeSignal, slot: Slot): Promise<boolean> {
  const work = await claimWork(context, slot)
  if (work === null) return false
  const ids = { kind: work.kind, [WORK_TARGETS[work.kind]]: work.targetId, attempts: work.attempts }
  if (work.isAside) {
    context.log.error(ids, 'step put aside')
    return true
  }
  try {
    await traced(context, `worker ${work.kind}`, () => runStep(context, work, slot.signal))
  } catch (error) {
    if (slot.signal.aborted && isFileKind(work.kind)) await release(context, work)
    else if (error instanceof EarlierRequestError || error instanceof NotVisibleYetError) {
      await postpone(context, work)
      setTimeout(() => wakeSignal.notify(), postponeMs).unref()
    } else {
      const isAside = await saveFailure(context.database, work.id, failureOf(error))
      const message = isAside ? 'step failed, put aside' : 'step failed, will be tried again'
      context.log[isDatabaseAway(error) ? 'warn' : 'error']({ ...ids, err: error }, message)
      // Others fail likewise: the next claim waits.
      if (isDatabaseAway(error)) throw error
    }
  }
  return true
}

async function runStep(context: Context, work: Work, signal: AbortSignal): Promise<void> {
  const { kind, companyId, targetId } = work
  if (!isFileKind(kind)) return inTransaction(context, work, (tx) => step(context, tx, kind, work))
  const company = required(companyId, 'company of the work')
  const lease = setInterval(() => void renew(context, work), renewMs)
  try {
    await fileSteps[kind](context, { companyId: company, targetId }, signal, (store) =>
      inTransaction(context, work, store),
    )
  } finally {
    clearInterval(lease)
  }
}

/** Does nothing when another process has the work now. */
async function inTransaction(context: Context, work: Work, run: (tx: Tx) => Promise<Progress>): Promise<void> {
  await write(context, { kind: 'service' }, { may: 'service', retriesUniqueViolation: true }, async (tx) => {
    const lock = 'select from work where id = $1 and attempts = $2 for update skip locked'
    if ((await tx.query(lock, [work.id, work.attempts])).length === 0) return
    if ((await run(tx)) === 'done') await tx.execute('delete from work where id = $1', [work.id])
    else
      await tx.execute(
        'update work set attempts = 0, reason = null, error = null, failed_at = null, run_at = now() where id = $1',
        [work.id],
      )
  })
}

/** SQL: the kinds of work that read files. */
const fileKinds = Object.keys(fileSteps)
  .map((kind) => `'${kind}'`)
  .join(', ')

/** Claims the next work of a slot, and counts the attempt. */
async function claimWork(context: Context, { kinds }: Slot): Promise<Work | null> {
  return write(context, { kind: 'service' }, { may: 'service' }, async (sql) => {
    const isDue = `run_at <= now() and (kind in (${fileKinds})) = $2`
    const due = `client_id = $1 and ${isDue}`
    const isReading = kinds === 'files'
    const clients = await sql.query<{ clientId: string }>(
      `select client_id as "clientId" from work_client
       where exists (select 1 from work where client_id = work_client.client_id and ${isDue})
       order by last_served_at limit $1`,
      [maxClientsPerClaim, isReading],
    )
    for (const { clientId } of clients) {
      const [work] = await sql.query<Work>(
        `update work set attempts = attempts + 1,
           reason = case when attempts >= $3 then coalesce(reason, 'interrupted') else reason end,
           run_at = case when attempts >= $3 then 'infinity' else now() + make_interval(secs => $4) end
         where id = (select id from work where ${due} order by created_at, id limit 1 for update skip locked)
         returning id, kind, company_id as "companyId", target_id as "targetId", attempts, run_at = 'infinity' as "isAside"`,
        [clientId, isReading, MAX_ATTEMPTS, isReading ? leaseSeconds : gapSeconds],
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
  })
}

/** A file is read without a lock: its row is claimed by a lease, which a process that lives renews. */
async function renew({ database, log }: Context, { id, attempts }: Work): Promise<void> {
  const sql = `update work set run_at = now() + make_interval(secs => $3) where id = $1 and attempts = $2 and run_at < 'infinity'`
  await database
    .execute(sql, [id, attempts, leaseSeconds])
    .catch((error: unknown) => logUnlessAway(log, error, 'the lease of a file could not be renewed'))
}

/** The attempt was not made: the process stops. */
async function release({ database }: Context, { id, attempts }: Work): Promise<void> {
  const sql = 'update work set attempts = attempts - 1, run_at = now() where id = $1 and attempts = $2'
  await database.execute(sql, [id, attempts])
}

/** Postpones a step that waits for another request; the longer it has waited, the longer. This is no attempt. */
async function postpone({ database }: Context, { id, attempts }: Work): Promise<void> {
  await database.execute(
    `update work set attempts = attempts - 1, reason = 'waits-for-earlier-request', error = null, failed_at = now(),
       run_at = now() + least(greatest(make_interval(secs => $3 / 1000.0), (now() - created_at) / 20), interval '10 seconds')
     where id = $1 and attempts = $2`,
    [id, attempts, postponeMs],
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
