import type { Page } from '#platform/http/page.ts'
import type { Sql } from '#platform/core/database.ts'
import { Parameters } from '#platform/core/parameters.ts'
import { type BenefitFilter, benefitItems, operatorBenefitFields, shownMembers } from './queries.ts'

/** A page of the benefits of all companies, by id, with their total, from one snapshot. */
export async function listAllBenefits(
  sql: Sql,
  filter: BenefitFilter,
  bounds: { limit: number; offset: number },
): Promise<Page> {
  const parameters = new Parameters(bounds.limit, bounds.offset)
  const conditions = [
    ...(filter.includeInactive ? [] : [`benefit.status = 'active'`]),
    ...(filter.companyTaxId === null
      ? []
      : [`benefit.company_id = (select id from company where tax_id = ${parameters.add(filter.companyTaxId)})`]),
    ...(filter.memberTaxId === null
      ? []
      : [
          `(benefit.company_id, benefit.member_id) in (
            select company_id, id from member where tax_id = ${parameters.add(filter.memberTaxId)})`,
        ]),
  ]
  const selected = `from benefit where ${['true', ...conditions].join(' and ')}`
  const rows = await sql.queryPlanned<Page>(
    `with page as materialized (
       select id, company_id ${selected} order by id, company_id limit $1 offset $2
     ), ${shownMembers('')}
     select (select count(*) ${selected}) as total, ${benefitItems(operatorBenefitFields)} as items`,
    parameters.values,
  )
  return rows[0] ?? { total: 0, items: '[]' }
}
