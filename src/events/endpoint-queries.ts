import type { Page } from '../access/queries.ts'
import type { Caller } from '../access/scope.ts'
import type { Sql } from '../database.ts'

const endpointJson = `json_build_object('id', e.id, 'url', e.url, 'event-types', e.event_types, 'status', e.status,
  'disabled-reason', e.disabled_reason, 'created-at', iso(e.created_at))`

const living = `k.id = $1 and k.kind = 'partner' and k.revoked_at is null`

/** More are refused: each one costs a delivery of every event. */
export const mostEndpoints = 1_000

export interface NewEndpoint {
  readonly id: string
  readonly url: string
  readonly eventTypes: readonly string[]
  readonly secretId: string
  readonly sealed: Buffer
  readonly at: Date
}

/** Makes an endpoint of the caller's with its first secret. @returns it as JSON; null when there are too many; undefined: the client is revoked. */
export async function insertEndpoint(sql: Sql, caller: Caller, made: NewEndpoint): Promise<string | null | undefined> {
  const rows = await sql.rows<{ item: string | null }>(
    `with e as (
       insert into webhook_endpoint (id, client_id, url, event_types, status, created_at, updated_at, enabled_at)
       select $2::uuid, k.id, $3, $4::text[], 'enabled', $5::timestamptz, $5::timestamptz, $5::timestamptz from client k
       where ${living} and (select count(*) from webhook_endpoint o where o.client_id = k.id and o.deleted_at is null) < $8::int
       returning *
     ), secret as (
       insert into webhook_secret (endpoint_id, id, sealed) select e.id, $6::uuid, $7::bytea from e
     )
     select (select ${endpointJson}::text from e) as item from client k where ${living}`,
    [caller.clientId, made.id, made.url, made.eventTypes, made.at, made.secretId, made.sealed, mostEndpoints],
  )
  return rows[0]?.item
}

/** A page of the caller's endpoints, oldest first; undefined: the client is revoked. */
export async function listEndpoints(
  sql: Sql,
  caller: Caller,
  bounds: { limit: number; offset: number },
): Promise<Page | undefined> {
  const rows = await sql.rows<Page>(
    `select (select count(*) from webhook_endpoint e where e.client_id = k.id and e.deleted_at is null) as total,
       (select coalesce(json_agg(${endpointJson} order by e.created_at, e.id), '[]')::text from (
         select * from webhook_endpoint where client_id = k.id and deleted_at is null
         order by created_at, id limit $2 offset $3) e) as items
     from client k where ${living}`,
    [caller.clientId, bounds.limit, bounds.offset],
  )
  return rows[0]
}

/** An endpoint of the caller's as JSON; null when there is none, undefined: the client is revoked. */
export async function readEndpoint(sql: Sql, caller: Caller, id: string): Promise<string | null | undefined> {
  const rows = await sql.rows<{ item: string | null }>(
    `select case when e.id is not null then ${endpointJson}::text end as item
     from client k left join webhook_endpoint e on e.client_id = k.id and e.id = $2 and e.deleted_at is null
     where ${living}`,
    [caller.clientId, id],
  )
  return rows[0]?.item
}

/** What a PATCH sets; null where nothing. */
export interface EndpointChange {
  readonly url: string | null
  readonly eventTypes: readonly string[] | null
  readonly status: 'enabled' | 'disabled' | null
}

/** Changes an endpoint of the caller's. @returns it as JSON; null when there is none. */
export async function updateEndpoint(
  sql: Sql,
  caller: Caller,
  id: string,
  change: EndpointChange,
  at: Date,
): Promise<string | null> {
  const rows = await sql.rows<{ item: string }>(
    `update webhook_endpoint e set url = coalesce($3, e.url), event_types = coalesce($4::text[], e.event_types),
       status = coalesce($5, e.status),
       disabled_reason = case when $5 = 'enabled' then null when $5 = 'disabled' then coalesce(e.disabled_reason, 'requested')
         else e.disabled_reason end,
       failing_since = case when $5 = 'enabled' then null else e.failing_since end,
       enabled_at = case when $5 = 'enabled' and e.status = 'disabled' then $6::timestamptz else e.enabled_at end, updated_at = $6::timestamptz
     where e.client_id = $1 and e.id = $2 and e.deleted_at is null
     returning ${endpointJson}::text as item`,
    [caller.clientId, id, change.url, change.eventTypes, change.status, at],
  )
  return rows[0]?.item ?? null
}

/** Makes what waits for an endpoint due now, at the beginning of the schedule. */
export async function resumeDeliveries(sql: Sql, id: string, at: Date): Promise<void> {
  await sql.run(
    `update webhook_delivery set next_attempt_at = $2, begun_at = $2, step = 1
     where endpoint_id = $1 and status = 'pending' and next_attempt_at > $2`,
    [id, at],
  )
}

/** Deletes an endpoint of the caller's with its secrets and what waits for it. False when there is none. */
export async function deleteEndpoint(sql: Sql, caller: Caller, id: string, at: Date): Promise<boolean> {
  const deleted = await sql.run(
    'update webhook_endpoint set deleted_at = $3 where client_id = $1 and id = $2 and deleted_at is null',
    [caller.clientId, id, at],
  )
  if (deleted === 0) return false
  await sql.run('delete from webhook_secret where endpoint_id = $1', [id])
  await sql.run("delete from webhook_delivery where endpoint_id = $1 and status = 'pending'", [id])
  return true
}

/**
 * Gives an endpoint of the caller's a new secret; the present one lives on until the instant, an older one ends now.
 * @returns the endpoint as JSON; null when there is none. Two rotations take turns, by the endpoint's row.
 */
export async function replaceSecret(
  sql: Sql,
  caller: Caller,
  id: string,
  secret: { readonly id: string; readonly sealed: Buffer; readonly at: Date; readonly oldUntil: Date },
): Promise<string | null> {
  const unchanged = { url: null, eventTypes: null, status: null }
  const item = await updateEndpoint(sql, caller, id, unchanged, secret.at)
  if (item === null) return null
  await sql.run('delete from webhook_secret where endpoint_id = $1 and expires_at is not null', [id])
  await sql.run('update webhook_secret set expires_at = $2 where endpoint_id = $1', [id, secret.oldUntil])
  await sql.run('insert into webhook_secret (endpoint_id, id, sealed) values ($1, $2, $3)', [
    id,
    secret.id,
    secret.sealed,
  ])
  return item
}
