import { Records } from '../../core/records.ts'
import { v7 as uuidv7 } from 'uuid'
import type { Sql } from '../../core/database.ts'
import { updateBenefits, type WrittenBenefit } from '../../benefits/write.ts'
import type { BenefitKey } from './families.ts'
import { deleteMembersWithoutBenefit, recordDeletedBenefits } from '../../members/write.ts'
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
  readonly status: 'active' | 'inactive'
  /** The business day on which the exclusion was accepted. */
  readonly acceptedOn: string
}

/** SQL: those of the benefit `b` and the exclusion `e` of the company `$1`. */
export const excludedColumns = `e.id as "enrollmentId", b.company_id as "companyId", b.id as "benefitId", b.member_id as "memberId", b.primary_member_id as "primaryMemberId",
  b.product_id as "productId", b.start_date as "startDate", b.end_date as "endDate", e.effective_date as "requestedEnd",
  coalesce((e.data->'exclusion-details'->>'extension-plan')::boolean, false) as "extensionPlan", b.status,
  (select q.accepted_on from request q where q.company_id = $1 and q.id = e.request_id) as "acceptedOn"`

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
    `select ${excludedColumns} from enrollment e
     cross join lateral (select x.* from benefit x where x.company_id = $1 and x.id = e.benefit_id limit 1) b
     where e.company_id = $1 and e.id = any($2::uuid[])`,
    [companyId, enrollmentIds],
  )
  while (follow.length > 0) {
    excluded.push(...follow.filter(({ status }) => status === 'active'))
    const ended = follow.filter(({ status }) => status === 'inactive')
    if (ended.length === 0) break
    // A benefit has one replacement that is not pending, so the chain ends.
    const next = await sql.query<ExcludedBenefit & { replacedId: string }>(
      `select b.company_id as "companyId", b.id as "benefitId", b.member_id as "memberId", b.primary_member_id as "primaryMemberId",
         b.product_id as "productId", b.start_date as "startDate", b.end_date as "endDate", b.status, b.replaces_id as "replacedId"
       from benefit b where b.replaces_id = any($1::uuid[]) and b.replaces_company_id = any($2::uuid[]) and b.status <> 'pending'`,
      [ended.map(({ benefitId }) => benefitId), ended.map((one) => one.companyId)],
    )
    const replaced = new Set(next.map(({ replacedId }) => replacedId))
    excluded.push(...ended.filter(({ benefitId }) => !replaced.has(benefitId)))
    follow = next.flatMap((benefit) =>
      ended.filter(({ benefitId }) => benefitId === benefit.replacedId).map((one) => ({ ...one, ...benefit })),
    )
  }
  return excluded
}

/** An active benefit that ends because its primary's does. */
export interface DependentBenefit extends ExcludedBenefit {
  /** An exclusion of it under the same request was completed before its primary's. */
  readonly isExcluded: boolean
}

/** Active benefits of dependents of the primaries among these, except those that are among these themselves. */
export async function readOtherDependents(
  sql: Sql,
  companyId: string,
  excluded: readonly ExcludedBenefit[],
): Promise<DependentBenefit[]> {
  return sql.query<DependentBenefit>(
    `select distinct on (b.id) ${excludedColumns}, exists (
       select 1 from enrollment x where x.company_id = $1 and x.request_id = e.request_id and x.member_id = b.member_id
         and x.benefit_id = b.id) as "isExcluded"
     from enrollment e
     join benefit p on p.company_id = $1 and p.id = any($3::uuid[]) and p.member_id = e.member_id
       and p.product_id = e.product_id and p.type = 'primary'
     join benefit b on b.company_id = $1 and b.primary_member_id = p.member_id and b.product_id = p.product_id
       and b.status = 'active' and b.id <> all($3::uuid[])
     where e.company_id = $1 and e.id = any($2::uuid[]) and e.member_type = 'primary'
     order by b.id, e.id`,
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
      company_id: 'x.company_id',
      id: 'r.id',
      request_id: 'x.request_id',
      enrollment_type: `'exclusion'`,
      // Never inserted as open: the benefit may have an open exclusion already, and a unique index allows one.
      status: `'completed'`,
      initial_status: `'created'`,
      initial_actor: `'service'`,
      member_id: 'b.member_id',
      member_tax_id: 'm.tax_id',
      member_type: 'b.type',
      primary_member_id: 'b.primary_member_id',
      product_id: 'b.product_id',
      product_name: 'p.name',
      benefit_id: 'b.id',
      effective_date: 'x.effective_date',
      primary_enrollment_id: 'x.id',
      data: `x.data || '{"documents": []}'`,
      reference: 'x.reference',
    },
    from: `json_to_recordset($2::json) as r(id uuid, "enrollmentId" uuid, "benefitId" uuid)
      join enrollment x on x.company_id = $1 and x.id = r."enrollmentId"
      join benefit b on b.company_id = $1 and b.id = r."benefitId"
      join member m on m.company_id = $1 and m.id = b.member_id
      join product p on p.company_id = $1 and p.id = b.product_id`,
    values: [write.companyId, Records.of(dependents.map((dependent) => ({ ...dependent, id: uuidv7() })))],
  })
  const completed = inserted.map(({ id, requestId }) => ({ id, requestId, status: 'completed', reason: null }) as const)
  await updateEnrollmentStatus({ ...write, sql: write.sql.as({ kind: 'service' }) }, completed)
}

/** Deletes the pending benefits that would replace these, which get back their former ends. @returns how many it deleted. */
export async function deletePendingReplacements(sql: Sql, at: Date, benefits: readonly BenefitKey[]): Promise<number> {
  const deleted = await sql.query<{ companyId: string; memberId: string }>(
    `delete from benefit b using json_to_recordset($1::json) as r("companyId" uuid, id uuid)
     where b.replaces_company_id = r."companyId" and b.replaces_id = r.id and b.status = 'pending'
     returning b.company_id as "companyId", b.member_id as "memberId", b.replaces_company_id as "replacesCompanyId",
       b.replaces_id as "replacesId", b.end_date as "endDate"`,
    [Records.of(benefits)],
  )
  if (deleted.length === 0) return 0
  await updateBenefits(sql, at, {
    set: { end_date: 'r."endDate"' },
    from: 'json_to_recordset($1::json) as r("replacesCompanyId" uuid, "replacesId" uuid, "endDate" date)',
    where: `b.company_id = r."replacesCompanyId" and b.id = r."replacesId" and b.status = 'active'`,
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
      end_date: 'case when r.extended then null else r."endDate" end',
      extension_plan: 'b.extension_plan or r.extended',
      end_reason: 'coalesce(r.reason, b.end_reason)',
      status: `case when not r.extended and r."endDate" <= $2::date then 'inactive' else 'active' end`,
    },
    from: `(
      select a.id, a."endDate", a.reason, coalesce(a.extends, false) as extends, a.extended and (d.type = 'primary' or exists (
        select 1 from benefit p where p.company_id = $1 and p.member_id = d.primary_member_id and p.product_id = d.product_id
          and p.type = 'primary' and p.status = 'active' and p.extension_plan)) as extended
      from json_to_recordset($3::json) as a(id uuid, "endDate" date, extended boolean, reason text, extends boolean)
      join benefit d on d.company_id = $1 and d.id = a.id) r`,
    where: `b.company_id = $1 and b.id = r.id and b.status = case when r.extends then 'inactive' else 'active' end`,
    values: [companyId, today, Records.of(ends)],
    returning: 'r.extends as "wasEnded"',
  })
  return updated.filter((benefit) => (benefit.status === 'inactive') !== benefit.wasEnded)
}

/** An active benefit under an extension plan, first, with those of its dependents in the product; else none. The caller has locked them. */
export async function readExtended(
  sql: Sql,
  companyId: string,
  benefitId: string,
): Promise<{ id: string; startDate: string; endDate: string | null }[]> {
  return sql.query<{ id: string; startDate: string; endDate: string | null }>(
    `select b.id, b.start_date as "startDate", b.end_date as "endDate" from benefit b
     where b.company_id = $1 and b.status = 'active' and b.id in (
       select x.id from benefit x where x.company_id = $1 and x.id = $2 and x.status = 'active' and x.extension_plan
       union
       select d.id from benefit x
       join benefit d on d.company_id = $1 and d.primary_member_id = x.member_id and d.product_id = x.product_id
       where x.company_id = $1 and x.id = $2 and x.status = 'active' and x.extension_plan and x.type = 'primary')
     order by b.type desc, b.id`,
    [companyId, benefitId],
  )
}
