import { Client } from 'pg'
import { type TestApp, until } from './test-app.ts'

/** Runs calls concurrently: they start while writes to the table are locked, and continue together when each waits for the lock. */
export async function runConcurrently<T>(
  testApp: TestApp,
  table: string,
  calls: readonly (() => Promise<T>)[],
): Promise<T[]> {
  return whileLocked(testApp, `lock table ${table} in share mode`, calls)
}

/**
 * Starts `calls` while another transaction has run `statement`. When each of them waits for a lock, runs `meanwhile` and commits the other
 * transaction.
 */
export async function whileLocked<T>(
  testApp: TestApp,
  statement: string,
  calls: readonly (() => Promise<T>)[],
  meanwhile: () => Promise<unknown> = async () => {},
): Promise<T[]> {
  const holder = new Client({ connectionString: testApp.databaseUrl })
  await holder.connect()
  try {
    await holder.query(`begin; ${statement}`)
    const results = Promise.all(calls.map((call) => call()))
    // Awaited below; a rejection before that must not end the process.
    results.catch(() => {})
    await until(
      () =>
        testApp.sql<{ waiting: number }>(
          `select count(*)::int as waiting from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'`,
        ),
      ([row]) => row?.waiting === calls.length,
      8_000,
    )
    await meanwhile()
    await holder.query('commit')
    return await results
  } finally {
    await holder.end()
  }
}
