import { hasRule } from '#coverage/enrollments/kind.ts'
import type { Sql } from '#platform/core/database.ts'
import { updateBenefits, type WrittenBenefit } from '#coverage/benefits/write.ts'
import type { BenefitKey } from './families.ts'
import type { CompanyWrite, TransferContext } from './types.ts'

/**
 * SQL of the ids of those of the rows `candidate` whose replaced benefit has an open exclusion. An open exclusion of a primary is decided
 * first: completing it deletes the replacement.
 */
const openlyExcluded = `select candidate.id from candidate join open_movement on open_movement.company_id = candidate.replaces_company_id
  and open_movement.benefit_id = candidate.replaces_id and ${hasRule('open_movement.enrollment_type', 'endsBenefit')}`

// A dependent's benefit is replaced after its primary's.
const isPrimaryReplaced = `exists (select 1 from benefit primary_benefit where primary_benefit.company_id = benefit.company_id
  and primary_benefit.member_id = benefit.primary_member_id
  and primary_benefit.product_id = benefit.product_id and primary_benefit.type = 'primary' and primary_benefit.status = 'active')`

const dueStatements = {
  /** Scheduled enrollments whose date is due. */
  enrollments: `select company_id as "companyId", id from open_movement
    where status = 'scheduled' and scheduled_action_date <= $1 and company_id <> all($3::uuid[]) order by scheduled_action_date, id limit $2`,
  /** Pending replacements whose start is due: primaries', and those of dependents whose primary's benefit is replaced. */
  replacements: `with candidate as materialized (
      select benefit.company_id, benefit.id, benefit.type, benefit.start_date, benefit.replaces_company_id, benefit.replaces_id from benefit
      where benefit.status = 'pending' and benefit.replaces_id is not null and benefit.start_date <= $1 and benefit.company_id <> all($3::uuid[])
        and (benefit.type = 'primary' or ${isPrimaryReplaced})
    )
    select company_id as "companyId", id from candidate
    where type = 'dependent' or id not in (${openlyExcluded})
    order by start_date, type desc, id limit $2`,
  /** Active benefits whose last day is due, except those that a pending benefit replaces. */
  ends: `with candidate as materialized (
      select company_id, id, type, end_date from benefit
      where status = 'active' and end_date is not null and end_date <= $1 and company_id <> all($3::uuid[])
    )
    select company_id as "companyId", id from candidate
    where id not in (select candidate.id from candidate
      join benefit replacement on replacement.replaces_company_id = candidate.company_id and replacement.replaces_id = candidate.id
        and replacement.status = 'pending')
    order by end_date, type desc, id limit $2`,
}

/** Reads what is due today or earlier, the earliest first. @param without companies. */
export async function readDue(
  sql: Sql,
  what: keyof typeof dueStatements,
  today: string,
  limit: number,
  without: readonly string[],
): Promise<BenefitKey[]> {
  return sql.query<BenefitKey>(dueStatements[what], [today, limit, without])
}

type DueWrite = Omit<TransferContext, 'memberKey'>

interface StartedBenefit extends WrittenBenefit {
  readonly replacesCompanyId: string
  readonly replacesId: string
}

const replacedKey = 'benefit.replaces_company_id as "replacesCompanyId", benefit.replaces_id as "replacesId"'

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
    where: `benefit.company_id = $1 and benefit.id = any($2::uuid[]) and benefit.status = 'pending' and benefit.type = 'primary'
      and benefit.start_date <= $3 and benefit.id <> all($4::uuid[])`,
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
    where: `benefit.company_id = $1 and benefit.status = 'pending' and benefit.replaces_id is not null and benefit.type = 'dependent'
      and ${isPrimaryReplaced} and benefit.id = any($2::uuid[] || array(
        select dependent_benefit.id from benefit primary_benefit
        join benefit dependent_benefit on dependent_benefit.company_id = $1 and dependent_benefit.primary_member_id = primary_benefit.member_id
          and dependent_benefit.product_id = primary_benefit.product_id
        where primary_benefit.company_id = $1 and primary_benefit.id = any($3::uuid[])))`,
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
    where: `benefit.company_id = $1 and benefit.id = any($2::uuid[]) and benefit.status = 'active'`,
    values: [companyId, ids],
  })
}

/** Deactivates benefits whose last day is today or earlier, and with a primary's those of its dependents in the product but those that outlive it. */
export async function deactivateDue(
  { sql, companyId, at, today }: DueWrite,
  ids: readonly string[],
): Promise<WrittenBenefit[]> {
  return updateBenefits(sql, at, {
    set: { status: `'inactive'` },
    where: `benefit.company_id = $1 and benefit.status = 'active' and benefit.end_date <= $3 and benefit.id = any(array(
      with due as materialized (
        select id, type, member_id, product_id from benefit
        where company_id = $1 and id = any($2::uuid[]) and status = 'active' and end_date <= $3
      )
      select id from due
      union
      select dependent_benefit.id from due
      join benefit dependent_benefit on dependent_benefit.company_id = $1 and dependent_benefit.primary_member_id = due.member_id
        and dependent_benefit.product_id = due.product_id and dependent_benefit.type = 'dependent' and not dependent_benefit.outlives_primary
      where due.type = 'primary'))`,
    values: [companyId, ids, today],
  })
}
