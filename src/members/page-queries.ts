import type { Page } from '../http/page.ts'
import type { Caller } from '../http/caller.ts'
import type { Sql } from '../platform/database.ts'
import type { MemberFilter } from './filter.ts'
import { MemberJsonWriter, type MemberRow, type ProductRow, ProductJson } from './member-json.ts'

/** Which members of the caller's companies. */
export interface MemberSelection {
  /** Also benefits that are not active, and members who have no other. */
  readonly includeInactive: boolean
  /** null: everybody. */
  readonly filter: MemberFilter | null
}

/** SQL of a product as a benefit shows it, over the aliases c (company) and p (product). */
export const productColumns = 'c.tax_id, p.id, p.name, p.product_type, p.carrier_name'

/**
 * SQL of a `MemberRow` over the aliases m (member), b (benefit) and q (the primary's member row, if any).
 * @param times when the member row was made and updated: `exact`, or `null` where there is but one company.
 */
export const memberColumns = (times: 'exact' | 'null') => `
  m.tax_id, m.company_id, m.id,
  ${times === 'exact' ? 'extract(epoch from m.created_at), extract(epoch from m.updated_at)' : 'null, null'},
  m.name, m.mothers_name, m.date_of_birth, m.gender, m.marital_status, b.id, b.status, b.product_id, b.type, b.start_date,
  b.end_date, b.extension_plan::text, b.card_number, b.dependent_type, q.tax_id`

/*
 * The rows of the persons of a page with their products, as JSON: keys in the order of `MemberRow`. `offset 0` keeps the planner from
 * joining benefits to all members first.
 */
const peopleOfPage = `
  select coalesce(json_agg(json_build_array(${memberColumns('exact')}, ${productColumns}) order by m.tax_id), '[]')
  from (
    select m.* from entitlement t join member m on m.company_id = t.company_id
    where t.client_id = $1 and m.tax_id in (select tax_id from listed order by tax_id limit $2 offset $3)
    offset 0
  ) m
  join company c on c.id = m.company_id
  cross join lateral (select * from benefit b where b.company_id = m.company_id and b.member_id = m.id offset 0) b
  join product p on p.company_id = b.company_id and p.id = b.product_id
  left join member q on q.company_id = b.company_id and q.id = b.primary_member_id`

/**
 * A page of the list, and how many persons the whole has, of one moment; undefined when the client is revoked. Who is
 * on the list is told from keys alone, once for both; only the page's people are read.
 */
export async function listMembers(
  sql: Sql,
  caller: Caller,
  { includeInactive, filter }: MemberSelection,
  bounds: { limit: number; offset: number },
): Promise<Page | undefined> {
  const values: unknown[] = [caller.clientId, bounds.limit, bounds.offset]
  const inactive = includeInactive ? '' : `and b.status = 'active'`
  const listed = filter === null ? everybody(inactive) : chosen(filter, inactive, values)
  const [found] = await sql.planned<{ total: number; rows: [...MemberRow, ...ProductRow][] }>(
    `with listed as materialized (${listed})
     select (select count(*) from listed) as total, (${peopleOfPage}) as rows
     from client k where k.id = $1 and k.kind = 'partner' and k.revoked_at is null`,
    values,
  )
  if (found === undefined) return undefined
  const products = new ProductJson()
  for (const [, companyId, ...row] of found.rows) products.add(companyId, row.slice(18) as unknown as ProductRow)
  const people = new MemberJsonWriter(products, includeInactive)
  return { total: found.total, items: `[${[...people.take(found.rows), ...people.last()].join(',')}]` }
}

/*
 * Company by company, both sides in the order of one index each and nothing but keys: `group by` keeps the planner from turning
 * it into a look-up for each member, which it likes best because it knows only the average company.
 */
const everybody = (inactive: string) => `
  select distinct m.tax_id from entitlement t cross join lateral (
    select m.tax_id from member m
    join benefit b on b.company_id = t.company_id and b.member_id = m.id and b.start_date > '-infinity' ${inactive}
    where m.company_id = t.company_id and m.tax_id > ''
    group by m.id, m.tax_id) m
  where t.client_id = $1`

/*
 * Person by person, as in `matching`: counting is a look-up that the planner cannot turn into a join, which might read the members of
 * all tenants or, where a company is far larger than the average, compare all with all.
 */
const chosen = (filter: MemberFilter, inactive: string, values: unknown[]) => `
  select w.tax_id from (${matching(filter, values)}) w
  where (
    select count(*) from member m
    join entitlement t on t.company_id = m.company_id and t.client_id = $1
    where m.tax_id = w.tax_id and exists (
      select from benefit b where b.company_id = m.company_id and b.member_id = m.id ${inactive})) > 0`

/*
 * The CPFs that the filter selects: one row that matches in any of the caller's companies is enough. Each field asked stands
 * alone, so that each uses its own index. What a CPF finds is for the list to say.
 */
export function matching({ taxIds, costCenters, employeeIds }: MemberFilter, values: unknown[]): string {
  const inScope = (column: string) => `select distinct w.tax_id from member w
    where w.company_id = any(array(select company_id from entitlement where client_id = $1))
      and w.${column} = any($${values.length}::text[])
      and (select count(*) from benefit v where v.company_id = w.company_id and v.member_id = w.id) > 0`
  const arms: string[] = []
  if (taxIds.length > 0) {
    values.push(taxIds)
    arms.push(`select unnest($${values.length}::bpchar[]) as tax_id`)
  }
  if (costCenters.length > 0) {
    values.push(costCenters)
    arms.push(inScope('cost_center'))
  }
  if (employeeIds.length > 0) {
    values.push(employeeIds)
    arms.push(inScope('employee_id'))
  }
  return arms.join(' union ')
}
