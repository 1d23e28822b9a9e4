import type { Page } from '../access/queries.ts'
import type { Caller } from '../access/scope.ts'
import type { Sql } from '../database.ts'
import type { MemberFilter } from './filter.ts'

/** A statement for a cursor. Its rows are `[item]`, an item's JSON text; one row of null: nobody; no row: client revoked. */
export interface ListStatement {
  readonly text: string
  readonly values: readonly unknown[]
}

/** Which members of the caller's companies. */
export interface MemberSelection {
  /** Also benefits that are not active, and members who have no other. */
  readonly includeInactive: boolean
  /** null: everybody. */
  readonly filter: MemberFilter | null
}

/*
 * The rows of the caller's companies come in the order of the CPF, and of each person the one made first comes first; benefits
 * are looked up as the persons go by, so that the first item does not wait for the last. `offset 0` keeps the sort below.
 * Over the alias k (client); $2 includes inactive benefits. `condition` goes on from `where t.client_id = k.id`, over m (member).
 */
const peopleOf = (condition: string) => `
  select m.tax_id, json_build_object('id', (array_agg(m.id order by m.created_at, m.company_id))[1],
    'profile', (array_agg(json_build_object('name', m.name, 'mothers-name', m.mothers_name,
      'date-of-birth', m.date_of_birth, 'gender', m.gender, 'marital-status', m.marital_status, 'tax-id', m.tax_id)
      order by m.updated_at desc, m.company_id))[1],
    'benefits', ('[' || string_agg(benefits.items, ',' order by m.created_at, m.company_id) || ']')::json)::text as item
  from (
    select m.*, c.tax_id as company_tax_id
    from entitlement t
    join company c on c.id = t.company_id
    join member m on m.company_id = t.company_id
    where t.client_id = k.id ${condition}
    order by m.tax_id, m.created_at, m.company_id
    offset 0
  ) m
  cross join lateral (
    select count(*) as ever, string_agg(row_to_json(shown)::text, ',' order by shown."start-date", shown."benefit-id")
      filter (where $2 or shown.status = 'active') as items
    from (
      select b.id as "benefit-id", b.status, m.company_tax_id as "company-tax-id", b.product_id as "product-id",
        p.name as "product-name", p.product_type as "product-type", p.carrier_name as "carrier-name", b.type,
        b.start_date as "start-date", b.end_date as "end-date", b.extension_plan as "extension-plan",
        b.card_number as "card-number", b.dependent_type as "dependent-type", primary_member.tax_id as "primary-member-tax-id"
      from benefit b
      join product p on p.company_id = b.company_id and p.id = b.product_id
      left join member primary_member
        on primary_member.company_id = b.company_id and primary_member.id = b.primary_member_id
      where b.company_id = m.company_id and b.member_id = m.id
    ) shown
  ) benefits
  where benefits.ever > 0
  group by m.tax_id
  having count(benefits.items) > 0
  order by m.tax_id`

const alive = `k.id = $1 and k.kind = 'partner' and k.revoked_at is null`

/**
 * The persons of the caller's companies with their benefits, by CPF: profile and id as decided for a person whom several of
 * the companies know. A row without any benefit makes nobody a member.
 */
export function membersStatement(caller: Caller, { includeInactive, filter }: MemberSelection): ListStatement {
  const values: unknown[] = [caller.clientId, includeInactive]
  const condition = filter === null ? '' : `and m.tax_id in (${matching(filter, values)})`
  return {
    text: `select people.item from client k left join lateral (${peopleOf(condition)}) people on true where ${alive}`,
    values,
  }
}

/**
 * A page of the same list, and how many persons the whole has, of one moment; undefined when the client is revoked. Who is
 * on the list is told from keys alone, once for both; only the page's people are read.
 */
export async function listMembers(
  sql: Sql,
  caller: Caller,
  { includeInactive, filter }: MemberSelection,
  bounds: { limit: number; offset: number },
): Promise<Page | undefined> {
  const values: unknown[] = [caller.clientId, includeInactive, bounds.limit, bounds.offset]
  const inactive = includeInactive ? '' : `and b.status = 'active'`
  const listed = filter === null ? everybody(inactive) : chosen(filter, inactive, values)
  const onPage = 'and m.tax_id in (select tax_id from listed order by tax_id limit $3 offset $4)'
  const rows = await sql.planned<Page>(
    `with listed as materialized (${listed})
     select (select count(*) from listed) as total, coalesce((
       select '[' || string_agg(people.item, ',' order by people.tax_id) || ']' from (${peopleOf(onPage)}) people), '[]') as items
     from client k where ${alive}`,
    values,
  )
  return rows[0]
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
function matching({ taxIds, costCenters, employeeIds }: MemberFilter, values: unknown[]): string {
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
