import type { Page } from '#platform/http/page.ts'
import { activePartner, rowOfActiveClient } from '#platform/core/access.ts'
import type { Client } from '#platform/core/actor.ts'
import type { Sql } from '#platform/core/database.ts'
import { ApiError } from '#platform/core/errors.ts'

/** SQL of the fields of an endpoint, over `webhook_endpoint`. @param url SQL of its URL. */
export const endpointFields = (
  url = 'webhook_endpoint.url',
) => `'id', webhook_endpoint.id, 'url', ${url}, 'event-types', webhook_endpoint.event_types, 'status', webhook_endpoint.status,
  'disabled-reason', webhook_endpoint.disabled_reason, 'created-at', iso(webhook_endpoint.created_at)`

const endpointJson = `json_build_object(${endpointFields()})`

interface NewEndpoint {
  readonly id: string
  readonly url: string
  readonly urlHash: Buffer
  readonly eventTypes: readonly string[]
  readonly secretId: string
  readonly encryptedSecret: Buffer
  readonly at: Date
}

/** Locks the number of the caller's endpoints until the end of the transaction: no other transaction inserts one. */
export async function lockEndpointCount(sql: Sql, { clientId }: Client): Promise<void> {
  await sql.query("select pg_advisory_xact_lock(hashtextextended('webhook-endpoint ' || $1, 0))", [clientId])
}

/** The number of the caller's endpoints, and the id of the one at a URL, other than the one given; null when there is none. */
export async function readConflicts(
  sql: Sql,
  { clientId }: Client,
  urlHash: Buffer,
  exceptId: string | null,
): Promise<{ readonly count: number; readonly idAtUrl: string | null }> {
  const rows = await sql.query<{ count: number; idAtUrl: string | null }>(
    `select count(*) as count, (array_agg(id) filter (where url_hash = $2 and id is distinct from $3::uuid))[1] as "idAtUrl"
     from webhook_endpoint where client_id = $1 and deleted_at is null`,
    [clientId, urlHash, exceptId],
  )
  return rows[0] ?? { count: 0, idAtUrl: null }
}

/** Inserts an endpoint of the caller with its first secret. @returns the endpoint as JSON. @throws ApiError 401 when the client is revoked. */
export async function insertEndpoint(sql: Sql, caller: Client, endpoint: NewEndpoint): Promise<string> {
  const { id, url, urlHash, eventTypes, secretId, encryptedSecret, at } = endpoint
  const rows = await sql.query<{ item: string }>(
    `with inserted as (
       insert into webhook_endpoint (id, client_id, url, url_hash, event_types, status, created_at, updated_at, enabled_at)
       select $2::uuid, client.id, $3, $8::bytea, $4::text[], 'enabled', $5::timestamptz, $5::timestamptz, $5::timestamptz
       from ${activePartner}
       returning *
     ), secret as (
       insert into webhook_secret (endpoint_id, id, encrypted_secret) select id, $6::uuid, $7::bytea from inserted
     )
     select ${endpointJson}::text as item from inserted webhook_endpoint`,
    [caller.clientId, id, url, eventTypes, at, secretId, encryptedSecret, urlHash],
  )
  return rowOfActiveClient(rows).item
}

/** A page of the caller's endpoints, oldest first. @throws ApiError 401 when the client is revoked. */
export async function listEndpoints(
  sql: Sql,
  caller: Client,
  bounds: { limit: number; offset: number },
): Promise<Page> {
  const rows = await sql.query<Page>(
    `select (select count(*) from webhook_endpoint where client_id = client.id and deleted_at is null) as total,
       (select coalesce(json_agg(${endpointJson} order by webhook_endpoint.created_at, webhook_endpoint.id), '[]')::text from (
         select * from webhook_endpoint where client_id = client.id and deleted_at is null
         order by created_at, id limit $2 offset $3) webhook_endpoint) as items
     from ${activePartner}`,
    [caller.clientId, bounds.limit, bounds.offset],
  )
  return rowOfActiveClient(rows)
}

/** @throws ApiError 404 without a value. */
export function foundEndpoint<T>(item: T | null | undefined): T {
  if (item === null || item === undefined) throw new ApiError('webhook-endpoint-not-found')
  return item
}

/** An endpoint of the caller as JSON. @throws ApiError 404 when there is none, 401 when the client is revoked. */
export async function readEndpoint(sql: Sql, caller: Client, id: string): Promise<string> {
  const rows = await sql.query<{ item: string | null }>(
    `select case when webhook_endpoint.id is not null then ${endpointJson}::text end as item
     from ${activePartner} left join webhook_endpoint
       on webhook_endpoint.client_id = client.id and webhook_endpoint.id = $2 and webhook_endpoint.deleted_at is null`,
    [caller.clientId, id],
  )
  return foundEndpoint(rowOfActiveClient(rows).item)
}

/** The fields that a PATCH sets; null for those that it leaves. */
interface EndpointChange {
  readonly url: string | null
  readonly urlHash: Buffer | null
  readonly eventTypes: readonly string[] | null
  readonly status: 'enabled' | 'disabled' | null
}

/** Updates an endpoint of the caller. @returns the endpoint as JSON. @throws ApiError 404 when there is none. */
export async function updateEndpoint(
  sql: Sql,
  caller: Client,
  id: string,
  change: EndpointChange,
  at: Date,
): Promise<string> {
  const rows = await sql.query<{ item: string }>(
    `update webhook_endpoint set url = coalesce($3, url), url_hash = coalesce($7::bytea, url_hash),
       event_types = coalesce($4::text[], event_types), status = coalesce($5, status),
       disabled_reason = case when $5 = 'enabled' then null when $5 = 'disabled' then coalesce(disabled_reason, 'requested')
         else disabled_reason end,
       failing_since = case when $5 = 'enabled' then null else failing_since end,
       enabled_at = case when $5 = 'enabled' and status = 'disabled' then $6::timestamptz else enabled_at end,
       updated_at = $6::timestamptz
     where client_id = $1 and id = $2 and deleted_at is null
     returning ${endpointJson}::text as item`,
    [caller.clientId, id, change.url, change.eventTypes, change.status, at, change.urlHash],
  )
  return foundEndpoint(rows[0]?.item)
}

/** Makes the pending deliveries of an endpoint due now and restarts their retry schedule. */
export async function resumeDeliveries(sql: Sql, id: string, at: Date): Promise<void> {
  await sql.execute(
    `update webhook_delivery set next_attempt_at = $2, started_at = $2, step = 1
     where endpoint_id = $1 and status = 'pending' and next_attempt_at > $2`,
    [id, at],
  )
}

/** Deletes an endpoint of the caller with its secrets and pending deliveries. @throws ApiError 404 when there is none. */
export async function deleteEndpoint(sql: Sql, caller: Client, id: string, at: Date): Promise<void> {
  const rows = await sql.query<{ id: string }>(
    'update webhook_endpoint set deleted_at = $3 where client_id = $1 and id = $2 and deleted_at is null returning id',
    [caller.clientId, id, at],
  )
  foundEndpoint(rows[0]?.id)
  await sql.execute('delete from webhook_secret where endpoint_id = $1', [id])
  await sql.execute("delete from webhook_delivery where endpoint_id = $1 and status = 'pending'", [id])
}

/**
 * Replaces the secret of an endpoint of the caller; the current one expires at `oldUntil`, an older one is deleted. The update of the
 * endpoint's row locks out another rotation.
 * @returns the endpoint as JSON. @throws ApiError 404 when there is none.
 */
export async function replaceSecret(
  sql: Sql,
  caller: Client,
  id: string,
  secret: { readonly id: string; readonly encrypted: Buffer; readonly at: Date; readonly oldUntil: Date },
): Promise<string> {
  const unchanged = { url: null, urlHash: null, eventTypes: null, status: null }
  const item = await updateEndpoint(sql, caller, id, unchanged, secret.at)
  await sql.execute('delete from webhook_secret where endpoint_id = $1 and expires_at is not null', [id])
  await sql.execute('update webhook_secret set expires_at = $2 where endpoint_id = $1', [id, secret.oldUntil])
  const values = [id, secret.id, secret.encrypted]
  await sql.execute('insert into webhook_secret (endpoint_id, id, encrypted_secret) values ($1, $2, $3)', values)
  return item
}

/** SQL: the number of enabled endpoints of active clients whose last attempts failed. */
export const failingEndpoints = `(select count(*) from webhook_endpoint
  join client on client.id = webhook_endpoint.client_id and client.revoked_at is null
  where webhook_endpoint.status = 'enabled' and webhook_endpoint.deleted_at is null and webhook_endpoint.failing_since is not null)`
