import type { Sql } from '../database.ts'

export interface BenefitKey {
  readonly companyId: string
  readonly id: string
}

/** Scheduled enrollments whose day has come. */
export async function readDueScheduled(sql: Sql, today: string, limit: number): Promise<BenefitKey[]> {
  return sql.rows<BenefitKey>(
    `select company_id as "companyId", id from enrollment
     where status = 'scheduled' and scheduled_action_date <= $1 order by scheduled_action_date, id limit $2`,
    [today, limit],
  )
}

// An exclusion of the old benefit that is still open decides first: completing it voids the change, rejecting lets it come.
const undecided = `exists (select 1 from enrollment e where e.benefit_id = n.replaces_id and e.company_id = n.replaces_company_id
  and e.enrollment_type = 'exclusion' and e.status not in ('completed', 'rejected', 'cancelled'))`

/** New benefits of changes whose day has come. */
export async function readBeginning(sql: Sql, today: string, limit: number): Promise<BenefitKey[]> {
  return sql.rows<BenefitKey>(
    `select n.company_id as "companyId", n.id from benefit n
     where n.status = 'pending' and n.replaces_id is not null and n.start_date <= $1 and not ${undecided}
     order by n.start_date, n.type desc, n.id limit $2`,
    [today, limit],
  )
}

/** Active benefits whose last day has come, but for those whose new benefit takes over on the day after. */
export async function readEnding(sql: Sql, today: string, limit: number): Promise<BenefitKey[]> {
  return sql.rows<BenefitKey>(
    `select b.company_id as "companyId", b.id from benefit b
     where b.status = 'active' and b.end_date is not null and b.end_date <= $1
       and not exists (select 1 from benefit n where n.replaces_id = b.id and n.status = 'pending')
     order by b.end_date, b.type desc, b.id limit $2`,
    [today, limit],
  )
}

interface Changed extends BenefitKey {
  readonly memberId: string
}

/**
 * Makes the new benefits active and the old ones inactive. Of a family whose dependents move with the primary all do in the
 * same transaction.
 */
export async function swap(
  sql: Sql,
  companyId: string,
  ids: readonly string[],
  today: string,
  at: Date,
): Promise<{ ended: Changed[]; begun: Changed[] }> {
  const begun = await sql.planned<Changed & { replacesCompanyId: string; replacesId: string }>(
    `update benefit n set status = 'active', updated_at = $4
     where n.company_id = $1 and n.id = any($2::uuid[]) and n.status = 'pending' and n.start_date <= $3 and not ${undecided}
     returning n.company_id as "companyId", n.id, n.member_id as "memberId", n.replaces_company_id as "replacesCompanyId",
       n.replaces_id as "replacesId"`,
    [companyId, ids, today, at],
  )
  const ended: Changed[] = []
  for (const [oldCompanyId, rows] of Map.groupBy(begun, (row) => row.replacesCompanyId)) {
    const old = await sql.planned<Changed>(
      `update benefit set status = 'inactive', updated_at = $3
       where company_id = $1 and id = any($2::uuid[]) and status = 'active'
       returning company_id as "companyId", id, member_id as "memberId"`,
      [oldCompanyId, rows.map((row) => row.replacesId), at],
    )
    ended.push(...old)
  }
  return { ended, begun }
}

/** Makes benefits inactive on their last day, and with a primary's those of its dependents in the product. */
export async function deactivateDue(
  sql: Sql,
  companyId: string,
  ids: readonly string[],
  today: string,
  at: Date,
): Promise<Changed[]> {
  const due = await sql.planned<Changed & { type: string; productId: string; endDate: string }>(
    `update benefit set status = 'inactive', updated_at = $4
     where company_id = $1 and id = any($2::uuid[]) and status = 'active' and end_date <= $3
     returning company_id as "companyId", id, member_id as "memberId", type, product_id as "productId", end_date as "endDate"`,
    [companyId, ids, today, at],
  )
  const primaries = due.filter((benefit) => benefit.type === 'primary')
  if (primaries.length === 0) return due
  const along = await sql.planned<Changed>(
    `update benefit d set status = 'inactive', updated_at = $2,
       end_date = greatest(d.start_date, coalesce(least(d.end_date, p."endDate"), p."endDate"))
     from json_to_recordset($3::json) as p("memberId" uuid, "productId" uuid, "endDate" date)
     where d.company_id = $1 and d.primary_member_id = p."memberId" and d.product_id = p."productId"
       and d.type = 'dependent' and d.status = 'active'
     returning d.company_id as "companyId", d.id, d.member_id as "memberId"`,
    [companyId, at, JSON.stringify(primaries)],
  )
  return [...due, ...along]
}
