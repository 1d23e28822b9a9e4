/*
 * Until when a carrier can be told of a movement and recognizes its date. It is stored with the movement: its due date follows from it. What it depends
 * on, the day of the movement and the contract, calls this when it changes.
 */
import type { Sql } from '#platform/core/database.ts'
import { Records } from '#platform/core/records.ts'
import { type ContractLimits, type DatedMovement, limitOf } from '../rules/retroactive-limit.ts'

/** SQL: the last day of the cover that an `enrollment` ends, or the first day of that which it starts, over its `benefit`. */
export const coverDay = 'coalesce(enrollment.effective_date, enrollment.start_date, benefit.start_date)'

/** What the active contracts of a company that have a limit say. */
export async function readContractLimits(sql: Sql, companyId: string): Promise<ContractLimits[]> {
  return sql.query<ContractLimits>(
    `select contract_plan.active_product_id as "productId", contract.calendar, contract.retroactive_exclusion as exclusion,
       contract.retroactive_inclusion as inclusion
     from contract join contract_plan on contract_plan.company_id = contract.company_id and contract_plan.contract_id = contract.id
     where contract.company_id = $1 and contract_plan.active_product_id is not null
       and (contract.retroactive_exclusion is not null or contract.retroactive_inclusion is not null)`,
    [companyId],
  )
}

/** Sets the limits of movements of a company that are new or have another day. */
export async function setRetroactiveLimits(sql: Sql, companyId: string, ids: readonly string[]): Promise<void> {
  const limits = await readContractLimits(sql, companyId)
  if (limits.length > 0) await setLimits(sql, companyId, limits, ids)
}

/** Sets those of all open movements of a company, one of whose contracts was written. */
export async function resetRetroactiveLimits(sql: Sql, companyId: string): Promise<void> {
  const rows = await sql.query<{ id: string }>('select id from open_movement where company_id = $1', [companyId])
  const ids = rows.map(({ id }) => id)
  if (ids.length > 0) await setLimits(sql, companyId, await readContractLimits(sql, companyId), ids)
}

/** Movements of one product, kind and day have one limit: they are few, also where the movements are many. */
async function setLimits(
  sql: Sql,
  companyId: string,
  contracts: readonly ContractLimits[],
  ids: readonly string[],
): Promise<void> {
  const dated = `enrollment left join benefit on benefit.company_id = enrollment.company_id and benefit.id = enrollment.benefit_id
    where enrollment.company_id = $1 and enrollment.id = any($2::uuid[]) and enrollment.enrollment_type in ('inclusion', 'exclusion')`
  const days = await sql.query<DatedMovement>(
    `select distinct enrollment.enrollment_type as kind, enrollment.product_id as "productId", ${coverDay} as day from ${dated}`,
    [companyId, ids],
  )
  if (days.length === 0) return
  const limits = new Map(contracts.map((contract) => [contract.productId, contract]))
  const given = days.map((one) => ({ ...one, until: limitOf(limits, one) }))
  await sql.execute(
    `with limited as (
       update enrollment set retroactive_until = given.until
       from (select enrollment.id, enrollment.enrollment_type, enrollment.product_id, ${coverDay} as day from ${dated}) movement
       join json_to_recordset($3::json) as given(kind text, "productId" uuid, day date, until date)
         on given.kind = movement.enrollment_type and given."productId" = movement.product_id and given.day = movement.day
       where enrollment.company_id = $1 and enrollment.id = movement.id and enrollment.retroactive_until is distinct from given.until
       returning enrollment.id, enrollment.due_date
     )
     update open_movement set due_date = limited.due_date from limited
     where open_movement.company_id = $1 and open_movement.id = limited.id`,
    [companyId, ids, Records.of(given)],
  )
}
