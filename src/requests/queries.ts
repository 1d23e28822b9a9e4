import type { PartStatus } from '../domain/enums.ts'
import { activePartner, rowOfActivePartner } from '../http/active-client.ts'
import type { Caller } from '../http/caller.ts'
import type { Sql } from '../platform/database.ts'

export interface FoundRequest {
  readonly found: boolean
  readonly isProcessing: boolean
  /** The request in wire format; null unless the caller is entitled to the company. */
  readonly body: string | null
}

/** SQL of a request without its parts, over the aliases r (request) and c (company). */
export const requestColumns = `'request-id', r.id, 'request-type', r.request_type, 'company-tax-id', c.tax_id, 'status', r.status,
  'reference', r.reference, 'created-at', iso(r.created_at), 'finished-at', iso(r.finished_at), 'enrollment-summary', (
    select coalesce(json_object_agg(state.status, state.count), '{}') from (
      select e.status, count(*) from enrollment e
      where e.company_id = r.company_id and e.request_id = r.id group by e.status) state)`

/**
 * SQL of the parts of r (request): rows tax_id, name, state. Each product of a person is one part, with its latest state: an enrollment, else
 * a failure, else staged. Two enrollments of one name share a key. Where the person has the product in both roles, that of the dependent has
 * a name of its own.
 */
const partsOfRequest = `select distinct on (named.tax_id, named.name) named.tax_id, named.name, named.state from (
       select known.*, known.product_name || case when known.type = 'dependent' and bool_or(known.type = 'primary')
           over (partition by known.tax_id, known.product_name) then ' (dependent)' else '' end as name
       from (
        select 2 as rank, e.id, e.member_tax_id as tax_id, e.member_type as type, e.product_name, json_build_object(
          'status', 'enrollment-created', 'enrollment-id', e.id, 'enrollment-status', e.status) as state
        from enrollment e where e.company_id = r.company_id and e.request_id = r.id
        union all
        select 1, null, f ->> 'tax-id', f ->> 'type', f ->> 'product-name', json_build_object(
          'status', 'failed', 'enrollment-id', null, 'enrollment-status', null, 'offenses', f -> 'offenses')
        from jsonb_array_elements(r.failures) f
        union all
        select 0, null, s.tax_id, s.type, s.product_name,
          '{"status":"processing","enrollment-id":null,"enrollment-status":null}'
        from (
          select company_id, request_id, tax_id, type, product_name from staged_enrollment
          union all
          select company_id, request_id, tax_id, type, product_name from staged_exclusion
        ) s
        where s.company_id = r.company_id and s.request_id = r.id
       ) known
      ) named
      order by named.tax_id, named.name, named.rank desc, named.id`

/** SQL of parts as one object by CPF, then by name. @param parts SQL of the parts, alias part. */
const partsByTaxId = (parts: string) => `select json_object_agg(person.tax_id, person.products) as by_tax_id from (
    select part.tax_id, json_object_agg(part.name, part.state) as products from ${parts}
    group by part.tax_id
  ) person`

/** SQL that joins the parts of r (request), alias parts. @param isShown a condition: others are not read. */
const joinParts = (isShown: string) => `left join lateral (
  ${partsByTaxId(`(${partsOfRequest}) part`)}
) parts on ${isShown}`

/** SQL of a request, over the aliases of `requestColumns` and `joinParts`. */
const requestJson = `json_build_object(${requestColumns}, 'status-by-tax-id', coalesce(parts.by_tax_id, '{}'))`

const requestOfCaller = `
select r.id is not null as found, coalesce(r.status = 'processing', false) as "isProcessing",
  case when t.client_id is not null then ${requestJson}::text end as body
from ${activePartner}
left join request r on r.id = $2
left join company c on c.id = r.company_id
left join entitlement t on t.company_id = r.company_id and t.client_id = k.id
${joinParts('t.client_id is not null')}`

/** A request as the caller may see it. @throws ApiError 401 when the client is revoked. */
export async function readRequest(sql: Sql, caller: Caller, requestId: string): Promise<FoundRequest> {
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
       select * from request where id = $1
     ), part as materialized (
       select p.tax_id, p.name, p.state, p.state ->> 'status' as status from r cross join lateral (${partsOfRequest}) p
     )
     select json_build_object('result', json_build_object(${requestColumns},
       'part-summary', (select coalesce(json_object_agg(s.status, s.count), '{}')
         from (select part.status, count(*) as count from part group by part.status) s),
       'status-by-tax-id', coalesce((${partsByTaxId('part where $2::text is null or part.status = $2')}), '{}')))::text as body
     from r join company c on c.id = r.company_id`,
    [requestId, status],
  )
  return rows[0]?.body ?? null
}
