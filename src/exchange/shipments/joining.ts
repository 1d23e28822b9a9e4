import type { Sql } from '#platform/core/database.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import { decidingProduct } from '#registry/contracts/carrier-cut-off.ts'
import { MAX_SHIPMENT_ITEMS } from '../rules/shipment.ts'

/* The movements of an open shipment: nothing is written when one joins. */

/** SQL: the `open_movement` is in no unfinished shipment. */
export const isInNoShipment = `not exists (
  select from shipment_item where shipment_item.company_id = open_movement.company_id
    and shipment_item.unfinished_enrollment_id = open_movement.id)`

/**
 * SQL of the movements of companies that wait for the carrier, with the plan of the contract that they join. One for a coming day joins the shipment
 * of the cut-off by which the carrier must hear of it.
 * @param cutOff SQL of the cut-off of the open shipment of the contract.
 */
export const joiningMovements = (
  cutOff: string,
) => `contract_plan join open_movement on open_movement.company_id = contract_plan.company_id
  and ${decidingProduct('open_movement')} = contract_plan.active_product_id
  and (open_movement.status in ('created', 'broker-processing')
    or open_movement.status = 'scheduled' and open_movement.cut_off_date <= ${cutOff})
  and ${isInNoShipment}`

/** SQL of the plan changes of which the former carrier must hear, with the plan of the contract that they leave. */
export const leavingMovements = `contract_plan join leaving_movement on leaving_movement.company_id = contract_plan.company_id
  and leaving_movement.product_id = contract_plan.active_product_id
  and not exists (select from shipment_item where shipment_item.company_id = leaving_movement.company_id
    and shipment_item.enrollment_id = leaving_movement.enrollment_id and shipment_item.side = 'leaving'
    and shipment_item.status not in ('refused', 'cancelled'))`

interface Joining {
  readonly id: string
  readonly familyId: string
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
): Promise<string[]> {
  const found = await sql.queryPlanned<Joining>(
    `select movement.id, movement.family_id as "familyId" from (
       select open_movement.id, open_movement.member_type, open_movement.created_at,
         coalesce(open_movement.primary_member_id, open_movement.member_id) as family_id,
         min(open_movement.created_at) over (partition by coalesce(open_movement.primary_member_id, open_movement.member_id)) as family_at
       from ${joiningMovements('$4::date')} where contract_plan.company_id = $1 and contract_plan.contract_id = $2
       union all
       select enrollment.id, enrollment.member_type, leaving_movement.created_at,
         coalesce(enrollment.primary_member_id, enrollment.member_id), leaving_movement.created_at
       from ${leavingMovements}
       join enrollment on enrollment.company_id = $1 and enrollment.id = leaving_movement.enrollment_id
       where contract_plan.company_id = $1 and contract_plan.contract_id = $2) movement
     order by movement.family_at, movement.family_id, movement.member_type = 'primary' desc, movement.created_at, movement.id limit $3`,
    [companyId, contractId, MAX_SHIPMENT_ITEMS + 1, cutOffDate],
  )
  return wholeFamilies(found, MAX_SHIPMENT_ITEMS).map(({ id }) => id)
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
