import type { Page } from '../http/page.ts'
import { isEntitledTo } from '../companies/queries.ts'
import { changedBenefitsOfMembers } from './changed-queries.ts'
import { activePartner, rowOfActivePartner } from '../core/access.ts'
import type { Client } from '../core/actor.ts'
import type { Sql } from '../core/database.ts'

/** Fields of a Benefit, over the aliases of `benefitJson`. */
export const benefitFields = `'benefit-id', b.id, 'status', b.status, 'company-tax-id', c.tax_id,
  'product-id', b.product_id, 'product-name', p.name, 'product-type', p.product_type, 'carrier-name', p.carrier_name,
  'type', b.type, 'start-date', b.start_date, 'end-date', b.end_date, 'extension-plan', b.extension_plan,
  'card-number', b.card_number, 'dependent-type', b.dependent_type, 'primary-member-tax-id', q.tax_id`

/** SQL of a Benefit over the aliases b (benefit), c (company), p (product) and q (the primary's member, if any). */
export const benefitJson = `json_build_object(${benefitFields})`

/** `{ "result": Benefit }` of any company, for operators; null when there is none. */
export async function readBenefitForOperator(sql: Sql, benefitId: string): Promise<string | null> {
  const rows = await sql.query<{ body: string }>(
    `select json_build_object('result', ${benefitJson})::text as body
     from benefit b
     join company c on c.id = b.company_id
     join product p on p.company_id = b.company_id and p.id = b.product_id
     left join member q on q.company_id = b.company_id and q.id = b.primary_member_id
     where b.id = $1`,
    [benefitId],
  )
  return rows[0]?.body ?? null
}

/** null: no filter. */
export interface BenefitFilter {
  readonly companyTaxId: string | null
  readonly memberTaxId: string | null
  readonly includeInactive: boolean
  /** Only what changed at or after it, in every status. */
  readonly updatedSince?: string | null
}

/**
 * SQL of CTEs over the CTE page (id and company_id of benefits): `shown` has them with the CPF of each one's person, and the id that the list
 * of members shows for it. No CTE is joined to another one, only to tables by their indexes: the number of its rows is unknown to the planner.
 * @param entitled joins x (member) to the companies that the caller sees.
 */
export const shownMembers = (entitled: string) => `person as materialized (
       select b.company_id, b.id, m.tax_id from page l
       join benefit b on b.company_id = l.company_id and b.id = l.id
       join member m on m.company_id = b.company_id and m.id = b.member_id
     ), shown as materialized (
       select distinct on (n.company_id, n.id) n.company_id, n.id, n.tax_id, x.id as member_id from person n
       join member x on x.tax_id = n.tax_id
       ${entitled}
       where exists (select from benefit y where y.company_id = x.company_id and y.member_id = x.id)
       order by n.company_id, n.id, x.created_at, x.company_id
     )`

/** SQL of the items of a page of benefits, over the CTE shown. */
export const benefitItems = `(
       select coalesce(json_agg(json_build_object(${benefitFields}, 'member-id', s.member_id, 'member-tax-id', s.tax_id)
         order by b.id, b.company_id), '[]')::text
       from shown s
       join benefit b on b.company_id = s.company_id and b.id = s.id
       join company c on c.id = b.company_id
       join product p on p.company_id = b.company_id and p.id = b.product_id
       left join member q on q.company_id = b.company_id and q.id = b.primary_member_id)`

/**
 * A page of the benefits in the caller's companies, by id, with their total, from one snapshot. `entitled` is false when the caller is not
 * entitled to the company of the filter. The keys are selected once for page and total.
 * @throws ApiError 401 when the client is revoked.
 */
export async function listBenefits(
  sql: Sql,
  caller: Client,
  filter: BenefitFilter,
  bounds: { limit: number; offset: number },
): Promise<Page & { readonly entitled: boolean }> {
  const values: unknown[] = [caller.clientId, bounds.limit, bounds.offset]
  const parameter = (value: string) => `$${values.push(value)}`
  const company = filter.companyTaxId === null ? null : parameter(filter.companyTaxId)
  const member = filter.memberTaxId === null ? null : parameter(filter.memberTaxId)
  const { updatedSince = null } = filter
  const changed = updatedSince === null ? null : changedBenefitsOfMembers(`${parameter(updatedSince)}::timestamptz`)
  const memberJoin = member === null ? '' : `join member m on m.company_id = b.company_id and m.id = b.member_id`
  const conditions = [
    ...(changed === null ? [] : [`and (b.company_id, b.id) in (${changed})`]),
    ...(filter.includeInactive || changed !== null ? [] : [`and b.status = 'active'`]),
    ...(company === null ? [] : [`and b.company_id = (select id from company where tax_id = ${company})`]),
    ...(member === null ? [] : [`and m.tax_id = ${member}`]),
  ]
  // Not of the filter's company only: the id of a person depends on all of the caller's companies.
  const rows = await sql.queryPlanned<Page & { entitled: boolean }>(
    `with selected as materialized (
       select b.id, b.company_id from entitlement t join benefit b on b.company_id = t.company_id ${memberJoin}
       where t.client_id = $1 ${conditions.join(' ')}
     ), page as materialized (
       select id, company_id from selected order by id, company_id limit $2 offset $3
     ), ${shownMembers('join entitlement u on u.company_id = x.company_id and u.client_id = $1')}
     select ${isEntitledTo(company)} as entitled, (select count(*) from selected) as total, ${benefitItems} as items
     from ${activePartner}`,
    values,
  )
  return rowOfActivePartner(rows)
}
