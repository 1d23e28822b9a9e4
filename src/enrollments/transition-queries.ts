import type { Sql } from '../database.ts'
import type { ActorKind, EnrollmentStatus } from '../rules/enrollment.ts'

/** An enrollment as a transition needs it. */
export interface OpenEnrollment {
  readonly id: string
  readonly requestId: string
  readonly enrollmentType: 'inclusion' | 'exclusion' | 'alteration'
  readonly status: EnrollmentStatus
  readonly reachedCarrier: boolean
  readonly memberId: string
  readonly memberType: 'primary' | 'dependent'
  readonly primaryMemberId: string | null
  readonly productId: string
  readonly benefitId: string
  readonly primaryActive: boolean
}

/**
 * Locks the benefits that a transition of these enrollments may change or depends on. Benefits are locked before
 * enrollments everywhere, in the order of their ids, so that two transitions of one family wait and never deadlock.
 */
export async function lockBenefits(sql: Sql, companyId: string, ids: readonly string[]): Promise<void> {
  await sql.planned(
    `select b.id from benefit b
     where b.company_id = $1 and b.id in (
       select e.benefit_id from enrollment e where e.company_id = $1 and e.id = any($2::uuid[])
       union
       select p.id from enrollment e
       join benefit p on p.company_id = $1 and p.member_id = e.primary_member_id and p.product_id = e.product_id
         and p.type = 'primary' and p.status in ('pending', 'active')
       where e.company_id = $1 and e.id = any($2::uuid[]))
     order by b.id for update`,
    [companyId, ids],
  )
}

/** Locks and reads the enrollments, and the open inclusions of their primaries' dependents in the same product. */
export async function lockEnrollments(sql: Sql, companyId: string, ids: readonly string[]): Promise<OpenEnrollment[]> {
  return sql.planned<OpenEnrollment>(
    `select e.id, e.request_id as "requestId", e.enrollment_type as "enrollmentType", e.status,
       e.reached_carrier as "reachedCarrier", e.member_id as "memberId", e.member_type as "memberType",
       e.primary_member_id as "primaryMemberId", e.product_id as "productId", e.benefit_id as "benefitId",
       exists (select 1 from benefit b where b.company_id = $1 and b.member_id = e.primary_member_id
         and b.product_id = e.product_id and b.type = 'primary' and b.status = 'active') as "primaryActive"
     from enrollment e
     where e.company_id = $1 and e.id in (
       select unnest($2::uuid[])
       union
       select d.id from enrollment a
       join enrollment d on d.company_id = $1 and d.primary_member_id = a.member_id and d.product_id = a.product_id
         and d.enrollment_type = 'inclusion' and d.status not in ('completed', 'rejected', 'cancelled')
       where a.company_id = $1 and a.id = any($2::uuid[]) and a.enrollment_type = 'inclusion' and a.member_type = 'primary')
     order by e.id for update of e`,
    [companyId, ids],
  )
}

export interface StepRow {
  readonly id: string
  readonly status: EnrollmentStatus
  readonly reason: string | null
}

/** Moves the enrollments and writes their history, in one statement. */
export async function applySteps(
  sql: Sql,
  companyId: string,
  at: Date,
  actor: { readonly kind: ActorKind; readonly id: string | null },
  steps: readonly StepRow[],
): Promise<void> {
  await sql.run(
    `with step as (
       select * from json_to_recordset($3::json) as s(id uuid, status text, reason text)
     ), moved as (
       update enrollment e set status = s.status, reason = s.reason, updated_at = $2,
         reached_carrier = e.reached_carrier or s.status = 'carrier-processing'
       from step s where e.company_id = $1 and e.id = s.id
     )
     insert into enrollment_history (company_id, enrollment_id, step, status, at, actor, actor_id, reason)
     select $1, s.id, coalesce((select max(h.step) from enrollment_history h
       where h.company_id = $1 and h.enrollment_id = s.id), 0) + 1, s.status, $2, $4, $5, s.reason
     from step s`,
    [companyId, at, JSON.stringify(steps), actor.kind, actor.id],
  )
}

/** Activates the benefits of completed inclusions; `startDate` and `cardNumber` are the operator's, where given. */
export async function activateBenefits(
  sql: Sql,
  companyId: string,
  at: Date,
  benefitIds: readonly string[],
  set: { readonly startDate: string | null; readonly cardNumber: string | null },
): Promise<void> {
  await sql.run(
    `update benefit set status = 'active', start_date = coalesce($4::date, start_date),
       card_number = coalesce($5::text, card_number), updated_at = $2
     where company_id = $1 and id = any($3::uuid[]) and status = 'pending'`,
    [companyId, at, benefitIds, set.startDate, set.cardNumber],
  )
}

/** Applies the profile that a completed inclusion brought for somebody who was a member already. */
export async function applyProfiles(
  sql: Sql,
  companyId: string,
  at: Date,
  enrollmentIds: readonly string[],
): Promise<void> {
  await sql.run(
    `update member m set
       name = coalesce(e.data->>'name', m.name),
       mothers_name = coalesce(e.data->>'mothers-name', m.mothers_name),
       date_of_birth = coalesce((e.data->>'date-of-birth')::date, m.date_of_birth),
       gender = coalesce(e.data->>'gender', m.gender),
       marital_status = coalesce(e.data->>'marital-status', m.marital_status),
       admission_date = coalesce((e.data->>'admission-date')::date, m.admission_date),
       employee_id = coalesce(e.data->>'employee-id', m.employee_id),
       cost_center = coalesce(e.data->>'cost-center', m.cost_center),
       salary = coalesce((e.data->>'salary')::bigint, m.salary),
       details = m.details || (e.data - array['name', 'mothers-name', 'date-of-birth', 'gender', 'marital-status',
         'admission-date', 'employee-id', 'cost-center', 'salary', 'documents']),
       updated_at = $2
     from (select distinct on (member_id) member_id, data from enrollment
       where company_id = $1 and id = any($3::uuid[]) and updates_profile
       order by member_id, created_at desc, id desc) e
     where m.company_id = $1 and m.id = e.member_id`,
    [companyId, at, enrollmentIds],
  )
}

/** Removes what a rejected or cancelled inclusion had put on the way: its benefit, and whoever has no other. */
export async function withdrawBenefits(sql: Sql, companyId: string, benefitIds: readonly string[]): Promise<void> {
  const gone = await sql.rows<{ memberId: string }>(
    `delete from benefit where company_id = $1 and id = any($2::uuid[]) and status = 'pending' returning member_id as "memberId"`,
    [companyId, benefitIds],
  )
  await forgetWithoutBenefit(sql, companyId, [...new Set(gone.map((row) => row.memberId))])
}

/** Deletes those of the members who have no benefit: a member is whoever has, or had, one (decisions on identifiers). */
export async function forgetWithoutBenefit(sql: Sql, companyId: string, memberIds: readonly string[]): Promise<void> {
  if (memberIds.length === 0) return
  await sql.run(
    `delete from member m where m.company_id = $1 and m.id = any($2::uuid[])
       and not exists (select 1 from benefit b where b.company_id = $1 and b.member_id = m.id)
       and not exists (select 1 from benefit b where b.company_id = $1 and b.primary_member_id = m.id)`,
    [companyId, memberIds],
  )
}
