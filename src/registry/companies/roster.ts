import { PORTUGUESE } from '#kernel/texts/texts.ts'
import { maskField } from '#kernel/masking.ts'
import { portugueseTable } from '#platform/tables/portuguese.ts'
import type { ItemStatement } from '#platform/http/row-stream.ts'
import type { Sql } from '#platform/core/database.ts'
import type { LocalDate } from '#kernel/calendar.ts'

/** The columns of a roster, named as the fields of an import where it has them, with the SQL of each. */
const columns: readonly (readonly [string, string])[] = [
  ['company-tax-id', 'company.tax_id'],
  ['beneficiary-type', 'benefit.type'],
  ['tax-id', 'member.tax_id'],
  ['name', 'member.name'],
  ['mothers-name', 'member.mothers_name'],
  ['date-of-birth', 'member.date_of_birth'],
  ['gender', 'member.gender'],
  ['marital-status', 'member.marital_status'],
  ['employee-id', 'member.employee_id'],
  ['cost-center', 'member.cost_center'],
  ['admission-date', 'member.admission_date'],
  ['primary-member-tax-id', 'primary_member.tax_id'],
  ['primary-member-name', 'primary_member.name'],
  ['dependent-type', 'benefit.dependent_type'],
  ['product-name', 'product.name'],
  ['carrier-name', 'product.carrier_name'],
  ['card-number', 'benefit.card_number'],
  ['start-date', 'benefit.start_date'],
  ['end-date', 'benefit.end_date'],
  ['status', 'benefit.status'],
]

const names = columns.map(([name]) => name)
const { terms } = PORTUGUESE

/** A roster under the headings of an import in Portuguese. */
export const rosterTable = portugueseTable(names, {
  'beneficiary-type': terms.beneficiaryType,
  gender: terms.gender,
  'marital-status': terms.maritalStatus,
  'dependent-type': terms.dependentType,
  status: terms.benefitStatus,
})

/** The cells of an item of the statement. @param isMasked CPFs are masked. */
export function rosterCells(item: string, isMasked: boolean): (string | null)[] {
  const cells = JSON.parse(item) as (string | null)[]
  return isMasked ? cells.map((cell, at) => (cell === null ? null : maskField(names[at] ?? '', cell))) : cells
}

/** The statement of the benefits of a company: rows (item), each dependent after its primary. */
export function rosterStatement(companyId: string, includeInactive: boolean): Omit<ItemStatement, 'timeoutMs'> {
  return {
    text: `select json_build_array(${columns.map(([, sql]) => `(${sql})::text`).join(', ')})::text as item
      from benefit
      join company on company.id = benefit.company_id
      join member on member.company_id = benefit.company_id and member.id = benefit.member_id
      join product on product.company_id = benefit.company_id and product.id = benefit.product_id
      left join member primary_member on primary_member.company_id = benefit.company_id and primary_member.id = benefit.primary_member_id
      where benefit.company_id = $1 and ($2 or benefit.status = 'active')
      order by fold(coalesce(primary_member.name, member.name)) collate "C", coalesce(primary_member.id, member.id),
        product.position, product.id, benefit.type desc, fold(member.name) collate "C", benefit.start_date, benefit.id`,
    values: [companyId, includeInactive],
  }
}

/** `{ "result": [...] }`: the products of a company that a person has on the day, or will have; null when there is no such company. */
export async function readHeadcount(sql: Sql, taxId: string, today: LocalDate): Promise<string | null> {
  const counted = (condition: string) => `count(*) filter (where ${condition})`
  const inForce = '(benefit.end_date is null or benefit.end_date >= $2::date) and benefit.start_date <= $2::date'
  const rows = await sql.query<{ body: string }>(
    `with lives as materialized (
       select benefit.company_id, benefit.product_id, ${counted(`${inForce} and benefit.type = 'primary'`)} as primaries,
         ${counted(`${inForce} and benefit.type = 'dependent'`)} as dependents, ${counted('benefit.start_date > $2::date')} as starting
       from company join benefit on benefit.company_id = company.id
       where company.tax_id = $1 and benefit.status = 'active' group by benefit.company_id, benefit.product_id
     )
     select json_build_object('result', (
       select coalesce(json_agg(json_build_object('product-id', product.id, 'product-name', product.name, 'carrier-name', product.carrier_name,
         'product-type', product.product_type, 'retired', product.retired_at is not null, 'primaries', lives.primaries,
         'dependents', lives.dependents, 'starting', lives.starting) order by product.retired_at nulls first, product.position, product.id), '[]')
       from lives join product on product.company_id = lives.company_id and product.id = lives.product_id
     ))::text as body
     from company where company.tax_id = $1`,
    [taxId, today],
  )
  return rows[0]?.body ?? null
}
