import { Client } from 'pg'
import { type ApiResponse, type TestApp, until } from './test-app.ts'

/** The answer of a call whose database connection is cut while its statement runs: held by a lock on the table, then ended. */
export async function responseWhenCut(
  testApp: TestApp,
  table: string,
  call: () => Promise<ApiResponse>,
): Promise<ApiResponse> {
  const holder = new Client({ connectionString: testApp.databaseUrl })
  await holder.connect()
  try {
    await holder.query(`begin; lock table ${table} in access exclusive mode`)
    const response = call()
    await until(
      () =>
        testApp.sql(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock' and query ~ '^\\s*(insert into company|with listed|select\\s+(y\\.item|json_build|\\(select|case when t|.*t.client_id is not null))'`,
        ),
      (cut) => cut.length > 0,
    )
    return await response
  } finally {
    await holder.end()
  }
}
