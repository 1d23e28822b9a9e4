import { isEntitledTo } from '#registry/companies/queries.ts'
import type { RequestStatus, MovementKind } from '#kernel/enums.ts'
import { activePartner, rowOfActivePartner } from '#platform/core/access.ts'
import type { Client } from '#platform/core/actor.ts'
import { startOfDay } from '#platform/http/date-range.ts'
import type { Page } from '#platform/http/page.ts'
import type { Sql } from '#platform/core/database.ts'
import { type Conditions, equals, Parameters } from '#platform/core/parameters.ts'
import { enrollmentsChangedSince } from '#coverage/enrollments/open-movement.ts'
import { requestColumns } from './queries.ts'

/** Conditions joined by AND; null: no condition. */
export interface RequestFilter {
  readonly requestType: MovementKind | null
  readonly status: RequestStatus | null
  readonly companyTaxId: string | null
  /** The reference of the request or of one of its movements. */
  readonly reference: string | null
  /** Days in Sao Paulo, both included. */
  readonly from: string | null
  readonly until: string | null
  /** Only what changed at or after it. */
  readonly updatedSince: string | null
}

/** SQL of the condition that a `request`, or one of its movements, has the reference. */
export const withReference = (reference: string) => `(request.company_id, request.id) in (
  select company_id, id from request where reference = ${reference}
  union
  select company_id, request_id from enrollment where reference = ${reference}
  union
  select company_id, request_id from movement_item where reference = ${reference})`

/** The status of a request, or of an enrollment in its summary. */
const changedSince = (parameter: string) => {
  const since = `${parameter}::timestamptz`
  return `(request.company_id, request.id) in (
  select request.company_id, request.id from entitlement join request on request.company_id = entitlement.company_id
  where entitlement.client_id = $1 and request.created_at >= ${since}
  union
  select request.company_id, request.id from entitlement join request on request.company_id = entitlement.company_id
  where entitlement.client_id = $1 and request.finished_at >= ${since}
  union
  select request.company_id, request.id from entitlement join request on request.company_id = entitlement.company_id
  where entitlement.client_id = $1 and entitlement.created_at >= ${since}
  union
  select enrollment.company_id, enrollment.request_id from (${enrollmentsChangedSince(since)}) changed
  join enrollment on enrollment.company_id = changed.company_id and enrollment.id = changed.id)`
}

const conditions: Conditions<Omit<RequestFilter, 'companyTaxId'>> = [
  ['requestType', equals('request.request_type')],
  ['status', equals('request.status')],
  ['reference', withReference],
  ['from', (parameter) => `request.created_at >= ${startOfDay(`${parameter}::date`)}`],
  ['until', (parameter) => `request.created_at < ${startOfDay(`${parameter}::date + 1`)}`],
  ['updatedSince', changedSince],
]

/** SQL of the conditions of a filter over `request`, but for the company. */
export function requestConditions(filter: Omit<RequestFilter, 'companyTaxId'>, parameters: Parameters): string[] {
  return parameters.conditions(filter, conditions)
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
  const parameters = new Parameters(caller.clientId, bounds.limit, bounds.offset)
  const company = filter.companyTaxId === null ? null : parameters.add(filter.companyTaxId)
  const selected = requestConditions(filter, parameters).map((condition) => `and ${condition}`)
  if (company !== null) selected.push(`and request.company_id = (select id from company where tax_id = ${company})`)
  const rows = await sql.queryPlanned<Page & { entitled: boolean }>(
    `with listed as materialized (
       select request.created_at, request.id, request.company_id from entitlement join request on request.company_id = entitlement.company_id
       where entitlement.client_id = $1 ${selected.join(' ')}
     )
     select ${isEntitledTo(company)} as entitled, (select count(*) from listed) as total, (
       select coalesce(json_agg(json_build_object(${requestColumns}) order by request.created_at desc, request.id desc), '[]')::text
       from (select * from listed order by created_at desc, id desc limit $2 offset $3) page
       join request on request.company_id = page.company_id and request.id = page.id
       join company on company.id = request.company_id) as items
     from ${activePartner}`,
    parameters.values,
  )
  return rowOfActivePartner(rows)
}
