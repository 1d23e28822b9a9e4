import { Records } from '#platform/core/records.ts'
import { v7 as uuidv7 } from 'uuid'
import type { Sql } from '#platform/core/database.ts'
import { updateBenefits, type WrittenBenefit } from '#coverage/benefits/write.ts'
import type { BenefitKey } from './families.ts'
import { deleteMembersWithoutBenefit, recordDeletedBenefits } from '#coverage/members/write.ts'
import type { CompanyWrite } from './types.ts'
import { insertEnrollments, updateEnrollmentStatus } from './enrollments.ts'

/** A benefit that an exclusion ends; or has ended meanwhile, then it may extend it. */
export interface ExcludedBenefit {
  readonly enrollmentId: string
  readonly companyId: string
  readonly benefitId: string
  readonly memberId: string
  readonly primaryMemberId: string | null
  readonly productId: string
  readonly startDate: string
  /** The last day that the benefit has; null when it has none. */
  readonly endDate: string | null
  /** The last day as requested. */
  readonly requestedEnd: string
  readonly extensionPlan: boolean
  /** The death of a primary whose dependents keep the plan. */
  readonly isSurvived: boolean
  readonly status: 'active' | 'inactive'
  /** The business day on which the exclusion was accepted. */
  readonly acceptedOn: string
}

/**
 * SQL: the exclusion, an `enrollment` of the company `$1`, is the death of a primary whose family keeps the plan (Lei 9.656 art. 30 § 3): its dependents
 * keep it.
 */
const isSurvived = `(enrollment.data->'exclusion-details'->>'exclusion-reason' = 'death'
  and (enrollment.primary_enrollment_id is not null or enrollment.member_type = 'primary')
  and exists (select 1 from continuation join benefit kept on kept.company_id = continuation.company_id and kept.id = continuation.benefit_id
    where continuation.company_id = $1 and continuation.status in ('accepted', 'active') and kept.product_id = benefit.product_id
      and kept.member_id = coalesce(benefit.primary_member_id, benefit.member_id)))`

/** SQL: those of the `benefit` and the exclusion, an `enrollment`, of the company `$1`. */
const excludedColumns = `enrollment.id as "enrollmentId", benefit.company_id as "companyId", benefit.id as "benefitId",
  benefit.member_id as "memberId", benefit.primary_member_id as "primaryMemberId",
  benefit.product_id as "productId", benefit.start_date as "startDate", benefit.end_date as "endDate", enrollment.effective_date as "requestedEnd",
  coalesce((enrollment.data->'exclusion-details'->>'extension-plan')::boolean, false) as "extensionPlan", ${isSurvived} as "isSurvived", benefit.status,
  (select request.accepted_on from request where request.company_id = $1 and request.id = enrollment.request_id) as "acceptedOn"`

/**
 * The benefits that these exclusions end, and those that have ended meanwhile. The benefit of a dependent may have been transferred with its primary's while the
 * exclusion was open: then the exclusion ends its replacement.
 */
export async function readExcludedBenefits(
  sql: Sql,
  companyId: string,
  enrollmentIds: readonly string[],
): Promise<ExcludedBenefit[]> {
  const excluded: ExcludedBenefit[] = []
  let follow = await sql.query<ExcludedBenefit>(
    `select ${excludedColumns} from enrollment
     cross join lateral (select * from benefit where company_id = $1 and id = enrollment.benefit_id limit 1) benefit
     where enrollment.company_id = $1 and enrollment.id = any($2::uuid[])`,
    [companyId, enrollmentIds],
  )
  while (follow.length > 0) {
    excluded.push(...follow.filter(({ status }) => status === 'active'))
    const ended = follow.filter(({ status }) => status === 'inactive')
    if (ended.length === 0) break
    // A benefit has one replacement that is not pending, so the chain ends.
    const next = await sql.query<ExcludedBenefit & { replacedId: string }>(
      `select company_id as "companyId", id as "benefitId", member_id as "memberId", primary_member_id as "primaryMemberId",
         product_id as "productId", start_date as "startDate", end_date as "endDate", status, replaces_id as "replacedId"
       from benefit where replaces_id = any($1::uuid[]) and replaces_company_id = any($2::uuid[]) and status <> 'pending'`,
      [ended.map(({ benefitId }) => benefitId), ended.map((benefit) => benefit.companyId)],
    )
    const replaced = new Set(next.map(({ replacedId }) => replacedId))
    excluded.push(...ended.filter(({ benefitId }) => !replaced.has(benefitId)))
    follow = next.flatMap((benefit) =>
      ended
        .filter(({ benefitId }) => benefitId === benefit.replacedId)
        .map((endedBenefit) => ({ ...endedBenefit, ...benefit })),
    )
  }
  return excluded
}

/** An active benefit that ends because its primary's does. */
export interface DependentBenefit extends ExcludedBenefit {
  /** An exclusion of it under the same request was completed before its primary's. */
  readonly isExcluded: boolean
}

/**
 * SQL that selects the DependentBenefits of the exclusions $2 of primaries, whose benefits are $3, of the company $1. Its last join goes on with
 * `and`.
 */
export const selectDependents = `select distinct on (benefit.id) ${excludedColumns}, exists (
       select 1 from enrollment own_exclusion where own_exclusion.company_id = $1 and own_exclusion.request_id = enrollment.request_id
         and own_exclusion.member_id = benefit.member_id and own_exclusion.benefit_id = benefit.id) as "isExcluded"
     from enrollment
     join benefit primary_benefit on primary_benefit.company_id = $1 and primary_benefit.id = any($3::uuid[])
       and primary_benefit.member_id = enrollment.member_id
       and primary_benefit.product_id = enrollment.product_id and primary_benefit.type = 'primary'
     join benefit on benefit.company_id = $1 and benefit.primary_member_id = primary_benefit.member_id
       and benefit.product_id = primary_benefit.product_id`

/** Active benefits of dependents of the primaries among these, except those that are among these themselves. */
export async function readOtherDependents(
  sql: Sql,
  companyId: string,
  excluded: readonly ExcludedBenefit[],
): Promise<DependentBenefit[]> {
  return sql.query<DependentBenefit>(
    `${selectDependents} and benefit.status = 'active' and benefit.id <> all($3::uuid[])
     where enrollment.company_id = $1 and enrollment.id = any($2::uuid[]) and enrollment.member_type = 'primary'
     order by benefit.id, enrollment.id`,
    [companyId, excluded.map(({ enrollmentId }) => enrollmentId), excluded.map(({ benefitId }) => benefitId)],
  )
}

/** Inserts exclusions of dependents who joined after the exclusion of the primary was requested, completed by the service. */
export async function insertDependentExclusions(
  write: CompanyWrite,
  dependents: readonly ExcludedBenefit[],
): Promise<void> {
  if (dependents.length === 0) return
  const inserted = await insertEnrollments(write, {
    columns: {
      company_id: 'enrollment.company_id',
      id: 'dependent.id',
      request_id: 'enrollment.request_id',
      enrollment_type: `'exclusion'`,
      // Never inserted as open: the benefit may have an open exclusion already, and a unique index allows one.
      status: `'completed'`,
      initial_status: `'created'`,
      initial_actor: `'service'`,
      member_id: 'benefit.member_id',
      member_tax_id: 'member.tax_id',
      member_type: 'benefit.type',
      primary_member_id: 'benefit.primary_member_id',
      product_id: 'benefit.product_id',
      product_name: 'product.name',
      benefit_id: 'benefit.id',
      effective_date: 'enrollment.effective_date',
      primary_enrollment_id: 'enrollment.id',
      data: `enrollment.data || '{"documents": []}'`,
      reference: 'enrollment.reference',
    },
    from: `json_to_recordset($2::json) as dependent(id uuid, "enrollmentId" uuid, "benefitId" uuid)
      join enrollment on enrollment.company_id = $1 and enrollment.id = dependent."enrollmentId"
      join benefit on benefit.company_id = $1 and benefit.id = dependent."benefitId"
      join member on member.company_id = $1 and member.id = benefit.member_id
      join product on product.company_id = $1 and product.id = benefit.product_id`,
    values: [write.companyId, Records.of(dependents.map((dependent) => ({ ...dependent, id: uuidv7() })))],
  })
  const completed = inserted.map(({ id, requestId }) => ({ id, requestId, status: 'completed', reason: null }) as const)
  await updateEnrollmentStatus({ ...write, sql: write.sql.as({ kind: 'service' }) }, completed)
}

/** Deletes the pending benefits that would replace these, which get back their former ends. @returns how many it deleted. */
export async function deletePendingReplacements(sql: Sql, at: Date, benefits: readonly BenefitKey[]): Promise<number> {
  const deleted = await sql.query<{ companyId: string; memberId: string }>(
    `delete from benefit using json_to_recordset($1::json) as key("companyId" uuid, id uuid)
     where benefit.replaces_company_id = key."companyId" and benefit.replaces_id = key.id and benefit.status = 'pending'
     returning benefit.company_id as "companyId", benefit.member_id as "memberId", benefit.replaces_company_id as "replacesCompanyId",
       benefit.replaces_id as "replacesId", benefit.end_date as "endDate"`,
    [Records.of(benefits)],
  )
  if (deleted.length === 0) return 0
  await updateBenefits(sql, at, {
    set: { end_date: 'deleted."endDate"' },
    from: 'json_to_recordset($1::json) as deleted("replacesCompanyId" uuid, "replacesId" uuid, "endDate" date)',
    where: `benefit.company_id = deleted."replacesCompanyId" and benefit.id = deleted."replacesId" and benefit.status = 'active'`,
    values: [Records.of(deleted)],
  })
  for (const [companyId, rows] of Map.groupBy(deleted, (row) => row.companyId)) {
    const memberIds = rows.map((row) => row.memberId)
    await recordDeletedBenefits(sql, companyId, memberIds, at)
    await deleteMembersWithoutBenefit(sql, companyId, memberIds)
  }
  return deleted.length
}

/** The end that a benefit gets. */
export interface BenefitEnd {
  readonly id: string
  readonly endDate: string
  /** Stays active under an extension plan: marked, without an end. */
  readonly extended: boolean
  /** Only for a dependent: it goes on after the primary's death. */
  readonly outlives?: boolean
  /** Given by the operator who ends a benefit under an extension plan. */
  readonly reason?: string
  /** The benefit has ended, and is extended to that day. */
  readonly extends?: boolean
}

/**
 * Sets the last day of active benefits and deactivates those whose last day is not in the future; activates those that are extended beyond today. A dependent's benefit stays active under an
 * extension plan only while the primary's does: end the primaries' first.
 * @returns the benefits whose status changed.
 */
export async function endBenefits(
  { sql, companyId, at }: CompanyWrite,
  today: string,
  ends: readonly BenefitEnd[],
): Promise<WrittenBenefit[]> {
  const updated = await updateBenefits<{ wasEnded: boolean }>(sql, at, {
    set: {
      end_date: 'case when benefit_end.extended then null else benefit_end."endDate" end',
      extension_plan: 'benefit.extension_plan or benefit_end.extended',
      outlives_primary: 'benefit.outlives_primary or benefit_end.outlives',
      end_reason: 'coalesce(benefit_end.reason, benefit.end_reason)',
      status: `case when not benefit_end.extended and benefit_end."endDate" <= $2::date then 'inactive' else 'active' end`,
    },
    from: `(
      select given.id, given."endDate", given.reason, coalesce(given.extends, false) as extends, coalesce(given.outlives, false) as outlives,
        given.extended and (ending.type = 'primary' or ending.outlives_primary or given.outlives or exists (
        select 1 from benefit primary_benefit where primary_benefit.company_id = $1 and primary_benefit.member_id = ending.primary_member_id
          and primary_benefit.product_id = ending.product_id
          and primary_benefit.type = 'primary' and primary_benefit.status = 'active' and primary_benefit.extension_plan)) as extended
      from json_to_recordset($3::json) as given(id uuid, "endDate" date, extended boolean, outlives boolean, reason text, extends boolean)
      join benefit ending on ending.company_id = $1 and ending.id = given.id) benefit_end`,
    where: `benefit.company_id = $1 and benefit.id = benefit_end.id
      and benefit.status = case when benefit_end.extends then 'inactive' else 'active' end`,
    values: [companyId, today, Records.of(ends)],
    returning: 'benefit_end.extends as "wasEnded"',
  })
  return updated.filter((benefit) => (benefit.status === 'inactive') !== benefit.wasEnded)
}

/**
 * An active benefit under an extension plan, first, with those of its dependents in the product; of a primary who has died those that outlive it; else
 * none. The caller has locked them.
 */
export async function readExtended(
  sql: Sql,
  companyId: string,
  benefitId: string,
): Promise<{ id: string; startDate: string; endDate: string | null }[]> {
  return sql.query<{ id: string; startDate: string; endDate: string | null }>(
    `select benefit.id, benefit.start_date as "startDate", benefit.end_date as "endDate" from benefit
     where benefit.company_id = $1 and benefit.status = 'active' and benefit.id in (
       select extended.id from benefit extended where extended.company_id = $1 and extended.id = $2 and extended.status = 'active'
         and extended.extension_plan
       union
       select dependent_benefit.id from benefit extended
       join benefit dependent_benefit on dependent_benefit.company_id = $1 and dependent_benefit.primary_member_id = extended.member_id
         and dependent_benefit.product_id = extended.product_id
       where extended.company_id = $1 and extended.id = $2 and extended.extension_plan and extended.type = 'primary'
         and (extended.status = 'active' or dependent_benefit.outlives_primary))
     order by benefit.type desc, benefit.id`,
    [companyId, benefitId],
  )
}
