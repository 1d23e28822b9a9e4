import type { Page } from '#platform/http/page.ts'
import { activePartner, rowOfActiveClient } from '#platform/core/access.ts'
import type { Client } from '#platform/core/actor.ts'
import { startOfDay } from '#platform/http/date-range.ts'
import type { Sql } from '#platform/core/database.ts'
import { Parameters } from '#platform/core/parameters.ts'
import { ApiError } from '#platform/core/errors.ts'
import { firstIdOf } from '#platform/core/uuid.ts'
import type { EventType } from '#kernel/events.ts'
import { isEntitledTo } from '#registry/companies/queries.ts'
import { isOfMoney, numberedUuid, uuidPrefix } from './fan-out-queries.ts'

/** SQL of an event as the API shows it, over `event`. */
export const eventJson = `json_build_object('id', event.id, 'type', event.type, 'timestamp', iso(event.at), 'data', event.data)`

/** SQL: whether the entitlement of a caller lets it read an `event` of the company. */
const isReadable = `(entitlement.see_money or not ${isOfMoney})`

/** SQL of the test events that a condition over `webhook_test_event` selects, in the columns of `event`. */
export const testEventsWhere = (condition: string) =>
  `select id, type, at, data from webhook_test_event where ${condition}`

/** SQL of the test events of the client $1. */
const testEvents = testEventsWhere('webhook_test_event.client_id = $1')

/** Conditions joined by AND; null: no condition. */
interface EventFilter {
  readonly type: string | null
  readonly companyTaxId: string | null
  /** Days in Sao Paulo, both included. */
  readonly from: string | null
  readonly until: string | null
  /** Only events after this one. */
  readonly after: string | null
}

/** The id before all others. */
const firstId = '00000000-0000-0000-0000-000000000000'

/** An event is seen when its transaction commits, so that an older one may come after it: a list that is followed waits for so long. */
const settledAfterMs = 10_000

/** SQL of the event of the id that the client $1 may read: `fields` of one of a company, `testFields` of a test, over `event`. */
const eventOf = (id: string, fields: string, testFields: string) => `
       select ${fields} from entitlement
       cross join lateral (select event.* from event where event.company_id = entitlement.company_id and event.id = ${id}
         and ${isReadable} limit 1) event
       where entitlement.client_id = $1
       union all
       select ${testFields} from webhook_test_event event where event.client_id = $1 and event.id = ${id}`

/**
 * A page of the events of the caller's companies and of the caller's tests, with their total: newest first, those after an event oldest first.
 * Ids are in the order of time, so without a filter no more than the end of the page is read of each company. `entitled` is false when the
 * caller is not entitled to the company of the filter, `known` when it may not read the event that the others come after.
 * @throws ApiError 401 when the client is revoked.
 */
export async function listEvents(
  sql: Sql,
  caller: Client,
  filter: EventFilter,
  bounds: { limit: number; offset: number },
): Promise<Page & { readonly entitled: boolean; readonly known: boolean }> {
  const parameters = new Parameters(caller.clientId, bounds.limit, bounds.offset)
  const company = filter.companyTaxId === null ? null : parameters.add(filter.companyTaxId)
  const after = filter.after === null ? null : `${parameters.add(filter.after)}::uuid`
  const settledBefore = firstIdOf(new Date(sql.now().getTime() - settledAfterMs))
  const conditions = [
    ...(filter.type === null ? [] : [`and event.type = ${parameters.add(filter.type)}`]),
    ...(filter.from === null ? [] : [`and event.at >= ${startOfDay(`${parameters.add(filter.from)}::date`)}`]),
    ...(filter.until === null ? [] : [`and event.at < ${startOfDay(`${parameters.add(filter.until)}::date + 1`)}`]),
    ...(after === null ? [] : [`and event.id > ${after} and event.id < ${parameters.add(settledBefore)}::uuid`]),
  ].join(' ')
  const order = after === null ? 'id desc' : 'id'
  const isKnown = after === null || filter.after === firstId ? 'true' : `exists (${eventOf(after, '1', '1')})`
  const ofCompany =
    company === null ? '' : `and entitlement.company_id = (select id from company where tax_id = ${company})`
  // Tests belong to no company.
  const ofTests = company === null ? conditions : 'and false'
  const rows = await sql.queryPlanned<Page & { entitled: boolean; known: boolean }>(
    `with page as materialized (
       select * from (
         select event.id, event.type, event.at, event.data from entitlement
         cross join lateral (
           select id, type, at, data from event where company_id = entitlement.company_id and ${isReadable} ${conditions}
           order by ${order} limit $2::bigint + $3::bigint) event
         where entitlement.client_id = $1 ${ofCompany}
         union all select event.* from (${testEvents}) event where true ${ofTests}) readable
       order by ${order} limit $2 offset $3
     )
     select ${isEntitledTo(company)} as entitled, ${isKnown} as known,
       (select count(*) from entitlement join event on event.company_id = entitlement.company_id and ${isReadable}
         where entitlement.client_id = $1 ${ofCompany} ${conditions})
         + (select count(*) from (${testEvents}) event where true ${ofTests}) as total,
       (select coalesce(json_agg(${eventJson} order by event.${order}), '[]')::text from page event) as items
     from ${activePartner}`,
    parameters.values,
  )
  return rowOfActiveClient(rows)
}

/** An event that the caller may read. */
interface ReadableEvent {
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
    `select found.item, found.type, found."companyId", found."endpointId" from ${activePartner}
     left join (${eventOf(
       '$2',
       `${eventJson}::text as item, event.type, event.company_id as "companyId", null::uuid as "endpointId"`,
       `${eventJson}::text, event.type, null, event.endpoint_id`,
     )}
     ) found on true`,
    [caller.clientId, id],
  )
  const row = rowOfActiveClient(rows)
  if (row.item === null) throw eventNotFound()
  return row
}

/** SQL of the fields of an attempt, over `webhook_delivery`. */
export const deliveryFields = `'id', webhook_delivery.id, 'endpoint-id', webhook_delivery.endpoint_id,
  'attempt', webhook_delivery.attempt, 'status', webhook_delivery.status,
  'response-status', webhook_delivery.response_status, 'error', webhook_delivery.error,
  'attempted-at', iso(webhook_delivery.attempted_at), 'next-attempt-at', iso(webhook_delivery.next_attempt_at)`

const deliveries = `from webhook_delivery join webhook_endpoint on webhook_endpoint.id = webhook_delivery.endpoint_id
  where webhook_delivery.event_id = $2 and webhook_endpoint.client_id = $1 and webhook_endpoint.deleted_at is null`

/** A page of the attempts to deliver an event to the caller's endpoints, by attempt. The caller must be allowed to read the event. */
export async function listDeliveries(
  sql: Sql,
  caller: Client,
  eventId: string,
  bounds: { limit: number; offset: number },
): Promise<Page> {
  const rows = await sql.query<Page>(
    `select (select count(*) ${deliveries}) as total,
       (select coalesce(json_agg(json_build_object(${deliveryFields}) order by attempt, endpoint_id), '[]')::text
         from (select webhook_delivery.* ${deliveries} order by attempt, endpoint_id limit $3 offset $4) webhook_delivery) as items`,
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
       select id from webhook_endpoint
       where client_id = $1 and status = 'enabled' and deleted_at is null
         and case when $5::uuid is null then event_types = '{}' or $3 = any(event_types) else id = $5::uuid end
         and ($8::uuid is null or id = $8)
       -- Locked: an endpoint deleted before is left out, one deleted afterwards deletes the new deliveries too.
       order by id for share
     ), advanced as (
       update webhook_delivery set next_attempt_at = $6, started_at = $6, step = 1 from target
       where webhook_delivery.event_id = $2 and webhook_delivery.endpoint_id = target.id and webhook_delivery.status = 'pending'
       returning webhook_delivery.endpoint_id
     ), inserted as (
       insert into webhook_delivery (event_id, endpoint_id, attempt, id, company_id, status, step, started_at, next_attempt_at)
       select $2::uuid, target.id,
         1 + coalesce((select max(attempt) from webhook_delivery where event_id = $2 and endpoint_id = target.id), 0),
         ${numberedUuid('$7::text')}, $4::uuid, 'pending', 1, $6::timestamptz, $6::timestamptz
       from target where target.id not in (select endpoint_id from advanced)
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
  { id, type, data, at }: { readonly id: string; readonly type: EventType; readonly data: object; readonly at: Date },
): Promise<void> {
  const text =
    'insert into webhook_test_event (client_id, id, endpoint_id, type, data, at) values ($1, $2, $3, $4, $5, $6)'
  await sql.execute(text, [caller.clientId, id, endpointId, type, data, at])
}

/** Notifies the delivery workers when the transaction is committed. */
export async function wakeDelivery(sql: Sql): Promise<void> {
  await sql.query("select pg_notify('vigencia_event', '')")
}
