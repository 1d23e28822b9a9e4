import { activePartner, rowOfActivePartner } from '../http/active-client.ts'
import type { Caller } from '../http/caller.ts'
import type { Sql } from '../platform/database.ts'

export interface FoundRequest {
  readonly found: boolean
  readonly isProcessing: boolean
  /** The request in wire format; null unless the caller is entitled to the company. */
  readonly body: string | null
}

/*
 * Each product of a person is shown once, by its latest state: an enrollment, else a failure, else staged. Two enrollments of one name
 * share a key.
 */
const requestOfCaller = `
select r.id is not null as found, coalesce(r.status = 'processing', false) as "isProcessing",
  case when t.client_id is not null then json_build_object(
    'request-id', r.id, 'request-type', r.request_type, 'company-tax-id', c.tax_id, 'status', r.status,
    'created-at', iso(r.created_at), 'finished-at', iso(r.finished_at),
    'enrollment-summary', coalesce(summary.counts, '{}'), 'status-by-tax-id', coalesce(parts.by_tax_id, '{}'))::text end as body
from ${activePartner}
left join request r on r.id = $2
left join company c on c.id = r.company_id
left join entitlement t on t.company_id = r.company_id and t.client_id = k.id
left join lateral (
  select json_object_agg(person.tax_id, person.products) as by_tax_id from (
    select part.tax_id, json_object_agg(part.product_name, part.state) as products from (
      select distinct on (known.tax_id, known.product_name) known.tax_id, known.product_name, known.state from (
        select 2 as rank, e.id, e.member_tax_id as tax_id, e.product_name, json_build_object(
          'status', 'enrollment-created', 'enrollment-id', e.id, 'enrollment-status', e.status) as state
        from enrollment e where e.company_id = r.company_id and e.request_id = r.id
        union all
        select 1, null, f ->> 'tax-id', f ->> 'product-name', json_build_object(
          'status', 'failed', 'enrollment-id', null, 'enrollment-status', null, 'offenses', f -> 'offenses')
        from jsonb_array_elements(r.failures) f
        union all
        select 0, null, s.tax_id, s.product_name,
          '{"status":"processing","enrollment-id":null,"enrollment-status":null}'
        from staged_enrollment s
        where s.company_id = r.company_id and s.request_id = r.id
      ) known
      order by known.tax_id, known.product_name, known.rank desc, known.id
    ) part
    group by part.tax_id
  ) person
) parts on t.client_id is not null
left join lateral (
  select json_object_agg(state.status, state.count) as counts from (
    select e.status, count(*) from enrollment e
    where e.company_id = r.company_id and e.request_id = r.id group by e.status
  ) state
) summary on t.client_id is not null`

/** A request as the caller may see it. @throws ApiError 401 when the client is revoked. */
export async function readRequest(sql: Sql, caller: Caller, requestId: string): Promise<FoundRequest> {
  return rowOfActivePartner(await sql.query<FoundRequest>(requestOfCaller, [caller.clientId, requestId]))
}
