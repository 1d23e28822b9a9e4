import type { Sql } from '../../core/database.ts'

/** What is counted separately. `members`: responses that disclose whether a CPF exists; `redeliveries`: also tests of webhook endpoints. */
export type LimitClass = 'reads' | 'writes' | 'authenticate' | 'members' | 'redeliveries'

interface Reservation {
  /** What all processes have leased in this window, this reservation included; may exceed the quota. */
  readonly leased: number
  /** Seconds until the window ends. */
  readonly secondsLeft: number
}

const isRunning = `rate_limit_usage.window_started_at > excluded.window_started_at - interval '1 minute'`

/** Adds to what is leased in the client's window of a minute; the first reservation after its end starts the next one. By the database's clock. */
export async function reserve(
  sql: Sql,
  clientId: string,
  limitClass: LimitClass,
  amount: number,
): Promise<Reservation> {
  const [row] = await sql.query<Reservation>(
    `insert into rate_limit_usage (client_id, class, window_started_at, leased)
     values ($1, $2, statement_timestamp(), $3)
     on conflict (client_id, class) do update set
       leased = case when ${isRunning} then rate_limit_usage.leased else 0 end + excluded.leased,
       window_started_at = case when ${isRunning} then rate_limit_usage.window_started_at else excluded.window_started_at end
     returning leased, extract(epoch from window_started_at + interval '1 minute' - statement_timestamp())::float8 as "secondsLeft"`,
    [clientId, limitClass, amount],
  )
  return row as Reservation
}

/** Deletes the counts of windows that ended long ago. */
export async function deleteOldCounts(sql: Sql): Promise<void> {
  await sql.execute(`delete from rate_limit_usage where window_started_at < statement_timestamp() - interval '1 hour'`)
}
