import { MASKED_FIELDS } from '../domain/masking.ts'
import type { SearchTerm } from '../domain/search.ts'
import type { Page } from '../http/page.ts'
import type { Sql } from '../core/database.ts'
import { registrationsOf } from './detail-queries.ts'
import { readSharedTaxIds, sharedTable, withShared } from './corrected.ts'
import { isShown, memberItems, type MemberSelection, shownTaxId } from './queries.ts'
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
  const { taxId, companyTaxId, search, includeInactive } = filter
  const selection: MemberSelection = { includeInactive, filter: null }
  const values: unknown[] = [bounds.limit, bounds.offset]
  const parameter = (value: unknown) => `$${values.push(value)}`
  const inCompany =
    companyTaxId === null
      ? 'true'
      : `m.company_id = (select x.id from company x where x.tax_id = ${parameter(companyTaxId)})`
  // In one company an id has one CPF.
  const shared = companyTaxId === null ? sharedTable(await readSharedTaxIds(sql, null), values) : null
  const shown = shownTaxId(shared)
  const conditions = [inCompany]
  if (taxId !== null) conditions.push(`m.tax_id = ${parameter(taxId)}`)
  if (search !== null) {
    const part = `'%' || fold(${parameter(search.text)}) || '%'`
    conditions.push(`(m.search_text like ${part} or m.search_email like ${part})`)
  }
  const page = `(${withShared('select * from listed order by tax_id limit $1 offset $2', shared)})`
  const rows = await sql.queryPlanned<Page>(
    `with listed as materialized (
       select distinct ${shown.taxId} as tax_id from member m ${shown.join}
       join benefit b on b.company_id = m.company_id and b.member_id = m.id and ${isShown(selection)}
       where ${conditions.join(' and ')}
     )
     select (select count(*) from listed) as total, (
       select coalesce(json_agg(y.item order by y.tax_id), '[]')::text
       from (${memberItems(selection, `${page} l join member m on m.tax_id = l.tax_id and ${inCompany}`, shared)}) y) as items`,
    values,
  )
  return rows[0] ?? { total: 0, items: '[]' }
}

/** SQL of the member rows of the person of the id $1. */
const personOf = (shared: string | null) =>
  `(${withShared(
    `(select w.tax_id from member w where w.id = $1
    and exists (select from benefit b where b.company_id = w.company_id and b.member_id = w.id)
  order by w.updated_at desc, w.company_id limit 1)`,
    shared,
  )}) l join member m on m.tax_id = l.tax_id`

/** SQL of the others who have, or had, a benefit under a primary of the person's benefits. */
const familyOf = (person: string) => `
  select coalesce(json_agg(json_build_object('member-id', f.id, 'name', f.name, 'company-tax-id', c.tax_id, 'type', k.type,
      'dependent-type', k.dependent_type, 'status', k.status) order by c.tax_id, k.type desc, f.name, f.id, k.dependent_type), '[]')
  from (
    select b.company_id, b.member_id, b.type, b.dependent_type, case when bool_or(b.status = 'active') then 'active'
      when bool_or(b.status = 'pending') then 'pending' else 'inactive' end as status
    from (
      select distinct o.company_id, coalesce(o.primary_member_id, o.member_id) as member_id, m.id as person_id
      from ${person} join benefit o on o.company_id = m.company_id and o.member_id = m.id
    ) h
    cross join lateral (
      select p.* from benefit p where p.company_id = h.company_id and p.member_id = h.member_id and p.type = 'primary'
      union all
      select d.* from benefit d where d.company_id = h.company_id and d.primary_member_id = h.member_id
    ) b
    where b.member_id <> h.person_id
    group by b.company_id, b.member_id, b.type, b.dependent_type
  ) k
  join member f on f.company_id = k.company_id and f.id = k.member_id
  join company c on c.id = k.company_id`

/** `{ "result": Member + registrations + family }`, with all benefits, of all companies; null when there is no such member. */
export async function readMemberForOperator(sql: Sql, memberId: string): Promise<string | null> {
  const values: unknown[] = [memberId]
  const shared = sharedTable(await readSharedTaxIds(sql, null), values)
  const person = personOf(shared)
  const rows = await sql.query<{ body: string }>(
    `select jsonb_build_object('result', y.item::jsonb ||
       jsonb_build_object('registrations', (${registrationsOf(person)}), 'family', (${familyOf(person)})))::text as body
     from (${memberItems({ includeInactive: true, filter: null }, person, shared)}) y`,
    values,
  )
  return rows[0]?.body ?? null
}

const maskedKeys = Object.keys(MASKED_FIELDS)
  .map((key) => `'${key}'`)
  .join(', ')

/** What is masked of a member, as JSON, and the companies that it is of; null when there is no such member. */
export async function readMaskedFields(
  sql: Sql,
  memberId: string,
): Promise<{ readonly item: string; readonly companyIds: readonly string[] } | null> {
  const values: unknown[] = [memberId]
  const shared = sharedTable(await readSharedTaxIds(sql, null), values)
  const { taxId, join } = shownTaxId(shared)
  const rows = await sql.query<{ item: string; companyIds: string[] }>(
    `with registration as materialized (
       select ${taxId} as tax_id, m.created_at, m.company_id, c.tax_id as company_tax_id, ${registrationJson('m')} as data
       from ${personOf(shared)} join company c on c.id = m.company_id ${join}
       where exists (select from benefit b where b.company_id = m.company_id and b.member_id = m.id)
     )
     select json_build_object('tax-id', m.tax_id, 'registrations', json_agg(
         (select jsonb_build_object('company-tax-id', m.company_tax_id) || coalesce(jsonb_object_agg(f.key, f.value), '{}')
          from jsonb_each(m.data) f where f.key = any(array[${maskedKeys}]) and f.key <> 'tax-id')
         order by m.created_at, m.company_id))::text as item,
       array_agg(m.company_id order by m.company_id) as "companyIds"
     from registration m
     group by m.tax_id`,
    values,
  )
  return rows[0] ?? null
}
