import { write } from '../core/write.ts'
import { v7 as uuidv7 } from 'uuid'
import type { Database, Sql } from '../core/database.ts'

/** The first 20 hex digits of a UUIDv7, for `numberedUuid`. */
export function uuidPrefix(): string {
  return uuidv7().replaceAll('-', '').slice(0, 20)
}

/** SQL of a UUIDv7 for each row of a statement: the prefix and the row number as a counter of 12 hex digits (RFC 9562, 6.2). */
export const numberedUuid = (prefix: string) => `(${prefix} || lpad(to_hex(row_number() over ()), 12, '0'))::uuid`

/** The seed of a random order. */
export function randomSeed(): number {
  return Math.floor(Math.random() * Number.MAX_SAFE_INTEGER)
}

interface Backlog {
  readonly hasBatches: boolean
  readonly hasTasks: boolean
  readonly hasEndpoints: boolean
}

/** Whether events wait to be fanned out, as batches of a company or as tasks of a client, and whether any endpoint is enabled. */
export async function readBacklog(sql: Sql): Promise<Backlog> {
  const rows = await sql.query<Backlog>(
    `select exists (select from event_batch) as "hasBatches", exists (select from webhook_fan_out) as "hasTasks",
       exists (select from webhook_endpoint where status = 'enabled' and deleted_at is null) as "hasEndpoints"`,
  )
  return rows[0] ?? { hasBatches: false, hasTasks: false, hasEndpoints: false }
}

/** Deletes waiting batches while no endpoint is enabled. @returns the number of batches, not of their events. */
export async function discardBatches(sql: Sql, limit: number): Promise<number> {
  return sql.execute(
    `delete from event_batch where id = any(array(select id from event_batch order by id limit $1 for update skip locked))
       and not exists (select from webhook_endpoint where status = 'enabled' and deleted_at is null)`,
    [limit],
  )
}

const maxBatches = 200

interface WaitingBatch {
  readonly id: string
  readonly companyId: string
  readonly firstId: string
  readonly lastId: string
  readonly events: number
}

/**
 * Replaces waiting batches by a fan-out task for each client that is entitled to the company and has an enabled endpoint. Several
 * processes share the batches. @returns the number of batches replaced.
 */
export async function assignBatches(database: Database): Promise<number> {
  return write({ database }, { kind: 'service' }, { may: 'service' }, async (tx) => {
    const batches = await tx.queryPlanned<WaitingBatch>(
      `delete from event_batch where id = any(array(select id from event_batch order by id limit $1 for update skip locked))
       returning id, company_id as "companyId", first_id as "firstId", last_id as "lastId", events`,
      [maxBatches],
    )
    if (batches.length === 0) return 0
    await tx.queryPlanned(
      `insert into webhook_fan_out (client_id, id, company_id, next_id, last_id, events)
       select k.id, b.id, b.company_id, b.first_id, b.last_id, b.events
       -- arrays: the planner knows their length, and reads all entitlements for what it takes for a hundred rows
       from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::int[]) as b(id, company_id, first_id, last_id, events)
       join entitlement t on t.company_id = b.company_id
       join client k on k.id = t.client_id and k.api = 'partner' and k.revoked_at is null
       where exists (select from webhook_endpoint e where e.client_id = k.id and e.status = 'enabled' and e.deleted_at is null)`,
      [
        batches.map(({ id }) => id),
        batches.map(({ companyId }) => companyId),
        batches.map(({ firstId }) => firstId),
        batches.map(({ lastId }) => lastId),
        batches.map(({ events }) => events),
      ],
    )
    return batches.length
  })
}

/** The clients and companies of the waiting tasks, and whether the client is entitled to the company. */
const readTaskEntitlements = `select f.client_id as "clientId", f.company_id as "companyId", g.client_id is not null as entitled
  from (select distinct client_id, company_id from webhook_fan_out) f
  left join client k on k.id = f.client_id and k.api = 'partner' and k.revoked_at is null
  left join entitlement g on g.company_id = f.company_id and g.client_id = k.id`

/**
 * Inserts deliveries of the events of waiting tasks, for the client's endpoints that were enabled at the time of the event and still
 * are, while the client is entitled to the company. Each client gets an equal share of the rows; when there are more clients than
 * rows, the order is random. Several processes share the tasks; an event that is fanned out again inserts nothing.
 * @param maxRows the largest number of deliveries; exceeded only when one client alone has more endpoints.
 * @returns the number of tasks that it worked on, and of the deliveries that it inserted.
 */
export async function fanOut(sql: Sql, maxRows: number, at: Date): Promise<{ tasks: number; deliveries: number }> {
  // Read before: a statement that locks rows of a queue joins no table that may be on other nodes. A task that comes after waits.
  const entitlements = await sql.queryPlanned(readTaskEntitlements)
  if (entitlements.length === 0) return { tasks: 0, deliveries: 0 }
  const [row] = await sql.queryPlanned<{ tasks: number; deliveries: number }>(
    `with known as materialized (
       select "clientId" as client_id, "companyId" as company_id, entitled
       from json_to_recordset($5::json) as x("clientId" text, "companyId" uuid, entitled boolean)
     ), waiting_client as (
       select c.client_id, n.endpoints, row_number() over (order by hashtextextended(c.client_id, $4::bigint)) as rank,
         greatest(1, $1::int / count(*) over () / greatest(1, n.endpoints)) as max_events
       from (select distinct client_id from webhook_fan_out) c
       cross join lateral (
         select count(*) as endpoints from webhook_endpoint e
         where e.client_id = c.client_id and e.status = 'enabled' and e.deleted_at is null) n
     ), selected_client as (
       select w.client_id, w.max_events from (
         select *, sum(max_events * endpoints) over (order by rank) as total_rows from waiting_client) w
       where w.total_rows <= $1::int or w.rank = 1
     ), task as materialized (
       select f.client_id, f.id, f.company_id, f.next_id, f.last_id, c.max_events
       from selected_client c
       cross join lateral (
         select o.*, sum(o.events) over (order by o.id) - o.events as events_before from (
           select * from webhook_fan_out where client_id = c.client_id
             and company_id in (select k.company_id from known k where k.client_id = c.client_id)
           order by id limit least(c.max_events, ${maxBatches})
           for update skip locked) o) f
       where f.events_before < c.max_events
     ), endpoint as materialized (
       -- Locked: an endpoint deleted before is left out, one deleted afterwards deletes the new deliveries too.
       select e.id, e.client_id, e.event_types, e.enabled_at from webhook_endpoint e
       where e.client_id in (select client_id from task) and e.status = 'enabled' and e.deleted_at is null
       order by e.id for share
     ), task_event as materialized (
       select t.client_id, t.id as task_id, t.max_events, v.id, v.company_id, v.type, v.at,
         row_number() over (partition by t.client_id order by t.id, v.id) as client_rank,
         row_number() over (partition by t.client_id, t.id order by v.id) as task_rank
       from task t
       join known g on g.company_id = t.company_id and g.client_id = t.client_id and g.entitled
       cross join lateral (
         select v.id, v.company_id, v.type, v.at from event v
         where v.company_id = g.company_id and v.id between t.next_id and t.last_id order by v.id limit t.max_events + 1) v
       where exists (select from endpoint e where e.client_id = t.client_id)
     ), unfinished_task as (
       select distinct on (client_id, task_id) client_id, task_id, id as next_id, task_rank - 1 as done
       from task_event where client_rank > max_events order by client_id, task_id, id
     ), advanced as (
       update webhook_fan_out f set next_id = u.next_id, events = greatest(0, f.events - u.done)
       from unfinished_task u where f.client_id = u.client_id and f.id = u.task_id
     ), finished as (
       delete from webhook_fan_out f using task t
       where f.client_id = t.client_id and f.id = t.id
         and not exists (select from unfinished_task u where u.client_id = t.client_id and u.task_id = t.id)
     ), delivery as (
       insert into webhook_delivery (event_id, endpoint_id, attempt, id, company_id, status, step, started_at, next_attempt_at)
       select v.id, e.id, 1, ${numberedUuid('$2::text')}, v.company_id, 'pending', 1, $3::timestamptz, $3::timestamptz
       from task_event v
       join endpoint e on e.client_id = v.client_id
       where v.client_rank <= v.max_events and (e.event_types = '{}' or v.type = any(e.event_types)) and e.enabled_at <= v.at
       on conflict do nothing
       returning 1
     )
     select (select count(*) from task)::int as tasks, (select count(*) from delivery)::int as deliveries`,
    [maxRows, uuidPrefix(), at, randomSeed(), JSON.stringify(entitlements)],
  )
  return row ?? { tasks: 0, deliveries: 0 }
}

const maxDeletedRows = 5_000

/** The smallest UUIDv7 of an instant; ids made before it are smaller. */
function firstIdOf(instant: Date): string {
  const time = instant.getTime().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`
}

/**
 * Deletes a bounded number of the events and deliveries from before the instant, then the test events and the endpoints deleted before it.
 * @returns whether there may be more.
 */
export async function deleteDispatched(sql: Sql, before: Date): Promise<boolean> {
  const bound = firstIdOf(before)
  const deliveries = await sql.execute(
    `delete from webhook_delivery where (event_id, endpoint_id, attempt) in (
       select event_id, endpoint_id, attempt from webhook_delivery where event_id < $1 limit $2)`,
    [bound, maxDeletedRows],
  )
  const events = await sql.execute(
    `delete from event where (company_id, id) in (
       select v.company_id, v.id from company c
       cross join lateral (select v.company_id, v.id from event v where v.company_id = c.id and v.id < $1 order by v.id limit $2) v
       limit $2)`,
    [bound, maxDeletedRows],
  )
  if (deliveries === maxDeletedRows || events === maxDeletedRows) return true
  await sql.execute('delete from webhook_test_event where id < $1', [bound])
  await sql.execute(
    `delete from webhook_endpoint e where e.deleted_at < $1
       and not exists (select from webhook_test_event x where x.endpoint_id = e.id)`,
    [before],
  )
  return false
}
