import { type Static, Type } from 'typebox'
import { conditionsOf, type Where } from '#platform/http/pages.ts'
import { pageBounds, type PageQuery } from '#platform/http/schemas.ts'
import { updatedSinceQuery } from '#platform/http/updated-since.ts'
import { operatorIntake, requestIntake } from '#coverage/enrollments/intake.ts'
import { requesterFilter, requestFilters } from './schema.ts'
import type { PartStatus } from '#kernel/enums.ts'
import { activePartner, rowOfActiveClient } from '#platform/core/access.ts'
import { hasRule } from '#coverage/enrollments/kind.ts'
import type { Client } from '#platform/core/actor.ts'
import type { Sql } from '#platform/core/database.ts'
import { isEntitledTo } from '#registry/companies/queries.ts'
import { startOfDay } from '#platform/http/date-range.ts'
import type { Page } from '#platform/http/page.ts'
import { equals, oneOf, Parameters } from '#platform/core/parameters.ts'
import { enrollmentsChangedSince } from '#coverage/enrollments/open-movement.ts'

export interface FoundRequest {
  readonly found: boolean
  readonly isProcessing: boolean
  /** The request in wire format; null unless the caller is entitled to the company. */
  readonly body: string | null
}

/** SQL: what operators requested has an intake, or is an act of its own. */
const isOperators = `(request.alteration_kind is not null
  or exists (select 1 from request_intake where request_intake.company_id = request.company_id and request_intake.request_id = request.id))`

const requestProperties = (values: { statuses: string; companyTaxId: string; isOperators: string; intake: string }) =>
  `'request-id', request.id, 'request-type', request.request_type, 'alteration-kind', request.alteration_kind, 'company-tax-id', ${values.companyTaxId}, 'status', request.status,
  'reference', request.reference, 'created-at', iso(request.created_at), 'finished-at', iso(request.finished_at),
  'requested-by', case when ${values.isOperators} then 'operator' else 'partner' end, 'intake', ${values.intake},
  'enrollment-summary', ${values.statuses}`

/** SQL of a request without its parts, over `request` and `company`. */
const requestColumns = (intakeOf: typeof requestIntake) =>
  requestProperties({
    statuses: `(
    select coalesce(json_object_agg(state.status, state.count), '{}') from (
      select enrollment.status, count(*) from enrollment
      where enrollment.company_id = request.company_id and enrollment.request_id = request.id group by enrollment.status) state)`,
    companyTaxId: 'company.tax_id',
    isOperators,
    intake: intakeOf('request.company_id', 'request.id'),
  })

/** SQL of columns of the CTE `found_request`, and of its properties from there: Citus reads no other table for a row of a CTE. */
const foundColumns = (intakeOf: typeof requestIntake) =>
  `request.*, company.tax_id as company_tax_id, ${isOperators} as is_operators, ${intakeOf('request.company_id', 'request.id')} as intake`
const foundProperties = requestProperties({
  statuses: '(select statuses from summary)',
  companyTaxId: 'request.company_tax_id',
  isOperators: 'request.is_operators',
  intake: 'request.intake',
})

/**
 * SQL of CTEs over the CTE `found_request`: `part` has the rows tax_id, name, state, of each product of a person in its latest state: an
 * enrollment, else a failure, else an item. Several enrollments of one name share a key in `status-by-tax-id`: that of the row whose number is 1.
 * Where the person has the product in both roles, that of the dependent has a name of its own.
 */
const partsOfRequest = `waiting as (
       select movement_item.tax_id, movement_item.type, movement_item.payload ->> 'product_name' as product_name,
         movement_item.payload ->> 'product_id' as product_id,
         case when not ${hasRule('movement_item.kind', 'createsBenefit')} then movement_item.payload ->> 'benefit_id' end as benefit_id
       from found_request join movement_item on movement_item.company_id = found_request.company_id and movement_item.request_id = found_request.id
     ), known as (
       select 2 as rank, enrollment.id, enrollment.member_tax_id as tax_id, enrollment.member_type as type, enrollment.product_name,
         coalesce(enrollment.destination_product_id, enrollment.product_id)::text as product_id, enrollment.benefit_id::text as benefit_id,
         json_build_object(
         'status', 'enrollment-created', 'enrollment-id', enrollment.id, 'enrollment-status', enrollment.status) as state
       from found_request join enrollment on enrollment.company_id = found_request.company_id and enrollment.request_id = found_request.id
       union all
       select 1, null, failure ->> 'tax-id', failure ->> 'type', failure ->> 'product-name', failure ->> 'product-id', failure ->> 'benefit-id',
         json_build_object('status', 'failed', 'enrollment-id', null, 'enrollment-status', null, 'offenses', failure -> 'offenses')
       from found_request cross join lateral jsonb_array_elements(found_request.failures) failure
       union all
       select 0, null, tax_id, type, product_name, product_id, benefit_id,
         '{"status":"processing","enrollment-id":null,"enrollment-status":null}' from waiting
     ), named as (
       select known.*, known.product_name || case when known.type = 'dependent' and bool_or(known.type = 'primary')
         over (partition by known.tax_id, known.product_name) then ' (dependent)' else '' end as name
       from known
     ), numbered as (
       select named.*, named.state ->> 'status' as status, row_number() over latest as number, first_value(named.rank) over latest as latest_rank
       from named window latest as (partition by named.tax_id, named.name order by named.rank desc, named.id)
     ), part as (
       select * from numbered where rank = latest_rank
     ), summary as (
       select coalesce(json_object_agg(state.status, state.count), '{}') as statuses from (
         select enrollment.status, count(*) from found_request join enrollment on enrollment.company_id = found_request.company_id
           and enrollment.request_id = found_request.id
         group by enrollment.status) state
     )`

/** SQL of the parts of a request as properties: as a list, and as one object by CPF, then by name. @param where SQL of a condition on a `part`. */
const partProperties = (where: string) => `'parts', coalesce((
    select json_agg(json_build_object('tax-id', part.tax_id, 'product-id', part.product_id, 'benefit-id', part.benefit_id,
      'enrollment-id', part.id, 'status', part.status, 'enrollment-status', part.state -> 'enrollment-status')
      order by part.tax_id, part.name, part.number) from part where ${where}), '[]'),
  'status-by-tax-id', coalesce((
    select json_object_agg(person.tax_id, person.products order by person.tax_id) from (
      select part.tax_id, json_object_agg(part.name, part.state order by part.name) as products from part where part.number = 1 and ${where}
      group by part.tax_id
    ) person), '{}')`

const requestOfCaller = `
with found_request as materialized (
       select ${foundColumns(requestIntake)}, entitlement.client_id is not null as entitled
       from request
       join company on company.id = request.company_id
       left join entitlement on entitlement.company_id = request.company_id and entitlement.client_id = $1
       where request.id = $2
     ), ${partsOfRequest}
select request.id is not null as found, coalesce(request.status = 'processing', false) as "isProcessing",
  case when request.entitled then json_build_object(${foundProperties},
    ${partProperties('true')})::text end as body
from ${activePartner} left join found_request request on true`

/** A request as the caller may see it. @throws ApiError 401 when the client is revoked. */
export async function readRequest(sql: Sql, caller: Client, requestId: string): Promise<FoundRequest> {
  return rowOfActiveClient(await sql.query<FoundRequest>(requestOfCaller, [caller.clientId, requestId]))
}

/** `{ "result": OperatorRequest }` of any company; null when there is none. @param status only these parts are shown; null: all. */
export async function readRequestForOperator(
  sql: Sql,
  requestId: string,
  status: PartStatus | null,
): Promise<string | null> {
  const rows = await sql.query<{ body: string }>(
    `with found_request as materialized (
       select ${foundColumns(operatorIntake)}, company.name as company_name
       from request join company on company.id = request.company_id where request.id = $1
     ), ${partsOfRequest}
     select json_build_object('result', json_build_object(${foundProperties},
       'company-name', request.company_name, 'draft-id', request.draft_id, 'part-summary', (select coalesce(json_object_agg(counted.status, counted.count), '{}')
         from (select part.status, count(*) as count from part where part.number = 1 group by part.status) counted),
       ${partProperties('($2::text is null or part.status = $2)')}))::text as body
     from found_request request`,
    [requestId, status],
  )
  return rows[0]?.body ?? null
}

/** What requests are listed by. */
const Filters = Type.Object({ ...requestFilters, ...requesterFilter, ...updatedSinceQuery })
type RequestQuery = Static<typeof Filters> & PageQuery

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

const where: Where<Omit<RequestQuery, 'company-tax-id'>> = {
  'request-type': equals('request.request_type'),
  status: oneOf('request.status', `request.status = 'processing'`),
  'requested-by': (parameter) => `${parameter} = case when ${isOperators} then 'operator' else 'partner' end`,
  reference: withReference,
  'from-dt': (parameter) => `request.created_at >= ${startOfDay(`${parameter}::date`)}`,
  'until-dt': (parameter) => `request.created_at < ${startOfDay(`${parameter}::date + 1`)}`,
  'updated-since': changedSince,
}

/**
 * A page of the requests of the caller's companies, newest first, and their total, from one snapshot. `entitled` is false when the caller is
 * not entitled to the company of the filter.
 * @throws ApiError 401 when the client is revoked.
 */
export async function listRequests(
  sql: Sql,
  caller: Client,
  query: RequestQuery,
): Promise<Page & { readonly entitled: boolean }> {
  const { limit, offset } = pageBounds(query)
  const { 'company-tax-id': companyTaxId } = query
  const parameters = new Parameters(caller.clientId, limit, offset)
  const company = companyTaxId === undefined ? null : parameters.add(companyTaxId)
  const selected = conditionsOf(where, query, parameters).map((condition) => `and ${condition}`)
  if (company !== null) selected.push(`and request.company_id = (select id from company where tax_id = ${company})`)
  const rows = await sql.queryPlanned<Page & { entitled: boolean }>(
    `with listed as materialized (
       select request.created_at, request.id, request.company_id from entitlement join request on request.company_id = entitlement.company_id
       where entitlement.client_id = $1 ${selected.join(' ')}
     )
     select ${isEntitledTo(company)} as entitled, (select count(*) from listed) as total, (
       select coalesce(json_agg(json_build_object(${requestColumns(requestIntake)}) order by request.created_at desc, request.id desc), '[]')::text
       from (select * from listed order by created_at desc, id desc limit $2 offset $3) page
       join request on request.company_id = page.company_id and request.id = page.id
       join company on company.id = request.company_id) as items
     from ${activePartner}`,
    parameters.values,
  )
  return rowOfActiveClient(rows)
}

/** A page of the requests of all companies, newest first, and their total, from one snapshot. */
export async function listAllRequests(sql: Sql, query: RequestQuery): Promise<Page> {
  const { limit, offset } = pageBounds(query)
  const parameters = new Parameters(limit, offset)
  const ofCompany = (taxId: string) => `request.company_id = (select id from company where tax_id = ${taxId})`
  const conditions = conditionsOf({ ...where, 'company-tax-id': ofCompany }, query, parameters)
  const selected = `from request where ${['true', ...conditions].join(' and ')}`
  const rows = await sql.queryPlanned<Page>(
    `select (select count(*) ${selected}) as total, (
       select coalesce(json_agg(json_build_object(${requestColumns(operatorIntake)}, 'company-name', company.name, 'draft-id', request.draft_id) order by request.created_at desc, request.id desc), '[]')::text
       from (select request.company_id, request.id ${selected} order by request.created_at desc, request.id desc limit $1 offset $2) page
       join request on request.company_id = page.company_id and request.id = page.id
       join company on company.id = request.company_id) as items`,
    parameters.values,
  )
  return rows[0] ?? { total: 0, items: '[]' }
}
