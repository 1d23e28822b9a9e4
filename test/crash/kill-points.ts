import { transact } from '#platform/core/transaction.ts'
import { expect } from 'vitest'
import type { Context } from '#platform/http/context.ts'
import type { Database, Transaction } from '#platform/core/database.ts'
import { type Query, readViolations } from './invariants.ts'

/** What a process that was killed gets from the database and the storage. */
class KilledError extends Error {}

/** A context whose process is killed at a point: after its n-th statement, commit or call of the storage. */
export interface KillPoint {
  readonly context: Context
  readonly killed: boolean
}

/**
 * Ends the process in effect after the n-th operation: the transaction under way is rolled back, and every later operation fails.
 * @param at from 1.
 */
export function killAfter(context: Context, at: number): KillPoint {
  let count = 0
  let killed = false
  const step = async <Result>(run: () => Promise<Result>): Promise<Result> => {
    if (killed) throw new KilledError('the process was killed before')
    const result = await run()
    count += 1
    if (count === at) killed = true
    if (killed) throw new KilledError(`killed after operation ${at}`)
    return result
  }
  const onTransaction = (sql: Transaction): Transaction => ({
    query: (text, values) => step(() => sql.query(text, values)),
    queryPlanned: (text, values) => step(() => sql.queryPlanned(text, values)),
    execute: (text, values) => step(() => sql.execute(text, values)),
    now: () => sql.now(),
    copy: (text, rows) => step(() => sql.copy(text, rows)),
  })
  const { database, storage } = context
  const killedDatabase: Database = {
    ...database,
    query: (text, values) => step(() => database.query(text, values)),
    queryPlanned: (text, values) => step(() => database.queryPlanned(text, values)),
    execute: (text, values) => step(() => database.execute(text, values)),
    [transact]: (work, options) => step(() => database[transact]((sql) => work(onTransaction(sql)), options)),
    connect: () => step(() => database.connect()),
  }
  return {
    context: {
      ...context,
      database: killedDatabase,
      responseStore: { ...context.responseStore, database: killedDatabase },
      storage: {
        ...storage,
        write: (key, chunks) => step(() => storage.write(key, chunks)),
        remove: (key) => step(() => storage.remove(key)),
      },
    },
    get killed() {
      return killed
    },
  }
}

/** One job and how its result is read. */
export interface Job<Given> {
  /** Makes what the job works on. */
  readonly prepare: () => Promise<Given>
  /** Runs the whole job on the context. A job that runs until it is stopped ends when the process is killed. */
  readonly run: (context: Context, given: Given, isKilled: () => boolean) => Promise<unknown>
  /** The result: the same after each complete run. Ids and times left out. */
  readonly read: (given: Given) => Promise<unknown>
}

/**
 * Kills the job after each of its operations, then runs it once more, and once again.
 * @returns the number of points, and those after which the result is not that of one run.
 */
export async function killAtEachPoint<Given>(
  context: Context,
  { prepare, run, read }: Job<Given>,
  stride = 1,
): Promise<{ points: number; expected: unknown; differences: unknown[] }> {
  const clean = await prepare()
  const alive = () => false
  await run(context, clean, alive)
  const expected = await read(clean)
  const differences: unknown[] = []
  for (let at = 1; ; at += stride) {
    const given = await prepare()
    const point = killAfter(context, at)
    await run(point.context, given, () => point.killed).catch((error: unknown) => {
      if (!point.killed) throw error
    })
    await run(context, given, alive)
    const results = [await read(given)]
    await run(context, given, alive)
    results.push(await read(given))
    for (const result of results) {
      if (JSON.stringify(result) !== JSON.stringify(expected)) differences.push({ at, result })
    }
    if (!point.killed) return { points: at - 1, expected, differences }
  }
}

/** Expects that every point leaves the result of one run, and breaks no rule. @param least how many points there are at least. */
export async function expectOneRun<Given>(ask: Query, context: Context, job: Job<Given>, least: number): Promise<void> {
  const { points, differences } = await killAtEachPoint(context, job)
  expect(differences).toEqual([])
  expect(await readViolations(ask)).toEqual({})
  expect(points).toBeGreaterThanOrEqual(least)
}
