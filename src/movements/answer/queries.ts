import { byCompany } from '#platform/core/by-company.ts'
import { hasRule } from '#coverage/enrollments/kind.ts'
import { updateBenefits } from '#coverage/benefits/write.ts'
import type { CorrectedEnrollment, ServedEnrollment } from '../rules/answer-effects.ts'
import { startBenefits } from '../transition/start-queries.ts'
import type { CompanyWrite } from '../transition/types.ts'
import { registrationJson, updateMembers } from '#coverage/members/write.ts'
import type { Sql } from '#platform/core/database.ts'
import { isContributory } from '../exclude/queries.ts'

/**
 * SQL: the status of the queue that a pending enrollment came from. No pending status follows another. One that the carrier refused in a shipment
 * is sent again, in the next one.
 */
const queueStatus = `case when exists (select 1 from shipment_item where shipment_item.company_id = $1
    and shipment_item.enrollment_id = enrollment.id and shipment_item.status = 'refused')
  then 'broker-processing' else coalesce((select status from enrollment_history where company_id = $1 and enrollment_id = enrollment.id
  order by step desc offset 1 limit 1), enrollment.initial_status) end`

/** SQL: an extension plan keeps the primary's benefit, or is to keep it by the exclusion that this one is part of. */
const isPrimaryKept = `coalesce(
  (select (primary_enrollment.data->'exclusion-details'->>'extension-plan')::boolean from enrollment primary_enrollment
   where primary_enrollment.company_id = $1 and primary_enrollment.id = enrollment.primary_enrollment_id),
  exists (select 1 from benefit primary_benefit where primary_benefit.company_id = $1 and primary_benefit.member_id = enrollment.primary_member_id
    and primary_benefit.product_id = enrollment.product_id and primary_benefit.type = 'primary' and primary_benefit.status = 'active'
    and primary_benefit.extension_plan and primary_benefit.end_date is null))`

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
  const served = await sql.query<ServedEnrollment & { readonly destinationCompanyId: string | null }>(
    `with answered as (
       select id, request_id, member_id, enrollment_type from enrollment where company_id = $1 and id = $2
     ), related as (
       -- the request is compared below: it may have thousands of enrollments
       select id, request_id from answered
       union
       select enrollment.id, enrollment.request_id from answered
       join enrollment on enrollment.company_id = $1 and enrollment.request_id = answered.request_id
         and enrollment.primary_enrollment_id = answered.id
       where ${hasRule('answered.enrollment_type', 'endsBenefit')}
       union
       select enrollment.id, enrollment.request_id from answered
       join enrollment on enrollment.company_id = $1 and enrollment.member_id = answered.member_id
       where not ${hasRule('answered.enrollment_type', 'endsBenefit')}
     ), served as (
       select enrollment.id, enrollment.member_type, enrollment.data from answered
       join related on related.request_id = answered.request_id
       join enrollment on enrollment.company_id = $1 and enrollment.id = related.id
       join open_movement on open_movement.company_id = $1 and open_movement.id = enrollment.id
     ), follower as (
       select enrollment.id from answered
       join open_movement on open_movement.company_id = $1 and open_movement.primary_member_id = answered.member_id
         and ${hasRule('open_movement.enrollment_type', 'createsBenefit')}
       join enrollment on enrollment.company_id = $1 and enrollment.id = open_movement.id and enrollment.start_option = 'on-admission-date'
       join benefit on benefit.company_id = $1 and benefit.id = enrollment.benefit_id
         and coalesce(enrollment.start_date, benefit.start_date) in (
           select (data->>'admission-date')::date from served where member_type = 'primary')
       where ${hasRule('answered.enrollment_type', 'createsBenefit')}
     )
     select enrollment.id, enrollment.request_id as "requestId", enrollment.reference, enrollment.enrollment_type as "enrollmentType",
       enrollment.alteration_kind as "alterationKind",
       enrollment.status, ${queueStatus} as "queueStatus", enrollment.pending_items as "pendingItems",
       enrollment.member_id as "memberId", enrollment.member_type as "memberType", enrollment.benefit_id as "benefitId",
       benefit.dependent_type as "dependentType",
       benefit.start_date as "startDate",
       enrollment.start_option as "startOption", product.allowed_dependent_types as "allowedDependentTypes", ${isPrimaryKept} as "isPrimaryKept",
       ${isContributory('$1')} as "isContributory",
       enrollment.new_benefit_id is not null as "isTransfer", enrollment.destination_company_id as "destinationCompanyId",
       enrollment.continuation_refusal is not null as "isExtensionRefused",
       enrollment.updates_profile as "updatesProfile", enrollment.id not in (select id from served) as "isFollower",
       request.applied_at is not null as "isApplied", enrollment.data, enrollment.scheduled_action_date as "scheduledActionDate",
       enrollment.scheduled_reason as "scheduledReason"
     from enrollment
     join request on request.company_id = $1 and request.id = enrollment.request_id
     join product on product.company_id = $1 and product.id = enrollment.product_id
     join benefit on benefit.company_id = $1 and benefit.id = enrollment.benefit_id
     where enrollment.company_id = $1 and enrollment.id in (select id from served union select id from follower)
     order by enrollment.id ${lock === '' ? '' : 'for update of enrollment'}`,
    [companyId, enrollmentId],
  )
  // The shipments of a change of company are those of its destination.
  const elsewhere = served.flatMap(({ destinationCompanyId, id }) =>
    destinationCompanyId === null || destinationCompanyId === companyId
      ? []
      : [{ companyId: destinationCompanyId, id }],
  )
  const refused = new Set<string>()
  for (const [ofCompany, own] of byCompany(elsewhere)) {
    const rows = await sql.query<{ id: string }>(
      `select enrollment_id as id from shipment_item where company_id = $1 and enrollment_id = any($2::uuid[]) and status = 'refused'`,
      [ofCompany, own.map(({ id }) => id)],
    )
    for (const { id } of rows) refused.add(id)
  }
  return served.map((enrollment) =>
    refused.has(enrollment.id) ? { ...enrollment, queueStatus: 'broker-processing' } : enrollment,
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
    where: `benefit.company_id = $1 and benefit.id = any($2::uuid[]) and benefit.type = 'dependent' and benefit.status = 'pending'`,
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
  const text = `select member.company_id, member.id, jsonb_strip_nulls(${registrationJson('member')} || $3::jsonb) as data
    from member where member.company_id = $1 and member.id = $2`
  await updateMembers(sql, at, { text, values: [companyId, memberId, JSON.stringify(changes)] }, 'replace')
}

/** Lets the registration data of an alteration apply at its next completion, though they were applied before. */
export async function applyAgain(sql: Sql, companyId: string, requestId: string): Promise<void> {
  await sql.execute(
    'update request set applied_at = null where company_id = $1 and id = $2 and applied_at is not null',
    [companyId, requestId],
  )
}
