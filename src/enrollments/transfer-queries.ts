import type { Sql } from '../platform/database.ts'

/** A benefit that a completed plan or company change moves: the one asked for, or one of a dependent who follows. */
export interface TransferredBenefit {
  readonly benefitId: string
  /** The id promised when the change was accepted; null for those who follow. */
  readonly newBenefitId: string | null
  readonly memberId: string
  readonly taxId: string
  /** The primary's CPF in the destination. */
  readonly primaryTaxId: string | null
  readonly startDate: string
  readonly endDate: string | null
  /** The day on which the change takes effect. */
  readonly day: string
  /** Whether it is carried out at once; when not said, by the day. */
  readonly now?: boolean
  readonly destinationCompanyId: string
  readonly destinationProductId: string
  /** A dependent who has cover in the destination already: the old one ends, no new one is needed. */
  readonly covered: boolean
}

/** Whether the person of member row m has cover like that of `benefit` in the destination, other than by this change. */
export function coveredIn(company: string, product: string, benefit: string): string {
  return `exists (select 1 from member t
    join benefit x on x.company_id = t.company_id and x.member_id = t.id and x.product_id = ${product}
      and x.type = ${benefit}.type and x.status in ('pending', 'active') and x.replaces_id is distinct from ${benefit}.id
    where t.company_id = ${company} and t.tax_id = m.tax_id)`
}

/** The benefits that these changes move: those asked for, and those of the primary's dependents in the product. */
export async function readTransferredBenefits(
  sql: Sql,
  companyId: string,
  enrollmentIds: readonly string[],
): Promise<TransferredBenefit[]> {
  return sql.planned<TransferredBenefit>(
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
  return sql.planned<TransferredBenefit & { companyId: string }>(
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

export interface Placement {
  readonly destinationCompanyId: string
  readonly id: string
  readonly taxId: string
}

/** CPFs of people whose id the destination knows as somebody else's, while it does not know them. */
export async function readIdConflicts(sql: Sql, people: readonly Placement[]): Promise<string[]> {
  const rows = await sql.planned<{ taxId: string }>(
    `select r."taxId" from json_to_recordset($1::json) as r("destinationCompanyId" uuid, id uuid, "taxId" bpchar)
     where exists (select 1 from member x where x.company_id = r."destinationCompanyId" and x.id = r.id)
       and not exists (select 1 from member t where t.company_id = r."destinationCompanyId" and t.tax_id = r."taxId")`,
    [JSON.stringify(people)],
  )
  return rows.map((row) => row.taxId)
}

/** Makes the people known where they move to, with the profile that they bring; an id that they have there stays. */
export async function insertTransferredMembers(
  sql: Sql,
  companyId: string,
  at: Date,
  people: readonly Placement[],
): Promise<void> {
  await sql.planned(
    `insert into member (company_id, id, tax_id, name, mothers_name, date_of_birth, gender, marital_status, admission_date,
       employee_id, cost_center, salary, details, created_at, updated_at)
     select distinct on (r."destinationCompanyId", m.tax_id) r."destinationCompanyId", r.id, m.tax_id, m.name, m.mothers_name,
       m.date_of_birth, m.gender, m.marital_status, m.admission_date, m.employee_id, m.cost_center, m.salary, m.details,
       $2::timestamptz, $2::timestamptz
     from json_to_recordset($3::json) as r("destinationCompanyId" uuid, id uuid, "taxId" bpchar)
     join member m on m.company_id = $1 and m.tax_id = r."taxId"
     on conflict (tax_id, company_id) do update set name = excluded.name, mothers_name = excluded.mothers_name,
       date_of_birth = excluded.date_of_birth, gender = excluded.gender, marital_status = excluded.marital_status,
       admission_date = excluded.admission_date, employee_id = excluded.employee_id, cost_center = excluded.cost_center,
       salary = excluded.salary, details = excluded.details, updated_at = excluded.updated_at`,
    [companyId, at, JSON.stringify(people)],
  )
}

/** Gives the old benefits their last day. @returns those that are inactive now. */
export async function endReplacedBenefits(
  sql: Sql,
  companyId: string,
  at: Date,
  old: readonly { readonly id: string; readonly endDate: string; readonly now: boolean }[],
): Promise<{ id: string; memberId: string }[]> {
  const rows = await sql.planned<{ id: string; memberId: string; status: string }>(
    `update benefit b set end_date = r."endDate", status = case when r.now then 'inactive' else b.status end, updated_at = $2
     from json_to_recordset($3::json) as r(id uuid, "endDate" date, now boolean)
     where b.company_id = $1 and b.id = r.id and b.status = 'active'
     returning b.id, b.member_id as "memberId", b.status`,
    [companyId, at, JSON.stringify(old)],
  )
  return rows.filter((row) => row.status === 'inactive')
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

/** Starts the new benefits. @returns those that are active now. */
export async function insertReplacementBenefits(
  sql: Sql,
  companyId: string,
  at: Date,
  benefits: readonly NewBenefit[],
): Promise<{ id: string; memberId: string; companyId: string }[]> {
  const rows = await sql.planned<{ id: string; memberId: string; companyId: string; status: string }>(
    `insert into benefit (company_id, id, member_id, product_id, type, primary_member_id, dependent_type, status, start_date,
       end_date, extension_plan, replaces_company_id, replaces_id, created_at, updated_at)
     select r."companyId", r.id, m.id, r."productId", o.type, q.id, o.dependent_type, r.status, r."startDate", r."endDate",
       o.extension_plan, $1::uuid, o.id, $2::timestamptz, $2::timestamptz
     from json_to_recordset($3::json) as r(id uuid, "companyId" uuid, "productId" uuid, "taxId" bpchar, "primaryTaxId" bpchar,
       "replacesId" uuid, status text, "startDate" date, "endDate" date)
     join benefit o on o.company_id = $1 and o.id = r."replacesId"
     join member m on m.company_id = r."companyId" and m.tax_id = r."taxId"
     left join member q on q.company_id = r."companyId" and q.tax_id = r."primaryTaxId"
     returning id, member_id as "memberId", company_id as "companyId", status`,
    [companyId, at, JSON.stringify(benefits)],
  )
  return rows.filter((row) => row.status === 'active')
}
