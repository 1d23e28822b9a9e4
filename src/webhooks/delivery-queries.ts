import type { Sql } from '../core/database.ts'
import { type FreeSlots, maxPerClient, maxPerEndpoint } from './concurrency.ts'
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

interface ClaimedAttempt extends Omit<DueAttempt, 'entitled' | 'event'> {
  /** null: a test. */
  readonly companyId: string | null
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
  const claimed = await sql.query<ClaimedAttempt>(
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
     select n.event_id as "eventId", n.endpoint_id as "endpointId", n.company_id as "companyId", n.attempt, n.step,
       n.started_at as "startedAt", e.url, e.failing_since is not null as failing,
       array(select s.encrypted_secret from webhook_secret s where s.endpoint_id = e.id
         and (s.expires_at is null or s.expires_at > $2::timestamptz) order by s.expires_at desc nulls first) as secrets
     from claimed n
     join webhook_endpoint e on e.id = n.endpoint_id
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
  if (claimed.length === 0) return []
  // A statement of its own: one that locks rows of a queue joins no table that may be on other nodes.
  const events = await sql.query<Pick<DueAttempt, 'eventId' | 'endpointId' | 'entitled' | 'event'>>(
    `select n."eventId", n."endpointId", x.id is not null or g.client_id is not null as entitled,
       case when v.id is not null then json_build_object('type', v.type, 'timestamp', iso(v.at), 'data', v.data)
         when x.id is not null then ${testEventBody} end as event
     from json_to_recordset($1::json) as n("eventId" uuid, "endpointId" uuid, "companyId" uuid)
     join webhook_endpoint e on e.id = n."endpointId"
     left join client k on k.id = e.client_id and k.revoked_at is null
     left join webhook_test_event x on x.client_id = k.id and x.id = n."eventId"
     left join entitlement g on g.company_id = n."companyId" and g.client_id = k.id
     left join event v on v.company_id = g.company_id and v.id = n."eventId"`,
    [JSON.stringify(claimed.map(({ eventId, endpointId, companyId }) => ({ eventId, endpointId, companyId })))],
  )
  const byKey = new Map(events.map((row) => [`${row.eventId} ${row.endpointId}`, row]))
  return claimed.map((attempt) => {
    const { entitled = false, event = null } = byKey.get(`${attempt.eventId} ${attempt.endpointId}`) ?? {}
    return { ...attempt, entitled, event }
  })
}

/** SQL of the body of a test event, over the alias x (webhook_test_event). */
export const testEventBody = `json_build_object('type', 'webhook.test', 'timestamp', iso(x.at),
  'data', json_build_object('endpoint-id', x.endpoint_id))`

/** The body of a delivery, which is signed and sent: the event without its id. */
export function deliveryBody({ type, timestamp, data }: NonNullable<DueAttempt['event']>): string {
  return JSON.stringify({ type, timestamp, data })
}

/** The result of an attempt. */
export interface AttemptResult extends Pick<
  DueAttempt,
  'eventId' | 'endpointId' | 'attempt' | 'startedAt' | 'failing'
> {
  /** The lease of the attempt; the result is ignored when a later lease has replaced it. */
  readonly leasedUntil: Date
  readonly status: 'succeeded' | 'failed'
  /** Whether the endpoint responded with 410. */
  readonly gone: boolean
  readonly responseStatus: number | null
  readonly error: string | null
  /** null: the endpoint was not called. */
  readonly attemptedAt: Date | null
  /** null: no further attempt. */
  readonly nextAttemptAt: Date | null
}

/** An endpoint that was disabled by the result of an attempt. */
export interface DisabledEndpoint {
  readonly id: string
  readonly reason: 'gone' | 'failing'
}

/**
 * Locks endpoints before their deliveries are written, in the order in which a deletion locks them: an endpoint deleted before gets no
 * further attempt, one deleted afterwards deletes it too.
 */
export async function lockEndpoints(sql: Sql, ids: readonly string[]): Promise<void> {
  await sql.query('select from webhook_endpoint where id = any($1::uuid[]) order by id for no key update', [ids])
}

/**
 * Saves the results of attempts whose lease is still the current one, inserts the next attempts of endpoints that are not deleted, and
 * updates since when endpoints fail. Disables endpoints that are gone, or that have failed for the whole schedule of a delivery.
 * The caller has locked the endpoints that were failing or have a failed attempt.
 * @returns the endpoints that it disabled.
 */
export async function saveResults(sql: Sql, results: readonly AttemptResult[], at: Date): Promise<DisabledEndpoint[]> {
  const changed = await sql.queryPlanned<{ id: string; reason: DisabledEndpoint['reason'] | null }>(
    `with result as (
       select o."eventId" as event_id, o."endpointId" as endpoint_id, o.attempt, o."startedAt" as started_at, o.failing,
         o."leasedUntil" as leased_until, o.status, o.gone, o."responseStatus" as response_status, o.error,
         o."attemptedAt" as attempted_at, o."nextAttemptAt" as next_attempt_at
       from json_to_recordset($1::json) as o("eventId" uuid, "endpointId" uuid, attempt int, "startedAt" timestamptz, failing boolean,
         "leasedUntil" timestamptz, status text, gone boolean, "responseStatus" int, error text, "attemptedAt" timestamptz,
         "nextAttemptAt" timestamptz)
     ), finished as (
       update webhook_delivery d set status = o.status, response_status = o.response_status, error = o.error,
         attempted_at = o.attempted_at, next_attempt_at = o.next_attempt_at, leased_until = null
       from result o
       where d.event_id = o.event_id and d.endpoint_id = o.endpoint_id and d.attempt = o.attempt and d.status = 'pending'
         and d.leased_until = o.leased_until
       returning d.*
     ), next_attempt as (
       insert into webhook_delivery (event_id, endpoint_id, attempt, id, company_id, status, step, started_at, next_attempt_at)
       select f.event_id, f.endpoint_id, f.attempt + 1, ${numberedUuid('$2::text')}, f.company_id, 'pending', f.step + 1, f.started_at,
         f.next_attempt_at
       from finished f join webhook_endpoint e on e.id = f.endpoint_id and e.deleted_at is null
       where f.next_attempt_at is not null
       on conflict do nothing
     ), endpoint_result as (
       select o.endpoint_id, bool_or(o.failing) as failing, bool_or(o.gone) as gone, bool_or(o.status = 'succeeded') as succeeded,
         min(o.attempted_at) as attempted_at,
         -- The first attempt of the latest schedule that ended without success.
         max((select min(d.attempted_at) from webhook_delivery d
           where d.event_id = o.event_id and d.endpoint_id = o.endpoint_id and d.attempted_at >= o.started_at))
           filter (where o.status = 'failed' and not o.gone and o.next_attempt_at is null) as schedule_started_at
       from result o where o.attempted_at is not null group by o.endpoint_id
     ), changed as (
       select e.id, f.failing_since, case when e.status <> 'enabled' then null when r.gone then 'gone'
         when f.failing_since <= r.schedule_started_at then 'failing' end as reason
       from endpoint_result r
       join webhook_endpoint e on e.id = r.endpoint_id
       cross join lateral (
         select case when not r.succeeded then coalesce(e.failing_since, r.attempted_at) end as failing_since) f
       where r.failing or r.gone or not r.succeeded
     )
     update webhook_endpoint e set failing_since = c.failing_since, disabled_reason = coalesce(c.reason, e.disabled_reason),
       status = case when c.reason is null then e.status else 'disabled' end,
       updated_at = case when c.reason is null then e.updated_at else $3::timestamptz end
     from changed c where e.id = c.id and (c.reason is not null or c.failing_since is distinct from e.failing_since)
     returning e.id, c.reason`,
    [JSON.stringify(results), uuidPrefix(), at],
  )
  return changed.flatMap(({ id, reason }) => (reason === null ? [] : [{ id, reason }]))
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
