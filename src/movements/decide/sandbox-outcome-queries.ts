import type { Sql } from '#platform/core/database.ts'
import { Records } from '#platform/core/records.ts'
import type { CompletedMovement } from '#coverage/rules/completion-fields.ts'
import type { EnrollmentStatus, SandboxOutcome } from '#kernel/enums.ts'
import type { Sandbox } from '#kernel/sandbox.ts'
import { hasRule } from '#coverage/enrollments/kind.ts'

/** An outcome of an enrollment. */
interface RequestedOutcome {
  readonly enrollmentId: string
  readonly sandbox: Sandbox
}

/** SQL: stores outcomes. @param from rows `requested` with "enrollmentId" and sandbox, of the company $1. */
export const insertOutcomesFrom = (from: string) =>
  `insert into sandbox_outcome (company_id, enrollment_id, outcome, due_date, reason, card_number)
   select enrollment.company_id, enrollment.id, sandbox.outcome, enrollment.accepted_on + sandbox."after-days", sandbox.reason,
     sandbox."card-number"
   from ${from}
   cross join lateral jsonb_to_record(requested.sandbox) as sandbox(outcome text, "after-days" integer, reason text, "card-number" text)
   join enrollment on enrollment.company_id = $1 and enrollment.id = requested."enrollmentId"`

/** Stores the outcomes of inserted enrollments. */
export async function insertOutcomes(
  sql: Sql,
  companyId: string,
  outcomes: readonly RequestedOutcome[],
): Promise<void> {
  const from = 'json_to_recordset($2::json) as requested("enrollmentId" uuid, sandbox jsonb)'
  await sql.query(insertOutcomesFrom(from), [companyId, Records.of(outcomes)])
}

interface OutcomeKey {
  readonly companyId: string
  readonly id: string
}

/** A dependent's inclusion is completed after its primary's. */
const waitsForPrimary = `sandbox_outcome.outcome = 'completed' and enrollment.member_type = 'dependent'
  and ${hasRule('enrollment.enrollment_type', 'needsActivePrimary')}
  and exists (select 1 from open_movement primary_movement where primary_movement.company_id = enrollment.company_id
    and primary_movement.member_id = enrollment.primary_member_id and primary_movement.product_id = enrollment.product_id
    and primary_movement.member_type = 'primary' and ${hasRule('primary_movement.enrollment_type', 'createsBenefit')})`

const selectDue = (condition: string) =>
  `select sandbox_outcome.company_id as "companyId", sandbox_outcome.enrollment_id as id from sandbox_outcome
   join enrollment on enrollment.company_id = sandbox_outcome.company_id and enrollment.id = sandbox_outcome.enrollment_id
   where ${condition} and not (${waitsForPrimary})
   order by sandbox_outcome.due_date, sandbox_outcome.enrollment_id`

/** Reads outcomes that are due, the earliest first. @param without companies. */
export function readDueOutcomes(
  sql: Sql,
  today: string,
  limit: number,
  without: readonly string[],
): Promise<OutcomeKey[]> {
  const due = 'sandbox_outcome.due_date <= $1 and sandbox_outcome.company_id <> all($3::uuid[])'
  return sql.query(`${selectDue(due)} limit $2`, [today, limit, without])
}

/** Reads those of these enrollments. */
export async function readDueOutcomesOf(
  sql: Sql,
  today: string,
  companyId: string,
  ids: readonly string[],
): Promise<string[]> {
  const condition =
    'sandbox_outcome.due_date <= $1 and sandbox_outcome.company_id = $2 and sandbox_outcome.enrollment_id = any($3::uuid[])'
  const rows = await sql.query<OutcomeKey>(selectDue(condition), [today, companyId, ids])
  return rows.map(({ id }) => id)
}

export interface TakenOutcome extends CompletedMovement {
  readonly id: string
  readonly outcome: SandboxOutcome
  readonly reason: string | null
  readonly cardNumber: string | null
  readonly status: EnrollmentStatus
}

/** Deletes outcomes, which other processes may take too, and returns them. */
export function takeOutcomes(sql: Sql, companyId: string, ids: readonly string[]): Promise<TakenOutcome[]> {
  return sql.query(
    `with taken as (
       delete from sandbox_outcome where company_id = $1 and enrollment_id = any($2::uuid[]) returning *
     )
     select enrollment.id, taken.outcome, taken.reason, taken.card_number as "cardNumber", enrollment.status,
       enrollment.enrollment_type as "enrollmentType", enrollment.alteration_kind as "alterationKind",
       enrollment.new_benefit_id is not null as "isTransfer"
     from taken join enrollment on enrollment.company_id = $1 and enrollment.id = taken.enrollment_id
     order by enrollment.id`,
    [companyId, ids],
  )
}
