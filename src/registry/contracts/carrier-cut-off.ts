/*
 * The cut-off by which the carrier must hear of a movement for a coming day. It is stored with the movement: its due date and the shipment that
 * it joins follow from it. What it depends on, the day of the movement and the calendar of its contract, calls this when it changes.
 */
import { byCompany } from '#platform/core/by-company.ts'
import type { Sql } from '#platform/core/database.ts'
import { Records } from '#platform/core/records.ts'
import { coverChange, type CutOffCalendar, cutOffFor } from '../rules/cut-off.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import type { MovementKind } from '#kernel/enums.ts'

interface DatedMovement {
  readonly id: string
  readonly kind: MovementKind
  readonly day: LocalDate
  /** The company of the product that decides. */
  readonly companyId: string
  readonly productId: string
  readonly stored: LocalDate | null
}

/**
 * SQL: the product whose contract decides on an enrollment or open movement (alias): of a change of plan or company the new one. That of another
 * company is in no contract of this one.
 */
export const decidingProduct = (alias: string): string =>
  `coalesce(${alias}.destination_product_id, ${alias}.product_id)`

/** Sets the cut-offs of movements for a coming day. @param ids of movements of the company. */
export async function setCarrierCutOffs(sql: Sql, companyId: string, ids: readonly string[]): Promise<void> {
  const movements = await sql.query<DatedMovement>(
    `select id, enrollment_type as kind, scheduled_action_date as day, coalesce(destination_company_id, company_id) as "companyId",
       ${decidingProduct('enrollment')} as "productId", cut_off_date as stored
     from enrollment
     where company_id = $1 and id = any($2::uuid[])
       and scheduled_reason in ('future-admission-date', 'future-end-date', 'future-requested-start-date')`,
    [companyId, ids],
  )
  const changed: { readonly id: string; readonly day: LocalDate | null }[] = []
  for (const [decidingCompanyId, own] of byCompany(movements)) {
    const calendars = await readCalendars(sql, decidingCompanyId)
    for (const { id, kind, day, productId, stored } of own) {
      const calendar = calendars.get(productId)
      const cutOff = calendar === undefined ? null : cutOffFor(calendar, coverChange(kind, day))['cut-off-date']
      if (cutOff !== stored) changed.push({ id, day: cutOff })
    }
  }
  if (changed.length === 0) return
  await sql.execute(
    `with dated as (
       update enrollment set cut_off_date = given.day from json_to_recordset($2::json) as given(id uuid, day date)
       where enrollment.company_id = $1 and enrollment.id = given.id
       returning enrollment.id, enrollment.cut_off_date, enrollment.due_date
     )
     update open_movement set cut_off_date = dated.cut_off_date, due_date = dated.due_date from dated
     where open_movement.company_id = $1 and open_movement.id = dated.id`,
    [companyId, Records.of(changed)],
  )
}

/** Sets those of all open movements on which contracts of a company decide, one of which was written. */
export async function resetCarrierCutOffs(sql: Sql, companyId: string): Promise<void> {
  const rows = await sql.query<{ companyId: string; id: string }>(
    `select company_id as "companyId", id from open_movement
     where (company_id = $1 or destination_company_id = $1 and new_benefit_id is not null) and scheduled_action_date is not null
     order by id`,
    [companyId],
  )
  for (const [ofCompany, own] of byCompany(rows)) {
    await setCarrierCutOffs(
      sql,
      ofCompany,
      own.map(({ id }) => id),
    )
  }
}

/** The calendars of the active contracts of a company, by their products. */
async function readCalendars(sql: Sql, companyId: string): Promise<ReadonlyMap<string, CutOffCalendar>> {
  const rows = await sql.query<{ productId: string; calendar: CutOffCalendar }>(
    `select contract_plan.active_product_id as "productId", contract.calendar from contract_plan
     join contract on contract.company_id = contract_plan.company_id and contract.id = contract_plan.contract_id
     where contract_plan.company_id = $1 and contract_plan.active_product_id is not null and contract.calendar is not null`,
    [companyId],
  )
  return new Map(rows.map(({ productId, calendar }) => [productId, calendar]))
}
