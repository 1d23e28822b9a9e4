import { Records } from '../../core/records.ts'
import type { Sql } from '../../core/database.ts'
import { insertBenefits, updateBenefits, type WrittenBenefit } from '../../benefits/write.ts'
import { insertMembers, registrationJson, updateMembers } from '../../members/write.ts'
import type { CompanyWrite, Decision } from './types.ts'

/** A benefit that a completed plan or company change transfers: that of the enrollment, or one of its dependents. */
export interface TransferredBenefit {
  readonly benefitId: string
  /** The id that the enrollment has for the new benefit; null for dependents. */
  readonly newBenefitId: string | null
  readonly memberId: string
  readonly taxId: string
  /** The primary's CPF in the destination. */
  readonly primaryTaxId: string | null
  readonly startDate: string
  readonly endDate: string | null
  readonly effectiveDate: string
  /** Of the new benefit of the enrollment; not of the dependents'. */
  readonly cardNumber?: string | null
  /** Whether it is applied at once; absent: decided by the effective date. */
  readonly now?: boolean
  readonly destinationCompanyId: string
  readonly destinationProductId: string
  /** Whether the person has such a benefit in the destination already: then no new one starts. */
  readonly covered: boolean
  /** The last day of former cover of the person in the destination; null when there is none. */
  readonly formerEnd: string | null
}

/**
 * SQL of the rows of a `TransferredBenefit`, from the CTE `transferred`, which has its columns but `covered` and `formerEnd`, and the benefit's
 * type. The destination may be another company: `transferred` is materialized, and joined to its members and benefits.
 */
export const transferredWithCover = `select r.*, coalesce(c.covered, false) as covered, c.former_end as "formerEnd"
  from transferred r
  left join (
    select n."benefitId", bool_or(x.status <> 'inactive' and x.replaces_id is distinct from n."benefitId") as covered,
      max(x.end_date) filter (where x.status = 'inactive' and x.end_date >= x.start_date and x.id <> n."benefitId") as former_end
    from transferred n
    join member t on t.company_id = n."destinationCompanyId" and t.tax_id = n."taxId"
    join benefit x on x.company_id = t.company_id and x.member_id = t.id and x.product_id = n."destinationProductId" and x.type = n.type
    group by n."benefitId") c on c."benefitId" = r."benefitId"
  order by r.type desc, r."benefitId"`

/**
 * The benefits that these enrollments transfer: their own, and those of the primary's dependents in the product.
 * @param transfers the enrollments; a start that the operator set goes before the requested one.
 */
export async function readTransferredBenefits(
  sql: Sql,
  companyId: string,
  transfers: readonly (Partial<Decision> & { readonly id: string })[],
): Promise<TransferredBenefit[]> {
  return sql.query<TransferredBenefit>(
    `with transferred as materialized (
       select b.id as "benefitId", b.type, case when b.id = e.benefit_id then e.new_benefit_id end as "newBenefitId",
       b.member_id as "memberId", m.tax_id as "taxId", q.tax_id as "primaryTaxId", b.start_date as "startDate", b.end_date as "endDate",
       coalesce(v."startDate", e.effective_date) as "effectiveDate", case when b.id = e.benefit_id then v."cardNumber" end as "cardNumber",
       e.destination_company_id as "destinationCompanyId",
       e.destination_product_id as "destinationProductId"
     from json_to_recordset($2::json) as v(id uuid, "startDate" date, "cardNumber" text)
     cross join lateral (select x.* from enrollment x where x.company_id = $1 and x.id = v.id limit 1) e
     cross join lateral (select x.* from benefit x where x.company_id = $1 and x.id = e.benefit_id limit 1) o
     cross join lateral (
       select n.* from benefit n where n.company_id = $1 and n.id = o.id
       union all
       select d.* from benefit d where o.type = 'primary' and d.company_id = $1 and d.primary_member_id = o.member_id
         and d.product_id = o.product_id
     ) b
     cross join lateral (select x.tax_id from member x where x.company_id = $1 and x.id = b.member_id limit 1) m
     left join member q on q.company_id = $1 and q.id = b.primary_member_id
     where b.status = 'active'
     ) ${transferredWithCover}`,
    [companyId, Records.of(transfers)],
  )
}

/**
 * Active benefits of dependents who joined a primary after its transfer was approved and before it took effect.
 * @param benefitIds new benefits of primaries, just activated in the company.
 * @returns them, each with its present company.
 */
export async function readLateDependents(
  sql: Sql,
  companyId: string,
  benefitIds: readonly string[],
): Promise<(TransferredBenefit & { companyId: string })[]> {
  return sql.query<TransferredBenefit & { companyId: string }>(
    `with started as materialized (
       select n.start_date, n.product_id, n.replaces_company_id, n.replaces_id, q.tax_id as primary_tax_id
       from benefit n join member q on q.company_id = $1 and q.id = n.member_id
       where n.company_id = $1 and n.id = any($2::uuid[]) and n.type = 'primary'
     ), late as materialized (
       select d.company_id as "companyId", d.id as "benefitId", d.type, null as "newBenefitId", d.member_id as "memberId",
         m.tax_id as "taxId", n.primary_tax_id as "primaryTaxId", d.start_date as "startDate", d.end_date as "endDate",
         n.start_date as "effectiveDate", $1::uuid as "destinationCompanyId", n.product_id as "destinationProductId"
       from started n
       join benefit o on o.company_id = n.replaces_company_id and o.id = n.replaces_id
       join benefit d on d.company_id = o.company_id and d.primary_member_id = o.member_id and d.product_id = o.product_id
         and d.type = 'dependent' and d.status = 'active'
       join member m on m.company_id = d.company_id and m.id = d.member_id
     ), transferred as materialized (
       select * from late where "benefitId" not in (
         select l."benefitId" from late l
         join benefit s on s.replaces_id = l."benefitId" and s.replaces_company_id = l."companyId" and s.status = 'pending')
     ) ${transferredWithCover}`,
    [companyId, benefitIds],
  )
}

export interface TransferredMember {
  readonly destinationCompanyId: string
  /** The id in the present company. */
  readonly id: string
}

/**
 * Upserts members with their registration data in the companies that they are transferred to. A member of the destination keeps the id
 * there; others have the same id as in the present company, unless another member has it.
 */
export async function saveTransferredMembers(
  { sql, companyId, at }: CompanyWrite,
  memberKey: Buffer,
  members: readonly TransferredMember[],
): Promise<void> {
  const from = `json_to_recordset($2::json) as r("destinationCompanyId" uuid, id uuid)
    join member m on m.company_id = $1 and m.id = r.id`
  const values = [companyId, Records.of(members)]
  const all = `select distinct r."destinationCompanyId" as company_id, m.tax_id, m.id, ${registrationJson('m')} as data from ${from}`
  // Two companies: what is read in the first is joined to the members of the second.
  const existing = `select t.company_id, t.id, s.data from (${all} offset 0) s
    join member t on t.company_id = s.company_id and t.tax_id = s.tax_id`
  await updateMembers(sql, at, { text: existing, values }, 'replace')
  await insertMembers(sql, memberKey, at, { text: all, values })
}

/** Sets the last day of the replaced benefits. @returns those that are now inactive. */
export async function endReplacedBenefits(
  { sql, companyId, at }: CompanyWrite,
  replaced: readonly { readonly id: string; readonly endDate: string; readonly now: boolean }[],
): Promise<WrittenBenefit[]> {
  const updated = await updateBenefits(sql, at, {
    set: { end_date: 'r."endDate"', status: `case when r.now then 'inactive' else b.status end` },
    from: 'json_to_recordset($2::json) as r(id uuid, "endDate" date, now boolean)',
    where: `b.company_id = $1 and b.id = r.id and b.status = 'active'`,
    values: [companyId, Records.of(replaced)],
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
  readonly cardNumber: string | null
  readonly status: 'pending' | 'active'
  readonly startDate: string
  readonly endDate: string | null
}

/** Inserts the new benefits. @returns those that are now active. */
export async function insertReplacementBenefits(
  { sql, companyId, at }: CompanyWrite,
  benefits: readonly NewBenefit[],
): Promise<WrittenBenefit[]> {
  const inserted = await insertBenefits(sql, at, {
    columns: {
      company_id: 'r."companyId"',
      id: 'r.id',
      member_id: 'm.id',
      product_id: 'r."productId"',
      type: 'r.type',
      primary_member_id: 'q.id',
      dependent_type: 'r.dependent_type',
      status: 'r.status',
      start_date: 'r."startDate"',
      end_date: 'r."endDate"',
      extension_plan: 'r.extension_plan',
      card_number: 'r."cardNumber"',
      replaces_company_id: '$1::uuid',
      replaces_id: 'r."replacesId"',
    },
    from: `(
        with replacement as materialized (
          select r.*, b.type, b.dependent_type, b.extension_plan
          from json_to_recordset($2::json) as r(id uuid, "companyId" uuid, "productId" uuid, "taxId" bpchar, "primaryTaxId" bpchar,
            "replacesId" uuid, "cardNumber" text, status text, "startDate" date, "endDate" date)
          join benefit b on b.company_id = $1 and b.id = r."replacesId"
        ) select * from replacement
      ) r
      join member m on m.company_id = r."companyId" and m.tax_id = r."taxId"
      left join member q on q.company_id = m.company_id and q.tax_id = r."primaryTaxId"`,
    values: [companyId, Records.of(benefits)],
  })
  return inserted.filter((benefit) => benefit.status === 'active')
}
