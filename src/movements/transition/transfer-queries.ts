import { Records } from '#platform/core/records.ts'
import type { Sql } from '#platform/core/database.ts'
import { movingDependents } from '#coverage/benefits/moving-dependents.ts'
import { insertBenefits, updateBenefits, type WrittenBenefit } from '#coverage/benefits/write.ts'
import { insertMembers, registrationJson, updateMembers } from '#coverage/members/write.ts'
import { changesContract } from '#registry/contracts/sides.ts'
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
  /** The card number of the new benefit. */
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
export const transferredWithCover = `select transferred.*, coalesce(cover.covered, false) as covered, cover.former_end as "formerEnd"
  from transferred
  left join (
    select transferred."benefitId", bool_or(benefit.status <> 'inactive' and benefit.replaces_id is distinct from transferred."benefitId") as covered,
      max(benefit.end_date) filter (where benefit.status = 'inactive' and benefit.end_date >= benefit.start_date
        and benefit.id <> transferred."benefitId") as former_end
    from transferred
    join member on member.company_id = transferred."destinationCompanyId" and member.tax_id = transferred."taxId"
    join benefit on benefit.company_id = member.company_id and benefit.member_id = member.id
      and benefit.product_id = transferred."destinationProductId" and benefit.type = transferred.type
    group by transferred."benefitId") cover on cover."benefitId" = transferred."benefitId"
  order by transferred.type desc, transferred."benefitId"`

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
       select benefit.id as "benefitId", benefit.type,
       case when benefit.id = enrollment.benefit_id then enrollment.new_benefit_id end as "newBenefitId",
       benefit.member_id as "memberId", member.tax_id as "taxId", primary_member.tax_id as "primaryTaxId", benefit.start_date as "startDate",
       benefit.end_date as "endDate",
       coalesce(decision."startDate", enrollment.effective_date) as "effectiveDate",
       case when benefit.id = enrollment.benefit_id then decision."cardNumber" else decision."dependentCards" ->> benefit.id::text end as "cardNumber",
       enrollment.destination_company_id as "destinationCompanyId",
       enrollment.destination_product_id as "destinationProductId"
     from json_to_recordset($2::json) as decision(id uuid, "startDate" date, "cardNumber" text, "dependentCards" json)
     cross join lateral (select * from enrollment where company_id = $1 and id = decision.id limit 1) enrollment
     cross join lateral (select * from benefit where company_id = $1 and id = enrollment.benefit_id limit 1) altered
     cross join lateral (
       select * from benefit where company_id = $1 and id = altered.id
       union all
       select dependent_benefit.* from ${movingDependents('altered', 'coalesce(decision."startDate", enrollment.effective_date)')}
     ) benefit
     cross join lateral (select tax_id from member where company_id = $1 and id = benefit.member_id limit 1) member
     left join member primary_member on primary_member.company_id = $1 and primary_member.id = benefit.primary_member_id
     where benefit.status = 'active'
     ) ${transferredWithCover}`,
    [companyId, Records.of(transfers)],
  )
}

/** Notes the completed plan changes to another contract: the former carrier must hear of them, with its next shipment. */
export async function insertLeavingMovements(
  { sql, companyId, at }: CompanyWrite,
  enrollmentIds: readonly string[],
): Promise<void> {
  await sql.execute(
    `insert into leaving_movement (company_id, enrollment_id, product_id, dependent_benefit_ids, created_at)
     select enrollment.company_id, enrollment.id, enrollment.product_id, array(
       select dependent_benefit.id from benefit altered cross join lateral (
         select dependent_benefit.id from ${movingDependents('altered', 'enrollment.effective_date')}) dependent_benefit
       where altered.company_id = $1 and altered.id = enrollment.benefit_id), $3
     from enrollment
     where enrollment.company_id = $1 and enrollment.id = any($2::uuid[]) and ${changesContract('enrollment', '$1')}`,
    [companyId, enrollmentIds, at],
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
       select benefit.start_date, benefit.product_id, benefit.replaces_company_id, benefit.replaces_id, primary_member.tax_id as primary_tax_id
       from benefit join member primary_member on primary_member.company_id = $1 and primary_member.id = benefit.member_id
       where benefit.company_id = $1 and benefit.id = any($2::uuid[]) and benefit.type = 'primary'
     ), late as materialized (
       select dependent_benefit.company_id as "companyId", dependent_benefit.id as "benefitId", dependent_benefit.type, null as "newBenefitId",
         dependent_benefit.member_id as "memberId",
         member.tax_id as "taxId", started.primary_tax_id as "primaryTaxId", dependent_benefit.start_date as "startDate",
         dependent_benefit.end_date as "endDate",
         started.start_date as "effectiveDate", $1::uuid as "destinationCompanyId", started.product_id as "destinationProductId"
       from started
       join benefit replaced on replaced.company_id = started.replaces_company_id and replaced.id = started.replaces_id
       join benefit dependent_benefit on dependent_benefit.company_id = replaced.company_id
         and dependent_benefit.primary_member_id = replaced.member_id and dependent_benefit.product_id = replaced.product_id
         and dependent_benefit.type = 'dependent' and dependent_benefit.status = 'active'
       join member on member.company_id = dependent_benefit.company_id and member.id = dependent_benefit.member_id
     ), transferred as materialized (
       select * from late where "benefitId" not in (
         select late."benefitId" from late
         join benefit replacement on replacement.replaces_id = late."benefitId" and replacement.replaces_company_id = late."companyId"
           and replacement.status = 'pending')
     ) ${transferredWithCover}`,
    [companyId, benefitIds],
  )
}

interface TransferredMember {
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
  const from = `json_to_recordset($2::json) as transferred("destinationCompanyId" uuid, id uuid)
    join member on member.company_id = $1 and member.id = transferred.id`
  const values = [companyId, Records.of(members)]
  const all = `select distinct transferred."destinationCompanyId" as company_id, member.tax_id, member.id, ${registrationJson('member')} as data
    from ${from}`
  // Two companies: what is read in the first is joined to the members of the second.
  const existing = `select member.company_id, member.id, source.data from (${all} offset 0) source
    join member on member.company_id = source.company_id and member.tax_id = source.tax_id`
  await updateMembers(sql, at, { text: existing, values }, 'replace')
  await insertMembers(sql, memberKey, at, { text: all, values })
}

/** Sets the last day of the replaced benefits. @returns those that are now inactive. */
export async function endReplacedBenefits(
  { sql, companyId, at }: CompanyWrite,
  replaced: readonly { readonly id: string; readonly endDate: string; readonly now: boolean }[],
): Promise<WrittenBenefit[]> {
  const updated = await updateBenefits(sql, at, {
    set: { end_date: 'replaced."endDate"', status: `case when replaced.now then 'inactive' else benefit.status end` },
    from: 'json_to_recordset($2::json) as replaced(id uuid, "endDate" date, now boolean)',
    where: `benefit.company_id = $1 and benefit.id = replaced.id and benefit.status = 'active'`,
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
      company_id: 'replacement."companyId"',
      id: 'replacement.id',
      member_id: 'member.id',
      product_id: 'replacement."productId"',
      type: 'replacement.type',
      primary_member_id: 'primary_member.id',
      dependent_type: 'replacement.dependent_type',
      status: 'replacement.status',
      start_date: 'replacement."startDate"',
      end_date: 'replacement."endDate"',
      extension_plan: 'replacement.extension_plan',
      card_number: 'replacement."cardNumber"',
      replaces_company_id: '$1::uuid',
      replaces_id: 'replacement."replacesId"',
    },
    from: `(
        with replacement as materialized (
          select new_benefit.*, replaced.type, replaced.dependent_type, replaced.extension_plan
          from json_to_recordset($2::json) as new_benefit(id uuid, "companyId" uuid, "productId" uuid, "taxId" bpchar, "primaryTaxId" bpchar,
            "replacesId" uuid, "cardNumber" text, status text, "startDate" date, "endDate" date)
          join benefit replaced on replaced.company_id = $1 and replaced.id = new_benefit."replacesId"
        ) select * from replacement
      ) replacement
      join member on member.company_id = replacement."companyId" and member.tax_id = replacement."taxId"
      left join member primary_member on primary_member.company_id = member.company_id and primary_member.tax_id = replacement."primaryTaxId"`,
    values: [companyId, Records.of(benefits)],
  })
  return inserted.filter((benefit) => benefit.status === 'active')
}
