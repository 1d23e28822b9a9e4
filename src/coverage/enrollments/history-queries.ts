import { hasRule } from './kind.ts'
import type { Page } from '#platform/http/page.ts'
import { activePartner, rowOfActiveClient } from '#platform/core/access.ts'
import type { Client } from '#platform/core/actor.ts'
import { startOfDay } from '#platform/http/date-range.ts'
import { isEntitledTo } from '#registry/companies/queries.ts'
import type { Sql } from '#platform/core/database.ts'
import { equals, oneOf, Parameters } from '#platform/core/parameters.ts'
import { enrollmentsChangedSince, isOpen } from './open-movement.ts'
import { conditionsOf, type Where } from '#platform/http/pages.ts'
import { pageBounds } from '#platform/http/schemas.ts'
import type { HistoryFilter } from './schema.ts'
import { endDate, enrollmentDetailJson, productOf, startDate } from './queries.ts'

/*
 * Movements are found by the present CPF of their member, not by a former one. Without a member row (a rejected inclusion) they are found by
 * the CPF of the movement.
 */
const ofMember = (parameter: string) => `(enrollment.company_id, enrollment.id) in (
  select enrollment.company_id, enrollment.id from member join enrollment on enrollment.member_id = member.id
    and enrollment.company_id = member.company_id
  where member.tax_id = ${parameter}
  union
  select enrollment.company_id, enrollment.id from enrollment
  where enrollment.member_tax_id = ${parameter} and not exists (
    select 1 from member where member.company_id = enrollment.company_id and member.id = enrollment.member_id))`

/** SQL of the keys of movements that changed, or of which something shown did: the product, or the end of an exclusion's benefit. */
const changedSince = (parameter: string) => {
  const since = `${parameter}::timestamptz`
  return `(enrollment.company_id, enrollment.id) in (
  ${enrollmentsChangedSince(since)}
  union
  select enrollment.company_id, enrollment.id from entitlement join enrollment on enrollment.company_id = entitlement.company_id
  where entitlement.client_id = $1 and entitlement.created_at >= ${since}
  union
  select enrollment.company_id, enrollment.id from product join enrollment on ${productOf('enrollment')}
  join entitlement on entitlement.client_id = $1 and entitlement.company_id = enrollment.company_id
  where product.updated_at >= ${since}
  union
  select enrollment.company_id, enrollment.id from entitlement join benefit on benefit.company_id = entitlement.company_id
  join enrollment on enrollment.company_id = benefit.company_id and enrollment.member_id = benefit.member_id and enrollment.benefit_id = benefit.id
    and ${hasRule('enrollment.enrollment_type', 'endsBenefit')}
  where entitlement.client_id = $1 and benefit.updated_at >= ${since})`
}

const where: Where<HistoryFilter> = {
  'member-tax-id': ofMember,
  'company-tax-id': (taxId) => `enrollment.company_id = (select id from company where tax_id = ${taxId})`,
  'enrollment-type': equals('enrollment.enrollment_type'),
  status: oneOf('enrollment.status', isOpen('enrollment')),
  open: (open) => `(${isOpen('enrollment')}) = ${open}`,
  'effective-month': (month) =>
    `enrollment.status not in ('rejected', 'cancelled') and to_char(coalesce(${startDate}, ${endDate}), 'YYYY-MM') = ${month}`,
  'from-dt': (day) => `enrollment.created_at >= ${startOfDay(`${day}::date`)}`,
  'until-dt': (day) => `enrollment.created_at < ${startOfDay(`${day}::date + 1`)}`,
  'updated-since': changedSince,
}

/**
 * A page of the movements in the caller's companies, newest first, and their total, from one snapshot. `entitled` is false when the caller
 * is not entitled to the company of the filter.
 * @throws ApiError 401 when the client is revoked.
 */
export async function listHistory(
  sql: Sql,
  caller: Client,
  query: HistoryFilter,
): Promise<Page & { readonly entitled: boolean }> {
  const { limit, offset } = pageBounds(query)
  const parameters = new Parameters(caller.clientId, limit, offset)
  const { 'company-tax-id': taxId } = query
  const company = taxId === undefined ? null : parameters.add(taxId)
  const selected = ['entitlement.client_id = $1', ...conditionsOf(where, query, parameters)]
  const rows = await sql.queryPlanned<Page & { entitled: boolean }>(
    `with listed as materialized (
       select enrollment.created_at, enrollment.id, enrollment.company_id from entitlement
         join enrollment on enrollment.company_id = entitlement.company_id
       where ${selected.join(' and ')}
     )
     select ${isEntitledTo(company)} as entitled, (select count(*) from listed) as total, (
       select coalesce(json_agg(${enrollmentDetailJson} order by enrollment.created_at desc, enrollment.id desc), '[]')::text
       from (select * from listed order by created_at desc, id desc limit $2 offset $3) page
       join enrollment on enrollment.company_id = page.company_id and enrollment.id = page.id
       join company on company.id = enrollment.company_id
       join product on ${productOf('enrollment')}) as items
     from ${activePartner}`,
    parameters.values,
  )
  return rowOfActiveClient(rows)
}
