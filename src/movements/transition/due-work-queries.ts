import { hasRule } from '../../enrollments/kind.ts'
import type { Sql } from '../../core/database.ts'
import { updateBenefits, type WrittenBenefit } from '../../benefits/write.ts'
import type { BenefitKey } from './families.ts'
import type { CompanyWrite, TransferContext } from './types.ts'

/**
 * SQL of the ids of those of the rows `candidate` whose replaced benefit has an open exclusion. An open exclusion of a primary is decided
 * first: completing it deletes the replacement.
 */
const openlyExcluded = `select c.id from candidate c join open_movement e on e.company_id = c.replaces_company_id
  and e.benefit_id = c.replaces_id and ${hasRule('e.enrollment_type', 'endsBenefit')}`

// A dependent's benefit is replaced after its primary's.
const isPrimaryReplaced = `exists (select 1 from benefit p where p.company_id = b.company_id and p.member_id = b.primary_member_id
  and p.product_id = b.product_id and p.type = 'primary' and p.status = 'active')`

const dueStatements = {
  /** Scheduled enrollments whose date is due. */
  enrollments: `select company_id as "companyId", id from open_movement
    where status = 'scheduled' and scheduled_action_date <= $1 order by scheduled_action_date, id limit $2`,
  /** Pending replacements whose start is due: primaries', and those of dependents whose primary's benefit is replaced. */
  replacements: `with candidate as materialized (
      select b.company_id, b.id, b.type, b.start_date, b.replaces_company_id, b.replaces_id from benefit b
      where b.status = 'pending' and b.replaces_id is not null and b.start_date <= $1 and (b.type = 'primary' or ${isPrimaryReplaced})
    )
    select company_id as "companyId", id from candidate
    where type = 'dependent' or id not in (${openlyExcluded})
    order by start_date, type desc, id limit $2`,
  /** Active benefits whose last day is due, except those that a pending benefit replaces. */
  ends: `with candidate as materialized (
      select b.company_id, b.id, b.type, b.end_date from benefit b
      where b.status = 'active' and b.end_date is not null and b.end_date <= $1
    )
    select company_id as "companyId", id from candidate
    where id not in (select c.id from candidate c
      join benefit n on n.replaces_company_id = c.company_id and n.replaces_id = c.id and n.status = 'pending')
    order by end_date, type desc, id limit $2`,
}

/** Reads what is due today or earlier, the earliest first. */
export async function readDue(
  sql: Sql,
  what: keyof typeof dueStatements,
  today: string,
  limit: number,
): Promise<BenefitKey[]> {
  return sql.query<BenefitKey>(dueStatements[what], [today, limit])
}

type DueWrite = Omit<TransferContext, 'memberKey'>

export interface StartedBenefit extends WrittenBenefit {
  readonly replacesCompanyId: string
  readonly replacesId: string
}

const replacedKey = 'b.replaces_company_id as "replacesCompanyId", b.replaces_id as "replacesId"'

/** Activates due replacements of primaries' benefits without an open exclusion. */
export async function activateDuePrimaries(
  { sql, companyId, at, today }: DueWrite,
  ids: readonly string[],
): Promise<StartedBenefit[]> {
  const excluded = await sql.query<BenefitKey>(
    `with candidate as materialized (
       select id, replaces_company_id, replaces_id from benefit where company_id = $1 and id = any($2::uuid[])
     ) ${openlyExcluded}`,
    [companyId, ids],
  )
  return updateBenefits(sql, at, {
    set: { status: `'active'` },
    where: `b.company_id = $1 and b.id = any($2::uuid[]) and b.status = 'pending' and b.type = 'primary' and b.start_date <= $3
      and b.id <> all($4::uuid[])`,
    values: [companyId, ids, today, excluded.map(({ id }) => id)],
    returning: replacedKey,
  })
}

/**
 * Activates replacements of dependents' benefits: those of `ids`, and all of the primaries in `primaryIds`, whatever their own start, so that no
 * dependent stays in a product that the primary has left.
 */
export async function activateDueDependents(
  { sql, companyId, at }: CompanyWrite,
  ids: readonly string[],
  primaryIds: readonly string[],
): Promise<StartedBenefit[]> {
  return updateBenefits(sql, at, {
    set: { status: `'active'` },
    where: `b.company_id = $1 and b.status = 'pending' and b.replaces_id is not null and b.type = 'dependent' and ${isPrimaryReplaced}
      and b.id = any($2::uuid[] || array(
        select d.id from benefit p
        join benefit d on d.company_id = $1 and d.primary_member_id = p.member_id and d.product_id = p.product_id
        where p.company_id = $1 and p.id = any($3::uuid[])))`,
    values: [companyId, ids, primaryIds],
    returning: replacedKey,
  })
}

/** Deactivates replaced benefits. */
export async function endReplaced(
  { sql, companyId, at }: CompanyWrite,
  ids: readonly string[],
): Promise<WrittenBenefit[]> {
  return updateBenefits(sql, at, {
    set: { status: `'inactive'` },
    where: `b.company_id = $1 and b.id = any($2::uuid[]) and b.status = 'active'`,
    values: [companyId, ids],
  })
}

/** Deactivates benefits whose last day is today or earlier, and with a primary's those of its dependents in the product. */
export async function deactivateDue(
  { sql, companyId, at, today }: DueWrite,
  ids: readonly string[],
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
