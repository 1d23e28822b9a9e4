import type { Sql } from '#platform/core/database.ts'
import { Records } from '#platform/core/records.ts'
import type { Acknowledgement, AcknowledgementMapping, RefusalStatus } from '#registry/rules/acknowledgement.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import type { AlterationKind, EnrollmentStatus, MovementKind } from '#kernel/enums.ts'
import { findLayout } from '#registry/layouts/queries.ts'
import { setAnsweredStatuses } from '#movements/transition/shipment-items.ts'
import type { CompanyWrite, PendingItem } from '#movements/transition/types.ts'
import type { ItemSide, StoredItemStatus } from '#kernel/operator-enums.ts'
import type { AcknowledgementTask } from './acknowledgement-thread.ts'
import type { MatchedItem } from './match-lines.ts'
import type { ShipmentKey } from './write.ts'

/** What the code of a refusal means. */
export interface CodeMeaning {
  readonly code: string
  readonly status: RefusalStatus
  readonly 'pending-items'?: readonly PendingItem[]
  readonly reason?: string
}

/** How a file of a contract is read: by its layout of that format, its mapping, or the headings that are known. */
export async function readSettings(
  sql: Sql,
  companyId: string,
  contractId: string,
  format: AcknowledgementTask['format'],
): Promise<Pick<AcknowledgementTask, 'layout' | 'mapping'>> {
  const [row] = await sql.query<{ mapping: AcknowledgementMapping | null; layoutId: string | null }>(
    `select acknowledgement_mapping as mapping, layouts ->> 'acknowledgement' as "layoutId" from contract
     where company_id = $1 and id = $2`,
    [companyId, contractId],
  )
  const { mapping = null, layoutId = null } = row ?? {}
  const layout = layoutId === null ? null : await findLayout(sql, layoutId)
  const isOfFormat = layout?.format === (format === 'text' ? 'fixed-width' : format)
  return { mapping, layout: isOfFormat ? (layout?.definition ?? null) : null }
}

export async function readCodeMap(sql: Sql, companyId: string, contractId: string): Promise<readonly CodeMeaning[]> {
  const [row] = await sql.query<{ map: CodeMeaning[] }>(
    'select code_map as map from contract where company_id = $1 and id = $2',
    [companyId, contractId],
  )
  return row?.map ?? []
}

/** The items of a shipment, by what lines find them. */
export async function readMatchedItems(sql: Sql, { companyId, id }: ShipmentKey): Promise<MatchedItem[]> {
  return sql.queryPlanned<MatchedItem>(
    `select enrollment.id as "enrollmentId", shipment_item.position, enrollment.member_tax_id as "taxId",
       coalesce((select json_agg(json_build_object('benefitId', moving.id, 'taxId', member.tax_id)) from benefit moving
         join member on member.company_id = $1 and member.id = moving.member_id
         where moving.company_id = $1 and moving.id = any(shipment_item.dependent_benefit_ids)), '[]') as dependents,
       fold(btrim(product.name)) as product, contract_plan.carrier_plan_code as "planCode"
     from shipment_item
     join shipment on shipment.company_id = shipment_item.company_id and shipment.id = shipment_item.shipment_id
     join enrollment on enrollment.company_id = shipment_item.company_id and enrollment.id = shipment_item.enrollment_id
     join product on product.company_id = coalesce(case when shipment_item.side is distinct from 'leaving'
         then enrollment.destination_company_id end, enrollment.company_id)
       and product.id = coalesce(case when shipment_item.side is distinct from 'leaving' then enrollment.destination_product_id end, enrollment.product_id)
     left join contract_plan on contract_plan.company_id = shipment.company_id and contract_plan.contract_id = shipment.contract_id
       and contract_plan.product_id = product.id
     where shipment_item.company_id = $1 and shipment_item.shipment_id = $2 and shipment_item.status <> 'cancelled'
     order by shipment_item.position`,
    [companyId, id],
  )
}

/** An item whose acknowledgement waits until its primary is active. */
export interface WaitingItem {
  readonly enrollmentId: string
  readonly shipmentId: string
  readonly says: Acknowledgement
}

const waitingItem = `shipment_item.enrollment_id as "enrollmentId", shipment_item.shipment_id as "shipmentId", shipment_item.acknowledgement as says`

/** The items of a contract, in any shipment, that wait and are of the families of these movements. */
export async function readWaitingOfFamilies(
  sql: Sql,
  companyId: string,
  contractId: string,
  enrollmentIds: readonly string[],
): Promise<WaitingItem[]> {
  return sql.query<WaitingItem>(
    `select ${waitingItem} from open_movement waiting
     join shipment_item on shipment_item.company_id = $1 and shipment_item.waiting_enrollment_id = waiting.id
     join shipment on shipment.company_id = $1 and shipment.id = shipment_item.shipment_id and shipment.contract_id = $2
     where waiting.company_id = $1 and waiting.primary_member_id in (
       select coalesce(primary_member_id, member_id) from enrollment where company_id = $1 and id = any($3::uuid[]))`,
    [companyId, contractId, enrollmentIds],
  )
}

/** Shipments with items that wait although the primary is active, of all companies. */
export async function readRetriableShipments(
  sql: Sql,
  limit: number,
  without: readonly string[],
): Promise<ShipmentKey[]> {
  return sql.query<ShipmentKey>(
    `select distinct shipment_item.company_id as "companyId", shipment_item.shipment_id as id from shipment_item
     where shipment_item.waiting_enrollment_id is not null and ${isPrimaryActive}
       and shipment_item.shipment_id <> all($2::uuid[]) limit $1`,
    [limit, without],
  )
}

/** The items of a shipment that wait although the primary is active. */
export async function readRetriable(sql: Sql, { companyId, id }: ShipmentKey, limit: number): Promise<WaitingItem[]> {
  return sql.query<WaitingItem>(
    `select ${waitingItem} from shipment_item
     where shipment_item.company_id = $1 and shipment_item.shipment_id = $2 and shipment_item.waiting_enrollment_id is not null
       and ${isPrimaryActive}
     order by shipment_item.position limit $3`,
    [companyId, id, limit],
  )
}

const isPrimaryActive = `exists (
  select from enrollment join benefit on benefit.company_id = enrollment.company_id and benefit.member_id = enrollment.primary_member_id
    and benefit.product_id = enrollment.product_id and benefit.type = 'primary' and benefit.status = 'active'
  where enrollment.company_id = shipment_item.company_id and enrollment.id = shipment_item.enrollment_id)`

/** An item with what a decision on it depends on. */
export interface AcknowledgedItem {
  readonly enrollmentId: string
  readonly memberId: string
  readonly shipmentId: string
  readonly status: StoredItemStatus
  readonly side: ItemSide | null
  /** What it was acknowledged with before; null: it was not, or an operator decided. */
  readonly before: Acknowledgement | null
  readonly enrollmentType: MovementKind
  readonly alterationKind: AlterationKind | null
  readonly isTransfer: boolean
  readonly movementStatus: EnrollmentStatus
  /** The benefit of a completed movement that has started, where it has no card number. */
  readonly cardless: { readonly id: string; readonly startDate: LocalDate } | null
  /** Those who move along: their former benefits, and the new ones that have started and have no card number. */
  readonly dependents: readonly {
    readonly benefitId: string
    readonly memberId: string
    readonly cardlessId: string | null
  }[]
  /** The movement was sent again. */
  readonly isInLater: boolean
}

/** The items of these movements in these shipments. Their families must be locked. */
export async function readAcknowledgedItems(
  sql: Sql,
  companyId: string,
  items: readonly { readonly enrollmentId: string; readonly shipmentId: string }[],
): Promise<AcknowledgedItem[]> {
  return sql.query<AcknowledgedItem>(
    `select enrollment.id as "enrollmentId", enrollment.member_id as "memberId", shipment_item.shipment_id as "shipmentId", shipment_item.status,
       shipment_item.side,
       shipment_item.acknowledgement as before, enrollment.enrollment_type as "enrollmentType", enrollment.alteration_kind as "alterationKind",
       enrollment.new_benefit_id is not null as "isTransfer", enrollment.status as "movementStatus",
       (select json_build_object('id', benefit.id, 'startDate', benefit.start_date) from benefit
        where benefit.company_id = $1 and benefit.id = coalesce(enrollment.new_benefit_id, enrollment.benefit_id)
          and enrollment.status = 'completed' and benefit.status <> 'pending' and benefit.card_number is null) as cardless,
       coalesce((select json_agg(json_build_object('benefitId', moving.id, 'memberId', moving.member_id, 'cardlessId', cardless.id)) from benefit moving
         left join benefit cardless on cardless.company_id = $1 and cardless.replaces_company_id = $1 and cardless.replaces_id = moving.id
           and cardless.status <> 'pending' and cardless.card_number is null
         where moving.company_id = $1 and moving.id = any(shipment_item.dependent_benefit_ids)), '[]') as dependents,
       exists (
         select from shipment_item later join shipment later_shipment on later_shipment.company_id = $1 and later_shipment.id = later.shipment_id
         where later.company_id = $1 and later.enrollment_id = enrollment.id and later.shipment_id <> shipment_item.shipment_id
           and later.status <> 'cancelled' and later.side is not distinct from shipment_item.side
           and later_shipment.number > shipment.number) as "isInLater"
     from json_to_recordset($2::json) as named("enrollmentId" uuid, "shipmentId" uuid)
     join shipment_item on shipment_item.company_id = $1 and shipment_item.enrollment_id = named."enrollmentId"
       and shipment_item.shipment_id = named."shipmentId"
     join shipment on shipment.company_id = $1 and shipment.id = shipment_item.shipment_id
     join enrollment on enrollment.company_id = $1 and enrollment.id = shipment_item.enrollment_id`,
    [companyId, Records.of(items)],
  )
}

/** The people with an active benefit with the carrier of the contract that has one of these card numbers, by the number. The cards are as `cardOf` gives them. */
export async function readCardHolders(
  sql: Sql,
  companyId: string,
  contractId: string,
  cards: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (cards.length === 0) return new Map()
  // An array, not a join: without statistics a join reads all benefits of the company for each card.
  const rows = await sql.query<{ card: string; memberIds: string[] }>(
    `select benefit.card_key as card, array_agg(benefit.member_id) as "memberIds" from benefit
     join product on product.company_id = $1 and product.id = benefit.product_id
     join carrier on carrier.key = product.carrier_key
     join contract on contract.company_id = $1 and contract.id = $2 and contract.carrier_id = carrier.id
     where benefit.company_id = $1 and benefit.card_key = any($3::text[]) group by benefit.card_key`,
    [companyId, contractId, cards],
  )
  return new Map(rows.map(({ card, memberIds }) => [card, memberIds]))
}

/** An acknowledgement of an item. */
export interface ItemAcknowledgement {
  readonly enrollmentId: string
  readonly shipmentId: string
  /** Of one that waits until its primary is active the status stays. */
  readonly status: 'accepted' | 'refused' | 'sent' | 'unanswered'
  readonly says: Acknowledgement
}

/** Stores what acknowledgements said of items. */
export async function storeAcknowledgements(
  sql: Sql,
  companyId: string,
  items: readonly ItemAcknowledgement[],
  at: Date,
): Promise<void> {
  if (items.length === 0) return
  await sql.query(
    `update shipment_item set status = said.status, acknowledgement = said.says, updated_at = $3,
       carrier_protocol = coalesce(said.says ->> 'protocol', shipment_item.carrier_protocol),
       carrier_code = said.says ->> 'code', carrier_message = said.says ->> 'message'
     from json_to_recordset($2::json) as said("enrollmentId" uuid, "shipmentId" uuid, status text, says jsonb)
     where shipment_item.company_id = $1 and shipment_item.enrollment_id = said."enrollmentId"
       and shipment_item.shipment_id = said."shipmentId"`,
    [companyId, Records.of(items), at],
  )
}

/** Takes the plan changes off of which the former carrier has heard, and sets the statuses of the shipments of these items. */
export async function storeLeft(
  write: CompanyWrite,
  items: readonly Pick<ItemAcknowledgement, 'enrollmentId' | 'shipmentId' | 'status'>[],
): Promise<void> {
  if (items.length === 0) return
  const accepted = items.flatMap(({ enrollmentId, status }) => (status === 'accepted' ? [enrollmentId] : []))
  await write.sql.execute('delete from leaving_movement where company_id = $1 and enrollment_id = any($2::uuid[])', [
    write.companyId,
    accepted,
  ])
  await setAnsweredStatuses(write, [...new Set(items.map(({ shipmentId }) => shipmentId))])
}
