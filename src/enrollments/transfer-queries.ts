import type { Sql } from '../platform/database.ts'
import { insertBenefits, updateBenefits, type WrittenBenefit } from '../benefits/write.ts'
import { insertMembers, registrationJson, updateMembers } from '../members/write.ts'

/** A benefit that a completed plan or company change transfers: the one named, or one of a dependent who follows. */
export interface TransferredBenefit {
  readonly benefitId: string
  /** The id that the response to the request named; null for dependents who follow. */
  readonly newBenefitId: string | null
  readonly memberId: string
  readonly taxId: string
  /** The primary's CPF in the destination. */
  readonly primaryTaxId: string | null
  readonly startDate: string
  readonly endDate: string | null
  /** The day on which the change takes effect. */
  readonly day: string
  /** Whether it is applied at once; decided by the day when absent. */
  readonly now?: boolean
  readonly destinationCompanyId: string
  readonly destinationProductId: string
  /** Whether a dependent has cover in the destination already: the old benefit ends, and no new one starts. */
  readonly covered: boolean
}

/** Whether the person of member row m has cover like that of `benefit` in the destination, other than by this change. */
export function coveredIn(company: string, product: string, benefit: string): string {
  return `exists (select 1 from member t
    join benefit x on x.company_id = t.company_id and x.member_id = t.id and x.product_id = ${product}
      and x.type = ${benefit}.type and x.status in ('pending', 'active') and x.replaces_id is distinct from ${benefit}.id
    where t.company_id = ${company} and t.tax_id = m.tax_id)`
}

/** The benefits that these changes transfer: those named, and those of the primary's dependents in the product. */
export async function readTransferredBenefits(
  sql: Sql,
  companyId: string,
  enrollmentIds: readonly string[],
): Promise<TransferredBenefit[]> {
  return sql.queryPlanned<TransferredBenefit>(
    `select b.id as "benefitId", case when b.id = e.benefit_id then e.new_benefit_id end as "newBenefitId",
       b.member_id as "memberId", m.tax_id as "taxId", q.tax_id as "primaryTaxId", b.start_date as "startDate", b.end_date as "endDate",
       e.effective_date as day, e.destination_company_id as "destinationCompanyId",
       e.destination_product_id as "destinationProductId",
       ${coveredIn('e.destination_company_id', 'e.destination_product_id', 'b')} as covered
     from enrollment e
     join benefit o on o.company_id = $1 and o.id = e.benefit_id
     join benefit b on b.company_id = $1 and b.status = 'active'
       and (b.id = o.id or (b.primary_member_id = o.member_id and b.product_id = o.product_id and o.type = 'primary'))
     join member m on m.company_id = $1 and m.id = b.member_id
     left join member q on q.company_id = $1 and q.id = b.primary_member_id
     where e.company_id = $1 and e.id = any($2::uuid[])
     order by b.type desc, b.id`,
    [companyId, enrollmentIds],
  )
}

/**
 * Active benefits of dependents who joined a primary after its change was approved and before its day: they follow it now.
 * @param benefitIds new benefits of primaries, just active in the company.
 * @returns those who follow, each with the company that it comes from.
 */
export async function readLateDependents(
  sql: Sql,
  companyId: string,
  benefitIds: readonly string[],
): Promise<(TransferredBenefit & { companyId: string })[]> {
  return sql.queryPlanned<TransferredBenefit & { companyId: string }>(
    `select d.company_id as "companyId", d.id as "benefitId", null as "newBenefitId", d.member_id as "memberId",
       m.tax_id as "taxId", q.tax_id as "primaryTaxId", d.start_date as "startDate", d.end_date as "endDate",
       n.start_date as day, n.company_id as "destinationCompanyId", n.product_id as "destinationProductId",
       ${coveredIn('n.company_id', 'n.product_id', 'd')} as covered
     from benefit n
     join benefit o on o.company_id = n.replaces_company_id and o.id = n.replaces_id
     join benefit d on d.company_id = o.company_id and d.primary_member_id = o.member_id and d.product_id = o.product_id
       and d.type = 'dependent' and d.status = 'active'
     join member m on m.company_id = d.company_id and m.id = d.member_id
     join member q on q.company_id = n.company_id and q.id = n.member_id
     where n.company_id = $1 and n.id = any($2::uuid[]) and n.type = 'primary'
       and not exists (select 1 from benefit s where s.replaces_id = d.id and s.replaces_company_id = d.company_id
         and s.status = 'pending')
     order by d.id`,
    [companyId, benefitIds],
  )
}

export interface TransferredMember {
  readonly destinationCompanyId: string
  /** The id in the company that the member leaves. */
  readonly id: string
}

/**
 * Saves members in the companies that they move to, with the registration data that they bring. Where the destination knows the person
 * the id there stays; else the member keeps the id, unless it is taken.
 */
export async function saveTransferredMembers(
  sql: Sql,
  memberKey: Buffer,
  companyId: string,
  at: Date,
  members: readonly TransferredMember[],
): Promise<void> {
  const from = `json_to_recordset($2::json) as r("destinationCompanyId" uuid, id uuid)
    join member m on m.company_id = $1 and m.id = r.id`
  const values = [companyId, JSON.stringify(members)]
  const known = `select distinct t.company_id, t.id, ${registrationJson('m')} as data from ${from}
    join member t on t.company_id = r."destinationCompanyId" and t.tax_id = m.tax_id`
  await updateMembers(sql, at, { text: known, values }, 'replace')
  const all = `select distinct r."destinationCompanyId" as company_id, m.tax_id, m.id, ${registrationJson('m')} as data from ${from}`
  await insertMembers(sql, memberKey, at, { text: all, values })
}

/** Gives the old benefits their last day. @returns those that are inactive now. */
export async function endReplacedBenefits(
  sql: Sql,
  companyId: string,
  at: Date,
  old: readonly { readonly id: string; readonly endDate: string; readonly now: boolean }[],
): Promise<WrittenBenefit[]> {
  const updated = await updateBenefits(sql, at, {
    set: { end_date: 'r."endDate"', status: `case when r.now then 'inactive' else b.status end` },
    from: 'json_to_recordset($2::json) as r(id uuid, "endDate" date, now boolean)',
    where: `b.company_id = $1 and b.id = r.id and b.status = 'active'`,
    values: [companyId, JSON.stringify(old)],
  })
  return updated.filter((benefit) => benefit.status === 'inactive')
}

export interface NewBenefit {
  readonly id: string
  readonly companyId: string
  readonly productId: string
  readonly taxId: string
  readonly primaryTaxId: string | null
  readonly replacesId: string
  readonly status: 'pending' | 'active'
  readonly startDate: string
  readonly endDate: string | null
}

/** Inserts the new benefits. @returns those that are active now. */
export async function insertReplacementBenefits(
  sql: Sql,
  companyId: string,
  at: Date,
  benefits: readonly NewBenefit[],
): Promise<WrittenBenefit[]> {
  const inserted = await insertBenefits(sql, at, {
    columns: {
      company_id: 'r."companyId"',
      id: 'r.id',
      member_id: 'm.id',
      product_id: 'r."productId"',
      type: 'o.type',
      primary_member_id: 'q.id',
      dependent_type: 'o.dependent_type',
      status: 'r.status',
      start_date: 'r."startDate"',
      end_date: 'r."endDate"',
      extension_plan: 'o.extension_plan',
      replaces_company_id: 'o.company_id',
      replaces_id: 'o.id',
    },
    from: `json_to_recordset($2::json) as r(id uuid, "companyId" uuid, "productId" uuid, "taxId" bpchar, "primaryTaxId" bpchar,
        "replacesId" uuid, status text, "startDate" date, "endDate" date)
      join benefit o on o.company_id = $1 and o.id = r."replacesId"
      join member m on m.company_id = r."companyId" and m.tax_id = r."taxId"
      left join member q on q.company_id = r."companyId" and q.tax_id = r."primaryTaxId"`,
    values: [companyId, JSON.stringify(benefits)],
  })
  return inserted.filter((benefit) => benefit.status === 'active')
}
