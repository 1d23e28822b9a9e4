import { Client } from 'pg'
import { type TestApp, until } from './test-app.ts'

/**
 * Makes calls meet: while writes to the table are held back, `calls` are made; once as many statements wait for a lock as
 * there are calls, all go on at once.
 */
export async function runConcurrently<T>(
  testApp: TestApp,
  table: string,
  calls: readonly (() => Promise<T>)[],
): Promise<T[]> {
  return whileLocked(testApp, `lock table ${table} in share mode`, calls)
}

/**
 * Makes `calls` while another transaction has run `statement`. Once each of them waits for its lock, `meanwhile` runs and
 * the other transaction commits.
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
    const made = Promise.all(calls.map((call) => call()))
    // Awaited below; a failure before that must not end the process.
    made.catch(() => {})
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
    return await made
  } finally {
    await holder.end()
  }
}
