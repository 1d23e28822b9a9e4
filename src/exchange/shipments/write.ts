import { v7 as uuidv7 } from 'uuid'
import type { Sql } from '#platform/core/database.ts'
import { ApiError } from '#platform/core/errors.ts'
import { Records } from '#platform/core/records.ts'
import { sideIn } from '#registry/contracts/sides.ts'
import type { CancelledItemReason, ShipmentStatus, StoredItemStatus } from '#kernel/broker-enums.ts'
import type { RenderedFile } from '#registry/layouts/types.ts'

/* The statements that write shipments, their files and their items. */

export interface ShipmentKey {
  readonly companyId: string
  readonly id: string
}

/** What the verbs need of a shipment. */
export interface LockedShipment extends ShipmentKey {
  readonly contractId: string
  readonly number: number
  readonly status: ShipmentStatus
  readonly carrierProtocol: string | null
  readonly sentAt: Date | null
  readonly sentBy: string | null
  readonly sentAddress: string | null
  readonly sentTraceId: string | null
}

/**
 * Locks the contract of a shipment, then the shipment, until the transaction ends: before the families of its items, if any are locked.
 * @throws ApiError 404
 */
export async function lockShipment(sql: Sql, id: string): Promise<LockedShipment> {
  const [found] = await sql.query<{ companyId: string; contractId: string }>(
    'select company_id as "companyId", contract_id as "contractId" from shipment where id = $1',
    [id],
  )
  if (found === undefined) throw new ApiError('shipment-not-found')
  await sql.execute('select from contract where company_id = $1 and id = $2 for no key update', [
    found.companyId,
    found.contractId,
  ])
  const [locked] = await sql.query<LockedShipment>(
    `select company_id as "companyId", id, contract_id as "contractId", number, status, carrier_protocol as "carrierProtocol",
       sent_at as "sentAt", sent_by as "sentBy", sent_address as "sentAddress", sent_trace_id as "sentTraceId"
     from shipment where company_id = $1 and id = $2 for update`,
    [found.companyId, id],
  )
  if (locked === undefined) throw new ApiError('shipment-not-found')
  return locked
}

/** An item of a shipment that is closed. */
interface NewItem {
  /** The company of the movement. */
  readonly companyId: string
  readonly enrollmentId: string
  readonly dependentBenefitIds: readonly string[]
  readonly lineNumbers: readonly number[]
  readonly sheets?: readonly string[]
}

export interface ClosedShipment {
  readonly cutOffDate: string | null
  readonly coverageStart: string | null
  readonly layout: { readonly id: string; readonly version: number }
  readonly fileName: string
  readonly file: Omit<RenderedFile, 'items'>
  readonly sha256: Buffer
  /** In their order. */
  readonly items: readonly NewItem[]
}

/** Closes a shipment with its file and its items. */
export async function closeShipmentRow(
  sql: Sql,
  { companyId, id, contractId }: Pick<LockedShipment, 'companyId' | 'id' | 'contractId'>,
  closed: ClosedShipment,
  at: Date,
): Promise<void> {
  const { cutOffDate, coverageStart, layout, fileName, file, sha256, items } = closed
  await sql.execute(
    `update shipment set status = 'closed', cut_off_date = $3, coverage_start = $4, layout_id = $5, layout_version = $6,
       closed_at = $7, updated_at = $7 where company_id = $1 and id = $2`,
    [companyId, id, cutOffDate, coverageStart, layout.id, layout.version, at],
  )
  await sql.execute(
    'insert into shipment_file (company_id, shipment_id, name, media_type, sha256, content) values ($1, $2, $3, $4, $5, $6)',
    [companyId, id, fileName, file.mediaType, sha256, Buffer.from(file.content)],
  )
  const rows = items.map((item, index) => ({
    movement_company_id: item.companyId,
    enrollment_id: item.enrollmentId,
    position: index + 1,
    line_numbers: item.lineNumbers,
    sheets: item.sheets ?? [],
    dependent_benefit_ids: item.dependentBenefitIds,
  }))
  await sql.query(
    `insert into shipment_item (company_id, shipment_id, movement_company_id, enrollment_id, position, side, status, line_numbers, sheets,
       dependent_benefit_ids, updated_at)
     select $1, $2, sent.movement_company_id, sent.enrollment_id, sent.position,
       case when sent.movement_company_id <> $1 then 'joining' else ${sideIn('enrollment', '$5::uuid', '$1')} end, 'ready', sent.line_numbers, sent.sheets,
       sent.dependent_benefit_ids, $4
     from jsonb_to_recordset($3::jsonb) as sent(movement_company_id uuid, enrollment_id uuid, position integer, line_numbers integer[], sheets text[],
       dependent_benefit_ids uuid[])
     left join enrollment on enrollment.company_id = $1 and enrollment.id = sent.enrollment_id`,
    [companyId, id, Records.of(rows), at, contractId],
  )
}

/** Makes a closed shipment the open one again: without its file and its items. The later ones that are open are deleted. */
export async function reopenShipmentRow(
  sql: Sql,
  { companyId, contractId, id }: LockedShipment,
  at: Date,
): Promise<void> {
  await sql.execute('delete from shipment where company_id = $1 and open_contract_id = $2', [companyId, contractId])
  await sql.execute('delete from shipment_item where company_id = $1 and shipment_id = $2', [companyId, id])
  await sql.execute('delete from shipment_file where company_id = $1 and shipment_id = $2', [companyId, id])
  await sql.execute(
    `update shipment set status = 'open', cut_off_date = null, coverage_start = null, layout_id = null, layout_version = null,
       closed_at = null, updated_at = $3 where company_id = $1 and id = $2`,
    [companyId, id, at],
  )
}

/** Cancels an open or closed shipment; its items are those of no shipment any more. */
export async function cancelShipmentRow(sql: Sql, { companyId, id }: ShipmentKey, at: Date): Promise<void> {
  await sql.execute(
    `with item as (
       update shipment_item set status = 'cancelled', reason = 'shipment-cancelled', updated_at = $3
       where company_id = $1 and shipment_id = $2
     )
     update shipment set status = 'cancelled', updated_at = $3 where company_id = $1 and id = $2`,
    [companyId, id, at],
  )
}

interface Sending {
  readonly sentAt: Date
  readonly sentBy: string
  readonly address: string
  readonly traceId: string
  readonly carrierProtocol: string | null
  readonly answerUntil: string
}

/** Marks a shipment as sent, and enqueues the work that moves its items. */
export async function sendShipmentRow(
  sql: Sql,
  { companyId, id }: ShipmentKey,
  { sentAt, sentBy, address, traceId, carrierProtocol, answerUntil }: Sending,
  at: Date,
): Promise<void> {
  await sql.execute(
    `update shipment set status = 'sent', sent_at = $3, sent_by = $4, sent_address = $5, sent_trace_id = $6, carrier_protocol = $7,
       answer_until = $8, updated_at = $9 where company_id = $1 and id = $2`,
    [companyId, id, sentAt, sentBy, address, traceId, carrierProtocol, answerUntil, at],
  )
  await sql.execute(
    `with new_work_client as (
       insert into work_client (client_id, last_served_at)
       select $2, $4 where not exists (select 1 from work_client where client_id = $2)
       on conflict do nothing
     ), work as (
       insert into work (id, kind, client_id, company_id, target_id, run_at, created_at) values ($3, 'shipment', $2, $5, $1, $4, $4)
     )
     select pg_notify('vigencia_work', '')`,
    [id, sentBy, uuidv7(), at, companyId],
  )
}

/** What became of an item. */
export interface ItemChange {
  readonly enrollment_id: string
  readonly status: StoredItemStatus
  readonly reason: CancelledItemReason | null
}

/** Sets the status of items of a shipment. */
export async function updateItems(
  sql: Sql,
  { companyId, id }: ShipmentKey,
  changes: readonly ItemChange[],
  at: Date,
): Promise<void> {
  await sql.query(
    `update shipment_item set status = change.status, reason = change.reason, updated_at = $4
     from jsonb_to_recordset($3::jsonb) as change(enrollment_id uuid, status text, reason text)
     where shipment_item.company_id = $1 and shipment_item.shipment_id = $2 and shipment_item.enrollment_id = change.enrollment_id`,
    [companyId, id, Records.of(changes), at],
  )
}

/** Finishes a shipment: what the carrier has not answered is unanswered. */
export async function finishShipmentRow(sql: Sql, { companyId, id }: ShipmentKey, at: Date): Promise<void> {
  await sql.execute(
    `with item as (
       update shipment_item set status = 'unanswered', updated_at = $3 where company_id = $1 and shipment_id = $2 and status = 'sent'
     )
     update shipment set status = 'finished', finished_at = $3, updated_at = $3 where company_id = $1 and id = $2`,
    [companyId, id, at],
  )
}

/** Whether the movements of a sent shipment are still being moved. */
export async function hasReadyItems(sql: Sql, { companyId, id }: ShipmentKey): Promise<boolean> {
  const rows = await sql.query(
    // Ordered, because a plan without order may look for one among the items of all shipments. From the end: they are sent from the beginning.
    `select from shipment_item where company_id = $1 and shipment_id = $2 and status = 'ready' order by position desc limit 1`,
    [companyId, id],
  )
  return rows.length > 0
}

/** Stores the carrier's protocol of an item. @returns whether there is one at this position. */
export async function updateItemProtocol(
  sql: Sql,
  { companyId, id }: ShipmentKey,
  position: number,
  protocol: string | null,
  at: Date,
): Promise<boolean> {
  const rows = await sql.query(
    `update shipment_item set carrier_protocol = $4, updated_at = $5 where company_id = $1 and shipment_id = $2 and position = $3
     returning position`,
    [companyId, id, position, protocol, at],
  )
  return rows.length > 0
}
