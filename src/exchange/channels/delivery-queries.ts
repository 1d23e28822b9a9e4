import type { Sql } from '#platform/core/database.ts'
import { pages } from '#platform/http/pages.ts'
import type { PageQuery } from '#platform/http/schemas.ts'
import type { DeliveryChannel } from '../rules/channel.ts'

/* The statements of deliveries: attempts to take the file of a shipment to its carrier. */

interface DeliveryKey {
  readonly companyId: string
  readonly shipmentId: string
  readonly attempt: number
}

/** Who requested a delivery, and where from. */
interface Requester {
  readonly clientId: string
  readonly address: string
  readonly traceId: string
}

/** An attempt that is due. */
export interface DueDelivery extends DeliveryKey {
  readonly step: number
  readonly channel: DeliveryChannel
  readonly requester: Requester
}

/** The result of an attempt. */
interface DeliveryResult {
  readonly status: 'succeeded' | 'failed'
  readonly responseStatus: number | null
  /** null when the status alone shows the result. */
  readonly error: string | null
  readonly attemptedAt: Date
  /** null: no further attempt. */
  readonly nextAttemptAt: Date | null
}

/** Makes an attempt that is due now; one that waits is due now. The shipment must be locked. */
export async function requestDelivery(
  sql: Sql,
  { companyId, shipmentId }: Omit<DeliveryKey, 'attempt'>,
  channel: DeliveryChannel,
  { clientId, address, traceId }: Requester,
  at: Date,
): Promise<void> {
  await sql.execute(
    `insert into shipment_delivery (company_id, shipment_id, attempt, step, channel, status, requested_by, requested_address,
       requested_trace_id, next_attempt_at, created_at)
     select $1, $2, coalesce((select max(attempt) from shipment_delivery where company_id = $1 and shipment_id = $2), 0) + 1, 1, $3,
       'pending', $4, $5, $6, $7, $7
     on conflict (pending_shipment_id, company_id) do update set next_attempt_at = excluded.next_attempt_at, step = 1,
       channel = excluded.channel, requested_by = excluded.requested_by, requested_address = excluded.requested_address,
       requested_trace_id = excluded.requested_trace_id`,
    [companyId, shipmentId, channel, clientId, address, traceId, at],
  )
}

/** Whether an attempt is due, waits or is being made. */
export async function isBeingDelivered(sql: Sql, companyId: string, shipmentId: string): Promise<boolean> {
  const rows = await sql.query('select from shipment_delivery where company_id = $1 and pending_shipment_id = $2', [
    companyId,
    shipmentId,
  ])
  return rows.length > 0
}

/** Ends the attempts of a shipment, unless one is being made. @returns false: one is being made. */
export async function stopDelivery(sql: Sql, companyId: string, shipmentId: string, at: Date): Promise<boolean> {
  await sql.execute(
    `update shipment_delivery set status = 'failed', error = 'stopped', next_attempt_at = null, leased_until = null
     where company_id = $1 and pending_shipment_id = $2 and (leased_until is null or leased_until <= $3)`,
    [companyId, shipmentId, at],
  )
  return !(await isBeingDelivered(sql, companyId, shipmentId))
}

/** The attempts that are due, of all companies, the oldest first. @param without shipments. */
export async function readDueDeliveries(
  sql: Sql,
  now: Date,
  limit: number,
  without: readonly string[],
): Promise<DueDelivery[]> {
  const rows = await sql.query<Omit<DueDelivery, 'requester'> & Requester>(
    `select company_id as "companyId", shipment_id as "shipmentId", attempt, step, channel, requested_by as "clientId",
       requested_address as address, requested_trace_id as "traceId"
     from shipment_delivery where pending_shipment_id is not null and next_attempt_at <= $1
       and (leased_until is null or leased_until <= $1) and shipment_id <> all($3::uuid[])
     order by next_attempt_at, shipment_id limit $2`,
    [now, limit, without],
  )
  return rows.map(({ clientId, address, traceId, ...due }) => ({ ...due, requester: { clientId, address, traceId } }))
}

/** Claims an attempt by a lease: no transaction is open while it is made. @returns whether it is this process that makes it. */
export async function claimDelivery(
  sql: Sql,
  { companyId, shipmentId, attempt }: DeliveryKey,
  now: Date,
  leasedUntil: Date,
): Promise<boolean> {
  const rows = await sql.query(
    `update shipment_delivery set leased_until = $5
     where company_id = $1 and shipment_id = $2 and attempt = $3 and status = 'pending' and (leased_until is null or leased_until <= $4)
     returning attempt`,
    [companyId, shipmentId, attempt, now, leasedUntil],
  )
  return rows.length > 0
}

/** Saves the result of an attempt whose lease is still this one, with the next attempt. @returns whether it was. */
export async function saveDelivery(
  sql: Sql,
  { companyId, shipmentId, attempt }: DeliveryKey,
  leasedUntil: Date,
  { status, responseStatus, error, attemptedAt, nextAttemptAt }: DeliveryResult,
  at: Date,
): Promise<boolean> {
  const rows = await sql.query(
    `update shipment_delivery set status = $5, response_status = $6, error = $7, attempted_at = $8, next_attempt_at = $9, leased_until = null
     where company_id = $1 and shipment_id = $2 and attempt = $3 and status = 'pending' and leased_until = $4
     returning attempt`,
    [companyId, shipmentId, attempt, leasedUntil, status, responseStatus, error, attemptedAt, nextAttemptAt],
  )
  if (rows.length === 0) return false
  if (nextAttemptAt === null) return true
  await sql.execute(
    `insert into shipment_delivery (company_id, shipment_id, attempt, step, channel, status, requested_by, requested_address,
       requested_trace_id, next_attempt_at, created_at)
     select company_id, shipment_id, attempt + 1, step + 1, channel, 'pending', requested_by, requested_address, requested_trace_id, $4, $5
     from shipment_delivery where company_id = $1 and shipment_id = $2 and attempt = $3`,
    [companyId, shipmentId, attempt, nextAttemptAt, at],
  )
  return true
}

/** A page of the deliveries of a shipment, the latest first. */
export const deliveryPage = pages<PageQuery>({
  from: 'shipment_delivery',
  item: `json_build_object('attempt', attempt, 'channel', channel, 'status', status, 'response-status', response_status, 'error', error,
    'requested-by', requested_by, 'attempted-at', iso(attempted_at), 'next-attempt-at', iso(next_attempt_at))`,
  order: 'attempt desc',
  where: {},
})
