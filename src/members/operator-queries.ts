import type { SearchTerm } from '../domain/search.ts'
import type { Page } from '../http/page.ts'
import type { Sql } from '../platform/database.ts'
import { isShown, memberItems } from './queries.ts'
import { registrationJson } from './write.ts'

/** Conditions joined by AND; null: no condition. */
export interface OperatorMemberFilter {
  /** Also benefits that are not active, and members who have no other. */
  readonly includeInactive: boolean
  readonly taxId: string | null
  /** Only what this company has: its rows, and the benefits in it. */
  readonly companyTaxId: string | null
  /** A part of the name, an e-mail address or the employee id. */
  readonly search: SearchTerm | null
}

/** A page of the members of all companies, by CPF, with their total, from one snapshot. */
export async function searchMembers(
  sql: Sql,
  filter: OperatorMemberFilter,
  bounds: { limit: number; offset: number },
): Promise<Page> {
  const { taxId, companyTaxId, search } = filter
  const values: unknown[] = [bounds.limit, bounds.offset]
  const parameter = (value: unknown) => `$${values.push(value)}`
  const inCompany =
    companyTaxId === null
      ? 'true'
      : `m.company_id = (select x.id from company x where x.tax_id = ${parameter(companyTaxId)})`
  const conditions = [inCompany]
  if (taxId !== null) conditions.push(`m.tax_id = ${parameter(taxId)}`)
  if (search !== null) {
    const part = `'%' || fold(${parameter(search.text)}) || '%'`
    conditions.push(`(m.search_text like ${part} or m.search_email like ${part})`)
  }
  const page = '(select * from listed order by tax_id limit $1 offset $2)'
  const rows = await sql.queryPlanned<Page>(
    `with listed as materialized (
       select distinct m.tax_id from member m
       where ${conditions.join(' and ')} and exists (
         select from benefit b where b.company_id = m.company_id and b.member_id = m.id and ${isShown(filter)})
     )
     select (select count(*) from listed) as total, (
       select coalesce(json_agg(y.item order by y.tax_id), '[]')::text
       from (${memberItems(filter, `${page} l join member m on m.tax_id = l.tax_id and ${inCompany}`)}) y) as items`,
    values,
  )
  return rows[0] ?? { total: 0, items: '[]' }
}

/**
 * `{ "result": Member }` with the benefits of every status and the registration data that each company has; null when there is no member of
 * the id. Of two persons with one id, after the CPF of one was corrected, the one who was made first.
 */
export async function readMemberForOperator(sql: Sql, memberId: string): Promise<string | null> {
  const person = `(select x.tax_id from member x
    where x.id = $1 and exists (select from benefit y where y.company_id = x.company_id and y.member_id = x.id)
    order by x.created_at, x.company_id limit 1)`
  const rows = await sql.query<{ body: string }>(
    `select json_build_object('result', json_build_object('id', y.item->'id', 'profile', y.item->'profile',
       'benefits', y.item->'benefits', 'registrations', (
         select json_agg(jsonb_build_object('company-tax-id', c.tax_id) || ${registrationJson('m')} order by m.created_at, m.company_id)
         from member m join company c on c.id = m.company_id
         where m.tax_id = y.tax_id
           and exists (select from benefit b where b.company_id = m.company_id and b.member_id = m.id))))::text as body
     from (${memberItems({ includeInactive: true }, `${person} l join member m on m.tax_id = l.tax_id`)}) y`,
    [memberId],
  )
  return rows[0]?.body ?? null
}
