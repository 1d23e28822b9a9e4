import type { Page } from '../http/page.ts'
import type { Sql } from '../platform/database.ts'
import { type BenefitFilter, benefitFields } from './queries.ts'

/** SQL of the id that the operators' list of members shows for the person of m (member). */
const memberId = `(
  select x.id from member x
  where x.tax_id = m.tax_id and exists (select from benefit y where y.company_id = x.company_id and y.member_id = x.id)
  order by x.created_at, x.company_id limit 1)`

/** A page of the benefits of all companies, by id, with their total, from one snapshot. */
export async function listAllBenefits(
  sql: Sql,
  filter: BenefitFilter,
  bounds: { limit: number; offset: number },
): Promise<Page> {
  const values: unknown[] = [bounds.limit, bounds.offset]
  const parameter = (value: string) => `$${values.push(value)}`
  const conditions = [
    ...(filter.includeInactive ? [] : [`b.status = 'active'`]),
    ...(filter.companyTaxId === null
      ? []
      : [`b.company_id = (select id from company where tax_id = ${parameter(filter.companyTaxId)})`]),
    ...(filter.memberTaxId === null
      ? []
      : [
          `(b.company_id, b.member_id) in (select company_id, id from member where tax_id = ${parameter(filter.memberTaxId)})`,
        ]),
  ]
  const selected = `from benefit b where ${['true', ...conditions].join(' and ')}`
  const rows = await sql.queryPlanned<Page>(
    `select (select count(*) ${selected}) as total, (
       select coalesce(json_agg(json_build_object(${benefitFields}, 'member-id', ${memberId}, 'member-tax-id', m.tax_id)
         order by b.id, b.company_id), '[]')::text
       from (select b.id, b.company_id ${selected} order by b.id, b.company_id limit $1 offset $2) l
       join benefit b on b.company_id = l.company_id and b.id = l.id
       join company c on c.id = b.company_id
       join product p on p.company_id = b.company_id and p.id = b.product_id
       join member m on m.company_id = b.company_id and m.id = b.member_id
       left join member q on q.company_id = b.company_id and q.id = b.primary_member_id) as items`,
    values,
  )
  return rows[0] ?? { total: 0, items: '[]' }
}
