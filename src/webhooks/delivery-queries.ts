import type { Sql } from '../platform/database.ts'
import type { FreeSlots } from './concurrency.ts'
import { numberedUuid, randomSeed, uuidPrefix } from './fan-out-queries.ts'

/** An attempt that is due, claimed by this process. */
export interface DueAttempt {
  readonly eventId: string
  readonly endpointId: string
  readonly attempt: number
  readonly step: number
  readonly startedAt: Date
  readonly url: string
  readonly failing: boolean
  /** Whether the client is active and entitled to the event's company now; always true for a test. */
  readonly entitled: boolean
  /** null when the event was deleted. */
  readonly event: { readonly type: string; readonly timestamp: string; readonly data: unknown } | null
  /** The encrypted secrets that have not expired, the newest first. */
  readonly secrets: readonly Buffer[]
}

const claimable = (now: string) =>
  `d.status = 'pending' and (d.leased_until is null or d.leased_until <= ${now}::timestamptz)`

/**
 * Claims due attempts by a lease, at most as many as there are free slots. Clients take turns, and so do the endpoints of a client,
 * those with the fewest calls in flight first, in an order that is random each time; of each endpoint the oldest attempts come first.
 * A client gets at most its share of the slots. The statement reads one row for each endpoint with pending deliveries, and a bounded
 * number of rows beyond that.
 */
export async function claimDueAttempts(
  sql: Sql,
  slots: FreeSlots,
  now: Date,
  leasedUntil: Date,
): Promise<DueAttempt[]> {
  const { maxPerEndpoint, maxPerClient } = slots
  return sql.queryPlanned<DueAttempt>(
    `with recursive pending_endpoint (endpoint_id, next_attempt_at) as (
       (select d.endpoint_id, d.next_attempt_at from webhook_delivery d where d.status = 'pending'
         order by d.endpoint_id, d.next_attempt_at limit 1)
       union all
       select n.endpoint_id, n.next_attempt_at from pending_endpoint p
       cross join lateral (
         select d.endpoint_id, d.next_attempt_at from webhook_delivery d
         where d.status = 'pending' and d.endpoint_id > p.endpoint_id
         order by d.endpoint_id, d.next_attempt_at limit 1) n
     ), due_endpoint as (
       select e.id, e.client_id, e.failing_since is not null or coalesce(x.slow, false) as degraded,
         coalesce(x."inFlight", 0) as in_flight,
         greatest(0, case when e.failing_since is not null then $5::int when x.slow then $6::int else $7::int end
           - coalesce(x."inFlight", 0)) as free_slots
       from pending_endpoint p
       join webhook_endpoint e on e.id = p.endpoint_id and e.status = 'enabled' and e.deleted_at is null
       left join json_to_recordset($1::json) as x(id uuid, "inFlight" int, slow boolean) on x.id = e.id
       where p.next_attempt_at <= $2::timestamptz
     ), loaded_endpoint as (
       select e.*, case when e.degraded then $4::int else $3::int end as pool_slots,
         sum(e.in_flight) over (partition by e.client_id, e.degraded) as client_in_flight
       from due_endpoint e
     ), client_endpoint as (
       select e.*, count(*) over (partition by e.client_id, e.degraded) as client_endpoints,
         row_number() over (partition by e.client_id, e.degraded
           order by e.in_flight, hashtextextended(e.id::text, $8::bigint)) as client_rank
       from loaded_endpoint e where e.free_slots > 0
     ), ranked_endpoint as (
       select e.*, count(*) over (partition by e.degraded) as endpoints,
         count(*) filter (where e.client_rank = 1) over (partition by e.degraded) as clients,
         row_number() over (partition by e.degraded
           order by e.client_in_flight + e.client_rank, hashtextextended(e.client_id, $8::bigint)) as rank
       from client_endpoint e
     ), due_attempt as (
       select n.event_id, n.endpoint_id, n.attempt, e.client_id, e.degraded, e.client_in_flight, row_number() over (
         partition by e.client_id, e.degraded
         order by e.in_flight + n.endpoint_rank, hashtextextended(e.id::text, $8::bigint)) as client_rank
       from ranked_endpoint e
       cross join lateral (
         select o.event_id, o.endpoint_id, o.attempt, row_number() over (order by o.next_attempt_at, o.event_id) as endpoint_rank
         from (
           select d.event_id, d.endpoint_id, d.attempt, d.next_attempt_at from webhook_delivery d
           where d.endpoint_id = e.id and d.next_attempt_at <= $2::timestamptz and ${claimable('$2')}
           order by d.next_attempt_at limit least(e.free_slots,
             greatest(1, 2 * e.pool_slots / e.endpoints, 2 * e.pool_slots / (e.clients * e.client_endpoints)))) o) n
       where e.rank <= 2 * e.pool_slots
     ), ranked_attempt as (
       select a.*, row_number() over (partition by a.degraded
         order by a.client_in_flight + a.client_rank, hashtextextended(a.client_id, $8::bigint)) as rank
       from due_attempt a
       where a.client_in_flight + a.client_rank <= case when a.degraded then $11::int else $10::int end
     ), locked_attempt as materialized (
       select d.event_id, d.endpoint_id, d.attempt from ranked_attempt a
       join webhook_delivery d on d.event_id = a.event_id and d.endpoint_id = a.endpoint_id and d.attempt = a.attempt
       where a.rank <= case when a.degraded then $4::int else $3::int end and ${claimable('$2')}
       for update of d skip locked
     ), claimed as (
       update webhook_delivery d set leased_until = $9::timestamptz from locked_attempt a
       where d.event_id = a.event_id and d.endpoint_id = a.endpoint_id and d.attempt = a.attempt
       returning d.*
     )
     select n.event_id as "eventId", n.endpoint_id as "endpointId", n.attempt, n.step, n.started_at as "startedAt", e.url,
       e.failing_since is not null as failing, x.id is not null or g.client_id is not null as entitled,
       case when v.id is not null then json_build_object('type', v.type, 'timestamp', iso(v.at), 'data', v.data)
         when x.id is not null then ${testEventBody} end as event,
       array(select s.encrypted_secret from webhook_secret s where s.endpoint_id = e.id
         and (s.expires_at is null or s.expires_at > $2::timestamptz) order by s.expires_at desc nulls first) as secrets
     from claimed n
     join webhook_endpoint e on e.id = n.endpoint_id
     left join client k on k.id = e.client_id and k.revoked_at is null
     left join entitlement g on g.company_id = n.company_id and g.client_id = k.id
     left join event v on v.company_id = g.company_id and v.id = n.event_id
     left join webhook_test_event x on x.client_id = k.id and x.id = n.event_id
     order by n.next_attempt_at, n.event_id`,
    [
      JSON.stringify(slots.endpoints),
      now,
      slots.healthy,
      slots.degraded,
      maxPerEndpoint.failing,
      maxPerEndpoint.slow,
      maxPerEndpoint.healthy,
      randomSeed(),
      leasedUntil,
      maxPerClient.healthy,
      maxPerClient.degraded,
    ],
  )
}

/** SQL of the body of a test event, over the alias x (webhook_test_event). */
export const testEventBody = `json_build_object('type', 'webhook.test', 'timestamp', iso(x.at),
  'data', json_build_object('endpoint-id', x.endpoint_id))`

/** The result of an attempt. */
export interface AttemptResult {
  readonly eventId: string
  readonly endpointId: string
  readonly attempt: number
  /** The lease of the attempt; the result is ignored when a later lease has replaced it. */
  readonly leasedUntil: Date
  readonly status: 'succeeded' | 'failed'
  readonly responseStatus: number | null
  readonly error: string | null
  /** null: the endpoint was not called. */
  readonly attemptedAt: Date | null
  /** null: no further attempt. */
  readonly nextAttemptAt: Date | null
}

/**
 * Locks endpoints before their deliveries are written, in the order in which a deletion locks them: an endpoint deleted before gets no
 * further attempt, one deleted afterwards deletes it too.
 */
export async function lockEndpoints(sql: Sql, ids: readonly string[]): Promise<void> {
  await sql.query('select from webhook_endpoint where id = any($1::uuid[]) order by id for no key update', [ids])
}

/**
 * Saves the results of attempts whose lease is still the current one, and inserts the next attempts of endpoints that are not deleted.
 * The caller has locked the endpoints with a next attempt.
 */
export async function saveResults(sql: Sql, results: readonly AttemptResult[]): Promise<void> {
  await sql.queryPlanned(
    `with finished as (
       update webhook_delivery d set status = o.status, response_status = o."responseStatus", error = o.error,
         attempted_at = o."attemptedAt", next_attempt_at = o."nextAttemptAt", leased_until = null
       from json_to_recordset($1::json) as o("eventId" uuid, "endpointId" uuid, attempt int, "leasedUntil" timestamptz, status text,
         "responseStatus" int, error text, "attemptedAt" timestamptz, "nextAttemptAt" timestamptz)
       where d.event_id = o."eventId" and d.endpoint_id = o."endpointId" and d.attempt = o.attempt and d.status = 'pending'
         and d.leased_until = o."leasedUntil"
       returning d.*
     )
     insert into webhook_delivery (event_id, endpoint_id, attempt, id, company_id, status, step, started_at, next_attempt_at)
     select f.event_id, f.endpoint_id, f.attempt + 1, ${numberedUuid('$2::text')}, f.company_id, 'pending', f.step + 1, f.started_at,
       f.next_attempt_at
     from finished f join webhook_endpoint e on e.id = f.endpoint_id and e.deleted_at is null
     where f.next_attempt_at is not null
     on conflict do nothing`,
    [JSON.stringify(results), uuidPrefix()],
  )
}

/** Ends the leases of attempts that were claimed and not made. */
export async function releaseAttempts(
  sql: Sql,
  claimed: readonly { eventId: string; endpointId: string; attempt: number; leasedUntil: Date }[],
): Promise<void> {
  await sql.execute(
    `update webhook_delivery d set leased_until = null
     from json_to_recordset($1::json) as o("eventId" uuid, "endpointId" uuid, attempt int, "leasedUntil" timestamptz)
     where d.event_id = o."eventId" and d.endpoint_id = o."endpointId" and d.attempt = o.attempt and d.status = 'pending'
       and d.leased_until = o."leasedUntil"`,
    [JSON.stringify(claimed)],
  )
}

/** Updates since when endpoints fail. */
export async function updateFailingSince(
  sql: Sql,
  failed: readonly { id: string; at: Date }[],
  recovered: readonly string[],
): Promise<void> {
  if (failed.length > 0) {
    await sql.execute(
      `update webhook_endpoint e set failing_since = x.at from json_to_recordset($1::json) as x(id uuid, at timestamptz)
       where e.id = x.id and e.failing_since is null`,
      [JSON.stringify(failed)],
    )
  }
  if (recovered.length > 0) {
    await sql.execute(
      'update webhook_endpoint set failing_since = null where id = any($1::uuid[]) and failing_since is not null',
      [recovered],
    )
  }
}

/** Disables endpoints that responded with 410. @returns the ids of those that were enabled. */
export async function disableGone(sql: Sql, ids: readonly string[], at: Date): Promise<string[]> {
  const rows = await sql.query<{ id: string }>(
    `update webhook_endpoint set status = 'disabled', disabled_reason = 'gone', updated_at = $2
     where id = any($1::uuid[]) and status = 'enabled' returning id`,
    [ids, at],
  )
  return rows.map((row) => row.id)
}

/** Disables endpoints that have failed since the first attempt of one of these deliveries. @returns their ids. */
export async function disableFailing(
  sql: Sql,
  exhausted: readonly { eventId: string; endpointId: string; startedAt: Date }[],
  at: Date,
): Promise<string[]> {
  const rows = await sql.query<{ id: string }>(
    `update webhook_endpoint e set status = 'disabled', disabled_reason = 'failing', updated_at = $2
     from json_to_recordset($1::json) as x("eventId" uuid, "endpointId" uuid, "startedAt" timestamptz)
     where e.id = x."endpointId" and e.status = 'enabled' and e.failing_since <= (
       select min(d.attempted_at) from webhook_delivery d
       where d.event_id = x."eventId" and d.endpoint_id = e.id and d.attempted_at >= x."startedAt")
     returning e.id`,
    [JSON.stringify(exhausted), at],
  )
  return [...new Set(rows.map((row) => row.id))]
}
