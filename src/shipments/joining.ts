import type { Sql } from '../core/database.ts'
import { MAX_SHIPMENT_ITEMS } from '../domain/shipment.ts'

/* The movements of an open shipment: nothing is written when one joins. */

/** SQL: the product of an `open_movement`: of a plan change the new one; of a company change that of the company which the movement belongs to. */
const productOfMovement = `case when open_movement.destination_company_id = open_movement.company_id
  then open_movement.destination_product_id else open_movement.product_id end`

/** SQL: the `open_movement` is in no unfinished shipment. */
const isInNoShipment = `not exists (
  select from shipment_item where shipment_item.company_id = open_movement.company_id
    and shipment_item.unfinished_enrollment_id = open_movement.id)`

/** SQL of the movements of companies that wait for the carrier, with the plan of the contract that they join. */
export const joiningMovements = `contract_plan join open_movement on open_movement.company_id = contract_plan.company_id
  and ${productOfMovement} = contract_plan.active_product_id and open_movement.status in ('created', 'broker-processing')
  and ${isInNoShipment}`

interface Joining {
  readonly id: string
  readonly familyId: string
}

/**
 * The movements that the open shipment of a contract has now, 10,000 at most: families together, the primary first, in the order of their
 * creation. A family that does not fit is in the next one.
 */
export async function readJoining(sql: Sql, companyId: string, contractId: string): Promise<string[]> {
  const found = await sql.queryPlanned<Joining>(
    `select movement.id, movement.family_id as "familyId" from (
       select open_movement.id, open_movement.member_type, open_movement.created_at,
         coalesce(open_movement.primary_member_id, open_movement.member_id) as family_id,
         min(open_movement.created_at) over (partition by coalesce(open_movement.primary_member_id, open_movement.member_id)) as family_at
       from ${joiningMovements} where contract_plan.company_id = $1 and contract_plan.contract_id = $2) movement
     order by movement.family_at, movement.family_id, movement.member_type = 'primary' desc, movement.created_at, movement.id limit $3`,
    [companyId, contractId, MAX_SHIPMENT_ITEMS + 1],
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
