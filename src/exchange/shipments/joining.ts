import type { Sql } from '#platform/core/database.ts'
import { Records } from '#platform/core/records.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import { decidingProduct } from '#registry/contracts/carrier-cut-off.ts'
import { MAX_SHIPMENT_ITEMS } from '../rules/shipment.ts'

/* The movements of an open shipment: nothing is written when one joins. */

/** SQL: the `open_movement` is in no unfinished shipment of a company. */
export const isInNoShipment = (company: string) => `not exists (
  select 1 from shipment_item where shipment_item.company_id = ${company}
    and shipment_item.unfinished_enrollment_id = open_movement.id)`

const joiningColumns = {
  company_id: 'uuid',
  id: 'uuid',
  status: 'text',
  member_type: 'text',
  member_id: 'uuid',
  primary_member_id: 'uuid',
  product_id: 'uuid',
  destination_product_id: 'uuid',
  cut_off_date: 'date',
  created_at: 'timestamptz',
}
const columnNames = Object.keys(joiningColumns).join(', ')

/** The open changes of company into a company. */
export async function readIncoming(sql: Sql, companyId: string): Promise<Records> {
  const rows = await sql.query<object>(
    `select ${columnNames.replace('created_at', 'created_at::text')} from open_movement
     where destination_company_id = $1 and destination_company_id <> company_id and new_benefit_id is not null`,
    [companyId],
  )
  return Records.of(rows)
}

/**
 * SQL of the movements that wait for the carriers of the company $1, with the plan of the contract that they join. One for a coming day joins the
 * shipment of the cut-off by which the carrier must hear of it.
 * @param cutOff SQL of the cut-off of the open shipment of the contract. @param incoming the parameter that has those of other companies.
 */
export const joiningMovements = (cutOff: string, incoming: string) => `contract_plan join (
    select ${columnNames} from open_movement where company_id = $1
    union all
    select ${columnNames} from json_to_recordset(${incoming}::json) as incoming(${Object.entries(joiningColumns)
      .map((column) => column.join(' '))
      .join(', ')})) open_movement
  on ${decidingProduct('open_movement')} = contract_plan.active_product_id
  and (open_movement.status in ('created', 'broker-processing')
    or open_movement.status = 'scheduled' and open_movement.cut_off_date <= ${cutOff})
  and ${isInNoShipment('contract_plan.company_id')}`

/** SQL of the changes of plan and company of which the former carrier must hear, with the plan of the contract that they leave. */
export const leavingMovements = `contract_plan join leaving_movement on leaving_movement.company_id = contract_plan.company_id
  and leaving_movement.product_id = contract_plan.active_product_id
  and not exists (select 1 from shipment_item where shipment_item.company_id = leaving_movement.company_id
    and shipment_item.enrollment_id = leaving_movement.enrollment_id and shipment_item.side = 'leaving'
    and shipment_item.status not in ('refused', 'cancelled'))`

/** A movement of a shipment: of its company, or of one that the person leaves for it. */
export interface MovementKey {
  readonly companyId: string
  readonly id: string
}

/**
 * The movements that the open shipment of a contract has now, 10,000 at most: families together, the primary first, in the order of their
 * creation. A family that does not fit is in the next one.
 */
export async function readJoining(
  sql: Sql,
  companyId: string,
  contractId: string,
  cutOffDate: LocalDate | null,
): Promise<MovementKey[]> {
  const incoming = await readIncoming(sql, companyId)
  const found = await sql.queryPlanned<MovementKey & { readonly familyId: string }>(
    `select movement.company_id as "companyId", movement.id, movement.family_id as "familyId" from (
       select open_movement.company_id, open_movement.id, open_movement.member_type, open_movement.created_at,
         coalesce(open_movement.primary_member_id, open_movement.member_id) as family_id,
         min(open_movement.created_at) over (partition by coalesce(open_movement.primary_member_id, open_movement.member_id)) as family_at
       from ${joiningMovements('$4::date', '$5')} where contract_plan.company_id = $1 and contract_plan.contract_id = $2
       union all
       select enrollment.company_id, enrollment.id, enrollment.member_type, leaving_movement.created_at,
         coalesce(enrollment.primary_member_id, enrollment.member_id), leaving_movement.created_at
       from ${leavingMovements}
       join enrollment on enrollment.company_id = $1 and enrollment.id = leaving_movement.enrollment_id
       where contract_plan.company_id = $1 and contract_plan.contract_id = $2) movement
     order by movement.family_at, movement.family_id, movement.member_type = 'primary' desc, movement.created_at, movement.id limit $3`,
    [companyId, contractId, MAX_SHIPMENT_ITEMS + 1, cutOffDate, incoming],
  )
  return wholeFamilies(found, MAX_SHIPMENT_ITEMS).map(({ companyId: ofCompany, id }) => ({ companyId: ofCompany, id }))
}

/** The first `limit`, without the family that does not end within them; of a larger family as many. */
export function wholeFamilies<Item extends { readonly familyId: string }>(
  items: readonly Item[],
  limit: number,
): Item[] {
  const next = items[limit]
  if (next === undefined) return [...items]
  const whole = items.slice(0, limit).filter(({ familyId }) => familyId !== next.familyId)
  return whole.length > 0 ? whole : items.slice(0, limit)
}
