import { v7 as uuidv7 } from 'uuid'
import type { Sql } from '#platform/core/database.ts'

/* An active contract has one open shipment (src/exchange/shipments). */

/** Gives an active contract its next open shipment, unless it has one. The contract must be locked. */
export async function openNextShipment(
  sql: Sql,
  { companyId, contractId }: { readonly companyId: string; readonly contractId: string },
  at: Date,
): Promise<void> {
  await sql.execute(
    `insert into shipment (company_id, id, contract_id, number, status, created_at, updated_at)
     select $1, $3, $2, coalesce(max(shipment.number), 0) + 1, 'open', $4, $4
     from contract left join shipment on shipment.company_id = $1 and shipment.contract_id = contract.id
     where contract.company_id = $1 and contract.id = $2 and contract.status = 'active'
     having count(contract.id) > 0 and count(shipment.id) filter (where shipment.status = 'open') = 0`,
    [companyId, contractId, uuidv7(), at],
  )
}

/** Cancels the open shipment of a contract, which has no items. The contract must be locked. */
export async function cancelOpenShipment(sql: Sql, companyId: string, contractId: string, at: Date): Promise<void> {
  await sql.execute(
    `update shipment set status = 'cancelled', updated_at = $3 where company_id = $1 and open_contract_id = $2`,
    [companyId, contractId, at],
  )
}
