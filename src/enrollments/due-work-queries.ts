import type { Sql } from '../platform/database.ts'
import type { BenefitKey } from './family-queries.ts'
import { isOpen } from './is-open.ts'

/** Scheduled enrollments whose day has come. */
export async function readDueScheduled(sql: Sql, today: string, limit: number): Promise<BenefitKey[]> {
  return sql.rows<BenefitKey>(
    `select company_id as "companyId", id from enrollment
     where status = 'scheduled' and scheduled_action_date <= $1 order by scheduled_action_date, id limit $2`,
    [today, limit],
  )
}

// A primary's exclusion that is still open decides first: completing it voids the change, rejecting it lets the change come.
const decided = `not exists (select 1 from enrollment e where e.benefit_id = n.replaces_id
  and e.company_id = n.replaces_company_id and e.enrollment_type = 'exclusion'
  and ${isOpen('e')})`

// Dependents go when their primary has gone.
const primaryGone = `exists (select 1 from benefit p where p.company_id = n.company_id and p.member_id = n.primary_member_id
  and p.product_id = n.product_id and p.type = 'primary' and p.status = 'active')`

/** New benefits of changes whose day has come: primaries', and those of dependents whom none goes before any more. */
export async function readBeginning(sql: Sql, today: string, limit: number): Promise<BenefitKey[]> {
  return sql.rows<BenefitKey>(
    `select n.company_id as "companyId", n.id from benefit n
     where n.status = 'pending' and n.replaces_id is not null and n.start_date <= $1
       and case n.type when 'primary' then ${decided} else ${primaryGone} end
     order by n.start_date, n.type desc, n.id limit $2`,
    [today, limit],
  )
}

/** Active benefits whose last day has come, but for those whose new benefit takes over on the day after. */
export async function readEnding(sql: Sql, today: string, limit: number): Promise<BenefitKey[]> {
  return sql.rows<BenefitKey>(
    `select b.company_id as "companyId", b.id from benefit b
     where b.status = 'active' and b.end_date is not null and b.end_date <= $1
       and not exists (
         select 1 from benefit n where n.replaces_company_id = b.company_id and n.replaces_id = b.id and n.status = 'pending')
     order by b.end_date, b.type desc, b.id limit $2`,
    [today, limit],
  )
}

interface Changed extends BenefitKey {
  readonly memberId: string
}

export interface Begun extends Changed {
  readonly replacesCompanyId: string
  readonly replacesId: string
}

const begun = `returning n.company_id as "companyId", n.id, n.member_id as "memberId",
  n.replaces_company_id as "replacesCompanyId", n.replaces_id as "replacesId"`

/** Makes new benefits of primaries active whose day has come, and are not decided otherwise. */
export async function activateDuePrimaries(
  sql: Sql,
  companyId: string,
  ids: readonly string[],
  today: string,
  at: Date,
): Promise<Begun[]> {
  return sql.planned<Begun>(
    `update benefit n set status = 'active', updated_at = $4
     where n.company_id = $1 and n.id = any($2::uuid[]) and n.status = 'pending' and n.type = 'primary'
       and n.start_date <= $3 and ${decided} ${begun}`,
    [companyId, ids, today, at],
  )
}

/**
 * Makes new benefits of dependents active: those named, and all whose primary has just gone before, whatever their own day:
 * nobody stays behind in a product that the primary has left.
 */
export async function activateDueDependents(
  sql: Sql,
  companyId: string,
  ids: readonly string[],
  primaryIds: readonly string[],
  at: Date,
): Promise<Begun[]> {
  return sql.planned<Begun>(
    `update benefit n set status = 'active', updated_at = $4
     where n.company_id = $1 and n.status = 'pending' and n.replaces_id is not null and n.type = 'dependent' and ${primaryGone}
       and (n.id = any($2::uuid[]) or exists (select 1 from benefit p where p.company_id = $1 and p.id = any($3::uuid[])
         and p.member_id = n.primary_member_id and p.product_id = n.product_id)) ${begun}`,
    [companyId, ids, primaryIds, at],
  )
}

/** Makes the benefits inactive that others have taken the place of. */
export async function endReplaced(sql: Sql, companyId: string, ids: readonly string[], at: Date): Promise<Changed[]> {
  return sql.planned<Changed>(
    `update benefit set status = 'inactive', updated_at = $3
     where company_id = $1 and id = any($2::uuid[]) and status = 'active'
     returning company_id as "companyId", id, member_id as "memberId"`,
    [companyId, ids, at],
  )
}

/** Makes benefits inactive on their last day, and with a primary's those of its dependents in the product. */
export async function deactivateDue(
  sql: Sql,
  companyId: string,
  ids: readonly string[],
  today: string,
  at: Date,
): Promise<Changed[]> {
  return sql.planned<Changed>(
    `with due as materialized (
       select id, type, member_id, product_id from benefit
       where company_id = $1 and id = any($2::uuid[]) and status = 'active' and end_date <= $3
     )
     update benefit b set status = 'inactive', updated_at = $4
     where b.company_id = $1 and b.status = 'active' and b.end_date <= $3 and b.id = any(array(
       select id from due
       union
       select d.id from due p
       join benefit d on d.company_id = $1 and d.primary_member_id = p.member_id and d.product_id = p.product_id
         and d.type = 'dependent'
       where p.type = 'primary'))
     returning b.company_id as "companyId", b.id, b.member_id as "memberId"`,
    [companyId, ids, today, at],
  )
}
