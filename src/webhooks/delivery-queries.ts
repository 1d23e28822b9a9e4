import type { Sql } from '../platform/database.ts'
import type { SlotLease } from './concurrency.ts'
import { idOnStem, idStem } from './fan-out-queries.ts'

/** One attempt to make. */
export interface Due {
  readonly eventId: string
  readonly endpointId: string
  readonly attempt: number
  readonly step: number
  readonly begunAt: Date
  readonly url: string
  readonly failing: boolean
  /** Whether the client lives and may access the event's company now; a test is always its own. */
  readonly entitled: boolean
  /** null when the event was removed. */
  readonly event: { readonly type: string; readonly timestamp: string; readonly data: unknown } | null
  /** The live ones, the newest first. */
  readonly secrets: readonly Buffer[]
}

const free = (place: string) =>
  `d.status = 'pending' and (d.leased_until is null or d.leased_until <= ${place}::timestamptz)`

/**
 * Leases attempts that are due, as many as there is room for. Clients take turns, and so do the endpoints of a client, those first
 * that have the least under way, in a new order each time; of each endpoint the oldest. A client has at most its share of the places.
 * Nobody else takes them until the lease is over. It goes from endpoint to endpoint over the heads of their queues, and looks into no
 * more queues, and no deeper, than could fill the room a few times.
 */
export async function takeDue(sql: Sql, room: SlotLease, now: Date, leasedUntil: Date): Promise<Due[]> {
  const { maxOf, maxOfClient } = room
  return sql.planned<Due>(
    `with recursive waiting (endpoint_id, next_attempt_at) as (
       (select d.endpoint_id, d.next_attempt_at from webhook_delivery d where d.status = 'pending'
         order by d.endpoint_id, d.next_attempt_at limit 1)
       union all
       select n.endpoint_id, n.next_attempt_at from waiting w
       cross join lateral (
         select d.endpoint_id, d.next_attempt_at from webhook_delivery d
         where d.status = 'pending' and d.endpoint_id > w.endpoint_id
         order by d.endpoint_id, d.next_attempt_at limit 1) n
     ), due as (
       select e.id, e.client_id, e.failing_since is not null or coalesce(x.slow, false) as troubled,
         coalesce(x."underWay", 0) as under_way,
         greatest(0, case when e.failing_since is not null then $5::int when x.slow then $6::int else $7::int end
           - coalesce(x."underWay", 0)) as room
       from waiting w
       join webhook_endpoint e on e.id = w.endpoint_id and e.status = 'enabled' and e.deleted_at is null
       left join json_to_recordset($1::json) as x(id uuid, "underWay" int, slow boolean) on x.id = e.id
       where w.next_attempt_at <= $2::timestamptz
     ), queued as (
       select o.*, case when o.troubled then $4::int else $3::int end as places,
         sum(o.under_way) over (partition by o.client_id, o.troubled) as client_under_way
       from due o
     ), in_client as (
       select o.*, count(*) over (partition by o.client_id, o.troubled) as endpoints,
         row_number() over (partition by o.client_id, o.troubled
           order by o.under_way, hashtextextended(o.id::text, $8::bigint)) as turn_in_client
       from queued o where o.room > 0
     ), place as (
       select o.*, count(*) over (partition by o.troubled) as others,
         count(*) filter (where o.turn_in_client = 1) over (partition by o.troubled) as clients,
         row_number() over (partition by o.troubled
           order by o.client_under_way + o.turn_in_client, hashtextextended(o.client_id, $8::bigint)) as turn
       from in_client o
     ), head as (
       select n.event_id, n.endpoint_id, n.attempt, p.client_id, p.troubled, p.client_under_way, row_number() over (
         partition by p.client_id, p.troubled
         order by p.under_way + n.turn, hashtextextended(p.id::text, $8::bigint)) as turn_in_client
       from place p
       cross join lateral (
         select o.event_id, o.endpoint_id, o.attempt, row_number() over (order by o.next_attempt_at, o.event_id) as turn
         from (
           select d.event_id, d.endpoint_id, d.attempt, d.next_attempt_at from webhook_delivery d
           where d.endpoint_id = p.id and d.next_attempt_at <= $2::timestamptz and ${free('$2')}
           order by d.next_attempt_at limit least(p.room, greatest(1, 2 * p.places / p.others, 2 * p.places / (p.clients * p.endpoints)))) o) n
       where p.turn <= 2 * p.places
     ), ranked as (
       select h.*, row_number() over (partition by h.troubled
         order by h.client_under_way + h.turn_in_client, hashtextextended(h.client_id, $8::bigint)) as rank
       from head h
       where h.client_under_way + h.turn_in_client <= case when h.troubled then $11::int else $10::int end
     ), held as materialized (
       select d.event_id, d.endpoint_id, d.attempt from ranked r
       join webhook_delivery d on d.event_id = r.event_id and d.endpoint_id = r.endpoint_id and d.attempt = r.attempt
       where r.rank <= case when r.troubled then $4::int else $3::int end and ${free('$2')}
       for update of d skip locked
     ), taken as (
       update webhook_delivery d set leased_until = $9::timestamptz from held h
       where d.event_id = h.event_id and d.endpoint_id = h.endpoint_id and d.attempt = h.attempt
       returning d.*
     )
     select n.event_id as "eventId", n.endpoint_id as "endpointId", n.attempt, n.step, n.started_at as "begunAt", e.url,
       e.failing_since is not null as failing, x.id is not null or g.client_id is not null as entitled,
       case when v.id is not null then json_build_object('type', v.type, 'timestamp', iso(v.at), 'data', v.data)
         when x.id is not null then ${testEventBody} end as event,
       array(select s.encrypted_secret from webhook_secret s where s.endpoint_id = e.id
         and (s.expires_at is null or s.expires_at > $2::timestamptz) order by s.expires_at desc nulls first) as secrets
     from taken n
     join webhook_endpoint e on e.id = n.endpoint_id
     left join client k on k.id = e.client_id and k.revoked_at is null
     left join entitlement g on g.company_id = n.company_id and g.client_id = k.id
     left join event v on v.company_id = g.company_id and v.id = n.event_id
     left join webhook_test_event x on x.client_id = k.id and x.id = n.event_id
     order by n.next_attempt_at, n.event_id`,
    [
      JSON.stringify(room.known),
      now,
      room.healthy,
      room.troubled,
      maxOf.failing,
      maxOf.slow,
      maxOf.healthy,
      Math.floor(Math.random() * Number.MAX_SAFE_INTEGER),
      leasedUntil,
      maxOfClient.healthy,
      maxOfClient.troubled,
    ],
  )
}

/** SQL of the body of a test event, over the alias x (webhook_test_event). */
export const testEventBody = `json_build_object('type', 'webhook.test', 'timestamp', iso(x.at),
  'data', json_build_object('endpoint-id', x.endpoint_id))`

/** What became of an attempt. */
export interface Settled {
  readonly eventId: string
  readonly endpointId: string
  readonly attempt: number
  /** The lease under which it was made: a later one has made it again. */
  readonly leasedUntil: Date
  readonly status: 'succeeded' | 'failed'
  readonly responseStatus: number | null
  readonly error: string | null
  /** null: it was not made at all. */
  readonly attemptedAt: Date | null
  /** null: there is none. */
  readonly nextAttemptAt: Date | null
}

/**
 * Locks endpoints that a transaction is about to change or to make next attempts for, before it touches deliveries: in the order in
 * which a deletion locks them. One deleted meanwhile gets no attempt any more, and one deleted afterwards finds it.
 */
export async function lockEndpoints(sql: Sql, ids: readonly string[]): Promise<void> {
  await sql.rows('select from webhook_endpoint where id = any($1::uuid[]) order by id for no key update', [ids])
}

/**
 * Keeps what became of attempts, each with the next one where there is one and its endpoint is not deleted; what another lease has
 * settled is left as it is. The endpoints with a next attempt are locked.
 */
export async function settleAttempts(sql: Sql, settled: readonly Settled[]): Promise<void> {
  await sql.planned(
    `with told as (
       update webhook_delivery d set status = o.status, response_status = o."responseStatus", error = o.error,
         attempted_at = o."attemptedAt", next_attempt_at = o."nextAttemptAt", leased_until = null
       from json_to_recordset($1::json) as o("eventId" uuid, "endpointId" uuid, attempt int, "leasedUntil" timestamptz, status text,
         "responseStatus" int, error text, "attemptedAt" timestamptz, "nextAttemptAt" timestamptz)
       where d.event_id = o."eventId" and d.endpoint_id = o."endpointId" and d.attempt = o.attempt and d.status = 'pending'
         and d.leased_until = o."leasedUntil"
       returning d.*
     )
     insert into webhook_delivery (event_id, endpoint_id, attempt, id, company_id, status, step, started_at, next_attempt_at)
     select t.event_id, t.endpoint_id, t.attempt + 1, ${idOnStem('$2::text')}, t.company_id, 'pending', t.step + 1, t.started_at,
       t.next_attempt_at
     from told t join webhook_endpoint e on e.id = t.endpoint_id and e.deleted_at is null
     where t.next_attempt_at is not null
     on conflict do nothing`,
    [JSON.stringify(settled), idStem()],
  )
}

/** Gives attempts back that were taken and not made. */
export async function releaseAttempts(
  sql: Sql,
  taken: readonly { eventId: string; endpointId: string; attempt: number; leasedUntil: Date }[],
): Promise<void> {
  await sql.run(
    `update webhook_delivery d set leased_until = null
     from json_to_recordset($1::json) as o("eventId" uuid, "endpointId" uuid, attempt int, "leasedUntil" timestamptz)
     where d.event_id = o."eventId" and d.endpoint_id = o."endpointId" and d.attempt = o.attempt and d.status = 'pending'
       and d.leased_until = o."leasedUntil"`,
    [JSON.stringify(taken)],
  )
}

/** Notes which endpoints have begun to fail, and which no longer do. */
export async function markEndpoints(
  sql: Sql,
  failed: readonly { id: string; at: Date }[],
  recovered: readonly string[],
): Promise<void> {
  if (failed.length > 0) {
    await sql.run(
      `update webhook_endpoint e set failing_since = x.at from json_to_recordset($1::json) as x(id uuid, at timestamptz)
       where e.id = x.id and e.failing_since is null`,
      [JSON.stringify(failed)],
    )
  }
  if (recovered.length > 0) {
    await sql.run(
      'update webhook_endpoint set failing_since = null where id = any($1::uuid[]) and failing_since is not null',
      [recovered],
    )
  }
}

/** Disables endpoints that answered 410. @returns those that were enabled. */
export async function disableGone(sql: Sql, ids: readonly string[], at: Date): Promise<string[]> {
  const rows = await sql.rows<{ id: string }>(
    `update webhook_endpoint set status = 'disabled', disabled_reason = 'gone', updated_at = $2
     where id = any($1::uuid[]) and status = 'enabled' returning id`,
    [ids, at],
  )
  return rows.map((row) => row.id)
}

/** Disables endpoints that answered nothing well from the first attempt of these deliveries to their last. @returns those. */
export async function disableFailing(
  sql: Sql,
  spent: readonly { eventId: string; endpointId: string; begunAt: Date }[],
  at: Date,
): Promise<string[]> {
  const rows = await sql.rows<{ id: string }>(
    `update webhook_endpoint e set status = 'disabled', disabled_reason = 'failing', updated_at = $2
     from json_to_recordset($1::json) as x("eventId" uuid, "endpointId" uuid, "begunAt" timestamptz)
     where e.id = x."endpointId" and e.status = 'enabled' and e.failing_since <= (
       select min(d.attempted_at) from webhook_delivery d
       where d.event_id = x."eventId" and d.endpoint_id = e.id and d.attempted_at >= x."begunAt")
     returning e.id`,
    [JSON.stringify(spent), at],
  )
  return [...new Set(rows.map((row) => row.id))]
}
