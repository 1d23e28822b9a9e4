import type { Page } from '../http/page.ts'
import { changedMembers } from '../benefits/changed-queries.ts'
import { benefitJson } from '../benefits/queries.ts'
import { activePartner, rowOfActivePartner } from '../core/access.ts'
import type { Client } from '../core/actor.ts'
import type { Sql } from '../core/database.ts'
import { readSharedTaxIds, type SharedTaxIds, sharedTable, withShared } from './corrected.ts'
import type { MemberFilter } from './filter.ts'

export interface MemberSelection {
  /** Also benefits that are not active, and members who have no other. */
  readonly includeInactive: boolean
  /** null: all. */
  readonly filter: MemberFilter | null
  /** Only people of whom something changed at or after it, with all benefits in every status. */
  readonly updatedSince?: string | null
}

const profileJson = (
  taxId: string,
) => `json_build_object('name', m.name, 'mothers-name', m.mothers_name, 'date-of-birth', m.date_of_birth,
  'gender', m.gender, 'marital-status', m.marital_status, 'tax-id', ${taxId})`

/** SQL of the CPF that is shown for the alias m (member), and of the join that it needs. */
export const shownTaxId = (shared: string | null) =>
  shared === null
    ? { taxId: 'm.tax_id', join: '' }
    : { taxId: 'coalesce(s.shown, m.tax_id)', join: `left join ${shared} s on s.tax_id = m.tax_id` }

/** SQL over the alias b (benefit). */
export const isShown = ({ includeInactive, updatedSince = null }: MemberSelection) =>
  includeInactive || updatedSince !== null ? 'true' : `b.status = 'active'`

/** SQL of the member rows of client $1 with the aliases t (entitlement) and m (member): all, or those with the CPFs of `listed`. */
const membersOfAll = `entitlement t join member m on t.client_id = $1 and m.company_id = t.company_id`
export const membersOf = (listed: string) => `${listed} l join member m on m.tax_id = l.tax_id
  join entitlement t on t.client_id = $1 and t.company_id = m.company_id`

/**
 * SQL of members as rows (tax_id, item) by CPF, one row a person over all the member rows: the id of the member row created
 * first, the profile updated last, the benefits in the order of the member rows and of their start. A member row without any
 * benefit is left out.
 * @param shared SQL of the CPFs of people who have several: see `sharedTable`.
 */
export function memberItems(selection: MemberSelection, members: string, shared: string | null): string {
  const { taxId, join } = shownTaxId(shared)
  return `
  select ${taxId} as tax_id, json_build_object('id', (array_agg(m.id order by m.created_at, m.company_id))[1],
    'profile', (array_agg(${profileJson(taxId)} order by m.updated_at desc, m.company_id))[1],
    'benefits', json_agg(${benefitJson} order by m.created_at, m.company_id, b.start_date, b.id)
      filter (where ${isShown(selection)})) as item
  from ${members}
  join company c on c.id = m.company_id
  join benefit b on b.company_id = m.company_id and b.member_id = m.id
  join product p on p.company_id = b.company_id and p.id = b.product_id
  left join member q on q.company_id = b.company_id and q.id = b.primary_member_id
  ${join}
  group by 1
  having bool_or(${isShown(selection)})`
}

/** SQL of CPFs. A single one is a scalar parameter: for an array the planner assumes ten rows, and does not choose the generic plan. */
function taxIdsOf(taxIds: readonly string[], values: unknown[]): string[] {
  if (taxIds.length === 0) return []
  if (taxIds.length === 1) return [`select $${values.push(taxIds[0])}::bpchar as tax_id`]
  return [`select unnest($${values.push(taxIds)}::bpchar[]) as tax_id`]
}

/**
 * SQL of the member rows of client $1 that the filter selects, of those whose person changed: a row that matches in any of the client's
 * companies selects the person. Each field has a query of its own, so that it uses its own index.
 */
function selectedMembers(
  { filter, updatedSince = null }: MemberSelection,
  values: unknown[],
  shared: string | null,
): string {
  const selected = filter === null ? null : withShared(matchingPeople(filter, values), shared)
  if (updatedSince === null) return selected === null ? membersOfAll : membersOf(`(${selected})`)
  const changed = withShared(changedMembers(`$${values.push(updatedSince)}::timestamptz`), shared)
  return membersOf(selected === null ? `(${changed})` : `((${selected}) intersect (${changed}))`)
}

/** SQL of the CPFs (tax_id) that the filter selects. */
function matchingPeople(filter: MemberFilter, values: unknown[]): string {
  const matching = (column: string, wanted: readonly string[]) =>
    wanted.length === 0
      ? []
      : [
          `select distinct w.tax_id from entitlement u join member w on w.company_id = u.company_id
           where u.client_id = $1 and w.${column} = any($${values.push(wanted)}::text[])
             and exists (select from benefit v where v.company_id = w.company_id and v.member_id = w.id)`,
        ]
  const matches = [
    ...taxIdsOf(filter['tax-id'], values),
    ...matching('cost_center', filter['cost-center']),
    ...matching('employee_id', filter['employee-id']),
  ]
  return matches.join(' union ')
}

/**
 * A page of the list and the number of persons in the whole list, from one snapshot.
 * @throws ApiError 401 when the client is revoked.
 */
export async function listMembers(
  sql: Sql,
  caller: Client,
  selection: MemberSelection,
  bounds: { limit: number; offset: number },
): Promise<Page> {
  const values: unknown[] = [caller.clientId, bounds.limit, bounds.offset]
  const shared = sharedTable(await readSharedTaxIds(sql, caller), values)
  const { taxId, join } = shownTaxId(shared)
  const page = withShared('select * from listed order by tax_id limit $2 offset $3', shared)
  const rows = await sql.queryPlanned<Page>(
    `with listed as materialized (
       select distinct ${taxId} as tax_id from ${selectedMembers(selection, values, shared)}
       ${join}
       join benefit b on b.company_id = m.company_id and b.member_id = m.id and ${isShown(selection)}
     )
     select (select count(*) from listed) as total, (
       select coalesce(json_agg(y.item order by y.tax_id), '[]')::text
       from (${memberItems(selection, membersOf(`(${page})`), shared)}) y) as items
     from ${activePartner}`,
    values,
  )
  return rowOfActivePartner(rows)
}

/**
 * A short list, not streamed, as the text of a JSON array. Prepared: the plan by CPF is the same for all values, and planning takes longer
 * than the index scans.
 * @throws ApiError 401 when the client is revoked.
 */
export async function listFewMembers(
  sql: Sql,
  caller: Client,
  selection: MemberSelection,
): Promise<{ readonly items: string }> {
  const values: unknown[] = [caller.clientId]
  const shared = sharedTable(await readSharedTaxIds(sql, caller), values)
  const items = memberItems(selection, selectedMembers(selection, values, shared), shared)
  const rows = await sql.query<{ items: string }>(
    `select (select coalesce(json_agg(y.item order by y.tax_id), '[]')::text from (${items}) y) as items
     from ${activePartner}`,
    values,
  )
  return rowOfActivePartner(rows)
}

/** The statement of the whole list: rows (item), the JSON of one person each as text. */
export function wholeList(
  caller: Client,
  selection: MemberSelection,
  sharedTaxIds: SharedTaxIds,
): { text: string; values: unknown[] } {
  const values: unknown[] = [caller.clientId]
  const shared = sharedTable(sharedTaxIds, values)
  const items = memberItems(selection, selectedMembers(selection, values, shared), shared)
  return { text: `select y.item::text as item from (${items}) y order by y.tax_id`, values }
}
