import type { Page } from '../http/page.ts'
import type { Sql } from '../core/database.ts'
import { requestConditions, type RequestFilter } from './list-queries.ts'
import { requestColumns } from './queries.ts'

/** A page of the requests of all companies, newest first, and their total, from one snapshot. */
export async function listAllRequests(
  sql: Sql,
  { companyTaxId, ...filter }: Omit<RequestFilter, 'updatedSince'>,
  bounds: { limit: number; offset: number },
): Promise<Page> {
  const values: unknown[] = [bounds.limit, bounds.offset]
  const parameter = (value: string) => `$${values.push(value)}`
  const conditions = requestConditions({ ...filter, updatedSince: null }, parameter)
  if (companyTaxId !== null) {
    conditions.push(`r.company_id = (select id from company where tax_id = ${parameter(companyTaxId)})`)
  }
  const selected = `from request r where ${['true', ...conditions].join(' and ')}`
  const rows = await sql.queryPlanned<Page>(
    `select (select count(*) ${selected}) as total, (
       select coalesce(json_agg(json_build_object(${requestColumns}) order by r.created_at desc, r.id desc), '[]')::text
       from (select r.company_id, r.id ${selected} order by r.created_at desc, r.id desc limit $1 offset $2) l
       join request r on r.company_id = l.company_id and r.id = l.id
       join company c on c.id = r.company_id) as items`,
    values,
  )
  return rows[0] ?? { total: 0, items: '[]' }
}
