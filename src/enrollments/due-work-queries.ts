import type { Sql } from '../platform/database.ts'
import { updateBenefits, type WrittenBenefit } from '../benefits/write.ts'
import type { BenefitKey } from './family-queries.ts'
import { isOpen } from './is-open.ts'

/** Scheduled enrollments whose day has come. */
export async function readDueScheduled(sql: Sql, today: string, limit: number): Promise<BenefitKey[]> {
  return sql.query<BenefitKey>(
    `select company_id as "companyId", id from enrollment
     where status = 'scheduled' and scheduled_action_date <= $1 order by scheduled_action_date, id limit $2`,
    [today, limit],
  )
}

// A primary's exclusion that is still open decides first: completing it voids the change, rejecting it lets the change happen.
const noExclusionOpen = `not exists (select 1 from enrollment e where e.benefit_id = b.replaces_id
  and e.company_id = b.replaces_company_id and e.enrollment_type = 'exclusion'
  and ${isOpen('e')})`

// A dependent's benefit changes after its primary's.
const primaryHasChanged = `exists (select 1 from benefit p where p.company_id = b.company_id and p.member_id = b.primary_member_id
  and p.product_id = b.product_id and p.type = 'primary' and p.status = 'active')`

/** New benefits of changes whose day has come: primaries', and those of dependents whose primary has changed. */
export async function readBeginning(sql: Sql, today: string, limit: number): Promise<BenefitKey[]> {
  return sql.query<BenefitKey>(
    `select b.company_id as "companyId", b.id from benefit b
     where b.status = 'pending' and b.replaces_id is not null and b.start_date <= $1
       and case b.type when 'primary' then ${noExclusionOpen} else ${primaryHasChanged} end
     order by b.start_date, b.type desc, b.id limit $2`,
    [today, limit],
  )
}

/** Active benefits whose last day has come, except those that a new benefit replaces on the day after. */
export async function readEnding(sql: Sql, today: string, limit: number): Promise<BenefitKey[]> {
  return sql.query<BenefitKey>(
    `select b.company_id as "companyId", b.id from benefit b
     where b.status = 'active' and b.end_date is not null and b.end_date <= $1
       and not exists (
         select 1 from benefit n where n.replaces_company_id = b.company_id and n.replaces_id = b.id and n.status = 'pending')
     order by b.end_date, b.type desc, b.id limit $2`,
    [today, limit],
  )
}

export interface StartedBenefit extends WrittenBenefit {
  readonly replacesCompanyId: string
  readonly replacesId: string
}

const replaced = 'b.replaces_company_id as "replacesCompanyId", b.replaces_id as "replacesId"'

/** Activates new benefits of primaries whose day has come, unless an open exclusion decides first. */
export async function activateDuePrimaries(
  sql: Sql,
  companyId: string,
  ids: readonly string[],
  today: string,
  at: Date,
): Promise<StartedBenefit[]> {
  return updateBenefits(sql, at, {
    set: { status: `'active'` },
    where: `b.company_id = $1 and b.id = any($2::uuid[]) and b.status = 'pending' and b.type = 'primary' and b.start_date <= $3
      and ${noExclusionOpen}`,
    values: [companyId, ids, today],
    returning: replaced,
  })
}

/**
 * Activates new benefits of dependents: those named, and all whose primary has just changed, whatever their own day: no dependent
 * stays in a product that the primary has left.
 */
export async function activateDueDependents(
  sql: Sql,
  companyId: string,
  ids: readonly string[],
  primaryIds: readonly string[],
  at: Date,
): Promise<StartedBenefit[]> {
  return updateBenefits(sql, at, {
    set: { status: `'active'` },
    where: `b.company_id = $1 and b.status = 'pending' and b.replaces_id is not null and b.type = 'dependent' and ${primaryHasChanged}
      and (b.id = any($2::uuid[]) or exists (select 1 from benefit p where p.company_id = $1 and p.id = any($3::uuid[])
        and p.member_id = b.primary_member_id and p.product_id = b.product_id))`,
    values: [companyId, ids, primaryIds],
    returning: replaced,
  })
}

/** Deactivates the benefits that others have replaced. */
export async function endReplaced(
  sql: Sql,
  companyId: string,
  ids: readonly string[],
  at: Date,
): Promise<WrittenBenefit[]> {
  return updateBenefits(sql, at, {
    set: { status: `'inactive'` },
    where: `b.company_id = $1 and b.id = any($2::uuid[]) and b.status = 'active'`,
    values: [companyId, ids],
  })
}

/** Deactivates benefits on their last day, and with a primary's those of its dependents in the product. */
export async function deactivateDue(
  sql: Sql,
  companyId: string,
  ids: readonly string[],
  today: string,
  at: Date,
): Promise<WrittenBenefit[]> {
  return updateBenefits(sql, at, {
    set: { status: `'inactive'` },
    where: `b.company_id = $1 and b.status = 'active' and b.end_date <= $3 and b.id = any(array(
      with due as materialized (
        select id, type, member_id, product_id from benefit
        where company_id = $1 and id = any($2::uuid[]) and status = 'active' and end_date <= $3
      )
      select id from due
      union
      select d.id from due p
      join benefit d on d.company_id = $1 and d.primary_member_id = p.member_id and d.product_id = p.product_id
        and d.type = 'dependent'
      where p.type = 'primary'))`,
    values: [companyId, ids, today],
  })
}
