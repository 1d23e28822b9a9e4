import type { Page } from '#platform/http/page.ts'
import type { Sql } from '#platform/core/database.ts'
import { Parameters } from '#platform/core/parameters.ts'
import { requestConditions, type RequestFilter } from './list-queries.ts'
import { requestColumns } from './queries.ts'

/** A page of the requests of all companies, newest first, and their total, from one snapshot. */
export async function listAllRequests(
  sql: Sql,
  { companyTaxId, ...filter }: Omit<RequestFilter, 'updatedSince'>,
  bounds: { limit: number; offset: number },
): Promise<Page> {
  const parameters = new Parameters(bounds.limit, bounds.offset)
  const conditions = requestConditions({ ...filter, updatedSince: null }, parameters)
  if (companyTaxId !== null) {
    conditions.push(`request.company_id = (select id from company where tax_id = ${parameters.add(companyTaxId)})`)
  }
  const selected = `from request where ${['true', ...conditions].join(' and ')}`
  const rows = await sql.queryPlanned<Page>(
    `select (select count(*) ${selected}) as total, (
       select coalesce(json_agg(json_build_object(${requestColumns}, 'company-name', company.name) order by request.created_at desc, request.id desc), '[]')::text
       from (select request.company_id, request.id ${selected} order by request.created_at desc, request.id desc limit $1 offset $2) page
       join request on request.company_id = page.company_id and request.id = page.id
       join company on company.id = request.company_id) as items`,
    parameters.values,
  )
  return rows[0] ?? { total: 0, items: '[]' }
}
