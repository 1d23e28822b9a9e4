import { v7 as uuidv7 } from 'uuid'
import type { Sql } from '../database.ts'

/** The first 20 digits of a UUIDv7, to which a statement adds a counter of 12: ids for rows whose number only it knows (RFC 9562, 6.2). */
export function idStem(): string {
  return uuidv7().replaceAll('-', '').slice(0, 20)
}

/** SQL of an id on a stem; the row's number in the statement is its counter. */
export const idOnStem = (place: string) => `(${place} || lpad(to_hex(row_number() over ()), 12, '0'))::uuid`

/** Whether events wait to be told, and whether anybody listens at all. */
export async function readWaiting(sql: Sql): Promise<{ waiting: boolean; listening: boolean }> {
  const rows = await sql.rows<{ waiting: boolean; listening: boolean }>(
    `select exists (select from event_batch) as waiting,
       exists (select from webhook_endpoint where status = 'enabled' and deleted_at is null) as listening`,
  )
  return rows[0] ?? { waiting: false, listening: false }
}

/** Drops what waits while nobody listens. @returns the number of batches, however many events they hold. */
export async function dismissBatches(sql: Sql, limit: number): Promise<number> {
  return sql.run(
    `delete from event_batch where id in (select id from event_batch order by id limit $1 for update skip locked)
       and not exists (select from webhook_endpoint where status = 'enabled' and deleted_at is null)`,
    [limit],
  )
}

const batchesSeen = 200

/**
 * Makes a delivery for each waiting event and each endpoint that hears of it: enabled, and no later than the event, of a client who
 * may access the company. Several processes share the batches; one that is told twice makes nothing new.
 * @param mostEvents at least one batch is taken, and no further one once that many events are.
 * @returns the number of batches taken.
 */
export async function fanOut(sql: Sql, mostEvents: number, at: Date): Promise<number> {
  const [row] = await sql.planned<{ batches: number }>(
    `with seen as materialized (
       select id, events from event_batch order by id limit $1 for update skip locked
     ), batch as (
       delete from event_batch where id in (
         select s.id from (select id, sum(events) over (order by id) - events as before from seen) s where s.before < $2)
       returning company_id, first_id, last_id
     ), made as (
       insert into webhook_delivery (event_id, endpoint_id, attempt, id, company_id, status, step, begun_at, next_attempt_at)
       select v.id, e.id, 1, ${idOnStem('$3::text')}, v.company_id, 'pending', 1, $4::timestamptz, $4::timestamptz
       from batch b
       join event v on v.company_id = b.company_id and v.id between b.first_id and b.last_id
       join entitlement t on t.company_id = v.company_id
       join client k on k.id = t.client_id and k.kind = 'partner' and k.revoked_at is null
       join webhook_endpoint e on e.client_id = k.id and e.status = 'enabled' and e.deleted_at is null
       where (e.event_types = '{}' or v.type = any(e.event_types)) and e.enabled_at <= v.at and t.client_id = k.id
       on conflict do nothing
     )
     select count(*)::int as batches from batch`,
    [batchesSeen, mostEvents, idStem(), at],
  )
  return row?.batches ?? 0
}

const atOnce = 5_000

/** The smallest UUIDv7 of an instant: what is older has a smaller id. */
function firstIdOf(instant: Date): string {
  const time = instant.getTime().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`
}

/**
 * Removes events and deliveries from before the instant, and endpoints deleted before it; a bounded step that may be done twice.
 * @returns whether there may be more.
 */
export async function removeTold(sql: Sql, before: Date): Promise<boolean> {
  const bound = firstIdOf(before)
  const deliveries = await sql.run(
    `delete from webhook_delivery where (event_id, endpoint_id, attempt) in (
       select event_id, endpoint_id, attempt from webhook_delivery where event_id < $1 limit $2)`,
    [bound, atOnce],
  )
  const events = await sql.run(
    `delete from event where (company_id, id) in (
       select v.company_id, v.id from company c
       cross join lateral (select v.company_id, v.id from event v where v.company_id = c.id and v.id < $1 order by v.id limit $2) v
       limit $2)`,
    [bound, atOnce],
  )
  if (deliveries === atOnce || events === atOnce) return true
  await sql.run('delete from webhook_test_event where id < $1', [bound])
  await sql.run(
    `delete from webhook_endpoint e where e.deleted_at < $1
       and not exists (select from webhook_test_event x where x.endpoint_id = e.id)`,
    [before],
  )
  return false
}
