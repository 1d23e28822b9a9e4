import { hasRule } from '../../enrollments/kind.ts'
import { updateBenefits } from '../../benefits/write.ts'
import type { CorrectedEnrollment, ServedEnrollment } from '../../domain/answer-effects.ts'
import { startBenefits } from '../transition/start-queries.ts'
import type { CompanyWrite } from '../transition/types.ts'
import { registrationJson, updateMembers } from '../../members/write.ts'
import type { Sql } from '../../core/database.ts'

/** SQL: the status of the queue that a pending enrollment came from. No pending status follows another. */
const queueStatus = `coalesce((select h.status from enrollment_history h where h.company_id = $1 and h.enrollment_id = e.id
  order by h.step desc offset 1 limit 1), e.initial_status)`

/** SQL: an extension plan keeps the primary's benefit, or is to keep it by the exclusion that this one is part of. */
const isPrimaryKept = `coalesce(
  (select (x.data->'exclusion-details'->>'extension-plan')::boolean from enrollment x
   where x.company_id = $1 and x.id = e.primary_enrollment_id),
  exists (select 1 from benefit k where k.company_id = $1 and k.member_id = e.primary_member_id
    and k.product_id = e.product_id and k.type = 'primary' and k.status = 'active' and k.extension_plan and k.end_date is null))`

/**
 * Reads the open enrollments that an answer to an enrollment serves: of an exclusion the parts that go with it, of the other types those of
 * the person in the request; and the open inclusions of dependents that are to start on the person's admission date.
 * @param lock `for update` once the families are locked.
 */
export async function readServed(
  sql: Sql,
  companyId: string,
  enrollmentId: string,
  lock: '' | 'for update',
): Promise<ServedEnrollment[]> {
  return sql.query<ServedEnrollment>(
    `with answered as (
       select id, request_id, member_id, enrollment_type from enrollment where company_id = $1 and id = $2
     ), related as (
       -- the request is compared below: it may have thousands of enrollments
       select id, request_id from answered
       union
       select e.id, e.request_id from answered a
       join enrollment e on e.company_id = $1 and e.request_id = a.request_id and e.primary_enrollment_id = a.id
       where ${hasRule('a.enrollment_type', 'endsBenefit')}
       union
       select e.id, e.request_id from answered a
       join enrollment e on e.company_id = $1 and e.member_id = a.member_id
       where not ${hasRule('a.enrollment_type', 'endsBenefit')}
     ), served as (
       select e.id, e.member_type, e.data from answered a
       join related l on l.request_id = a.request_id
       join enrollment e on e.company_id = $1 and e.id = l.id
       join open_movement o on o.company_id = $1 and o.id = e.id
     ), follower as (
       select d.id from answered a
       join open_movement o on o.company_id = $1 and o.primary_member_id = a.member_id and ${hasRule('o.enrollment_type', 'createsBenefit')}
       join enrollment d on d.company_id = $1 and d.id = o.id and d.start_option = 'on-admission-date'
       join benefit b on b.company_id = $1 and b.id = d.benefit_id
         and coalesce(d.start_date, b.start_date) in (
           select (s.data->>'admission-date')::date from served s where s.member_type = 'primary')
       where ${hasRule('a.enrollment_type', 'createsBenefit')}
     )
     select e.id, e.request_id as "requestId", e.reference, e.enrollment_type as "enrollmentType", e.status, ${queueStatus} as "queueStatus",
       e.member_id as "memberId", e.member_type as "memberType", e.benefit_id as "benefitId", b.start_date as "startDate",
       e.start_option as "startOption", p.allowed_dependent_types as "allowedDependentTypes", ${isPrimaryKept} as "isPrimaryKept",
       e.new_benefit_id is not null as "isTransfer",
       e.updates_profile as "updatesProfile", e.id not in (select id from served) as "isFollower",
       r.applied_at is not null as "isApplied", e.data, e.scheduled_action_date as "scheduledActionDate",
       e.scheduled_reason as "scheduledReason"
     from enrollment e
     join request r on r.company_id = $1 and r.id = e.request_id
     join product p on p.company_id = $1 and p.id = e.product_id
     join benefit b on b.company_id = $1 and b.id = e.benefit_id
     where e.company_id = $1 and e.id in (select id from served union select id from follower)
     order by e.id ${lock === '' ? '' : 'for update of e'}`,
    [companyId, enrollmentId],
  )
}

/** Whether the request of an enrollment still has parts that are no enrollments yet. */
export async function isProcessing(sql: Sql, companyId: string, requestId: string): Promise<boolean> {
  const rows = await sql.query(
    `select 1 as one from request where company_id = $1 and id = $2 and status = 'processing'`,
    [companyId, requestId],
  )
  return rows.length > 0
}

/** Moves the start of pending benefits, as far as the cover of primaries and former cover allow. */
export async function moveStarts(write: CompanyWrite, corrected: readonly CorrectedEnrollment[]): Promise<void> {
  const starts = corrected.flatMap(({ enrollment, startDate }) =>
    startDate === null ? [] : [{ id: enrollment.benefitId, type: enrollment.memberType, startDate }],
  )
  if (starts.length > 0) await startBenefits(write, starts, false)
}

/** Sets the dependent type of pending benefits. */
export async function setDependentType(
  { sql, companyId, at }: CompanyWrite,
  benefitIds: readonly string[],
  dependentType: string,
): Promise<void> {
  await updateBenefits(sql, at, {
    set: { dependent_type: '$3' },
    where: `b.company_id = $1 and b.id = any($2::uuid[]) and b.type = 'dependent' and b.status = 'pending'`,
    values: [companyId, benefitIds, dependentType],
  })
}

/** Whether the member has, or had, a benefit in force: then an inclusion changes the registration data when it completes. */
export async function wasCovered(sql: Sql, companyId: string, memberId: string): Promise<boolean> {
  const rows = await sql.query(
    `select 1 as one from benefit where company_id = $1 and member_id = $2 and status <> 'pending' limit 1`,
    [companyId, memberId],
  )
  return rows.length > 0
}

/** Changes the registration data of a member at once. @param changes under the keys of the profile; null for values that are removed. */
export async function correctMember(
  { sql, companyId, at }: CompanyWrite,
  memberId: string,
  changes: Readonly<Record<string, unknown>>,
): Promise<void> {
  const text = `select m.company_id, m.id, jsonb_strip_nulls(${registrationJson('m')} || $3::jsonb) as data
    from member m where m.company_id = $1 and m.id = $2`
  await updateMembers(sql, at, { text, values: [companyId, memberId, JSON.stringify(changes)] }, 'replace')
}

/** Lets the registration data of an alteration apply at its next completion, though they were applied before. */
export async function applyAgain(sql: Sql, companyId: string, requestId: string): Promise<void> {
  await sql.execute(
    'update request set applied_at = null where company_id = $1 and id = $2 and applied_at is not null',
    [companyId, requestId],
  )
}
