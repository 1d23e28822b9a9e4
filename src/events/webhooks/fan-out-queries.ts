import { write } from '#platform/core/write.ts'
import { EVENT_TYPES, EVENTS } from '#kernel/events.ts'
import { v7 as uuidv7 } from 'uuid'
import type { Database, Sql } from '#platform/core/database.ts'
import { firstIdOf } from '#platform/core/uuid.ts'

/** The first 20 hex digits of a UUIDv7, for `numberedUuid`. */
export function uuidPrefix(): string {
  return uuidv7().replaceAll('-', '').slice(0, 20)
}

/** SQL of a UUIDv7 for each row of a statement: the prefix and the row number as a counter of 12 hex digits (RFC 9562, 6.2). */
export const numberedUuid = (prefix: string) => `(${prefix} || lpad(to_hex(row_number() over ()), 12, '0'))::uuid`

const ofInvoices = EVENT_TYPES.filter((type) => EVENTS[type] === 'invoice').map((type) => `'${type}'`)

/** SQL: whether an `event` is about money, which only those entitlements read that see money. */
export const isOfMoney = `(event.type in (${ofInvoices.join(', ')}) or event.data ->> 'kind' = 'invoice')`

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
    `select exists (select 1 from event_batch) as "hasBatches", exists (select 1 from webhook_fan_out) as "hasTasks",
       exists (select 1 from webhook_endpoint where status = 'enabled' and deleted_at is null) as "hasEndpoints"`,
  )
  return rows[0] ?? { hasBatches: false, hasTasks: false, hasEndpoints: false }
}

/** Deletes waiting batches while no endpoint is enabled. @returns the number of batches, not of their events. */
export async function discardBatches(sql: Sql, limit: number): Promise<number> {
  return sql.execute(
    `delete from event_batch where id = any(array(select id from event_batch order by id limit $1 for update skip locked))
       and not exists (select 1 from webhook_endpoint where status = 'enabled' and deleted_at is null)`,
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
       select client.id, batch.id, batch.company_id, batch.first_id, batch.last_id, batch.events
       -- arrays: the planner knows their length, and reads all entitlements for what it takes for a hundred rows
       from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::int[]) as batch(id, company_id, first_id, last_id, events)
       join entitlement on entitlement.company_id = batch.company_id
       join client on client.id = entitlement.client_id and client.api = 'partner' and client.revoked_at is null
       where exists (select 1 from webhook_endpoint where client_id = client.id and status = 'enabled' and deleted_at is null)`,
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

/** The clients and companies of the waiting tasks, and whether the client is entitled to the company and sees its money. */
const readTaskEntitlements = `select waiting.client_id as "clientId", waiting.company_id as "companyId",
  entitlement.client_id is not null as entitled, coalesce(entitlement.see_money, false) as "seesMoney"
  from (select distinct client_id, company_id from webhook_fan_out) waiting
  left join client on client.id = waiting.client_id and client.api = 'partner' and client.revoked_at is null
  left join entitlement on entitlement.company_id = waiting.company_id and entitlement.client_id = client.id`

/**
 * Inserts deliveries of the events of waiting tasks, for the client's endpoints that were enabled at the time of the event and still
 * are, while the client is entitled to the company, and to its money where the event is about it. Each client gets an equal share of the rows; when there are more clients than
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
       select "clientId" as client_id, "companyId" as company_id, entitled, "seesMoney" as sees_money
       from json_to_recordset($5::json) as sent("clientId" text, "companyId" uuid, entitled boolean, "seesMoney" boolean)
     ), waiting_client as (
       select waiting.client_id, enabled.endpoints, row_number() over (order by hashtextextended(waiting.client_id, $4::bigint)) as rank,
         greatest(1, $1::int / count(*) over () / greatest(1, enabled.endpoints)) as max_events
       from (select distinct client_id from webhook_fan_out) waiting
       cross join lateral (
         select count(*) as endpoints from webhook_endpoint
         where client_id = waiting.client_id and status = 'enabled' and deleted_at is null) enabled
     ), selected_client as (
       select client_id, max_events from (
         select *, sum(max_events * endpoints) over (order by rank) as total_rows from waiting_client) summed_client
       where total_rows <= $1::int or rank = 1
     ), task as materialized (
       select summed_task.client_id, summed_task.id, summed_task.company_id, summed_task.next_id, summed_task.last_id,
         selected_client.max_events
       from selected_client
       cross join lateral (
         select *, sum(events) over (order by id) - events as events_before from (
           select * from webhook_fan_out where client_id = selected_client.client_id
             and company_id in (select company_id from known where client_id = selected_client.client_id)
           order by id limit least(selected_client.max_events, ${maxBatches})
           for update skip locked) locked_task) summed_task
       where summed_task.events_before < selected_client.max_events
     ), endpoint as materialized (
       -- Locked: an endpoint deleted before is left out, one deleted afterwards deletes the new deliveries too.
       select id, client_id, event_types, enabled_at from webhook_endpoint
       where client_id in (select client_id from task) and status = 'enabled' and deleted_at is null
       order by id for share
     ), task_event as materialized (
       select task.client_id, task.id as task_id, task.max_events, event.id, event.company_id, event.type, event.at,
         known.sees_money or not event.is_of_money as is_readable,
         row_number() over (partition by task.client_id order by task.id, event.id) as client_rank,
         row_number() over (partition by task.client_id, task.id order by event.id) as task_rank
       from task
       join known on known.company_id = task.company_id and known.client_id = task.client_id and known.entitled
       cross join lateral (
         select id, company_id, type, at, ${isOfMoney} as is_of_money from event
         where company_id = known.company_id and id between task.next_id and task.last_id order by id limit task.max_events + 1) event
       where exists (select 1 from endpoint where client_id = task.client_id)
     ), unfinished_task as (
       select distinct on (client_id, task_id) client_id, task_id, id as next_id, task_rank - 1 as done
       from task_event where client_rank > max_events order by client_id, task_id, id
     ), advanced as (
       update webhook_fan_out set next_id = unfinished_task.next_id, events = greatest(0, webhook_fan_out.events - unfinished_task.done)
       from unfinished_task where webhook_fan_out.client_id = unfinished_task.client_id and webhook_fan_out.id = unfinished_task.task_id
     ), finished as (
       delete from webhook_fan_out using task
       where webhook_fan_out.client_id = task.client_id and webhook_fan_out.id = task.id
         and not exists (select 1 from unfinished_task where client_id = task.client_id and task_id = task.id)
     ), delivery as (
       insert into webhook_delivery (event_id, endpoint_id, attempt, id, company_id, status, step, started_at, next_attempt_at)
       select task_event.id, endpoint.id, 1, ${numberedUuid('$2::text')}, task_event.company_id, 'pending', 1,
         $3::timestamptz, $3::timestamptz
       from task_event
       join endpoint on endpoint.client_id = task_event.client_id
       where task_event.client_rank <= task_event.max_events and task_event.is_readable
         and (endpoint.event_types = '{}' or task_event.type = any(endpoint.event_types)) and endpoint.enabled_at <= task_event.at
       on conflict do nothing
       returning 1
     )
     select (select count(*) from task)::int as tasks, (select count(*) from delivery)::int as deliveries`,
    [maxRows, uuidPrefix(), at, randomSeed(), JSON.stringify(entitlements)],
  )
  return row ?? { tasks: 0, deliveries: 0 }
}

const maxDeletedRows = 5_000

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
       select event.company_id, event.id from company
       cross join lateral (select company_id, id from event where company_id = company.id and id < $1 order by id limit $2) event
       limit $2)`,
    [bound, maxDeletedRows],
  )
  if (deliveries === maxDeletedRows || events === maxDeletedRows) return true
  await sql.execute('delete from webhook_test_event where id < $1', [bound])
  await sql.execute(
    `delete from webhook_endpoint where deleted_at < $1
       and not exists (select 1 from webhook_test_event where endpoint_id = webhook_endpoint.id)`,
    [before],
  )
  return false
}
