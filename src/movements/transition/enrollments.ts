import { Records } from '../../core/records.ts'
import { hasRule } from '../../enrollments/kind.ts'
import { historyActor } from '../../core/actor.ts'
import { type EventEnrollment, enrollmentEvent } from '../../core/events.ts'
import { transitionEvents } from '../../domain/enrollment-status.ts'
import type { ScheduledReason } from '../../domain/enums.ts'
import type { Sql } from '../../core/database.ts'
import { isOpen, isTerminal, openMovements } from '../../enrollments/open-movement.ts'
import type { CompanyWrite, PendingItem } from './types.ts'

/* The statements that write enrollments and their history, with the events and the audit of both. */

type Expressions<Column extends string> = Readonly<Record<Column, string>>

type RequiredColumn =
  | 'company_id'
  | 'id'
  | 'request_id'
  | 'enrollment_type'
  | 'status'
  | 'initial_status'
  | 'member_id'
  | 'member_tax_id'
  | 'member_type'
  | 'primary_member_id'
  | 'product_id'
  | 'product_name'
  | 'benefit_id'
  | 'data'
type OptionalColumn =
  | 'effective_date'
  | 'primary_enrollment_id'
  | 'destination_company_id'
  | 'destination_product_id'
  | 'new_benefit_id'
  | 'scheduled_action_date'
  | 'scheduled_reason'
  | 'start_option'
  | 'initial_actor'
  | 'updates_profile'
  | 'reference'
  | 'start_date'

export interface EnrollmentInsert {
  /** SQL expressions over the rows of `from`. */
  readonly columns: Expressions<RequiredColumn> & Partial<Expressions<OptionalColumn>>
  readonly from: string
  readonly values: readonly unknown[]
  /** How many rows, where no array of `values` says it. */
  readonly rows?: number
}

/**
 * Inserts enrollments and writes their `enrollment.created` events.
 * @returns the enrollments inserted.
 */
export async function insertEnrollments(
  { sql, companyId, at }: CompanyWrite,
  { columns, from, values, rows }: EnrollmentInsert,
): Promise<EventEnrollment[]> {
  const now = `$${values.length + 1}::timestamptz`
  const inserted = await sql.query<EventEnrollment>(
    `insert into enrollment as e (${Object.keys(columns).join(', ')}, cut_off_day, created_at, updated_at)
     select ${Object.values(columns).join(', ')}, ${cutOffDayOf(columns)}, ${now}, ${now} from ${from}
     returning e.id, e.request_id as "requestId", e.initial_status as status, e.reference`,
    [...values, at],
    rows,
  )
  await sql.query(openMovements('e.company_id = $1 and e.id = any($2::uuid[])'), [
    companyId,
    inserted.map(({ id }) => id),
  ])
  sql.emit(
    companyId,
    inserted.map((enrollment) => enrollmentEvent('enrollment.created', enrollment)),
  )
  return inserted
}

/** SQL: the cut-off day of the product, for a movement of the next billing period: its due date follows from it. */
function cutOffDayOf({ company_id, product_id, scheduled_reason = 'null' }: EnrollmentInsert['columns']): string {
  return `case when ${scheduled_reason} = 'next-billing-period' then (
    select k.cut_off_day from product k where k.company_id = ${company_id} and k.id = ${product_id}) end`
}

/** Sets or clears the operator who works on an enrollment. `updated_at` stays: partners do not see it. */
export async function updateAssignee(
  sql: Sql,
  { companyId, id }: { readonly companyId: string; readonly id: string },
  assignee: string | null,
): Promise<void> {
  await sql.execute(
    `with opened as (update open_movement set assignee = $3 where company_id = $1 and id = $2)
     update enrollment set assignee = $3 where company_id = $1 and id = $2`,
    [companyId, id, assignee],
  )
}

export interface Transition extends Omit<EventEnrollment, 'reference'> {
  readonly reason: string | null
  /** What a pending status waits for; the items end with the status. */
  readonly pendingItems?: readonly PendingItem[]
}

/** Sets the status of enrollments and writes their history, events and audit. */
export async function updateEnrollmentStatus(
  { sql, companyId, at }: CompanyWrite,
  transitions: readonly Transition[],
): Promise<void> {
  const { kind, id } = historyActor(sql.actor)
  const updated = await sql.query<{ id: string; reference: string | null }>(
    `with transition as (
       select * from json_to_recordset($3::json) as s(id uuid, status text, reason text, "pendingItems" jsonb)
     ), updated as (
       update enrollment e set status = s.status, reason = s.reason, updated_at = $2, pending_items = coalesce(s."pendingItems", '[]'),
         reached_carrier = e.reached_carrier or s.status = 'carrier-processing'
       from transition s where e.company_id = $1 and e.id = s.id
       returning e.id, e.reference
     ), opened as (
       update open_movement o set status = s.status, updated_at = $2
       from transition s where o.company_id = $1 and o.id = s.id and ${isOpen('s')}
     ), closed as (
       delete from open_movement o using transition s where o.company_id = $1 and o.id = s.id and ${isTerminal('s')}
     ), history as (
     insert into enrollment_history (company_id, enrollment_id, step, status, at, actor, actor_id, reason)
     select $1, s.id, coalesce((select max(h.step) from enrollment_history h
       where h.company_id = $1 and h.enrollment_id = s.id), 0) + 1, s.status, $2, $4, $5, s.reason
     from transition s)
     select id, reference from updated`,
    [companyId, at, Records.of(transitions), kind, id],
  )
  const references = new Map(updated.map(({ id, reference }) => [id, reference]))
  sql.emit(
    companyId,
    transitions.map((transition) => {
      const reference = references.get(transition.id) ?? null
      return enrollmentEvent(transitionEvents[transition.status], { ...transition, reference })
    }),
  )
  sql.audit(transitions.map((one) => ({ action: `enrollment.${one.status}`, target: one.id, companyId })))
}

/** What an answer changes in an open enrollment. `effectiveDate` null: it stays. */
export interface Correction {
  readonly id: string
  readonly data: Readonly<Record<string, unknown>>
  readonly effectiveDate: string | null
  /** Of an inclusion; null: it stays. */
  readonly startDate: string | null
  readonly scheduledActionDate: string | null
  readonly scheduledReason: ScheduledReason | null
  readonly updatesProfile: boolean
}

/** Corrects the data and the days of open enrollments. Their status, events and audit are the caller's. */
export async function correctEnrollments(
  { sql, companyId, at }: CompanyWrite,
  corrections: readonly Correction[],
): Promise<void> {
  await sql.execute(
    `with corrected as (
       update enrollment e set data = r.data, effective_date = coalesce(r."effectiveDate", e.effective_date),
         start_date = coalesce(r."startDate", e.start_date),
         scheduled_action_date = r."scheduledActionDate", scheduled_reason = r."scheduledReason",
         updates_profile = r."updatesProfile", updated_at = $2
       from json_to_recordset($3::json) as r(id uuid, data jsonb, "effectiveDate" date, "startDate" date, "scheduledActionDate" date,
         "scheduledReason" text, "updatesProfile" boolean)
       where e.company_id = $1 and e.id = r.id
       returning e.id, e.scheduled_action_date, e.due_date
     )
     update open_movement o set scheduled_action_date = c.scheduled_action_date, due_date = c.due_date, updated_at = $2
     from corrected c where o.company_id = $1 and o.id = c.id`,
    [companyId, at, Records.of(corrections)],
  )
}

/** Reports that the starts of these benefits moved with their primaries', as a change of their open inclusions. */
export async function reportMovedStarts(
  { sql, companyId, at }: CompanyWrite,
  benefitIds: readonly string[],
): Promise<void> {
  const moved = await sql.query<EventEnrollment>(
    `with moved as (
       update enrollment e set updated_at = $3 from benefit b
       where b.company_id = $1 and b.id = any($2::uuid[]) and e.company_id = $1 and e.member_id = b.member_id and e.benefit_id = b.id
         and ${hasRule('e.enrollment_type', 'createsBenefit')} and ${isOpen('e')}
       returning e.id, e.request_id as "requestId", e.status, e.reference
     ), opened as (
       update open_movement o set updated_at = $3 from moved m where o.company_id = $1 and o.id = m.id
     )
     select * from moved`,
    [companyId, benefitIds, at],
  )
  sql.emit(
    companyId,
    moved.map((enrollment) => enrollmentEvent('enrollment.updated', enrollment)),
  )
  const service = sql.as({ kind: 'service' })
  service.audit(moved.map(({ id }) => ({ action: 'enrollment-data.start-moved', target: id, companyId })))
}
