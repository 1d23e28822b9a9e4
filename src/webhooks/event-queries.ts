import type { Page } from '../http/page.ts'
import { activePartner, rowOfActivePartner } from '../core/access.ts'
import type { Client } from '../core/actor.ts'
import { startOfDay } from '../http/date-range.ts'
import type { Sql } from '../core/database.ts'
import { ApiError } from '../core/errors.ts'
import { isEntitledTo } from '../companies/queries.ts'
import { testEventBody } from './delivery-queries.ts'
import { numberedUuid, uuidPrefix } from './fan-out-queries.ts'

/** SQL of an event as the API shows it, over the alias v (event). */
export const eventJson = `json_build_object('id', v.id, 'type', v.type, 'timestamp', iso(v.at), 'data', v.data)`

/** SQL of the test events, alias x, that a condition selects, in the columns of `event`. */
export const testEventsWhere = (condition: string) =>
  `select x.id, 'webhook.test' as type, x.at, (${testEventBody})::jsonb -> 'data' as data
  from webhook_test_event x where ${condition}`

/** SQL of the test events of the client $1. */
const testEvents = testEventsWhere('x.client_id = $1')

/** Conditions joined by AND; null: no condition. */
export interface EventFilter {
  readonly type: string | null
  readonly companyTaxId: string | null
  /** Days in Sao Paulo, both included. */
  readonly from: string | null
  readonly until: string | null
}

/**
 * A page of the events of the caller's companies and of the caller's tests, newest first, with their total. Ids are in the order of time,
 * so without a filter no more than the end of the page is read of each company. `entitled` is false when the caller is not entitled to the
 * company of the filter.
 * @throws ApiError 401 when the client is revoked.
 */
export async function listEvents(
  sql: Sql,
  caller: Client,
  filter: EventFilter,
  bounds: { limit: number; offset: number },
): Promise<Page & { readonly entitled: boolean }> {
  const values: unknown[] = [caller.clientId, bounds.limit, bounds.offset]
  const parameter = (value: unknown) => `$${values.push(value)}`
  const company = filter.companyTaxId === null ? null : parameter(filter.companyTaxId)
  const conditions = [
    ...(filter.type === null ? [] : [`and v.type = ${parameter(filter.type)}`]),
    ...(filter.from === null ? [] : [`and v.at >= ${startOfDay(`${parameter(filter.from)}::date`)}`]),
    ...(filter.until === null ? [] : [`and v.at < ${startOfDay(`${parameter(filter.until)}::date + 1`)}`]),
  ].join(' ')
  const ofCompany = company === null ? '' : `and t.company_id = (select id from company where tax_id = ${company})`
  // Tests belong to no company.
  const ofTests = company === null ? conditions : 'and false'
  const rows = await sql.queryPlanned<Page & { entitled: boolean }>(
    `with page as materialized (
       select p.* from (
         select v.id, v.type, v.at, v.data from entitlement t
         cross join lateral (
           select v.id, v.type, v.at, v.data from event v where v.company_id = t.company_id ${conditions}
           order by v.id desc limit $2::bigint + $3::bigint) v
         where t.client_id = $1 ${ofCompany}
         union all select v.* from (${testEvents}) v where true ${ofTests}) p
       order by p.id desc limit $2 offset $3
     )
     select ${isEntitledTo(company)} as entitled,
       (select count(*) from entitlement t join event v on v.company_id = t.company_id where t.client_id = $1 ${ofCompany} ${conditions})
         + (select count(*) from (${testEvents}) v where true ${ofTests}) as total,
       (select coalesce(json_agg(${eventJson} order by v.id desc), '[]')::text from page v) as items
     from ${activePartner}`,
    values,
  )
  return rowOfActivePartner(rows)
}

/** An event that the caller may read. */
export interface ReadableEvent {
  /** JSON as the API shows it. */
  readonly item: string
  readonly type: string
  /** null for a test. */
  readonly companyId: string | null
  /** The endpoint of a test; null for any other event. */
  readonly endpointId: string | null
}

/** The response for an event that the caller may not read. */
export function eventNotFound(): ApiError {
  return new ApiError('webhook-event-not-found')
}

/** The event of that id. @throws ApiError 404 when there is none that the caller may read, 401 when the client is revoked. */
export async function readEvent(sql: Sql, caller: Client, id: string): Promise<ReadableEvent> {
  const rows = await sql.query<ReadableEvent & { item: string | null }>(
    `select f.item, f.type, f."companyId", f."endpointId" from ${activePartner}
     left join (
       select ${eventJson}::text as item, v.type, v.company_id as "companyId", null::uuid as "endpointId"
       from entitlement t
       cross join lateral (select v.* from event v where v.company_id = t.company_id and v.id = $2 limit 1) v
       where t.client_id = $1
       union all
       select ${eventJson}::text, v.type, null, (v.data ->> 'endpoint-id')::uuid from (${testEvents} and x.id = $2) v
     ) f on true`,
    [caller.clientId, id],
  )
  const row = rowOfActivePartner(rows)
  if (row.item === null) throw eventNotFound()
  return row
}

/** SQL of the fields of an attempt, over the alias d (webhook_delivery). */
export const deliveryFields = `'id', d.id, 'endpoint-id', d.endpoint_id, 'attempt', d.attempt, 'status', d.status,
  'response-status', d.response_status, 'error', d.error, 'attempted-at', iso(d.attempted_at), 'next-attempt-at', iso(d.next_attempt_at)`

const deliveries = `from webhook_delivery d join webhook_endpoint e on e.id = d.endpoint_id
  where d.event_id = $2 and e.client_id = $1 and e.deleted_at is null`

/** A page of the attempts to deliver an event to the caller's endpoints, by attempt. The caller must be allowed to read the event. */
export async function listDeliveries(
  sql: Sql,
  caller: Client,
  eventId: string,
  bounds: { limit: number; offset: number },
): Promise<Page> {
  const rows = await sql.query<Page>(
    `select (select count(*) ${deliveries}) as total,
       (select coalesce(json_agg(json_build_object(${deliveryFields}) order by d.attempt, d.endpoint_id), '[]')::text
         from (select d.* ${deliveries} order by d.attempt, d.endpoint_id limit $3 offset $4) d) as items`,
    [caller.clientId, eventId, bounds.limit, bounds.offset],
  )
  return rows[0] ?? { total: 0, items: '[]' }
}

/**
 * Delivers an event again to the caller's enabled endpoints that subscribe to its type, a test to its own endpoint. A pending attempt
 * becomes due now instead.
 * @param onlyEndpointId the only endpoint to deliver to; null: all of them.
 * @returns the number of endpoints.
 */
export async function redeliverEvent(
  sql: Sql,
  caller: Client,
  id: string,
  event: Pick<ReadableEvent, 'type' | 'companyId' | 'endpointId'>,
  at: Date,
  onlyEndpointId: string | null = null,
): Promise<number> {
  const rows = await sql.queryPlanned<{ endpoints: number }>(
    `with target as (
       select e.id from webhook_endpoint e
       where e.client_id = $1 and e.status = 'enabled' and e.deleted_at is null
         and case when $5::uuid is null then e.event_types = '{}' or $3 = any(e.event_types) else e.id = $5::uuid end
         and ($8::uuid is null or e.id = $8)
       -- Locked: an endpoint deleted before is left out, one deleted afterwards deletes the new deliveries too.
       order by e.id for share
     ), advanced as (
       update webhook_delivery d set next_attempt_at = $6, started_at = $6, step = 1 from target t
       where d.event_id = $2 and d.endpoint_id = t.id and d.status = 'pending'
       returning d.endpoint_id
     ), inserted as (
       insert into webhook_delivery (event_id, endpoint_id, attempt, id, company_id, status, step, started_at, next_attempt_at)
       select $2::uuid, t.id, 1 + coalesce((select max(d.attempt) from webhook_delivery d where d.event_id = $2 and d.endpoint_id = t.id), 0),
         ${numberedUuid('$7::text')}, $4::uuid, 'pending', 1, $6::timestamptz, $6::timestamptz
       from target t where t.id not in (select endpoint_id from advanced)
     )
     select count(*) as endpoints from target`,
    [caller.clientId, id, event.type, event.companyId, event.endpointId, at, uuidPrefix(), onlyEndpointId],
  )
  return rows[0]?.endpoints ?? 0
}

/** Inserts a test event of an endpoint of the caller. */
export async function insertTestEvent(
  sql: Sql,
  caller: Client,
  endpointId: string,
  id: string,
  at: Date,
): Promise<void> {
  const text = 'insert into webhook_test_event (client_id, id, endpoint_id, at) values ($1, $2, $3, $4)'
  await sql.execute(text, [caller.clientId, id, endpointId, at])
}

/** Notifies the delivery workers when the transaction is committed. */
export async function wakeDelivery(sql: Sql): Promise<void> {
  await sql.query("select pg_notify('vigencia_event', '')")
}
