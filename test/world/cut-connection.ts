import { Client } from 'pg'
import { type ApiResponse, type TestApp, until } from './test-app.ts'

/** The response of a call whose statement waits for a lock on the table while its database connection is terminated. */
export async function responseWhenCut(
  testApp: TestApp,
  table: string,
  call: () => Promise<ApiResponse>,
): Promise<ApiResponse> {
  const holder = new Client({ connectionString: testApp.databaseUrl })
  await holder.connect()
  try {
    await holder.query(`begin; lock table ${table} in access exclusive mode`)
    const { rows } = await holder.query<{ pid: number }>('select pg_backend_pid() as pid')
    let hasResponse = false
    const response = call().finally(() => {
      hasResponse = true
    })
    // The workers of the service may wait for the table too: the connections of all that wait are terminated, until the call has its response.
    await until(
      () =>
        testApp.sql(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database() and pg_blocking_pids(pid) @> array[${rows[0]?.pid}]`,
        ),
      () => hasResponse,
    )
    return await response
  } finally {
    await holder.end()
  }
}
