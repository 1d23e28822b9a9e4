import type { Sql } from '#platform/core/database.ts'
import { type FreeSlots, maxPerClient, maxPerEndpoint } from './concurrency.ts'
import { isOfMoney, numberedUuid, randomSeed, uuidPrefix } from './fan-out-queries.ts'

/** An attempt that is due, claimed by this process. */
export interface DueAttempt {
  readonly eventId: string
  readonly endpointId: string
  readonly attempt: number
  readonly step: number
  readonly startedAt: Date
  readonly url: string
  readonly failing: boolean
  /** Whether the client is active and may read the event of the company now; always true for a test. */
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
  `webhook_delivery.status = 'pending' and (webhook_delivery.leased_until is null or webhook_delivery.leased_until <= ${now}::timestamptz)`

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
       (select endpoint_id, next_attempt_at from webhook_delivery where status = 'pending'
         order by endpoint_id, next_attempt_at limit 1)
       union all
       select next_endpoint.endpoint_id, next_endpoint.next_attempt_at from pending_endpoint
       cross join lateral (
         select endpoint_id, next_attempt_at from webhook_delivery
         where status = 'pending' and endpoint_id > pending_endpoint.endpoint_id
         order by endpoint_id, next_attempt_at limit 1) next_endpoint
     ), due_endpoint as (
       select webhook_endpoint.id, webhook_endpoint.client_id,
         webhook_endpoint.failing_since is not null or coalesce(busy.slow, false) as degraded,
         coalesce(busy."inFlight", 0) as in_flight,
         greatest(0, case when webhook_endpoint.failing_since is not null then $5::int when busy.slow then $6::int else $7::int end
           - coalesce(busy."inFlight", 0)) as free_slots
       from pending_endpoint
       join webhook_endpoint on webhook_endpoint.id = pending_endpoint.endpoint_id and webhook_endpoint.status = 'enabled'
         and webhook_endpoint.deleted_at is null
       left join json_to_recordset($1::json) as busy(id uuid, "inFlight" int, slow boolean) on busy.id = webhook_endpoint.id
       where pending_endpoint.next_attempt_at <= $2::timestamptz
     ), loaded_endpoint as (
       select *, case when degraded then $4::int else $3::int end as pool_slots,
         sum(in_flight) over (partition by client_id, degraded) as client_in_flight
       from due_endpoint
     ), client_endpoint as (
       select *, count(*) over (partition by client_id, degraded) as client_endpoints,
         row_number() over (partition by client_id, degraded
           order by in_flight, hashtextextended(id::text, $8::bigint)) as client_rank
       from loaded_endpoint where free_slots > 0
     ), ranked_endpoint as (
       select *, count(*) over (partition by degraded) as endpoints,
         count(*) filter (where client_rank = 1) over (partition by degraded) as clients,
         row_number() over (partition by degraded
           order by client_in_flight + client_rank, hashtextextended(client_id, $8::bigint)) as rank
       from client_endpoint
     ), due_attempt as (
       select event_id, endpoint_id, attempt, client_id, degraded, client_in_flight, row_number() over (
         partition by client_id, degraded order by in_flight + endpoint_rank, hashtextextended(id::text, $8::bigint)) as client_rank
       from ranked_endpoint
       cross join lateral (
         select event_id, endpoint_id, attempt, row_number() over (order by next_attempt_at, event_id) as endpoint_rank
         from (
           select event_id, endpoint_id, attempt, next_attempt_at from webhook_delivery
           where endpoint_id = ranked_endpoint.id and next_attempt_at <= $2::timestamptz and ${claimable('$2')}
           order by next_attempt_at limit least(ranked_endpoint.free_slots,
             greatest(1, 2 * ranked_endpoint.pool_slots / ranked_endpoint.endpoints,
               2 * ranked_endpoint.pool_slots / (ranked_endpoint.clients * ranked_endpoint.client_endpoints)))) due_delivery) ranked_delivery
       where rank <= 2 * pool_slots
     ), ranked_attempt as (
       select *, row_number() over (partition by degraded
         order by client_in_flight + client_rank, hashtextextended(client_id, $8::bigint)) as rank
       from due_attempt
       where client_in_flight + client_rank <= case when degraded then $11::int else $10::int end
     ), locked_attempt as materialized (
       select webhook_delivery.event_id, webhook_delivery.endpoint_id, webhook_delivery.attempt from ranked_attempt
       join webhook_delivery on webhook_delivery.event_id = ranked_attempt.event_id
         and webhook_delivery.endpoint_id = ranked_attempt.endpoint_id and webhook_delivery.attempt = ranked_attempt.attempt
       where ranked_attempt.rank <= case when ranked_attempt.degraded then $4::int else $3::int end and ${claimable('$2')}
       for update of webhook_delivery skip locked
     ), claimed as (
       update webhook_delivery set leased_until = $9::timestamptz from locked_attempt
       where webhook_delivery.event_id = locked_attempt.event_id and webhook_delivery.endpoint_id = locked_attempt.endpoint_id
         and webhook_delivery.attempt = locked_attempt.attempt
       returning webhook_delivery.*
     )
     select claimed.event_id as "eventId", claimed.endpoint_id as "endpointId", claimed.company_id as "companyId", claimed.attempt,
       claimed.step, claimed.started_at as "startedAt", webhook_endpoint.url, webhook_endpoint.failing_since is not null as failing,
       array(select encrypted_secret from webhook_secret where endpoint_id = webhook_endpoint.id
         and (expires_at is null or expires_at > $2::timestamptz) order by expires_at desc nulls first) as secrets
     from claimed
     join webhook_endpoint on webhook_endpoint.id = claimed.endpoint_id
     order by claimed.next_attempt_at, claimed.event_id`,
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
  return claimed.length === 0 ? [] : withEvents(sql, claimed)
}

/** Adds the events: a statement of its own, as one that locks rows of a queue joins no table that may be on other nodes. */
async function withEvents(sql: Sql, claimed: readonly ClaimedAttempt[]): Promise<DueAttempt[]> {
  const events = await sql.query<Pick<DueAttempt, 'eventId' | 'endpointId' | 'entitled' | 'event'>>(
    `select claimed."eventId", claimed."endpointId", 
       webhook_test_event.id is not null or entitlement.client_id is not null and (entitlement.see_money or ${isOfMoney} is not true) as entitled,
       case when event.id is not null then json_build_object('type', event.type, 'timestamp', iso(event.at), 'data', event.data)
         when webhook_test_event.id is not null then ${testEventBody} end as event
     from json_to_recordset($1::json) as claimed("eventId" uuid, "endpointId" uuid, "companyId" uuid)
     join webhook_endpoint on webhook_endpoint.id = claimed."endpointId"
     left join client on client.id = webhook_endpoint.client_id and client.revoked_at is null
     left join webhook_test_event on webhook_test_event.client_id = client.id and webhook_test_event.id = claimed."eventId"
     left join entitlement on entitlement.company_id = claimed."companyId" and entitlement.client_id = client.id
     left join event on event.company_id = entitlement.company_id and event.id = claimed."eventId"`,
    [JSON.stringify(claimed.map(({ eventId, endpointId, companyId }) => ({ eventId, endpointId, companyId })))],
  )
  const byKey = new Map(events.map((row) => [`${row.eventId} ${row.endpointId}`, row]))
  return claimed.map((attempt) => {
    const { entitled = false, event = null } = byKey.get(`${attempt.eventId} ${attempt.endpointId}`) ?? {}
    return { ...attempt, entitled, event }
  })
}

/** SQL of the body of a test event, over `webhook_test_event`. */
const testEventBody = `json_build_object('type', webhook_test_event.type, 'timestamp', iso(webhook_test_event.at),
  'data', webhook_test_event.data)`

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
interface DisabledEndpoint {
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
       select "eventId" as event_id, "endpointId" as endpoint_id, attempt, "startedAt" as started_at, failing,
         "leasedUntil" as leased_until, status, gone, "responseStatus" as response_status, error,
         "attemptedAt" as attempted_at, "nextAttemptAt" as next_attempt_at
       from json_to_recordset($1::json) as o("eventId" uuid, "endpointId" uuid, attempt int, "startedAt" timestamptz, failing boolean,
         "leasedUntil" timestamptz, status text, gone boolean, "responseStatus" int, error text, "attemptedAt" timestamptz,
         "nextAttemptAt" timestamptz)
     ), finished as (
       update webhook_delivery set status = result.status, response_status = result.response_status, error = result.error,
         attempted_at = result.attempted_at, next_attempt_at = result.next_attempt_at, leased_until = null
       from result
       where webhook_delivery.event_id = result.event_id and webhook_delivery.endpoint_id = result.endpoint_id
         and webhook_delivery.attempt = result.attempt and webhook_delivery.status = 'pending'
         and webhook_delivery.leased_until = result.leased_until
       returning webhook_delivery.*
     ), next_attempt as (
       insert into webhook_delivery (event_id, endpoint_id, attempt, id, company_id, status, step, started_at, next_attempt_at)
       select finished.event_id, finished.endpoint_id, finished.attempt + 1, ${numberedUuid('$2::text')}, finished.company_id, 'pending',
         finished.step + 1, finished.started_at, finished.next_attempt_at
       from finished join webhook_endpoint on webhook_endpoint.id = finished.endpoint_id and webhook_endpoint.deleted_at is null
       where finished.next_attempt_at is not null
       on conflict do nothing
     ), endpoint_result as (
       select endpoint_id, bool_or(failing) as failing, bool_or(gone) as gone, bool_or(status = 'succeeded') as succeeded,
         min(attempted_at) as attempted_at,
         -- The first attempt of the latest schedule that ended without success.
         max((select min(attempted_at) from webhook_delivery
           where event_id = result.event_id and endpoint_id = result.endpoint_id and attempted_at >= result.started_at))
           filter (where status = 'failed' and not gone and next_attempt_at is null) as schedule_started_at
       from result where attempted_at is not null group by endpoint_id
     ), changed as (
       select webhook_endpoint.id, failure.failing_since,
         case when webhook_endpoint.status <> 'enabled' then null when endpoint_result.gone then 'gone'
           when failure.failing_since <= endpoint_result.schedule_started_at then 'failing' end as reason
       from endpoint_result
       join webhook_endpoint on webhook_endpoint.id = endpoint_result.endpoint_id
       cross join lateral (
         select case when not endpoint_result.succeeded then
           coalesce(webhook_endpoint.failing_since, endpoint_result.attempted_at) end as failing_since) failure
       where endpoint_result.failing or endpoint_result.gone or not endpoint_result.succeeded
     )
     update webhook_endpoint set failing_since = changed.failing_since,
       disabled_reason = coalesce(changed.reason, webhook_endpoint.disabled_reason),
       status = case when changed.reason is null then webhook_endpoint.status else 'disabled' end,
       updated_at = case when changed.reason is null then webhook_endpoint.updated_at else $3::timestamptz end
     from changed where webhook_endpoint.id = changed.id
       and (changed.reason is not null or changed.failing_since is distinct from webhook_endpoint.failing_since)
     returning webhook_endpoint.id, changed.reason`,
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
    `update webhook_delivery set leased_until = null
     from json_to_recordset($1::json) as claimed("eventId" uuid, "endpointId" uuid, attempt int, "leasedUntil" timestamptz)
     where webhook_delivery.event_id = claimed."eventId" and webhook_delivery.endpoint_id = claimed."endpointId"
       and webhook_delivery.attempt = claimed.attempt and webhook_delivery.status = 'pending'
       and webhook_delivery.leased_until = claimed."leasedUntil"`,
    [JSON.stringify(claimed)],
  )
}
