import { Client } from 'pg'
import { type ApiResponse, type TestApp, until } from './test-app.ts'

/** The response of a call whose database connection is terminated while its statement waits for a lock on the table. */
export async function responseWhenCut(
  testApp: TestApp,
  table: string,
  call: () => Promise<ApiResponse>,
): Promise<ApiResponse> {
  const holder = new Client({ connectionString: testApp.databaseUrl })
  await holder.connect()
  try {
    await holder.query(`begin; lock table ${table} in access exclusive mode`)
    let hasResponse = false
    const response = call().finally(() => {
      hasResponse = true
    })
    await until(
      async () => {
        await testApp.sql(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock'`,
        )
        return hasResponse
      },
      (isDone) => isDone,
    )
    return await response
  } finally {
    await holder.end()
  }
}
