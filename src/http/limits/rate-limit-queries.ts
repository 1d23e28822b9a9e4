import type { Sql } from '../../platform/database.ts'
import type { LimitClass } from './rate-limit-policy.ts'

export interface Draw {
  readonly clientId: string
  readonly class: LimitClass
  /** Seconds by which the client's minutes are shifted. */
  readonly phase: number
  readonly quota: number
  /** Permits asked for; negative: given back. */
  readonly asked: number
  /** The minute that permits are given back to; null to ask for the present one. */
  readonly minute: number | null
}

export interface DrawAnswer {
  readonly clientId: string
  readonly class: LimitClass
  readonly minute: number
  readonly granted: number
  readonly drawn: number
  /** The database's clock, in seconds since 1970. */
  readonly now: number
}

/**
 * Draws permits of several clients out of the shared counts, in one statement; in one order, so that processes do not wait for
 * each other crosswise. The time is the database's: processes need not agree on theirs.
 */
export async function drawPermits(sql: Sql, draws: readonly Draw[]): Promise<DrawAnswer[]> {
  return sql.rows<DrawAnswer>(
    `with clock as (select extract(epoch from statement_timestamp())::float8 as now), changed as (
       insert into rate_limit_usage as present (client_id, class, minute, quota, asked, granted, drawn)
       select d."clientId", d.class, coalesce(d.minute, floor((clock.now + d.phase) / 60)::bigint), d.quota, d.asked,
         greatest(0, least(d.asked, d.quota)), greatest(0, least(d.asked, d.quota))
       from json_to_recordset($1::json) as d("clientId" text, class text, phase integer, quota integer, asked integer,
         minute bigint)
       cross join clock order by d."clientId", d.class
       on conflict (client_id, class) do update set
         minute = greatest(present.minute, excluded.minute),
         quota = excluded.quota,
         asked = excluded.asked,
         granted = case when present.minute = excluded.minute
             then greatest(0, least(excluded.asked, excluded.quota - present.drawn))
           when present.minute < excluded.minute then excluded.granted else 0 end,
         drawn = case when present.minute = excluded.minute
             then greatest(0, present.drawn + least(excluded.asked, greatest(0, excluded.quota - present.drawn)))
           when present.minute < excluded.minute then excluded.drawn else present.drawn end
       returning client_id as "clientId", class, minute, granted, drawn
     )
     select changed.*, clock.now from changed cross join clock`,
    [JSON.stringify(draws)],
  )
}

/** Removes counts that nobody drew from for an hour. */
export async function deleteOldCounts(sql: Sql): Promise<void> {
  await sql.run(
    'delete from rate_limit_usage where minute < floor(extract(epoch from statement_timestamp()) / 60)::bigint - 60',
  )
}
