import type { Sql } from '#platform/core/database.ts'
import type { AlterationKind, BeneficiaryType } from '#kernel/enums.ts'

export interface AlteredBenefit {
  readonly id: string
  readonly companyId: string
  readonly memberId: string
  readonly taxId: string
  readonly productId: string
  readonly productName: string
  readonly type: BeneficiaryType
  readonly primaryMemberId: string | null
  readonly startDate: string
}

/** Which active benefits of a person; null: all. */
export interface BenefitSelection {
  readonly benefitIds: readonly string[] | null
  readonly productId: string | null
}

/** Whether any company has a member with the id. */
export async function isMember(sql: Sql, memberId: string): Promise<boolean> {
  return (await sql.query('select 1 as one from member where id = $1 limit 1', [memberId])).length > 0
}

/** The selected active benefits of a person in these roles, in all companies. */
export async function readSelectedBenefits(
  sql: Sql,
  memberId: string,
  { benefitIds, productId }: BenefitSelection,
  types: readonly BeneficiaryType[],
): Promise<AlteredBenefit[]> {
  return sql.query<AlteredBenefit>(
    `select benefit.id, benefit.company_id as "companyId", benefit.member_id as "memberId", member.tax_id as "taxId",
       benefit.product_id as "productId", product.name as "productName", benefit.type, benefit.primary_member_id as "primaryMemberId",
       benefit.start_date as "startDate"
     from benefit
     join member on member.company_id = benefit.company_id and member.id = benefit.member_id
     join product on product.company_id = benefit.company_id and product.id = benefit.product_id
     where benefit.member_id = $1 and benefit.status = 'active' and benefit.type = any($4::text[])
       and ($2::uuid[] is null or benefit.id = any($2::uuid[])) and ($3::uuid is null or benefit.product_id = $3)
     order by benefit.id`,
    [memberId, benefitIds, productId, types],
  )
}

/** The open movements of this kind of the benefits. */
export async function readOpenOfKind(
  sql: Sql,
  companyId: string,
  kind: AlterationKind,
  benefitIds: readonly string[],
): Promise<string[]> {
  const rows = await sql.query<{ id: string }>(
    `select id from open_movement where company_id = $1 and alteration_kind = $2 and benefit_id = any($3::uuid[]) order by id`,
    [companyId, kind, benefitIds],
  )
  return rows.map(({ id }) => id)
}
