import { hasRule } from './kind.ts'
import type { Page } from '../http/page.ts'
import { activePartner, rowOfActivePartner } from '../core/access.ts'
import type { Client } from '../core/actor.ts'
import { startOfDay } from '../http/date-range.ts'
import { isEntitledTo } from '../companies/queries.ts'
import type { Sql } from '../core/database.ts'
import { enrollmentsChangedSince } from './open-movement.ts'
import { enrollmentDetailJson, productOfEnrollment } from './queries.ts'

/** Conditions joined by AND; null: no condition. */
export interface HistoryFilter {
  readonly memberTaxId: string | null
  readonly companyTaxId: string | null
  readonly enrollmentType: string | null
  readonly status: string | null
  /** Days in Sao Paulo, both included. */
  readonly from: string | null
  readonly until: string | null
  /** Only what changed at or after it. */
  readonly updatedSince?: string | null
}

/*
 * Movements are found by the present CPF of their member, not by a former one. Without a member row (a rejected inclusion) they are found by
 * the CPF of the movement.
 */
const ofMember = (parameter: string) => `(e.company_id, e.id) in (
  select x.company_id, x.id from member m join enrollment x on x.member_id = m.id and x.company_id = m.company_id
  where m.tax_id = ${parameter}
  union
  select x.company_id, x.id from enrollment x
  where x.member_tax_id = ${parameter} and not exists (
    select from member m where m.company_id = x.company_id and m.id = x.member_id))`

/** SQL of the keys of movements that changed, or of which something shown did: the product, or the end of an exclusion's benefit. */
const changedSince = (parameter: string) => {
  const since = `${parameter}::timestamptz`
  return `(e.company_id, e.id) in (
  ${enrollmentsChangedSince(since)}
  union
  select x.company_id, x.id from entitlement u join enrollment x on x.company_id = u.company_id
  where u.client_id = $1 and u.created_at >= ${since}
  union
  select e.company_id, e.id from product p join enrollment e on ${productOfEnrollment}
  join entitlement u on u.client_id = $1 and u.company_id = e.company_id
  where p.updated_at >= ${since}
  union
  select x.company_id, x.id from entitlement u join benefit b on b.company_id = u.company_id
  join enrollment x on x.company_id = b.company_id and x.member_id = b.member_id and x.benefit_id = b.id
    and ${hasRule('x.enrollment_type', 'endsBenefit')}
  where u.client_id = $1 and b.updated_at >= ${since})`
}

const conditions: readonly [keyof HistoryFilter, (parameter: string) => string][] = [
  ['memberTaxId', ofMember],
  ['enrollmentType', (parameter) => `e.enrollment_type = ${parameter}`],
  ['status', (parameter) => `e.status = ${parameter}`],
  ['from', (parameter) => `e.created_at >= ${startOfDay(`${parameter}::date`)}`],
  ['until', (parameter) => `e.created_at < ${startOfDay(`${parameter}::date + 1`)}`],
  ['updatedSince', changedSince],
]

/**
 * A page of the movements in the caller's companies, newest first, and their total, from one snapshot. `entitled` is false when the caller
 * is not entitled to the company of the filter.
 * @throws ApiError 401 when the client is revoked.
 */
export async function listHistory(
  sql: Sql,
  caller: Client,
  filter: HistoryFilter,
  bounds: { limit: number; offset: number },
): Promise<Page & { readonly entitled: boolean }> {
  const values: unknown[] = [caller.clientId, bounds.limit, bounds.offset]
  const parameter = (value: string) => `$${values.push(value)}`
  const company = filter.companyTaxId === null ? null : parameter(filter.companyTaxId)
  const selected = conditions.flatMap(([name, condition]) => {
    const value = filter[name] ?? null
    return value === null ? [] : [`and ${condition(parameter(value))}`]
  })
  if (company !== null) selected.push(`and e.company_id = (select id from company where tax_id = ${company})`)
  const rows = await sql.queryPlanned<Page & { entitled: boolean }>(
    `with listed as materialized (
       select e.created_at, e.id, e.company_id from entitlement t join enrollment e on e.company_id = t.company_id
       where t.client_id = $1 ${selected.join(' ')}
     )
     select ${isEntitledTo(company)} as entitled, (select count(*) from listed) as total, (
       select coalesce(json_agg(${enrollmentDetailJson} order by e.created_at desc, e.id desc), '[]')::text
       from (select * from listed order by created_at desc, id desc limit $2 offset $3) l
       join enrollment e on e.company_id = l.company_id and e.id = l.id
       join company c on c.id = e.company_id
       join product p on ${productOfEnrollment}) as items
     from ${activePartner}`,
    values,
  )
  return rowOfActivePartner(rows)
}
