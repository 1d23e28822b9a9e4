import { v7 as uuidv7 } from 'uuid'
import type { Sql } from '../platform/database.ts'

/** The first 20 digits of a UUIDv7, to which a statement adds a counter of 12: ids for rows whose number only it knows (RFC 9562, 6.2). */
export function idStem(): string {
  return uuidv7().replaceAll('-', '').slice(0, 20)
}

/** SQL of an id on a stem; the row's number in the statement is its counter. */
export const idOnStem = (place: string) => `(${place} || lpad(to_hex(row_number() over ()), 12, '0'))::uuid`

/** What waits to be fanned out, and whether there is an endpoint at all. */
export interface Backlog {
  readonly batches: boolean
  /** Batches that were assigned to clients. */
  readonly assigned: boolean
  readonly listening: boolean
}

/** Reads what waits to be fanned out. */
export async function readBacklog(sql: Sql): Promise<Backlog> {
  const rows = await sql.rows<Backlog>(
    `select exists (select from event_batch) as batches, exists (select from webhook_fan_out) as assigned,
       exists (select from webhook_endpoint where status = 'enabled' and deleted_at is null) as listening`,
  )
  return rows[0] ?? { batches: false, assigned: false, listening: false }
}

/** Drops what waits while nobody listens. @returns the number of batches, however many events they hold. */
export async function dismissBatches(sql: Sql, limit: number): Promise<number> {
  return sql.run(
    `delete from event_batch where id = any(array(select id from event_batch order by id limit $1 for update skip locked))
       and not exists (select from webhook_endpoint where status = 'enabled' and deleted_at is null)`,
    [limit],
  )
}

const batchesAtOnce = 200

/**
 * Replaces waiting batches by a row for each client that may access the company and has an enabled endpoint. Several processes
 * share the batches. @returns the number of batches replaced.
 */
export async function assignBatches(sql: Sql): Promise<number> {
  const [row] = await sql.planned<{ batches: number }>(
    `with batch as (
       delete from event_batch where id = any(array(select id from event_batch order by id limit $1 for update skip locked))
       returning id, company_id, first_id, last_id, events
     ), assigned as (
       insert into webhook_fan_out (client_id, id, company_id, next_id, last_id, events)
       select k.id, b.id, b.company_id, b.first_id, b.last_id, b.events
       from batch b
       join entitlement t on t.company_id = b.company_id
       join client k on k.id = t.client_id and k.api = 'partner' and k.revoked_at is null
       where exists (select from webhook_endpoint e where e.client_id = k.id and e.status = 'enabled' and e.deleted_at is null)
     )
     select count(*)::int as batches from batch`,
    [batchesAtOnce],
  )
  return row?.batches ?? 0
}

/** What a fan-out statement did: the batches of clients that it worked on, and the deliveries that it made. */
export interface FannedOut {
  readonly assigned: number
  readonly deliveries: number
}

/**
 * Makes deliveries of events that wait for a client's endpoints: of those that are enabled, and were no later than the event, while
 * the client may access the company. Each client that waits gets an equal share of the rows; where there are more clients than that,
 * chance decides whose turn it is. Several processes share the work; an event that is fanned out twice makes nothing new.
 * @param maxRows at most so many deliveries; more only if a single client has more endpoints than that.
 */
export async function fanOut(sql: Sql, maxRows: number, at: Date): Promise<FannedOut> {
  const [row] = await sql.planned<FannedOut>(
    `with waiting as (
       select c.client_id, n.endpoints, row_number() over (order by hashtextextended(c.client_id, $4::bigint)) as turn,
         greatest(1, $1::int / count(*) over () / greatest(1, n.endpoints)) as share
       from (select distinct client_id from webhook_fan_out) c
       cross join lateral (
         select count(*) as endpoints from webhook_endpoint e
         where e.client_id = c.client_id and e.status = 'enabled' and e.deleted_at is null) n
     ), chosen as (
       select w.client_id, w.share from (
         select *, sum(share * endpoints) over (order by turn) as total from waiting) w
       where w.total <= $1::int or w.turn = 1
     ), task as materialized (
       select f.client_id, f.id, f.company_id, f.next_id, f.last_id, c.share
       from chosen c
       cross join lateral (
         select o.*, sum(o.events) over (order by o.id) - o.events as before from (
           select * from webhook_fan_out where client_id = c.client_id order by id limit least(c.share, ${batchesAtOnce})
           for update skip locked) o) f
       where f.before < c.share
     ), endpoint as materialized (
       -- Locked, so that one deleted meanwhile is left out, and one deleted afterwards finds what was made here.
       select e.id, e.client_id, e.event_types, e.enabled_at from webhook_endpoint e
       where e.client_id in (select client_id from task) and e.status = 'enabled' and e.deleted_at is null
       order by e.id for share
     ), listed as materialized (
       select t.client_id, t.id as task_id, t.share, v.id, v.company_id, v.type, v.at,
         row_number() over (partition by t.client_id order by t.id, v.id) as place,
         row_number() over (partition by t.client_id, t.id order by v.id) as place_in_task
       from task t
       join client k on k.id = t.client_id and k.api = 'partner' and k.revoked_at is null
       join entitlement g on g.company_id = t.company_id and g.client_id = k.id
       cross join lateral (
         select v.id, v.company_id, v.type, v.at from event v
         where v.company_id = g.company_id and v.id between t.next_id and t.last_id order by v.id limit t.share + 1) v
       where exists (select from endpoint e where e.client_id = k.id)
     ), rest as (
       select distinct on (client_id, task_id) client_id, task_id, id as next_id, place_in_task - 1 as taken
       from listed where place > share order by client_id, task_id, id
     ), shortened as (
       update webhook_fan_out f set next_id = r.next_id, events = greatest(0, f.events - r.taken)
       from rest r where f.client_id = r.client_id and f.id = r.task_id
     ), done as (
       delete from webhook_fan_out f using task t
       where f.client_id = t.client_id and f.id = t.id
         and not exists (select from rest r where r.client_id = t.client_id and r.task_id = t.id)
     ), made as (
       insert into webhook_delivery (event_id, endpoint_id, attempt, id, company_id, status, step, started_at, next_attempt_at)
       select l.id, e.id, 1, ${idOnStem('$2::text')}, l.company_id, 'pending', 1, $3::timestamptz, $3::timestamptz
       from listed l
       join endpoint e on e.client_id = l.client_id
       where l.place <= l.share and (e.event_types = '{}' or l.type = any(e.event_types)) and e.enabled_at <= l.at
       on conflict do nothing
       returning 1
     )
     select (select count(*) from task)::int as assigned, (select count(*) from made)::int as deliveries`,
    [maxRows, idStem(), at, Math.floor(Math.random() * Number.MAX_SAFE_INTEGER)],
  )
  return row ?? { assigned: 0, deliveries: 0 }
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
export async function deleteDispatched(sql: Sql, before: Date): Promise<boolean> {
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
