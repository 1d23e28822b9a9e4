import { byCompany } from '#platform/core/by-company.ts'
import type { Sql } from '#platform/core/database.ts'
import { Records } from '#platform/core/records.ts'
import type { Acknowledgement, AcknowledgementMapping, RefusalStatus } from '#registry/rules/acknowledgement.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import type { AlterationKind, EnrollmentStatus, MovementKind } from '#kernel/enums.ts'
import { findLayout } from '#registry/layouts/queries.ts'
import { setAnsweredStatuses } from '#movements/transition/shipment-items.ts'
import type { CompanyWrite, PendingItem } from '#movements/transition/types.ts'
import type { ItemSide, StoredItemStatus } from '#kernel/broker-enums.ts'
import type { AcknowledgementTask } from './acknowledgement-thread.ts'
import type { MovementKey } from './joining.ts'
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
export async function readAnswerSettings(
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
  const items = await sql.queryPlanned<StoredItem & { position: number }>(
    `select ${storedItem}, position from shipment_item where company_id = $1 and shipment_id = $2 and status <> 'cancelled' order by position`,
    [companyId, id],
  )
  const plans = await sql.query<{ productId: string; planCode: string | null }>(
    `select contract_plan.product_id as "productId", contract_plan.carrier_plan_code as "planCode"
     from shipment join contract_plan on contract_plan.company_id = shipment.company_id and contract_plan.contract_id = shipment.contract_id
     where shipment.company_id = $1 and shipment.id = $2`,
    [companyId, id],
  )
  const planCodes = new Map(plans.map(({ productId, planCode }) => [productId, planCode]))
  const movements = new Map<string, MatchedMovement>()
  for (const [ofCompany, own] of byCompany(items)) {
    const rows = await sql.queryPlanned<MatchedMovement>(
      `select enrollment.id as "enrollmentId", enrollment.member_tax_id as "taxId", ${dependentsOf},
         product.id as "productId", fold(btrim(product.name)) as product
       from json_to_recordset($2::json) as item("enrollmentId" uuid, side text, "dependentBenefitIds" json)
       join enrollment on enrollment.company_id = $1 and enrollment.id = item."enrollmentId"
       join product on product.company_id = coalesce(case when item.side is distinct from 'leaving'
           then enrollment.destination_company_id end, enrollment.company_id)
         and product.id = coalesce(case when item.side is distinct from 'leaving' then enrollment.destination_product_id end, enrollment.product_id)`,
      [ofCompany, Records.of(own)],
    )
    for (const row of rows) movements.set(row.enrollmentId, row)
  }
  return items.flatMap(({ enrollmentId, position }) => {
    const movement = movements.get(enrollmentId)
    if (movement === undefined) return []
    const { productId, ...matched } = movement
    return [{ ...matched, position, planCode: planCodes.get(productId) ?? null }]
  })
}

/** What an item has of its movement. */
interface StoredItem {
  /** The company of the movement. */
  readonly companyId: string
  readonly enrollmentId: string
  readonly side: ItemSide | null
  readonly dependentBenefitIds: readonly string[]
}

/** SQL of a `StoredItem`. */
const storedItem = `shipment_item.movement_company_id as "companyId", shipment_item.enrollment_id as "enrollmentId", shipment_item.side,
  shipment_item.dependent_benefit_ids as "dependentBenefitIds"`

interface MatchedMovement extends Omit<MatchedItem, 'position' | 'planCode'> {
  readonly productId: string
}

/** SQL of those who are in the lines of an `item`, a record of the company $1: their former benefits and their CPFs. */
const dependentsOf = `coalesce((select json_agg(json_build_object('benefitId', moving.id, 'taxId', member.tax_id))
  from json_array_elements_text(item."dependentBenefitIds") dependent(id)
  join benefit moving on moving.company_id = $1 and moving.id = dependent.id::uuid
  join member on member.company_id = $1 and member.id = moving.member_id), '[]') as dependents`

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
  select 1 from enrollment join benefit on benefit.company_id = enrollment.company_id and benefit.member_id = enrollment.primary_member_id
    and benefit.product_id = enrollment.product_id and benefit.type = 'primary' and benefit.status = 'active'
  where enrollment.company_id = shipment_item.company_id and enrollment.id = shipment_item.enrollment_id)`

/** A benefit that has started and has no card number. */
interface CardlessBenefit {
  readonly id: string
  readonly startDate: LocalDate
}

/** An item with what a decision on it depends on. */
export interface AcknowledgedItem {
  readonly enrollmentId: string
  readonly taxId: string
  readonly shipmentId: string
  readonly status: StoredItemStatus
  readonly side: ItemSide | null
  /** What it was acknowledged with before; null: it was not, or an operator decided. */
  readonly before: Acknowledgement | null
  readonly enrollmentType: MovementKind
  readonly alterationKind: AlterationKind | null
  readonly isTransfer: boolean
  readonly movementStatus: EnrollmentStatus
  /** Only for a completed movement. */
  readonly cardless: CardlessBenefit | null
  /** Those who move along: their former benefits, and the new ones that have no card number. */
  readonly dependents: readonly {
    readonly benefitId: string
    readonly taxId: string
    readonly cardlessId: string | null
  }[]
  /** The movement was sent again. */
  readonly isInLater: boolean
}

/** The companies of the movements of these items. */
export async function readMovementKeys(
  sql: Sql,
  companyId: string,
  enrollmentIds: readonly string[],
): Promise<MovementKey[]> {
  return sql.query<MovementKey>(
    `select distinct movement_company_id as "companyId", enrollment_id as id from shipment_item
     where company_id = $1 and enrollment_id = any($2::uuid[])`,
    [companyId, enrollmentIds],
  )
}

type ItemFacts = Pick<AcknowledgedItem, 'shipmentId' | 'status' | 'before' | 'isInLater'> & StoredItem
type MovementFacts = Pick<
  AcknowledgedItem,
  'enrollmentId' | 'taxId' | 'enrollmentType' | 'alterationKind' | 'isTransfer' | 'movementStatus'
> & {
  /** That the movement gives a card to. */
  readonly benefitId: string
  readonly dependents: readonly { readonly benefitId: string; readonly taxId: string }[]
}

/** The items of these movements in these shipments of a company. Their families must be locked. */
export async function readAcknowledgedItems(
  sql: Sql,
  companyId: string,
  items: readonly { readonly enrollmentId: string; readonly shipmentId: string }[],
): Promise<AcknowledgedItem[]> {
  const stored = await sql.query<ItemFacts>(
    `select ${storedItem}, shipment_item.shipment_id as "shipmentId", shipment_item.status, shipment_item.acknowledgement as before,
       exists (
         select 1 from shipment_item later join shipment later_shipment on later_shipment.company_id = $1 and later_shipment.id = later.shipment_id
         where later.company_id = $1 and later.enrollment_id = shipment_item.enrollment_id and later.shipment_id <> shipment_item.shipment_id
           and later.status <> 'cancelled' and later.side is not distinct from shipment_item.side
           and later_shipment.number > shipment.number) as "isInLater"
     from json_to_recordset($2::json) as named("enrollmentId" uuid, "shipmentId" uuid)
     join shipment_item on shipment_item.company_id = $1 and shipment_item.enrollment_id = named."enrollmentId"
       and shipment_item.shipment_id = named."shipmentId"
     join shipment on shipment.company_id = $1 and shipment.id = shipment_item.shipment_id`,
    [companyId, Records.of(items)],
  )
  const movements = new Map<string, MovementFacts>()
  for (const [ofCompany, own] of byCompany(stored)) {
    const rows = await sql.query<MovementFacts>(
      `select enrollment.id as "enrollmentId", coalesce(member.tax_id, enrollment.member_tax_id) as "taxId",
         enrollment.enrollment_type as "enrollmentType", enrollment.alteration_kind as "alterationKind",
         enrollment.new_benefit_id is not null as "isTransfer", enrollment.status as "movementStatus",
         coalesce(enrollment.new_benefit_id, enrollment.benefit_id) as "benefitId", ${dependentsOf}
       from json_to_recordset($2::json) as item("enrollmentId" uuid, "dependentBenefitIds" json)
       join enrollment on enrollment.company_id = $1 and enrollment.id = item."enrollmentId"
       left join member on member.company_id = $1 and member.id = enrollment.member_id`,
      [ofCompany, Records.of(own)],
    )
    for (const row of rows) movements.set(row.enrollmentId, row)
  }
  const cardless = await readCardless(sql, companyId, stored, [...movements.values()])
  return stored.flatMap((item) => {
    const movement = movements.get(item.enrollmentId)
    if (movement === undefined) return []
    const { benefitId, dependents, ...facts } = movement
    return [
      {
        ...item,
        ...facts,
        cardless: cardless.get(benefitId) ?? null,
        dependents: dependents.map((dependent) => ({
          ...dependent,
          cardlessId: cardless.get(dependent.benefitId)?.id ?? null,
        })),
      },
    ]
  })
}

/** Benefits without a card number in the company of a shipment, which completed movements gave: by their ids, and by those that they replace. */
async function readCardless(
  sql: Sql,
  companyId: string,
  items: readonly StoredItem[],
  movements: readonly MovementFacts[],
): Promise<ReadonlyMap<string, CardlessBenefit>> {
  const completed = movements.filter(({ movementStatus }) => movementStatus === 'completed')
  if (completed.length === 0) return new Map()
  const rows = await sql.query<CardlessBenefit & { readonly key: string }>(
    `select benefit.id as key, benefit.id, benefit.start_date as "startDate" from benefit
     where benefit.company_id = $1 and benefit.id = any($2::uuid[]) and benefit.status <> 'pending' and benefit.card_number is null
     union all
     select benefit.replaces_id, benefit.id, benefit.start_date from benefit
     where benefit.company_id = $1 and benefit.replaces_company_id = any($4::uuid[]) and benefit.replaces_id = any($3::uuid[])
       and benefit.status <> 'pending' and benefit.card_number is null`,
    [
      companyId,
      completed.map(({ benefitId }) => benefitId),
      completed.flatMap(({ dependents }) => dependents.map(({ benefitId }) => benefitId)),
      [...new Set(items.map((item) => item.companyId))],
    ],
  )
  return new Map(rows.map(({ key, ...benefit }) => [key, benefit]))
}

/** The CPFs of those with an active benefit with the carrier of the contract that has one of these card numbers, by the number. The cards are as `cardOf` gives them. */
export async function readCardHolders(
  sql: Sql,
  companyId: string,
  contractId: string,
  cards: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (cards.length === 0) return new Map()
  // An array, not a join: without statistics a join reads all benefits of the company for each card.
  const rows = await sql.query<{ card: string; taxIds: string[] }>(
    `select benefit.card_key as card, array_agg(member.tax_id::text) as "taxIds" from benefit
     join member on member.company_id = $1 and member.id = benefit.member_id
     join product on product.company_id = $1 and product.id = benefit.product_id
     join carrier on carrier.key = product.carrier_key
     join contract on contract.company_id = $1 and contract.id = $2 and contract.carrier_id = carrier.id
     where benefit.company_id = $1 and benefit.card_key = any($3::text[]) group by benefit.card_key`,
    [companyId, contractId, cards],
  )
  return new Map(rows.map(({ card, taxIds }) => [card, taxIds]))
}

/** An acknowledgement of an item. */
export interface ItemAcknowledgement {
  readonly enrollmentId: string
  readonly shipmentId: string
  /** The status stays for an item that waits until its primary is active. */
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

/** Takes the changes off of which the former carrier has heard, and sets the statuses of the shipments of these items. */
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
