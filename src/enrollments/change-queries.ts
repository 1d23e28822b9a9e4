import type { Sql } from '../database.ts'

/** A benefit that a completed plan or company change moves: the one asked for, or one of a dependent who follows. */
export interface Mover {
  readonly benefitId: string
  /** The id promised when the change was accepted; null for those who follow. */
  readonly newBenefitId: string | null
  readonly taxId: string
  readonly primaryTaxId: string | null
  readonly startDate: string
  readonly endDate: string | null
  /** The day on which the change takes effect. */
  readonly day: string
  readonly destinationCompanyId: string
  readonly destinationProductId: string
}

/** The benefits that these changes move; a dependent with cover in the destination already stays out of it. */
export async function readMovers(sql: Sql, companyId: string, enrollmentIds: readonly string[]): Promise<Mover[]> {
  return sql.planned<Mover>(
    `select b.id as "benefitId", case when b.id = e.benefit_id then e.new_benefit_id end as "newBenefitId",
       m.tax_id as "taxId", q.tax_id as "primaryTaxId", b.start_date as "startDate", b.end_date as "endDate",
       e.effective_date as day, e.destination_company_id as "destinationCompanyId",
       e.destination_product_id as "destinationProductId"
     from enrollment e
     join benefit o on o.company_id = $1 and o.id = e.benefit_id
     join benefit b on b.company_id = $1 and b.status = 'active'
       and (b.id = o.id or (b.primary_member_id = o.member_id and b.product_id = o.product_id and o.type = 'primary'))
     join member m on m.company_id = $1 and m.id = b.member_id
     left join member q on q.company_id = $1 and q.id = b.primary_member_id
     where e.company_id = $1 and e.id = any($2::uuid[])
       and (b.id = o.id or not exists (select 1 from member t
         join benefit x on x.company_id = t.company_id and x.member_id = t.id and x.product_id = e.destination_product_id
           and x.type = b.type and x.status in ('pending', 'active') and x.replaces_id is distinct from b.id
         where t.company_id = e.destination_company_id and t.tax_id = m.tax_id))
     order by b.type desc, b.id`,
    [companyId, enrollmentIds],
  )
}

/** Makes the people known in a company that they move to, with the profile that they bring; an id they have there stays. */
export async function placeMovers(sql: Sql, companyId: string, at: Date, movers: readonly Mover[]): Promise<void> {
  const moving = movers.filter((mover) => mover.destinationCompanyId !== companyId)
  if (moving.length === 0) return
  await sql.planned(
    `insert into member (company_id, id, tax_id, name, mothers_name, date_of_birth, gender, marital_status, admission_date,
       employee_id, cost_center, salary, details, created_at, updated_at)
     select distinct on (r."destinationCompanyId", m.tax_id) r."destinationCompanyId", m.id, m.tax_id, m.name, m.mothers_name,
       m.date_of_birth, m.gender, m.marital_status, m.admission_date, m.employee_id, m.cost_center, m.salary, m.details,
       $2::timestamptz, $2::timestamptz
     from json_to_recordset($3::json) as r("destinationCompanyId" uuid, "taxId" bpchar)
     join member m on m.company_id = $1 and m.tax_id = r."taxId"
     on conflict (tax_id, company_id) do update set name = excluded.name, mothers_name = excluded.mothers_name,
       date_of_birth = excluded.date_of_birth, gender = excluded.gender, marital_status = excluded.marital_status,
       admission_date = excluded.admission_date, employee_id = excluded.employee_id, cost_center = excluded.cost_center,
       salary = excluded.salary, details = excluded.details, updated_at = excluded.updated_at`,
    [companyId, at, JSON.stringify(moving)],
  )
}

/** Gives the old benefits their last day. @returns those that are inactive now. */
export async function endOld(
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
export async function insertNew(
  sql: Sql,
  companyId: string,
  at: Date,
  benefits: readonly NewBenefit[],
): Promise<{ id: string; memberId: string }[]> {
  const rows = await sql.planned<{ id: string; memberId: string; status: string }>(
    `insert into benefit (company_id, id, member_id, product_id, type, primary_member_id, dependent_type, status, start_date,
       end_date, extension_plan, replaces_company_id, replaces_id, created_at, updated_at)
     select r."companyId", r.id, m.id, r."productId", o.type, q.id, o.dependent_type, r.status, r."startDate", r."endDate",
       o.extension_plan, $1::uuid, o.id, $2::timestamptz, $2::timestamptz
     from json_to_recordset($3::json) as r(id uuid, "companyId" uuid, "productId" uuid, "taxId" bpchar, "primaryTaxId" bpchar,
       "replacesId" uuid, status text, "startDate" date, "endDate" date)
     join benefit o on o.company_id = $1 and o.id = r."replacesId"
     join member m on m.company_id = r."companyId" and m.tax_id = r."taxId"
     left join member q on q.company_id = r."companyId" and q.tax_id = r."primaryTaxId"
     returning id, member_id as "memberId", status`,
    [companyId, at, JSON.stringify(benefits)],
  )
  return rows.filter((row) => row.status === 'active')
}
