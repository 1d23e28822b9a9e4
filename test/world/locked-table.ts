import { Client } from 'pg'
import { inject } from 'vitest'
import { databaseOn } from './engine.ts'
import { type TestApp, until } from './test-app.ts'

/** Runs calls concurrently: they start while writes to the table are locked, and continue together when each waits for the lock. */
export async function runConcurrently<T>(
  testApp: TestApp,
  table: string,
  calls: readonly (() => Promise<T>)[],
): Promise<T[]> {
  return whileLocked(testApp, `lock table ${table} in share mode`, calls)
}

const waitingConnections = `select count(*)::int as n from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'`

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
  const name = new URL(testApp.databaseUrl).pathname.slice(1)
  // On Citus a call may wait on a worker node.
  const workers = inject('nodeUrls')
    .slice(1)
    .map((url) => new Client({ connectionString: databaseOn(url, name) }))
  try {
    await Promise.all(workers.map((node) => node.connect()))
    await holder.query(`begin; ${statement}`)
    const results = Promise.all(calls.map((call) => call()))
    // Awaited below; a rejection before that must not end the process.
    results.catch(() => {})
    await until(
      async () => {
        const waiting = await Promise.all([
          testApp.sql<{ n: number }>(waitingConnections),
          ...workers.map(async (node) => (await node.query<{ n: number }>(waitingConnections)).rows),
        ])
        return waiting.reduce((sum, [row]) => sum + (row?.n ?? 0), 0)
      },
      (waiting) => waiting === calls.length,
      8_000,
    )
    await meanwhile()
    await holder.query('commit')
    return await results
  } finally {
    await Promise.all([holder, ...workers].map((client) => client.end()))
  }
}
