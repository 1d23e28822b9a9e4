import { isEntitledTo } from '../companies/queries.ts'
import type { RequestStatus, MovementKind } from '../domain/enums.ts'
import { activePartner, rowOfActivePartner } from '../core/access.ts'
import type { Client } from '../core/actor.ts'
import { startOfDay } from '../http/date-range.ts'
import type { Page } from '../http/page.ts'
import type { Sql } from '../core/database.ts'
import { enrollmentsChangedSince } from '../enrollments/open-movement.ts'
import { requestColumns } from './queries.ts'

/** Conditions joined by AND; null: no condition. */
export interface RequestFilter {
  readonly requestType: MovementKind | null
  readonly status: RequestStatus | null
  readonly companyTaxId: string | null
  /** Of the request or of one of its movements. */
  readonly reference: string | null
  /** Days in Sao Paulo, both included. */
  readonly from: string | null
  readonly until: string | null
  /** Only what changed at or after it. */
  readonly updatedSince: string | null
}

const withReference = (reference: string) => `(r.company_id, r.id) in (
  select x.company_id, x.id from request x where x.reference = ${reference}
  union
  select x.company_id, x.request_id from enrollment x where x.reference = ${reference}
  union
  select x.company_id, x.request_id from movement_item x where x.reference = ${reference})`

/** The status of a request, or of an enrollment in its summary. */
const changedSince = (parameter: string) => {
  const since = `${parameter}::timestamptz`
  return `(r.company_id, r.id) in (
  select x.company_id, x.id from entitlement u join request x on x.company_id = u.company_id
  where u.client_id = $1 and x.created_at >= ${since}
  union
  select x.company_id, x.id from entitlement u join request x on x.company_id = u.company_id
  where u.client_id = $1 and x.finished_at >= ${since}
  union
  select x.company_id, x.id from entitlement u join request x on x.company_id = u.company_id
  where u.client_id = $1 and u.created_at >= ${since}
  union
  select e.company_id, e.request_id from (${enrollmentsChangedSince(since)}) x
  join enrollment e on e.company_id = x.company_id and e.id = x.id)`
}

const conditions: readonly [keyof Omit<RequestFilter, 'companyTaxId'>, (parameter: string) => string][] = [
  ['requestType', (parameter) => `r.request_type = ${parameter}`],
  ['status', (parameter) => `r.status = ${parameter}`],
  ['reference', withReference],
  ['from', (parameter) => `r.created_at >= ${startOfDay(`${parameter}::date`)}`],
  ['until', (parameter) => `r.created_at < ${startOfDay(`${parameter}::date + 1`)}`],
  ['updatedSince', changedSince],
]

/** SQL of the conditions of a filter over r (request), but for the company. @param parameter adds a value and returns its placeholder. */
export function requestConditions(
  filter: Omit<RequestFilter, 'companyTaxId'>,
  parameter: (value: string) => string,
): string[] {
  return conditions.flatMap(([name, condition]) => {
    const value = filter[name]
    return value === null ? [] : [condition(parameter(value))]
  })
}

/**
 * A page of the requests of the caller's companies, newest first, and their total, from one snapshot. `entitled` is false when the caller is
 * not entitled to the company of the filter.
 * @throws ApiError 401 when the client is revoked.
 */
export async function listRequests(
  sql: Sql,
  caller: Client,
  filter: RequestFilter,
  bounds: { limit: number; offset: number },
): Promise<Page & { readonly entitled: boolean }> {
  const values: unknown[] = [caller.clientId, bounds.limit, bounds.offset]
  const parameter = (value: string) => `$${values.push(value)}`
  const company = filter.companyTaxId === null ? null : parameter(filter.companyTaxId)
  const selected = requestConditions(filter, parameter).map((condition) => `and ${condition}`)
  if (company !== null) selected.push(`and r.company_id = (select id from company where tax_id = ${company})`)
  const rows = await sql.queryPlanned<Page & { entitled: boolean }>(
    `with listed as materialized (
       select r.created_at, r.id, r.company_id from entitlement t join request r on r.company_id = t.company_id
       where t.client_id = $1 ${selected.join(' ')}
     )
     select ${isEntitledTo(company)} as entitled, (select count(*) from listed) as total, (
       select coalesce(json_agg(json_build_object(${requestColumns}) order by r.created_at desc, r.id desc), '[]')::text
       from (select * from listed order by created_at desc, id desc limit $2 offset $3) l
       join request r on r.company_id = l.company_id and r.id = l.id
       join company c on c.id = r.company_id) as items
     from ${activePartner}`,
    values,
  )
  return rowOfActivePartner(rows)
}
