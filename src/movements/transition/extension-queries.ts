import { hasRule } from '#coverage/enrollments/kind.ts'
import type { EndedFacts } from '../rules/exclusion.ts'
import type { Sql } from '#platform/core/database.ts'
import { type DependentBenefit, type ExcludedBenefit, selectDependents } from './exclusion-queries.ts'
import { isChange } from '#coverage/enrollments/open-movement.ts'

/* What an exclusion that is decided after the benefit ended needs to know: whether it can extend it, and whom with it. */

/** SQL: the benefit over the alias has a day of cover. */
const isNotVoid = (alias: string) => `coalesce(${alias}.end_date, 'infinity') >= ${alias}.start_date`

/** Those of these benefits of a company that a benefit which is not pending has replaced, there or in another company. */
async function readReplaced(sql: Sql, companyId: string, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await sql.query<{ id: string }>(
    `select replaces_id as id from benefit
     where replaces_company_id = $1 and replaces_id = any($2::uuid[]) and status <> 'pending'`,
    [companyId, ids],
  )
  return new Set(rows.map(({ id }) => id))
}

/** The facts of ended benefits of one company, by their ids. */
export async function readEndedFacts(
  sql: Sql,
  companyId: string,
  benefitIds: readonly string[],
): Promise<Map<string, EndedFacts>> {
  if (benefitIds.length === 0) return new Map()
  const rows = await sql.query<EndedFacts & { id: string }>(
    `select benefit.id, exists (select 1 from benefit other
         where other.company_id = $1 and other.member_id = benefit.member_id and other.product_id = benefit.product_id and other.type = benefit.type
           and other.status in ('pending', 'active')) as "isReincluded",
       (select min(other.start_date) from benefit other
         where other.company_id = $1 and other.member_id = benefit.member_id and other.product_id = benefit.product_id and other.type = benefit.type
           and other.id <> benefit.id and ${isNotVoid('other')} and coalesce(other.end_date, 'infinity') > benefit.end_date) as "nextStart",
       case when benefit.type = 'dependent' then coalesce((select max(coalesce(primary_benefit.end_date, '9999-12-31')) from benefit primary_benefit
         where primary_benefit.company_id = $1 and primary_benefit.member_id = benefit.primary_member_id
           and primary_benefit.product_id = benefit.product_id and primary_benefit.type = 'primary'
           and primary_benefit.status <> 'pending' and primary_benefit.start_date <= greatest(benefit.end_date + 1, benefit.start_date)
           and ${isNotVoid('primary_benefit')}), benefit.end_date)
       end as "primaryEnd",
       (select case when (enrollment.data->'exclusion-details'->>'extension-plan')::boolean then null else enrollment.effective_date end
         from enrollment where enrollment.company_id = $1 and enrollment.member_id = benefit.member_id and enrollment.benefit_id = benefit.id
           and ${hasRule('enrollment.enrollment_type', 'endsBenefit')} and enrollment.status = 'completed'
           and enrollment.primary_enrollment_id is null order by enrollment.updated_at desc, enrollment.id desc limit 1) as "ownEnd"
     from benefit where benefit.company_id = $1 and benefit.id = any($2::uuid[])`,
    [companyId, benefitIds],
  )
  return new Map(rows.map(({ id, ...facts }) => [id, facts]))
}

/**
 * Benefits of dependents that ended with those of the ended primaries among these, on the same day or because they would have begun later, except
 * those that are among these themselves.
 */
export async function readEndedDependents(
  sql: Sql,
  companyId: string,
  ended: readonly ExcludedBenefit[],
): Promise<DependentBenefit[]> {
  const primaries = ended.filter(({ primaryMemberId }) => primaryMemberId === null)
  if (primaries.length === 0) return []
  const dependents = await sql.query<DependentBenefit>(
    `${selectDependents}
       and benefit.type = 'dependent' and benefit.status = 'inactive' and benefit.id <> all($4::uuid[])
       and (benefit.end_date = primary_benefit.end_date or benefit.end_date < benefit.start_date and benefit.start_date > primary_benefit.end_date)
     where enrollment.company_id = $1 and enrollment.id = any($2::uuid[]) and enrollment.member_type = 'primary'
     order by benefit.id, enrollment.id`,
    [
      companyId,
      primaries.map(({ enrollmentId }) => enrollmentId),
      primaries.map(({ benefitId }) => benefitId),
      ended.map(({ benefitId }) => benefitId),
    ],
  )
  const replaced = await readReplaced(
    sql,
    companyId,
    dependents.map(({ benefitId }) => benefitId),
  )
  return dependents.filter(({ benefitId }) => !replaced.has(benefitId))
}

/**
 * The open plan changes, company changes, acts of operators and exclusions of the ended ones among these benefits that can have no effect any more; one that goes with a primary's
 * follows it. An exclusion can while it has a later last day and was accepted before the end, or where the benefit was replaced: then it ends the
 * replacement.
 */
export async function readWithoutEffect(sql: Sql, companyId: string, benefitIds: readonly string[]): Promise<string[]> {
  const rows = await sql.query<{ id: string; benefitId: string; isExclusion: boolean }>(
    `select enrollment.id, benefit.id as "benefitId", ${hasRule('enrollment.enrollment_type', 'endsBenefit')} as "isExclusion"
     from benefit join open_movement on open_movement.company_id = $1 and open_movement.benefit_id = benefit.id
       and (${isChange('open_movement')} or open_movement.alteration_kind is not null)
     join enrollment on enrollment.company_id = $1 and enrollment.id = open_movement.id
     join request on request.company_id = $1 and request.id = enrollment.request_id
     where benefit.company_id = $1 and benefit.id = any($2::uuid[]) and benefit.status = 'inactive'
       and enrollment.primary_enrollment_id is null and not (${hasRule('enrollment.enrollment_type', 'endsBenefit')} and ${canExtend})`,
    [companyId, benefitIds],
  )
  const exclusions = rows.filter(({ isExclusion }) => isExclusion).map(({ benefitId }) => benefitId)
  const replaced = await readReplaced(sql, companyId, exclusions)
  return rows.filter((row) => !row.isExclusion || !replaced.has(row.benefitId)).map(({ id }) => id)
}

/** The open inclusions of dependents of those of these benefits that have ended, where the primary has no other benefit of the product. */
export async function readInclusionsWithoutPrimary(
  sql: Sql,
  companyId: string,
  benefitIds: readonly string[],
): Promise<string[]> {
  const rows = await sql.query<{ id: string; benefitId: string }>(
    `select open_movement.id, benefit.id as "benefitId" from benefit
     join open_movement on open_movement.company_id = $1 and open_movement.primary_member_id = benefit.member_id
       and open_movement.product_id = benefit.product_id and ${hasRule('open_movement.enrollment_type', 'createsBenefit')}
     where benefit.company_id = $1 and benefit.id = any($2::uuid[]) and benefit.status = 'inactive' and benefit.type = 'primary'
       and not exists (select 1 from benefit other where other.company_id = $1 and other.member_id = benefit.member_id
         and other.product_id = benefit.product_id and other.type = 'primary' and other.status in ('pending', 'active'))`,
    [companyId, benefitIds],
  )
  const replaced = await readReplaced(
    sql,
    companyId,
    rows.map(({ benefitId }) => benefitId),
  )
  return rows.filter(({ benefitId }) => !replaced.has(benefitId)).map(({ id }) => id)
}

/** SQL: the exclusion, an `enrollment` of the `request`, asks for a later last day than the ended `benefit` has, and was accepted before that end. */
export const canExtend = 'enrollment.effective_date > benefit.end_date and request.accepted_on <= benefit.end_date'
