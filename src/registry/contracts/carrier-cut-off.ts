/*
 * The cut-off by which the carrier must hear of a movement for a coming day. It is stored with the movement: its due date and the shipment that
 * it joins follow from it. What it depends on, the day of the movement and the calendar of its contract, calls this when it changes.
 */
import type { Sql } from '#platform/core/database.ts'
import { Records } from '#platform/core/records.ts'
import { coverChange, type CutOffCalendar, cutOffFor } from '../rules/cut-off.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import type { MovementKind } from '#kernel/enums.ts'

interface DatedMovement {
  readonly id: string
  readonly kind: MovementKind
  readonly day: LocalDate
  readonly contractId: string | null
  readonly stored: LocalDate | null
}

/** SQL: the product whose contract decides on an enrollment or open movement (alias): of a plan change the new one. */
export const decidingProduct = (alias: string): string =>
  `case when ${alias}.destination_company_id = ${alias}.company_id then ${alias}.destination_product_id else ${alias}.product_id end`

/** Sets the cut-offs of movements for a coming day. @param ids of movements of the company. */
export async function setCarrierCutOffs(sql: Sql, companyId: string, ids: readonly string[]): Promise<void> {
  const calendars = await readCalendars(sql, companyId)
  const movements = await sql.query<DatedMovement>(
    `select enrollment.id, enrollment.enrollment_type as kind, enrollment.scheduled_action_date as day, contract_plan.contract_id as "contractId",
       enrollment.cut_off_date as stored
     from enrollment left join contract_plan on contract_plan.company_id = $1
       and contract_plan.active_product_id = ${decidingProduct('enrollment')}
     where enrollment.company_id = $1 and enrollment.id = any($2::uuid[])
       and enrollment.scheduled_reason in ('future-admission-date', 'future-end-date', 'future-requested-start-date')`,
    [companyId, ids],
  )
  const changed = movements.flatMap(({ id, kind, day, contractId, stored }) => {
    const calendar = calendars.get(contractId ?? '')
    const cutOff = calendar === undefined ? null : cutOffFor(calendar, coverChange(kind, day))['cut-off-date']
    return cutOff === stored ? [] : [{ id, day: cutOff }]
  })
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

/** Sets those of all open movements of a company, whose contract was written. */
export async function resetCarrierCutOffs(sql: Sql, companyId: string): Promise<void> {
  const rows = await sql.query<{ id: string }>(
    'select id from open_movement where company_id = $1 and scheduled_action_date is not null order by id',
    [companyId],
  )
  if (rows.length > 0)
    await setCarrierCutOffs(
      sql,
      companyId,
      rows.map(({ id }) => id),
    )
}

async function readCalendars(sql: Sql, companyId: string): Promise<ReadonlyMap<string, CutOffCalendar>> {
  const rows = await sql.query<{ id: string; calendar: CutOffCalendar }>(
    `select id, calendar from contract where company_id = $1 and status = 'active' and calendar is not null`,
    [companyId],
  )
  return new Map(rows.map(({ id, calendar }) => [id, calendar]))
}
