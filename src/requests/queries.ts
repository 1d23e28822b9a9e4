import type { PartStatus } from '../domain/enums.ts'
import { activePartner, rowOfActivePartner } from '../core/access.ts'
import type { Client } from '../core/actor.ts'
import type { Sql } from '../core/database.ts'

export interface FoundRequest {
  readonly found: boolean
  readonly isProcessing: boolean
  /** The request in wire format; null unless the caller is entitled to the company. */
  readonly body: string | null
}

const requestProperties = (statuses: string, companyTaxId = 'r.company_tax_id') =>
  `'request-id', r.id, 'request-type', r.request_type, 'company-tax-id', ${companyTaxId}, 'status', r.status,
  'reference', r.reference, 'created-at', iso(r.created_at), 'finished-at', iso(r.finished_at), 'enrollment-summary', ${statuses}`

/** SQL of a request without its parts, over the aliases r (request) and c (company). */
export const requestColumns = requestProperties(
  `(
    select coalesce(json_object_agg(state.status, state.count), '{}') from (
      select e.status, count(*) from enrollment e
      where e.company_id = r.company_id and e.request_id = r.id group by e.status) state)`,
  'c.tax_id',
)

/**
 * SQL of CTEs over the CTE r, the request: `part` has the rows tax_id, name, state. Each product of a person is one part, with its latest
 * state: an enrollment, else a failure, else an item. Two enrollments of one name share a key. Where the person has the product in both
 * roles, that of the dependent has a name of its own.
 */
const partsOfRequest = `waiting as (
       select item.tax_id, item.type, item.payload ->> 'product_name' as product_name
       from r join movement_item item on item.company_id = r.company_id and item.request_id = r.id
     ), known as (
       select 2 as rank, e.id, e.member_tax_id as tax_id, e.member_type as type, e.product_name, json_build_object(
         'status', 'enrollment-created', 'enrollment-id', e.id, 'enrollment-status', e.status) as state
       from r join enrollment e on e.company_id = r.company_id and e.request_id = r.id
       union all
       select 1, null, f ->> 'tax-id', f ->> 'type', f ->> 'product-name', json_build_object(
         'status', 'failed', 'enrollment-id', null, 'enrollment-status', null, 'offenses', f -> 'offenses')
       from r cross join lateral jsonb_array_elements(r.failures) f
       union all
       select 0, null, tax_id, type, product_name, '{"status":"processing","enrollment-id":null,"enrollment-status":null}' from waiting
     ), named as (
       select known.*, known.product_name || case when known.type = 'dependent' and bool_or(known.type = 'primary')
         over (partition by known.tax_id, known.product_name) then ' (dependent)' else '' end as name
       from known
     ), part as (
       select distinct on (named.tax_id, named.name) named.tax_id, named.name, named.state, named.state ->> 'status' as status
       from named order by named.tax_id, named.name, named.rank desc, named.id
     ), summary as (
       select coalesce(json_object_agg(state.status, state.count), '{}') as statuses from (
         select e.status, count(*) from r join enrollment e on e.company_id = r.company_id and e.request_id = r.id
         group by e.status) state
     )`

/** SQL of parts as one object by CPF, then by name. @param parts SQL of the parts, alias part. */
const partsByTaxId = (parts: string) => `select json_object_agg(person.tax_id, person.products) as by_tax_id from (
    select part.tax_id, json_object_agg(part.name, part.state) as products from ${parts}
    group by part.tax_id
  ) person`

const requestOfCaller = `
with r as materialized (
       select r.*, c.tax_id as company_tax_id, t.client_id is not null as entitled
       from request r
       join company c on c.id = r.company_id
       left join entitlement t on t.company_id = r.company_id and t.client_id = $1
       where r.id = $2
     ), ${partsOfRequest}
select r.id is not null as found, coalesce(r.status = 'processing', false) as "isProcessing",
  case when r.entitled then json_build_object(${requestProperties('(select statuses from summary)')},
    'status-by-tax-id', coalesce((${partsByTaxId('part')}), '{}'))::text end as body
from ${activePartner} left join r on true`

/** A request as the caller may see it. @throws ApiError 401 when the client is revoked. */
export async function readRequest(sql: Sql, caller: Client, requestId: string): Promise<FoundRequest> {
  return rowOfActivePartner(await sql.query<FoundRequest>(requestOfCaller, [caller.clientId, requestId]))
}

/** `{ "result": OperatorRequest }` of any company; null when there is none. @param status only these parts are shown; null: all. */
export async function readRequestForOperator(
  sql: Sql,
  requestId: string,
  status: PartStatus | null,
): Promise<string | null> {
  const rows = await sql.query<{ body: string }>(
    `with r as materialized (
       select r.*, c.tax_id as company_tax_id from request r join company c on c.id = r.company_id where r.id = $1
     ), ${partsOfRequest}
     select json_build_object('result', json_build_object(${requestProperties('(select statuses from summary)')},
       'part-summary', (select coalesce(json_object_agg(s.status, s.count), '{}')
         from (select part.status, count(*) as count from part group by part.status) s),
       'status-by-tax-id', coalesce((${partsByTaxId('part where $2::text is null or part.status = $2')}), '{}')))::text as body
     from r`,
    [requestId, status],
  )
  return rows[0]?.body ?? null
}
