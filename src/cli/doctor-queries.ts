import type { Sql } from '../platform/database.ts'

/** The server's version as a number and as written, and whether the service was ever started on this database. */
export async function readServer(sql: Sql): Promise<{ version: number; name: string; isThere: boolean }> {
  const [row] = await sql.rows<{ version: number; name: string; isThere: boolean }>(
    `select current_setting('server_version_num')::int as version, current_setting('server_version') as name,
       to_regclass('public.encrypted_key') is not null as "isThere"`,
  )
  return row as { version: number; name: string; isThere: boolean }
}

/** The database's clock, in milliseconds. */
export async function readClock(sql: Sql): Promise<number> {
  const [row] = await sql.rows<{ now: number }>('select (extract(epoch from clock_timestamp()) * 1000)::float8 as now')
  return row?.now ?? 0
}

/** How many sessions belong to processes that carry work on. */
export async function readActivity(sql: Sql): Promise<number> {
  const [row] = await sql.rows<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
     where datname = current_database() and application_name in ('vigencia all', 'vigencia worker')`,
  )
  return row?.count ?? 0
}

/** Work that could be taken now, and for how long the oldest has been waiting. */
export async function readOldestWork(sql: Sql): Promise<{ waiting: number; seconds: number }> {
  const [row] = await sql.rows<{ waiting: number; seconds: number }>(
    `select count(*)::int as waiting, coalesce(extract(epoch from clock_timestamp() - min(run_at)), 0)::int as seconds
     from work where run_at <= clock_timestamp()`,
  )
  return row ?? { waiting: 0, seconds: 0 }
}
