import { hasRule } from '../../enrollments/kind.ts'
import type { EndedFacts } from '../../domain/exclusion.ts'
import type { Sql } from '../../core/database.ts'
import { type ExcludedBenefit, excludedColumns } from './exclusion-queries.ts'
import { isChange } from '../../enrollments/open-movement.ts'

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
    `select b.id, exists (select 1 from benefit o
         where o.company_id = $1 and o.member_id = b.member_id and o.product_id = b.product_id and o.type = b.type
           and o.status in ('pending', 'active')) as "isReincluded",
       (select min(o.start_date) from benefit o
         where o.company_id = $1 and o.member_id = b.member_id and o.product_id = b.product_id and o.type = b.type
           and o.id <> b.id and ${isNotVoid('o')} and coalesce(o.end_date, 'infinity') > b.end_date) as "nextStart",
       case when b.type = 'dependent' then coalesce((select max(coalesce(p.end_date, '9999-12-31')) from benefit p
         where p.company_id = $1 and p.member_id = b.primary_member_id and p.product_id = b.product_id and p.type = 'primary'
           and p.status <> 'pending' and p.start_date <= greatest(b.end_date + 1, b.start_date) and ${isNotVoid('p')}), b.end_date)
       end as "primaryEnd",
       (select case when (x.data->'exclusion-details'->>'extension-plan')::boolean then null else x.effective_date end
         from enrollment x where x.company_id = $1 and x.member_id = b.member_id and x.benefit_id = b.id and ${hasRule('x.enrollment_type', 'endsBenefit')} and x.status = 'completed'
           and x.primary_enrollment_id is null order by x.updated_at desc, x.id desc limit 1) as "ownEnd"
     from benefit b where b.company_id = $1 and b.id = any($2::uuid[])`,
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
): Promise<(ExcludedBenefit & { readonly isExcluded: boolean })[]> {
  const primaries = ended.filter(({ primaryMemberId }) => primaryMemberId === null)
  if (primaries.length === 0) return []
  const dependents = await sql.query<ExcludedBenefit & { readonly isExcluded: boolean }>(
    `select distinct on (b.id) ${excludedColumns}, exists (
       select 1 from enrollment x where x.company_id = $1 and x.request_id = e.request_id and x.member_id = b.member_id
         and x.benefit_id = b.id) as "isExcluded"
     from enrollment e
     join benefit p on p.company_id = $1 and p.id = any($3::uuid[]) and p.member_id = e.member_id
       and p.product_id = e.product_id and p.type = 'primary'
     join benefit b on b.company_id = $1 and b.primary_member_id = p.member_id and b.product_id = p.product_id
       and b.type = 'dependent' and b.status = 'inactive' and b.id <> all($4::uuid[])
       and (b.end_date = p.end_date or b.end_date < b.start_date and b.start_date > p.end_date)
     where e.company_id = $1 and e.id = any($2::uuid[]) and e.member_type = 'primary'
     order by b.id, e.id`,
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
 * The open plan changes, company changes and exclusions of the ended ones among these benefits that can have no effect any more; one that goes with a primary's
 * follows it. An exclusion can while it has a later last day and was accepted before the end, or where the benefit was replaced: then it ends the
 * replacement.
 */
export async function readWithoutEffect(sql: Sql, companyId: string, benefitIds: readonly string[]): Promise<string[]> {
  const rows = await sql.query<{ id: string; benefitId: string; isExclusion: boolean }>(
    `select e.id, b.id as "benefitId", ${hasRule('e.enrollment_type', 'endsBenefit')} as "isExclusion"
     from benefit b join open_movement o on o.company_id = $1 and o.benefit_id = b.id and ${isChange('o')}
     join enrollment e on e.company_id = $1 and e.id = o.id
     join request q on q.company_id = $1 and q.id = e.request_id
     where b.company_id = $1 and b.id = any($2::uuid[]) and b.status = 'inactive'
       and e.primary_enrollment_id is null and not (${hasRule('e.enrollment_type', 'endsBenefit')} and ${canExtend})`,
    [companyId, benefitIds],
  )
  const exclusions = rows.filter(({ isExclusion }) => isExclusion).map(({ benefitId }) => benefitId)
  const replaced = await readReplaced(sql, companyId, exclusions)
  return rows.filter((one) => !one.isExclusion || !replaced.has(one.benefitId)).map(({ id }) => id)
}

/** SQL: the exclusion `e` of the request `q` asks for a later last day than the ended benefit `b` has, and was accepted before that end. */
export const canExtend = 'e.effective_date > b.end_date and q.accepted_on <= b.end_date'
