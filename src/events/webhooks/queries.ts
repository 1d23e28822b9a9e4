import type { Static } from 'typebox'
import { conditionsOf, type Where } from '#platform/http/pages.ts'
import { pageBounds } from '#platform/http/schemas.ts'
import type { Page } from '#platform/http/page.ts'
import type { Sql } from '#platform/core/database.ts'
import { equals, Parameters } from '#platform/core/parameters.ts'
import { deliveryBody } from './delivery-queries.ts'
import { endpointFields, foundEndpoint } from './endpoint-queries.ts'
import { deliveryFields, eventJson, eventNotFound, testEventsWhere } from './event-queries.ts'
import { type DeliveryQuery, MAX_EVENT_DELIVERIES } from './schema.ts'

/** SQL of the endpoints that exist, of clients that are not revoked, over `webhook_endpoint` and `client`. */
const endpoints = `webhook_endpoint join client on client.id = webhook_endpoint.client_id and client.revoked_at is null
  and webhook_endpoint.deleted_at is null`

/** The last result of an endpoint with a status. An attempt without a time was not made. */
const lastResult = (status: 'succeeded' | 'failed') => `(select attempted_at, response_status, error
  from webhook_delivery where endpoint_id = webhook_endpoint.id and status = '${status}' and attempted_at is not null
  order by attempted_at desc limit 1)`

/** SQL of an endpoint with its health, over `endpoints` and `health`. @param showsQuery whether the URL has its query. */
const endpointJson = (showsQuery: boolean) => `json_build_object(
  ${endpointFields(showsQuery ? 'webhook_endpoint.url' : `regexp_replace(webhook_endpoint.url, '\\?.*', '?***')`)},
  'client-id', client.id, 'client-name', client.name, 'failing-since', iso(webhook_endpoint.failing_since),
  'pending-deliveries', pending.count, 'oldest-pending-at', iso(pending.oldest), 'last-success-at', iso(success.attempted_at),
  'last-error', case when failure.attempted_at is not null then json_build_object(
    'at', iso(failure.attempted_at), 'response-status', failure.response_status, 'error', failure.error) end)`

const health = `cross join lateral (select count(*) as count, min(started_at) as oldest
    from webhook_delivery where endpoint_id = webhook_endpoint.id and status = 'pending') pending
  left join lateral ${lastResult('succeeded')} success on true
  left join lateral ${lastResult('failed')} failure on true`

interface EndpointFilter {
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
  const selected = `from ${endpoints} where ($1::text is null or webhook_endpoint.client_id = $1)
    and ($3::text is null or webhook_endpoint.status = $3)
    and (not $2 or webhook_endpoint.failing_since is not null or webhook_endpoint.disabled_reason in ('gone', 'failing'))`
  const rows = await sql.query<Page>(
    `select (select count(*) ${selected}) as total, (
       select coalesce(json_agg(${endpointJson(showsQuery)} order by webhook_endpoint.created_at, webhook_endpoint.id), '[]')::text
       from (select webhook_endpoint.* ${selected} order by webhook_endpoint.created_at, webhook_endpoint.id
         limit $4 offset $5) webhook_endpoint
       join client on client.id = webhook_endpoint.client_id
       ${health}) as items`,
    [clientId, failing, status, bounds.limit, bounds.offset],
  )
  return rows[0] ?? { total: 0, items: '[]' }
}

/** An endpoint of any client with its health, as JSON. @throws ApiError 404 when there is none. */
export async function readAnyEndpoint(sql: Sql, id: string, showsQuery: boolean): Promise<string> {
  const rows = await sql.query<{ item: string }>(
    `select ${endpointJson(showsQuery)}::text as item from ${endpoints} ${health} where webhook_endpoint.id = $1`,
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
    `select client.id as "clientId", webhook_endpoint.status from ${endpoints} where webhook_endpoint.id = $1 for share of client`,
    [id],
  )
  return foundEndpoint(rows[0])
}

const typeOfEvent = `case when webhook_delivery.company_id is null
  then (select type from webhook_test_event where client_id = webhook_delivery.client_id and id = webhook_delivery.event_id)
  else (select type from event where company_id = webhook_delivery.company_id and id = webhook_delivery.event_id) end`

/** SQL: the events and tests of a type. Joined, not read for each row: most rows are counted only. */
const eventsOfType = (type: string) =>
  `select id from event where type = ${type} union all select id from webhook_test_event where type = ${type}`

const order = 'webhook_delivery.event_id desc, webhook_delivery.attempt desc, webhook_delivery.endpoint_id'

const where: Where<Omit<Static<typeof DeliveryQuery>, 'type'>> = {
  'webhook-endpoint-id': equals('webhook_delivery.endpoint_id'),
  'client-id': equals('webhook_endpoint.client_id'),
  'webhook-event-id': equals('webhook_delivery.event_id'),
  status: equals('webhook_delivery.status'),
}

/** A page of the attempts to deliver events to the endpoints of all clients: those of the newest event first, of each the last attempt first. */
export async function listAllDeliveries(sql: Sql, query: Static<typeof DeliveryQuery>): Promise<Page> {
  const { limit, offset } = pageBounds(query)
  const parameters = new Parameters(limit, offset)
  const selectedBy = ['true', ...conditionsOf(where, query, parameters)].join(' and ')
  const { type } = query
  const ofType =
    type === undefined
      ? ''
      : `join (${eventsOfType(parameters.add(type))}) event on event.id = webhook_delivery.event_id`
  const selected = `from webhook_delivery join (${endpoints}) on webhook_endpoint.id = webhook_delivery.endpoint_id ${ofType}
    where ${selectedBy}`
  const rows = await sql.queryPlanned<Page>(
    `select (select count(*) ${selected}) as total, (
       select coalesce(json_agg(json_build_object(${deliveryFields},
         'client-id', webhook_delivery.client_id, 'client-name', webhook_delivery.client_name, 'event-id', webhook_delivery.event_id,
         'event-type', ${typeOfEvent}, 'company-tax-id', company.tax_id, 'company-name', company.name) order by ${order}), '[]')::text
       from (select webhook_delivery.*, client.id as client_id, client.name as client_name ${selected}
         order by ${order} limit $1 offset $2) webhook_delivery
       left join company on company.id = webhook_delivery.company_id) as items`,
    parameters.values,
  )
  return rows[0] ?? { total: 0, items: '[]' }
}

/** An event of any company, or a test of any client, with the body of its deliveries and the last attempts, as JSON. @throws ApiError 404. */
export async function readAnyEvent(sql: Sql, id: string): Promise<string> {
  const rows = await sql.query<{ event: EventItem; companyTaxId: string | null; companyName: string | null }>(
    `select ${eventJson} as event, company.tax_id as "companyTaxId", company.name as "companyName" from company
     cross join lateral (select * from event where company_id = company.id and id = $1 limit 1) event
     union all
     select ${eventJson}, null, null from (${testEventsWhere('webhook_test_event.id = $1')}) event`,
    [id],
  )
  const [row] = rows
  if (row === undefined) throw eventNotFound()
  const query = { 'webhook-event-id': id, page: 1, 'items-per-page': MAX_EVENT_DELIVERIES }
  const { items } = await listAllDeliveries(sql, query)
  const event = {
    ...row.event,
    'company-tax-id': row.companyTaxId,
    'company-name': row.companyName,
    body: deliveryBody(row.event),
  }
  return JSON.stringify({ ...event, deliveries: JSON.parse(items) as unknown })
}

interface EventItem {
  readonly id: string
  readonly type: string
  readonly timestamp: string
  readonly data: unknown
}
