import { createHash } from 'node:crypto'
import { isDatabaseAway, logUnlessAway } from '../core/database-errors.ts'
import type { Sql } from '../core/database.ts'
import type { Log } from '../core/log.ts'
import { MAX_ATTEMPTS, PERIODIC_TARGETS, type PeriodicKind, type TaskKind } from '#kernel/steps.ts'
import { type Failure, failureOf } from './reason.ts'

/*
 * Attempts at steps that run by the clock. Each is counted in a statement of its own before the step: also one whose transaction the server ends,
 * and one in which the process dies.
 */

interface PeriodicStep {
  readonly kind: PeriodicKind
  readonly targetId: string
  /** null: the step is of several companies. */
  readonly companyId: string | null
  /** What tells several steps of a target apart. */
  readonly part?: string
}

interface Steps {
  readonly database: Sql
  readonly log: Log
}

/** How steps that run by the clock are attempted. */
export interface Attempts {
  /**
   * Runs a step unless it waits after a failure or is put aside.
   * @returns what it returned; null: it did not run, or failed.
   */
  run<T>(step: PeriodicStep, run: () => Promise<T>): Promise<T | null>
  /** The targets of a kind that wait after a failure, or are put aside: they are not read. */
  waiting(kind: PeriodicKind): Promise<readonly string[]>
}

/** Each step is run, and its error thrown: for a caller that gets it. */
export const uncounted: Attempts = { run: (_, run) => run(), waiting: async () => [] }

/** Attempts of the workers: a step that fails is tried again later and later, then put aside, and holds up no other. */
export function counted(context: Steps): Attempts {
  return {
    run: (step, run) => attempt(context, step, run),
    waiting: (kind) => readWaiting(context.database, kind),
  }
}

/** SQL: when the failed step of a row of `work` is tried again. A folder of a server is looked into for as long as its contract says so. */
const nextAttempt = `case when work.kind = 'answer-folder' then now() + least(interval '1 minute' * power(2, least(attempts, 6)), interval '30 minutes')
  when attempts >= ${MAX_ATTEMPTS} then 'infinity'::timestamptz
  else now() + least(interval '1 second' * power(2, least(attempts, 7) - 1), interval '1 minute') end`

/** The same for the same step. */
function idOf(...names: readonly string[]): string {
  const hex = createHash('sha256').update(names.join('\0')).digest('hex')
  // A UUID of version 8: its bits are of its maker.
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  )
}

async function attempt<T>(
  { database, log }: Steps,
  { kind, targetId, companyId, part = '' }: PeriodicStep,
  run: () => Promise<T>,
): Promise<T | null> {
  const id = idOf(kind, targetId, part)
  const ids = { step: kind, [PERIODIC_TARGETS[kind]]: targetId }
  const [begun] = await database.query<{ attempts: number; isAside: boolean }>(
    `insert into work (id, kind, company_id, target_id, run_at, attempts, created_at)
     values ($1, $2, $3, $4, now(), 1, now())
     on conflict (id) do update set attempts = work.attempts + 1,
       reason = case when work.attempts >= $5 and work.kind <> 'answer-folder' then coalesce(work.reason, 'interrupted') else work.reason end,
       run_at = case when work.attempts >= $5 and work.kind <> 'answer-folder' then 'infinity' else excluded.run_at end
     where work.run_at <= now()
     returning attempts, run_at = 'infinity' as "isAside"`,
    [id, kind, companyId, targetId, MAX_ATTEMPTS],
  )
  if (begun === undefined) return null
  if (begun.isAside) {
    log.error({ ...ids, attempts: begun.attempts }, 'step put aside')
    return null
  }
  let result: T
  try {
    result = await run()
  } catch (error) {
    const isAside = await saveFailure(database, id, failureOf(error))
    const message = isAside ? 'step failed, put aside' : 'step failed, will be tried again'
    log[isDatabaseAway(error) ? 'warn' : 'error']({ ...ids, err: error, attempts: begun.attempts }, message)
    return null
  }
  await database.execute('delete from work where id = $1', [id])
  return result
}

/** Stores why an attempt failed, and when the next one is. @returns whether there is none. */
export async function saveFailure(database: Sql, id: string, { reason, error }: Failure): Promise<boolean> {
  const [saved] = await database.query<{ isAside: boolean }>(
    `update work set reason = $2, error = $3, failed_at = now(), run_at = ${nextAttempt}
     where id = $1 returning run_at = 'infinity' as "isAside"`,
    [id, reason, error],
  )
  return saved?.isAside ?? false
}

async function readWaiting(sql: Sql, kind: PeriodicKind): Promise<string[]> {
  const rows = await sql.query<{ id: string }>(
    'select target_id as id from work where client_id is null and kind = $1 and run_at > now()',
    [kind],
  )
  return rows.map(({ id }) => id)
}

/** What failed is over: an operator has asked for it again, or stopped it. */
export async function forget(sql: Sql, kind: PeriodicKind, targetId: string): Promise<void> {
  await sql.execute('delete from work where client_id is null and kind = $1 and target_id = $2', [kind, targetId])
}

/** Those that have not been tried for an hour after they were due, although their targets are looked at every few minutes: no process tries them again. */
export async function forgetGone(sql: Sql, kinds: readonly PeriodicKind[]): Promise<void> {
  await sql.execute(
    `delete from work where client_id is null and kind = any($1) and run_at < now() - interval '1 hour'`,
    [kinds],
  )
}

const noTarget = '00000000-0000-0000-0000-000000000000'

/** Runs a task of the whole service; while its runs fail, the reason is stored. */
export function noted<T>({ database, log }: Steps, kind: TaskKind, run: () => Promise<T>): () => Promise<T> {
  const id = idOf(kind)
  // One may have failed in an earlier process.
  let mayHaveFailed = true
  return async () => {
    try {
      const result = await run()
      if (mayHaveFailed) await database.execute('delete from work where id = $1', [id])
      mayHaveFailed = false
      return result
    } catch (error) {
      mayHaveFailed = true
      const failure = failureOf(error)
      await database
        .execute(
          `insert into work (id, kind, target_id, run_at, attempts, created_at, reason, error, failed_at)
           values ($1, $2, $3, now(), 1, now(), $4, $5, now())
           on conflict (id) do update set attempts = work.attempts + 1, reason = $4, error = $5, failed_at = now(), run_at = now()`,
          [id, kind, noTarget, failure.reason, failure.error],
        )
        .catch((cause: unknown) => logUnlessAway(log, cause, 'the failure of a task could not be stored'))
      throw error
    }
  }
}
