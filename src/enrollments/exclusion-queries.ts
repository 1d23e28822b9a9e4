import type { Sql } from '../platform/database.ts'
import { updateBenefits, type WrittenBenefit } from '../benefits/write.ts'
import { deleteMembersWithoutBenefit } from '../members/write.ts'
import { insertEnrollments, type InsertedEnrollment, updateEnrollmentStatus } from './write.ts'

/** A benefit that a completed exclusion ends. */
export interface EndingBenefit {
  readonly enrollmentId: string
  readonly companyId: string
  readonly benefitId: string
  readonly memberId: string
  readonly primaryMemberId: string | null
  readonly productId: string
  readonly startDate: string
  /** The last day as requested. */
  readonly endDate: string
  readonly extensionPlan: boolean
}

const columns = `e.id as "enrollmentId", b.company_id as "companyId", b.id as "benefitId", b.member_id as "memberId", b.primary_member_id as "primaryMemberId",
  b.product_id as "productId", b.start_date as "startDate", e.effective_date as "endDate",
  coalesce((e.data->'exclusion-details'->>'extension-plan')::boolean, false) as "extensionPlan"`

/**
 * The active benefits that these exclusions end. A dependent whose exclusion is open may meanwhile have followed its primary to
 * another plan or company: then it is the benefit that replaced the one named, or the person would stay covered there.
 */
export async function readTargets(
  sql: Sql,
  companyId: string,
  enrollmentIds: readonly string[],
): Promise<EndingBenefit[]> {
  return sql.queryPlanned<EndingBenefit>(
    `with recursive named as (
       select e.id as enrollment_id, b.company_id, b.id, b.status
       from enrollment e join benefit b on b.company_id = $1 and b.id = e.benefit_id
       where e.company_id = $1 and e.id = any($2::uuid[])
       union
       select n.enrollment_id, s.company_id, s.id, s.status
       from named n join benefit s on s.replaces_company_id = n.company_id and s.replaces_id = n.id
       where n.status = 'inactive' and s.status <> 'pending'
     )
     select ${columns} from named n
     join enrollment e on e.company_id = $1 and e.id = n.enrollment_id
     join benefit b on b.company_id = n.company_id and b.id = n.id
     where n.status = 'active'`,
    [companyId, enrollmentIds],
  )
}

/** Active benefits of dependents of the primaries whose benefits these exclusions end, except those ended already. */
export async function readJoined(
  sql: Sql,
  companyId: string,
  enrollmentIds: readonly string[],
  benefitIds: readonly string[],
): Promise<EndingBenefit[]> {
  return sql.queryPlanned<EndingBenefit>(
    `select distinct on (b.id) ${columns}
     from enrollment e
     join benefit p on p.company_id = $1 and p.id = any($3::uuid[]) and p.member_id = e.member_id
       and p.product_id = e.product_id and p.type = 'primary'
     join benefit b on b.company_id = $1 and b.primary_member_id = p.member_id and b.product_id = p.product_id
       and b.status = 'active' and b.id <> all($3::uuid[])
     where e.company_id = $1 and e.id = any($2::uuid[]) and e.member_type = 'primary'
     order by b.id, e.id`,
    [companyId, enrollmentIds, benefitIds],
  )
}

/** Inserts the exclusions of dependents who joined since, completed by the service. @returns them, with their requests. */
export async function insertDependentExclusions(
  sql: Sql,
  companyId: string,
  at: Date,
  rows: readonly { readonly id: string; readonly primaryEnrollmentId: string; readonly benefitId: string }[],
): Promise<InsertedEnrollment[]> {
  const inserted = await insertEnrollments(sql, at, {
    columns: {
      company_id: 'l.company_id',
      id: 'r.id',
      request_id: 'l.request_id',
      enrollment_type: `'exclusion'`,
      // Never open: the benefit may have an open exclusion of its own, and has one at most.
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
      effective_date: 'l.effective_date',
      primary_enrollment_id: 'l.id',
      data: `l.data || '{"documents": []}'`,
    },
    from: `json_to_recordset($2::json) as r(id uuid, "primaryEnrollmentId" uuid, "benefitId" uuid)
      join enrollment l on l.company_id = $1 and l.id = r."primaryEnrollmentId"
      join benefit b on b.company_id = $1 and b.id = r."benefitId"
      join member m on m.company_id = $1 and m.id = b.member_id
      join product p on p.company_id = $1 and p.id = b.product_id`,
    values: [companyId, JSON.stringify(rows)],
  })
  const service = { kind: 'service', id: null } as const
  const completed = rows.map(({ id }) => ({ id, status: 'completed' as const, reason: null }))
  await updateEnrollmentStatus(sql, companyId, at, service, completed)
  return inserted
}

/**
 * Deletes the pending benefits that were to replace these: their place is not free any more, or never will be. The replaced ones get
 * back the end that they had before.
 * @returns how many are deleted.
 */
export async function voidReplacements(sql: Sql, at: Date, benefitIds: readonly string[]): Promise<number> {
  const deleted = await sql.queryPlanned<{ companyId: string; memberId: string }>(
    `delete from benefit where replaces_id = any($1::uuid[]) and status = 'pending'
     returning company_id as "companyId", member_id as "memberId", replaces_company_id as "replacesCompanyId",
       replaces_id as "replacesId", end_date as "endDate"`,
    [benefitIds],
  )
  if (deleted.length === 0) return 0
  await updateBenefits(sql, at, {
    set: { end_date: 'r."endDate"' },
    from: 'json_to_recordset($1::json) as r("replacesCompanyId" uuid, "replacesId" uuid, "endDate" date)',
    where: `b.company_id = r."replacesCompanyId" and b.id = r."replacesId" and b.status = 'active'`,
    values: [JSON.stringify(deleted)],
  })
  for (const [companyId, rows] of Map.groupBy(deleted, (row) => row.companyId)) {
    const memberIds = rows.map((row) => row.memberId)
    await deleteMembersWithoutBenefit(sql, companyId, memberIds)
  }
  return deleted.length
}

export interface Ending {
  readonly id: string
  readonly endDate: string
  /** Kept by an extension plan: marked, without an end. */
  readonly extended: boolean
  /** The operator's, where one ends what an extension plan kept. */
  readonly reason?: string
}

/**
 * Sets the last day of active benefits and makes those inactive whose day has come. A dependent's is only kept by an extension
 * plan while the primary's is: end the primaries' first.
 * @returns the benefits that are inactive now.
 */
export async function endBenefits(
  sql: Sql,
  companyId: string,
  at: Date,
  today: string,
  endings: readonly Ending[],
): Promise<WrittenBenefit[]> {
  const updated = await updateBenefits(sql, at, {
    set: {
      end_date: 'case when r.extended then null else r."endDate" end',
      extension_plan: 'b.extension_plan or r.extended',
      end_reason: 'coalesce(r.reason, b.end_reason)',
      status: `case when not r.extended and r."endDate" <= $2::date then 'inactive' else b.status end`,
    },
    from: `(
      select a.id, a."endDate", a.reason, a.extended and (d.type = 'primary' or exists (
        select 1 from benefit p where p.company_id = $1 and p.member_id = d.primary_member_id and p.product_id = d.product_id
          and p.type = 'primary' and p.status = 'active' and p.extension_plan)) as extended
      from json_to_recordset($3::json) as a(id uuid, "endDate" date, extended boolean, reason text)
      join benefit d on d.company_id = $1 and d.id = a.id) r`,
    where: `b.company_id = $1 and b.id = r.id and b.status = 'active'`,
    values: [companyId, today, JSON.stringify(endings)],
  })
  return updated.filter((benefit) => benefit.status === 'inactive')
}

/**
 * A benefit that an extension plan keeps, and those of its dependents in the product; the caller has locked them.
 * @returns none when no extension plan keeps it.
 */
export async function readExtended(
  sql: Sql,
  companyId: string,
  benefitId: string,
): Promise<{ id: string; startDate: string }[]> {
  return sql.queryPlanned<{ id: string; startDate: string }>(
    `select b.id, b.start_date as "startDate" from benefit b
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
