import { Parameters } from '#platform/core/parameters.ts'
import { Records } from '#platform/core/records.ts'
import { hasRule } from '#coverage/enrollments/kind.ts'
import { historyActor } from '#platform/core/actor.ts'
import { type EventEnrollment, enrollmentEvent } from '#platform/core/events.ts'
import { transitionEvents } from '#coverage/rules/enrollment-status.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import type { Difference } from '../rules/diff.ts'
import type { ScheduledReason } from '#kernel/enums.ts'
import type { Sql } from '#platform/core/database.ts'
import { setCarrierCutOffs } from '#registry/contracts/carrier-cut-off.ts'
import { setRetroactiveLimits } from '#registry/contracts/retroactive-limits.ts'
import { isOpen, isPending, isTerminal, openMovements } from '#coverage/enrollments/open-movement.ts'
import { clocksOf } from './clock-columns.ts'
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
  | 'alteration_kind'

interface EnrollmentInsert {
  /** SQL expressions over the rows of `from`. */
  readonly columns: Expressions<RequiredColumn> & Partial<Expressions<OptionalColumn>>
  readonly from: string
  /** The company first. */
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
  const parameters = new Parameters(...values)
  const now = `${parameters.add(at)}::timestamptz`
  const acceptedOn = acceptedOnOf(columns)
  const clocks = clocksOf(columns, acceptedOn)
  const inserted = await sql.query<EventEnrollment>(
    `insert into enrollment as inserted (${[...Object.keys(columns), ...Object.keys(clocks)].join(', ')}, accepted_on, cut_off_day, created_at, updated_at)
     select ${[...Object.values(columns), ...Object.values(clocks)].join(', ')}, ${acceptedOn}, ${cutOffDayOf(columns)}, ${now}, ${now} from ${from}
     returning inserted.id, inserted.request_id as "requestId", inserted.initial_status as status, inserted.reference,
       inserted.alteration_kind as "alterationKind"`,
    parameters.values,
    rows,
  )
  const ids = inserted.map(({ id }) => id)
  if (columns.scheduled_action_date !== undefined) await setCarrierCutOffs(sql, companyId, ids)
  if (columns.start_date !== undefined || columns.effective_date !== undefined)
    await setRetroactiveLimits(sql, companyId, ids)
  await sql.query(openMovements('enrollment.company_id = $1 and enrollment.id = any($2::uuid[])'), [companyId, ids])
  sql.emit(
    companyId,
    inserted.map((enrollment) => enrollmentEvent('enrollment.created', enrollment)),
  )
  return inserted
}

/** SQL: the business day of the request. */
function acceptedOnOf({ request_id }: EnrollmentInsert['columns']): string {
  return `(select accepted_on from request where company_id = $1 and id = ${request_id})`
}

/** SQL: the cut-off day of the product, for a movement of the next billing period: its due date follows from it. */
function cutOffDayOf({ product_id, scheduled_reason = 'null' }: EnrollmentInsert['columns']): string {
  return `case when ${scheduled_reason} = 'next-billing-period' then (
    select cut_off_day from product where company_id = $1 and id = ${product_id}) end`
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

interface Transition extends Omit<EventEnrollment, 'reference'> {
  readonly reason: string | null
  /** An answer, whoever gave it. */
  readonly isAnswer?: boolean
  /** What a pending status waits for; the items end with the status. */
  readonly pendingItems?: readonly PendingItem[]
  /** When the carrier hears of an exclusion that the beneficiary requested: the day, and by when it must prove it. */
  readonly informedOn?: LocalDate
  readonly proofUntil?: LocalDate
  /** The carrier's protocol; absent: the stored one stays. */
  readonly carrierProtocol?: string | null
}

/** Sets the status of enrollments and writes their history, events and audit. */
export async function updateEnrollmentStatus(
  { sql, companyId, at }: CompanyWrite,
  transitions: readonly Transition[],
): Promise<void> {
  const { kind, id } = historyActor(sql.actor)
  const updated = await sql.query<Pick<EventEnrollment, 'id' | 'reference' | 'alterationKind'>>(
    `with transition as (
       select * from json_to_recordset($3::json) as transition(id uuid, status text, reason text, "pendingItems" jsonb,
         "informedOn" date, "proofUntil" date, "carrierProtocol" text, "isAnswer" boolean)
     ), updated as (
       update enrollment set status = transition.status, reason = transition.reason, updated_at = $2,
         pending_items = coalesce(transition."pendingItems", '[]'),
         reached_carrier = enrollment.reached_carrier or transition.status = 'carrier-processing',
         informed_on = coalesce(enrollment.informed_on, transition."informedOn"), proof_until = coalesce(enrollment.proof_until, transition."proofUntil"),
         carrier_protocol = coalesce(transition."carrierProtocol", enrollment.carrier_protocol),
         answered_at = case when ($4 in ('partner', 'service') or transition."isAnswer") and ${isPending('enrollment')} and ${isOpen('transition')} then $2::timestamptz end
       from transition where enrollment.company_id = $1 and enrollment.id = transition.id
       returning enrollment.id, enrollment.reference, enrollment.alteration_kind, enrollment.status, enrollment.due_date, enrollment.carrier_protocol, enrollment.answered_at
     ), opened as (
       update open_movement set status = updated.status, updated_at = $2, due_date = updated.due_date, carrier_protocol = updated.carrier_protocol,
         answered_at = updated.answered_at
       from updated where open_movement.company_id = $1 and open_movement.id = updated.id and ${isOpen('updated')}
     ), closed as (
       delete from open_movement using transition where open_movement.company_id = $1 and open_movement.id = transition.id
         and ${isTerminal('transition')}
     ), history as (
     insert into enrollment_history (company_id, enrollment_id, step, status, at, actor, actor_id, reason)
     select $1, transition.id, coalesce((select max(step) from enrollment_history
       where company_id = $1 and enrollment_id = transition.id), 0) + 1, transition.status, $2, $4, $5, transition.reason
     from transition)
     select id, reference, alteration_kind as "alterationKind" from updated`,
    [companyId, at, Records.of(transitions), kind, id],
  )
  const names = new Map(updated.map((enrollment) => [enrollment.id, enrollment]))
  sql.emit(
    companyId,
    transitions.map((transition) => {
      return enrollmentEvent(transitionEvents[transition.status], {
        reference: null,
        ...transition,
        ...names.get(transition.id),
      })
    }),
  )
  sql.audit(
    transitions.map((transition) => ({ action: `enrollment.${transition.status}`, target: transition.id, companyId })),
  )
}

/** Sets what pending enrollments wait for, by id. Their events and audit are the caller's. */
export async function updatePendingItems(
  { sql, companyId, at }: CompanyWrite,
  items: ReadonlyMap<string, readonly PendingItem[]>,
): Promise<void> {
  if (items.size === 0) return
  await sql.execute(
    `with changed as (
       update enrollment set pending_items = sent.items, updated_at = $2
       from json_to_recordset($3::json) as sent(id uuid, items jsonb)
       where enrollment.company_id = $1 and enrollment.id = sent.id
       returning enrollment.id
     )
     update open_movement set updated_at = $2 from changed where open_movement.company_id = $1 and open_movement.id = changed.id`,
    [companyId, at, Records.of([...items].map(([id, left]) => ({ id, items: left })))],
  )
}

/** What an answer changes in an open enrollment. `effectiveDate` null: it stays. */
export interface Correction {
  readonly id: string
  readonly data: Readonly<Record<string, unknown>>
  readonly effectiveDate: string | null
  /** Only for an inclusion; null: it stays. */
  readonly startDate: string | null
  readonly scheduledActionDate: string | null
  readonly scheduledReason: ScheduledReason | null
  readonly updatesProfile: boolean
  /** What is stored of the answer; null: nothing. */
  readonly answer: { readonly at: string; readonly changes: readonly Difference[] } | null
}

const correctedClocks = clocksOf(
  {
    enrollment_type: 'enrollment.enrollment_type',
    member_type: 'enrollment.member_type',
    primary_member_id: 'enrollment.primary_member_id',
    product_id: 'enrollment.product_id',
    benefit_id: 'enrollment.benefit_id',
    data: 'correction.data',
  },
  'enrollment.accepted_on',
)

/** Corrects the data and the days of open enrollments. Their status, events and audit are the caller's. */
export async function correctEnrollments(
  { sql, companyId, at }: CompanyWrite,
  corrections: readonly Correction[],
): Promise<void> {
  const assignments = Object.entries(correctedClocks)
    .map(([column, value]) => `${column} = ${value}`)
    .join(', ')
  await sql.execute(
    `with corrected as (
       update enrollment set data = correction.data, effective_date = coalesce(correction."effectiveDate", enrollment.effective_date),
         start_date = coalesce(correction."startDate", enrollment.start_date),
         scheduled_action_date = correction."scheduledActionDate", scheduled_reason = correction."scheduledReason",
         continuation_refusal = null, updates_profile = correction."updatesProfile", ${assignments}, updated_at = $2,
         answers = case when correction.answer is null then enrollment.answers else coalesce(enrollment.answers, '[]') || correction.answer end
       from json_to_recordset($3::json) as correction(id uuid, data jsonb, "effectiveDate" date, "startDate" date, "scheduledActionDate" date,
         "scheduledReason" text, "updatesProfile" boolean, answer jsonb)
       where enrollment.company_id = $1 and enrollment.id = correction.id
       returning enrollment.id, enrollment.scheduled_action_date, enrollment.due_date
     )
     update open_movement set scheduled_action_date = corrected.scheduled_action_date, due_date = corrected.due_date, updated_at = $2
     from corrected where open_movement.company_id = $1 and open_movement.id = corrected.id`,
    [companyId, at, Records.of(corrections)],
  )
  const ids = corrections.map(({ id }) => id)
  await setCarrierCutOffs(sql, companyId, ids)
  await setRetroactiveLimits(sql, companyId, ids)
}

/** Marks open enrollments as changed: something that clients read of them is another one. Their events and audit are the caller's. */
export async function touchEnrollments({ sql, companyId, at }: CompanyWrite, ids: readonly string[]): Promise<void> {
  await sql.execute(
    `with changed as (
       update enrollment set updated_at = $2 where company_id = $1 and id = any($3::uuid[]) returning id
     )
     update open_movement set updated_at = $2 from changed where open_movement.company_id = $1 and open_movement.id = changed.id`,
    [companyId, at, ids],
  )
}

/** Reports that the starts of these benefits moved with their primaries', as a change of their open inclusions. */
export async function reportMovedStarts(
  { sql, companyId, at }: CompanyWrite,
  benefitIds: readonly string[],
): Promise<void> {
  const moved = await sql.query<EventEnrollment>(
    `with moved as (
       update enrollment set updated_at = $3 from benefit
       where benefit.company_id = $1 and benefit.id = any($2::uuid[]) and enrollment.company_id = $1 and enrollment.member_id = benefit.member_id
         and enrollment.benefit_id = benefit.id and ${hasRule('enrollment.enrollment_type', 'createsBenefit')} and ${isOpen('enrollment')}
       returning enrollment.id, enrollment.request_id as "requestId", enrollment.status, enrollment.reference
     ), opened as (
       update open_movement set updated_at = $3 from moved where open_movement.company_id = $1 and open_movement.id = moved.id
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
