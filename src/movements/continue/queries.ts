import type { Sql } from '#platform/core/database.ts'
import type { LocalDate } from '#kernel/calendar.ts'

/** An active benefit of a primary; null for any other id. */
export async function findPrimaryBenefit(
  sql: Sql,
  id: string,
): Promise<{ readonly companyId: string; readonly startDate: LocalDate; readonly hasContinuation: boolean } | null> {
  const rows = await sql.query<{ companyId: string; startDate: LocalDate; hasContinuation: boolean }>(
    `select benefit.company_id as "companyId", benefit.start_date as "startDate",
       exists (select 1 from continuation where continuation.company_id = benefit.company_id and continuation.open_benefit_id = benefit.id)
         as "hasContinuation"
     from benefit where benefit.id = $1 and benefit.type = 'primary' and benefit.status = 'active'`,
    [id],
  )
  return rows[0] ?? null
}

/** The active benefits of primaries' families in their products, also of those who have died. */
export async function readFamilies(
  sql: Sql,
  companyId: string,
  benefitIds: readonly string[],
): Promise<
  {
    readonly id: string
    readonly primaryBenefitId: string
    readonly memberId: string
    readonly type: 'primary' | 'dependent'
    readonly startDate: LocalDate
    readonly endDate: LocalDate | null
  }[]
> {
  return sql.query(
    `select family.id, benefit.id as "primaryBenefitId", family.member_id as "memberId", family.type, family.start_date as "startDate", family.end_date as "endDate" from benefit
     join benefit family on family.company_id = $1 and family.product_id = benefit.product_id and family.status = 'active'
       and (family.id = benefit.id or family.primary_member_id = benefit.member_id)
     where benefit.company_id = $1 and benefit.id = any($2::uuid[]) order by family.id`,
    [companyId, benefitIds],
  )
}
