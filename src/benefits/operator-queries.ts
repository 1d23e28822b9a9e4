import type { Page } from '../http/page.ts'
import type { Sql } from '../core/database.ts'
import { type BenefitFilter, benefitItems, shownMembers } from './queries.ts'

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
    `with page as materialized (
       select b.id, b.company_id ${selected} order by b.id, b.company_id limit $1 offset $2
     ), ${shownMembers('')}
     select (select count(*) ${selected}) as total, ${benefitItems} as items`,
    values,
  )
  return rows[0] ?? { total: 0, items: '[]' }
}
