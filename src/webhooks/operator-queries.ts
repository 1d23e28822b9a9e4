import type { Page } from '../http/page.ts'
import type { Sql } from '../core/database.ts'
import { deliveryBody } from './delivery-queries.ts'
import { endpointFields, foundEndpoint } from './endpoint-queries.ts'
import { deliveryFields, eventJson, eventNotFound, testEventsWhere } from './event-queries.ts'
import { MAX_EVENT_DELIVERIES } from './schema.ts'

/** SQL of the endpoints that exist, of clients that are not revoked: aliases e (webhook_endpoint) and k (client). */
const endpoints = `webhook_endpoint e join client k on k.id = e.client_id and k.revoked_at is null and e.deleted_at is null`

/** The last result of an endpoint with a status. An attempt without a time was not made. */
const lastResult = (status: 'succeeded' | 'failed') => `(select d.attempted_at, d.response_status, d.error
  from webhook_delivery d where d.endpoint_id = e.id and d.status = '${status}' and d.attempted_at is not null
  order by d.attempted_at desc limit 1)`

/** SQL of an endpoint with its health, over e and k. @param showsQuery whether the URL has its query. */
const endpointJson = (showsQuery: boolean) => `json_build_object(
  ${endpointFields(showsQuery ? 'e.url' : `regexp_replace(e.url, '\\?.*', '?***')`)},
  'client-id', k.id, 'client-name', k.name, 'failing-since', iso(e.failing_since),
  'pending-deliveries', pending.count, 'oldest-pending-at', iso(pending.oldest), 'last-success-at', iso(success.attempted_at),
  'last-error', case when failure.attempted_at is not null then json_build_object(
    'at', iso(failure.attempted_at), 'response-status', failure.response_status, 'error', failure.error) end)`

const health = `cross join lateral (select count(*) as count, min(d.started_at) as oldest
    from webhook_delivery d where d.endpoint_id = e.id and d.status = 'pending') pending
  left join lateral ${lastResult('succeeded')} success on true
  left join lateral ${lastResult('failed')} failure on true`

export interface EndpointFilter {
  /** null: of all clients. */
  readonly clientId: string | null
  /** Only those whose last attempt failed, or that were disabled for it. */
  readonly failing: boolean
  /** null: with any. */
  readonly status: 'enabled' | 'disabled' | null
}

/** A page of the endpoints of all clients with their health, oldest first. */
export async function listAllEndpoints(
  sql: Sql,
  { clientId, failing, status }: EndpointFilter,
  bounds: { limit: number; offset: number },
  showsQuery: boolean,
): Promise<Page> {
  const selected = `from ${endpoints} where ($1::text is null or e.client_id = $1) and ($3::text is null or e.status = $3)
    and (not $2 or e.failing_since is not null or e.disabled_reason in ('gone', 'failing'))`
  const rows = await sql.query<Page>(
    `select (select count(*) ${selected}) as total, (
       select coalesce(json_agg(${endpointJson(showsQuery)} order by e.created_at, e.id), '[]')::text
       from (select e.* ${selected} order by e.created_at, e.id limit $4 offset $5) e
       join client k on k.id = e.client_id
       ${health}) as items`,
    [clientId, failing, status, bounds.limit, bounds.offset],
  )
  return rows[0] ?? { total: 0, items: '[]' }
}

/** An endpoint of any client with its health, as JSON. @throws ApiError 404 when there is none. */
export async function readAnyEndpoint(sql: Sql, id: string, showsQuery: boolean): Promise<string> {
  const rows = await sql.query<{ item: string }>(
    `select ${endpointJson(showsQuery)}::text as item from ${endpoints} ${health} where e.id = $1`,
    [id],
  )
  return foundEndpoint(rows[0]?.item)
}

/** The client of an endpoint, locked against revocation until the transaction ends, and the endpoint's status. @throws ApiError 404. */
export async function lockEndpointClient(
  sql: Sql,
  id: string,
): Promise<{ readonly clientId: string; readonly status: 'enabled' | 'disabled' }> {
  const rows = await sql.query<{ clientId: string; status: 'enabled' | 'disabled' }>(
    `select k.id as "clientId", e.status from ${endpoints} where e.id = $1 for share of k`,
    [id],
  )
  return foundEndpoint(rows[0])
}

/** Conditions joined by AND; null: no condition. */
export interface DeliveryFilter {
  readonly endpointId: string | null
  readonly clientId: string | null
  readonly eventId: string | null
  /** Of the event. */
  readonly type: string | null
  readonly status: string | null
}

const typeOfEvent = `case when d.company_id is null then 'webhook.test'
  else (select v.type from event v where v.company_id = d.company_id and v.id = d.event_id) end`

const order = 'd.event_id desc, d.attempt desc, d.endpoint_id'

/** A page of the attempts to deliver events to the endpoints of all clients: those of the newest event first, of each the last attempt first. */
export async function listAllDeliveries(
  sql: Sql,
  { endpointId, clientId, eventId, type, status }: DeliveryFilter,
  bounds: { limit: number; offset: number },
): Promise<Page> {
  const values: unknown[] = [bounds.limit, bounds.offset]
  const equals = (expression: string, value: string | null) =>
    value === null ? [] : [`${expression} = $${values.push(value)}`]
  const conditions = [
    'true',
    ...equals('d.endpoint_id', endpointId),
    ...equals('e.client_id', clientId),
    ...equals('d.event_id', eventId),
    ...equals('d.status', status),
    ...(type === 'webhook.test' ? ['d.company_id is null'] : equals('v.type', type)),
  ]
  // Joined, not read for each row: most rows are counted only.
  const ofType =
    type === null || type === 'webhook.test' ? '' : 'join event v on v.company_id = d.company_id and v.id = d.event_id'
  const selected = `from webhook_delivery d join (${endpoints}) on e.id = d.endpoint_id ${ofType} where ${conditions.join(' and ')}`
  const rows = await sql.queryPlanned<Page>(
    `select (select count(*) ${selected}) as total, (
       select coalesce(json_agg(json_build_object(${deliveryFields}, 'client-id', d.client_id, 'client-name', d.client_name,
         'event-id', d.event_id, 'event-type', ${typeOfEvent}, 'company-tax-id', c.tax_id) order by ${order}), '[]')::text
       from (select d.*, k.id as client_id, k.name as client_name ${selected} order by ${order} limit $1 offset $2) d
       left join company c on c.id = d.company_id) as items`,
    values,
  )
  return rows[0] ?? { total: 0, items: '[]' }
}

/** An event of any company, or a test of any client, with the body of its deliveries and the last attempts, as JSON. @throws ApiError 404. */
export async function readAnyEvent(sql: Sql, id: string): Promise<string> {
  const rows = await sql.query<{ event: EventItem; companyTaxId: string | null }>(
    `select ${eventJson} as event, c.tax_id as "companyTaxId" from company c
     cross join lateral (select v.* from event v where v.company_id = c.id and v.id = $1 limit 1) v
     union all
     select ${eventJson}, null from (${testEventsWhere('x.id = $1')}) v`,
    [id],
  )
  const [row] = rows
  if (row === undefined) throw eventNotFound()
  const filter = { endpointId: null, clientId: null, eventId: id, type: null, status: null }
  const { items } = await listAllDeliveries(sql, filter, { limit: MAX_EVENT_DELIVERIES, offset: 0 })
  const event = { ...row.event, 'company-tax-id': row.companyTaxId, body: deliveryBody(row.event) }
  return JSON.stringify({ ...event, deliveries: JSON.parse(items) as unknown })
}

interface EventItem {
  readonly id: string
  readonly type: string
  readonly timestamp: string
  readonly data: unknown
}
