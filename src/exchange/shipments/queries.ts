import type { Static } from 'typebox'
import type { Sql } from '#platform/core/database.ts'
import { Records } from '#platform/core/records.ts'
import { ApiError } from '#platform/core/errors.ts'
import { equals } from '#platform/core/parameters.ts'
import { pages } from '#platform/http/pages.ts'
import { holdsText } from '#kernel/search.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import type { CutOffCalendar } from '#registry/rules/cut-off.ts'
import type { ShipmentStatus } from '#kernel/broker-enums.ts'
import { joiningMovements, leavingMovements, type MovementKey, readIncoming } from './joining.ts'
import type { ShipmentQuery } from './schema.ts'

/** A shipment as it is stored, in wire keys, with the calendar of its contract. */
export interface StoredShipment {
  readonly companyId: string
  readonly contractId: string
  readonly status: ShipmentStatus
  readonly number: number
  readonly calendar: CutOffCalendar | null
  readonly shipment: Readonly<Record<string, unknown>>
}

const counted = ['ready', 'sent', 'accepted', 'refused', 'unanswered', 'cancelled']

/** SQL of a Shipment over `shipment`, `contract`, `company` and `carrier`; `items.counts` are those of its items. */
const shipmentJson = `json_build_object('shipment-id', shipment.id, 'contract-id', contract.id, 'company-tax-id', company.tax_id,
  'company-name', company.name, 'carrier-name', carrier.name, 'contract-number', contract.contract_number,
  'sub-contract', contract.sub_contract, 'number', shipment.number, 'status', shipment.status,
  'cut-off-date', shipment.cut_off_date, 'coverage-start', shipment.coverage_start,
  'layout-id', shipment.layout_id, 'layout-version', shipment.layout_version, 'carrier-protocol', shipment.carrier_protocol,
  'sent-at', iso(shipment.sent_at), 'sent-by', shipment.sent_by, 'answer-until', shipment.answer_until,
  'created-at', iso(shipment.created_at), 'closed-at', iso(shipment.closed_at), 'finished-at', iso(shipment.finished_at),
  'file', (select json_build_object('name', shipment_file.name, 'media-type', shipment_file.media_type,
      'size', length(shipment_file.content), 'sha256', encode(shipment_file.sha256, 'hex'))
    from shipment_file where shipment_file.company_id = shipment.company_id and shipment_file.shipment_id = shipment.id
      and shipment_file.content is not null),
  'counts', case when shipment.status <> 'open' then (
    select json_build_object(${counted.map((status) => `'${status}', count(*) filter (where shipment_item.status = '${status}')`).join(', ')})
    from shipment_item where shipment_item.company_id = shipment.company_id and shipment_item.shipment_id = shipment.id) end)`

const joined = `shipment join contract on contract.company_id = shipment.company_id and contract.id = shipment.contract_id
  join company on company.id = shipment.company_id join carrier on carrier.id = contract.carrier_id`

const stored = `shipment.company_id as "companyId", shipment.contract_id as "contractId", shipment.status, shipment.number,
  contract.calendar, ${shipmentJson} as shipment`

/** A shipment. @throws ApiError 404 */
export async function requireShipment(sql: Sql, id: string): Promise<StoredShipment> {
  const [found] = await sql.query<StoredShipment>(`select ${stored} from ${joined} where shipment.id = $1`, [id])
  if (found === undefined) throw new ApiError('shipment-not-found')
  return found
}

/** A page of the shipments, the latest first; an item is a StoredShipment. */
export const shipmentPage = pages<Static<typeof ShipmentQuery>>({
  from: joined,
  item: `json_build_object('companyId', shipment.company_id, 'contractId', shipment.contract_id, 'status', shipment.status,
    'number', shipment.number, 'calendar', contract.calendar, 'shipment', ${shipmentJson})`,
  order: 'shipment.created_at desc, shipment.id desc',
  where: {
    'contract-id': equals('shipment.contract_id'),
    'company-tax-id': equals('company.tax_id'),
    status: equals('shipment.status'),
    q: (text) => `(${holdsText('lower(shipment.carrier_protocol)', text)}
      or shipment.number = substring(btrim(${text}) from '^(?:[^0-9]*[^0-9A-Za-z])?([0-9]{1,6})$')::integer)`,
  },
})

/** How many movements wait for the carriers of these contracts, by contract. @param contracts with the cut-offs of their open shipments. */
export async function countJoining(
  sql: Sql,
  companyId: string,
  contracts: readonly { readonly contractId: string; readonly cutOffDate: LocalDate | null }[],
): Promise<Map<string, number>> {
  const rows = await sql.queryPlanned<{ contractId: string; count: number }>(
    `select movement.contract_id as "contractId", count(*) as count from (
       select contract_plan.contract_id from json_to_recordset($2::json) as named("contractId" uuid, "cutOffDate" date)
       cross join ${joiningMovements('named."cutOffDate"', '$3')}
       where contract_plan.company_id = $1 and contract_plan.contract_id = named."contractId"
       union all
       select contract_plan.contract_id from json_to_recordset($2::json) as named("contractId" uuid)
       cross join ${leavingMovements}
       where contract_plan.company_id = $1 and contract_plan.contract_id = named."contractId") movement
     group by movement.contract_id`,
    [companyId, Records.of(contracts), await readIncoming(sql, companyId)],
  )
  return new Map(rows.map(({ contractId, count }) => [contractId, count]))
}

/** What a shipment has of its contract. */
export interface ContractOfShipment {
  readonly contractNumber: string
  readonly subContract: string
  readonly isActive: boolean
  readonly calendar: CutOffCalendar | null
  readonly answerDays: number
}

export async function readContractOf(
  sql: Sql,
  companyId: string,
  contractId: string,
): Promise<ContractOfShipment | null> {
  const rows = await sql.query<ContractOfShipment>(
    `select contract_number as "contractNumber", sub_contract as "subContract", status = 'active' as "isActive", calendar,
       answer_within_business_days as "answerDays"
     from contract where company_id = $1 and id = $2`,
    [companyId, contractId],
  )
  return rows[0] ?? null
}

/** Whether a later shipment of the contract was closed and not cancelled. */
export async function hasLaterShipment(
  sql: Sql,
  companyId: string,
  { contractId, number }: { readonly contractId: string; readonly number: number },
): Promise<boolean> {
  const rows = await sql.query(
    `select from shipment where company_id = $1 and contract_id = $2 and number > $3 and status not in ('open', 'cancelled')`,
    [companyId, contractId, number],
  )
  return rows.length > 0
}

export interface ShipmentFile {
  readonly companyId: string
  readonly name: string
  readonly mediaType: string
  readonly sha256: Buffer
  readonly content: Buffer
}

/** The file of a shipment; null when it has none. @throws ApiError 404 */
export async function readShipmentFile(sql: Sql, id: string): Promise<ShipmentFile | null> {
  const [row] = await sql.query<{ file: boolean } & ShipmentFile>(
    `select shipment.company_id as "companyId", shipment_file.content is not null as file, shipment_file.name,
       shipment_file.media_type as "mediaType", shipment_file.sha256,
       shipment_file.content
     from shipment left join shipment_file on shipment_file.company_id = shipment.company_id and shipment_file.shipment_id = shipment.id
     where shipment.id = $1`,
    [id],
  )
  if (row === undefined) throw new ApiError('shipment-not-found')
  return row.file ? row : null
}

/** A movement of a shipment that was closed, with the former benefits of the dependents who are in its lines. */
interface ItemKey extends MovementKey {
  readonly dependentBenefitIds: readonly string[]
}

/** The movements of a shipment that was closed, in its order. */
export async function readItemKeys(sql: Sql, companyId: string, shipmentId: string): Promise<ItemKey[]> {
  return sql.query<ItemKey>(
    `select movement_company_id as "companyId", enrollment_id as id, dependent_benefit_ids as "dependentBenefitIds"
     from shipment_item where company_id = $1 and shipment_id = $2 order by position`,
    [companyId, shipmentId],
  )
}
