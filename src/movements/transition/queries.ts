import { Records } from '#platform/core/records.ts'
import { hasRule } from '#coverage/enrollments/kind.ts'
import type { Sql } from '#platform/core/database.ts'
import type { EnrollmentFacts } from '../rules/transitions.ts'
import { movementRules } from '#kernel/movement-rules.ts'
import { type AlterationKind, MOVEMENT_KINDS } from '#kernel/enums.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import type { CutOffCalendar } from '#registry/rules/cut-off.ts'
import { extendedEnd } from '../rules/exclusion.ts'
import { readExcludedBenefits } from './exclusion-queries.ts'
import { readEndedFacts } from './extension-queries.ts'
import { primaryOf, readReplacedByActive } from './families.ts'
import { isOpen } from '#coverage/enrollments/open-movement.ts'
import type { Decision } from './types.ts'

/** An enrollment as a transition needs it. */
export interface OpenEnrollment extends EnrollmentFacts {
  readonly requestId: string
  readonly benefitId: string
  /** A plan or company change, not registration data alone. */
  readonly isTransfer: boolean
  /** Only for such a change. */
  readonly destinationCompanyId: string | null
  readonly alterationKind: AlterationKind | null
  /** Only for an inclusion: the start as accepted. */
  readonly startDate: string | null
  /** The contract of an exclusion that the beneficiary requested and that the carrier does not know yet; else null. */
  readonly uninformed: { readonly calendar: CutOffCalendar | null } | null
}

/** The benefits that these enrollments start, end or transfer. */
export async function readBenefitIds(sql: Sql, companyId: string, ids: readonly string[]): Promise<string[]> {
  const rows = await sql.query<{ id: string }>(
    'select benefit_id as id from enrollment where company_id = $1 and id = any($2::uuid[])',
    [companyId, ids],
  )
  return rows.map((row) => row.id)
}

/** SQL: the new CPF of an alteration whose registration data is not applied yet. */
const newTaxId = `(select (enrollment.data->'registration'->>'tax-id')::bpchar from request
  where request.company_id = $1 and request.id = enrollment.request_id and request.applied_at is null)`

/**
 * An alteration cannot complete once its benefit has ended (registration data can), or does not cover the effective date, or its new CPF is another person's, or
 * the member has such a benefit in the destination: `readImpossibleThere`.
 */
const impossible = `${hasRule('enrollment.enrollment_type', 'altersBenefit')} and (
  enrollment.new_benefit_id is not null
    and not exists (select 1 from benefit where benefit.company_id = $1 and benefit.id = enrollment.benefit_id and benefit.status = 'active'
      and (benefit.end_date is null or benefit.end_date >= coalesce(decision."startDate", enrollment.effective_date))
      and (decision."startDate" is null or decision."startDate" >= benefit.start_date))
  or enrollment.alteration_kind is not null
    and not exists (select 1 from benefit where benefit.company_id = $1 and benefit.id = enrollment.benefit_id and benefit.status = 'active')
  or exists (select 1 from member where member.company_id = $1 and member.tax_id = ${newTaxId} and member.id <> enrollment.member_id))`

/** SQL: the calendar of the active contract of a product. */
const calendar = `(select contract.calendar from contract_plan
  join contract on contract.company_id = contract_plan.company_id and contract.id = contract_plan.contract_id
  where contract_plan.company_id = $1 and contract_plan.active_product_id = enrollment.product_id)`

interface LockedEnrollment extends Omit<OpenEnrollment, 'primaryActive' | 'endsBeforeStart'> {
  readonly primaryBenefitId: string | null
  readonly primaryStatus: string | null
  readonly memberTaxId: string | null
  readonly hasNewTaxId: boolean
  readonly destinationProductId: string | null
}

/** Those of the alterations that cannot complete because of the destination: see `impossible`. */
async function readImpossibleThere(sql: Sql, locked: readonly LockedEnrollment[]): Promise<Set<string>> {
  const found = new Set<string>()
  const alterations = locked.filter(
    (enrollment) => movementRules[enrollment.enrollmentType].altersBenefit && enrollment.destinationCompanyId !== null,
  )
  for (const [destination, rows] of Map.groupBy(alterations, (alteration) => alteration.destinationCompanyId)) {
    const impossibleThere = await sql.query<{ id: string }>(
      `select alteration.id from json_to_recordset($2::json) as alteration(id uuid, "memberId" uuid, "memberTaxId" bpchar, "memberType" text,
         "hasNewTaxId" boolean, "destinationProductId" uuid)
       cross join lateral (select id from member where company_id = $1 and tax_id = alteration."memberTaxId" limit 1) person
       where alteration."hasNewTaxId" and person.id <> alteration."memberId"
         or exists (select 1 from benefit where benefit.company_id = $1 and benefit.member_id = person.id
         and benefit.product_id = alteration."destinationProductId"
           and benefit.type = alteration."memberType" and benefit.status in ('pending', 'active'))`,
      [destination, Records.of(rows)],
    )
    for (const { id } of impossibleThere) found.add(id)
  }
  return found
}

interface JudgedEnds {
  /** The end that the operator sent is before the start of the benefit. */
  readonly beforeStart: Set<string>
  /** The benefit has ended meanwhile, and the exclusion cannot extend it. */
  readonly withoutEffect: Set<string>
}

/** Judges the last days of the exclusions that would be completed. */
async function judgeEnds(
  sql: Sql,
  companyId: string,
  locked: readonly LockedEnrollment[],
  decisions: ReadonlyMap<string, Decision>,
  today: LocalDate,
): Promise<JudgedEnds> {
  const judged: JudgedEnds = { beforeStart: new Set(), withoutEffect: new Set() }
  const completed = locked.filter(
    ({ id, enrollmentType }) => movementRules[enrollmentType].endsBenefit && decisions.get(id)?.status === 'completed',
  )
  if (completed.length === 0) return judged
  const excluded = await readExcludedBenefits(
    sql,
    companyId,
    completed.map(({ id }) => id),
  )
  for (const [ownCompanyId, benefits] of Map.groupBy(excluded, (benefit) => benefit.companyId)) {
    const ended = benefits.filter(({ status }) => status === 'inactive').map(({ benefitId }) => benefitId)
    const facts = await readEndedFacts(sql, ownCompanyId, ended)
    for (const benefit of benefits) {
      const given = decisions.get(benefit.enrollmentId)?.endDate ?? null
      const known = facts.get(benefit.benefitId)
      const end = { ...benefit, isKept: benefit.extensionPlan }
      if (known !== undefined && extendedEnd(end, known, given ?? benefit.requestedEnd, today) === null)
        judged.withoutEffect.add(benefit.enrollmentId)
      if (given !== null && given < benefit.startDate) judged.beforeStart.add(benefit.enrollmentId)
    }
  }
  return judged
}

const cascadingTypes = MOVEMENT_KINDS.filter((type) => movementRules[type].cascades)

/** Locks and reads the enrollments, those that depend on them, and those that they depend on. */
export async function lockEnrollments(
  sql: Sql,
  companyId: string,
  decisions: ReadonlyMap<string, Decision>,
  today: LocalDate,
): Promise<OpenEnrollment[]> {
  const starts = [...decisions].flatMap(([id, { startDate }]) => (startDate == null ? [] : [{ id, startDate }]))
  const locked = await sql.query<LockedEnrollment>(
    `with requested as materialized (
       select id, request_id, enrollment_type, member_id, member_type, product_id, primary_enrollment_id
       from enrollment where company_id = $1 and id = any($2::uuid[])
     )
     select enrollment.id, enrollment.request_id as "requestId", enrollment.enrollment_type as "enrollmentType", enrollment.status,
       enrollment.reached_carrier as "reachedCarrier", enrollment.member_id as "memberId", enrollment.member_type as "memberType",
       enrollment.primary_member_id as "primaryMemberId", enrollment.product_id as "productId", enrollment.benefit_id as "benefitId",
       enrollment.primary_enrollment_id as "primaryEnrollmentId", enrollment.new_benefit_id is not null as "isTransfer",
       enrollment.alteration_kind as "alterationKind",
       enrollment.start_date as "startDate",
       case when enrollment.requested_on is not null and enrollment.informed_on is null then json_build_object('calendar', ${calendar}) end as uninformed,
       ${impossible} as impossible,
       coalesce((enrollment.data->'exclusion-details'->>'extension-plan')::boolean, false) as "extensionPlan",
       primary_benefit.id as "primaryBenefitId", primary_benefit.status as "primaryStatus",
       enrollment.destination_company_id as "destinationCompanyId", enrollment.destination_product_id as "destinationProductId",
       ${newTaxId} is not null as "hasNewTaxId",
       coalesce(${newTaxId}, (select member.tax_id from member where member.company_id = $1 and member.id = enrollment.member_id)) as "memberTaxId"
     from enrollment
     left join ${primaryOf('enrollment', '$1')} on true
     left join json_to_recordset($4::json) as decision(id uuid, "startDate" date) on decision.id = enrollment.id
     where enrollment.company_id = $1 and enrollment.id = any(array(
       select id from requested
       union
       select primary_enrollment_id from requested
       union
       select dependent_enrollment.id from requested join enrollment dependent_enrollment on dependent_enrollment.company_id = $1
         and dependent_enrollment.request_id = requested.request_id and dependent_enrollment.primary_enrollment_id = requested.id
         and (${isOpen('dependent_enrollment')} or dependent_enrollment.reached_carrier)
       union
       select open_movement.id from requested
       join open_movement on open_movement.company_id = $1 and open_movement.primary_member_id = requested.member_id
         and open_movement.product_id = requested.product_id and (open_movement.enrollment_type = requested.enrollment_type
         or (${hasRule('requested.enrollment_type', 'endsBenefit')} and ${hasRule('open_movement.enrollment_type', 'createsBenefit')}))
       where requested.enrollment_type = any($3::text[]) and requested.member_type = 'primary'))
     order by enrollment.id for update of enrollment`,
    [companyId, [...decisions.keys()], cascadingTypes, Records.of(starts)],
  )
  const impossibleThere = await readImpossibleThere(sql, locked)
  const exclusions = await judgeEnds(sql, companyId, locked, decisions, today)
  // The primary may have the product by a benefit that replaced the one of the dependent's inclusion.
  const endedPrimaryBenefits = locked.flatMap(({ primaryStatus, primaryBenefitId }) =>
    primaryStatus === 'inactive' && primaryBenefitId !== null ? [primaryBenefitId] : [],
  )
  const replaced = await readReplacedByActive(sql, companyId, endedPrimaryBenefits)
  return locked.map((enrollment) => ({
    ...enrollment,
    impossible:
      enrollment.impossible || impossibleThere.has(enrollment.id) || exclusions.withoutEffect.has(enrollment.id),
    endsBeforeStart: exclusions.beforeStart.has(enrollment.id),
    primaryActive: enrollment.primaryStatus === 'active' || replaced.has(enrollment.primaryBenefitId ?? ''),
  }))
}
