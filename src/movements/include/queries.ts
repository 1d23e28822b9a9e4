import { activePartner, rowOfActivePartner } from '../../http/active-client.ts'
import { v7 as uuidv7 } from 'uuid'
import type { Caller, Origin } from '../../http/caller.ts'
import { auditFrom } from '../../audit/audit-log.ts'
import type { Sql } from '../../platform/database.ts'
import type { ChunkText } from './encode-chunk.ts'
import { entriesOf, membersOf } from './decode-chunk.ts'
import type { Resolution } from '../../domain/enums.ts'
import type { InclusionFacts } from '../../domain/inclusion-facts.ts'
import { isOpen } from '../../enrollments/is-open.ts'

export interface CompanyFacts {
  /** null: no such company, or not the caller's. */
  readonly companyId: string | null
  readonly products: InclusionFacts['products']
  readonly benefits: InclusionFacts['benefits']
  readonly openEnrollments: InclusionFacts['openEnrollments']
  readonly primaries: InclusionFacts['primaries']
  /** Primaries in requests that were accepted and are still being processed; they count as pending. */
  readonly processing: InclusionFacts['processing']
  /** Ids of those of the people whom the company knows already. */
  readonly memberIds: [taxId: string, memberId: string][]
}

const maxChunksPrepared = 4

/**
 * Everything about the company and these people that the judge needs, of one moment, within the caller's scope.
 * @param primaryTaxIds those of them whom dependents name.
 * @throws ApiError 401 when the client is revoked.
 */
export async function readCompanyFacts(
  sql: Sql,
  caller: Caller,
  companyTaxId: string,
  taxIds: readonly string[],
  primaryTaxIds: readonly string[],
): Promise<CompanyFacts> {
  const rows = await sql.planned<CompanyFacts>(
    `with caller as (
       select id from ${activePartner}
     ), target as (
       select c.id from caller k
       join company c on c.tax_id = $2
       join entitlement t on t.company_id = c.id and t.client_id = k.id
     ), person as materialized (
       select m.company_id, m.id, m.tax_id, m.admission_date from target t
       join member m on m.company_id = t.id and m.tax_id = any($3::bpchar[])
     )
     select (select id from target) as "companyId",
       coalesce((select json_agg(json_build_object('id', p.id, 'name', p.name, 'nameKey', p.name_key,
           'productType', p.product_type, 'allowedDependentTypes', p.allowed_dependent_types,
           'allowedStartOptions', p.allowed_start_options, 'billingDay', p.billing_day, 'cutOffDay', p.cut_off_day))
         from target t join product p on p.company_id = t.id where p.retired_at is null), '[]') as products,
       coalesce((select json_agg(json_build_object('taxId', m.tax_id, 'productId', b.product_id, 'type', b.type, 'status', b.status))
         from person m join benefit b on b.company_id = m.company_id and b.member_id = m.id
         where b.status in ('pending', 'active')), '[]') as benefits,
       coalesce((select json_agg(json_build_object('taxId', e.member_tax_id, 'productId', e.destination_product_id,
           'type', e.member_type))
         from target t join enrollment e on e.destination_company_id = t.id and e.member_tax_id = any($3::bpchar[])
         where e.new_benefit_id is not null and ${isOpen('e')}), '[]') as "openEnrollments",
       coalesce((select json_agg(json_build_object('taxId', m.tax_id, 'admissionDate', m.admission_date))
         from person m where exists (select 1 from benefit b
           where b.company_id = m.company_id and b.member_id = m.id and b.type = 'primary')), '[]') as primaries,
       coalesce((select json_agg(json_build_object('taxId', e."tax-id", 'productId', e."product-id",
           'admissionDate', m.data->>'admission-date'))
         from target t join inclusion_chunk h on h.company_id = t.id
         cross join lateral ${entriesOf('h', 'e')}
         cross join lateral ${membersOf('h', 'm')}
         where m.n = e.n and e.type = 'primary' and e."tax-id" = any($4::bpchar[]) and cardinality($4::bpchar[]) > 0), '[]') as processing,
       coalesce((select json_agg(json_build_array(m.tax_id, m.id)) from person m), '[]') as "memberIds"
     from caller`,
    [caller.clientId, companyTaxId, taxIds, primaryTaxIds],
  )
  return rowOfActivePartner(rows)
}

export interface Acceptance {
  readonly companyId: string
  readonly requestId: string
  readonly resolution: Resolution | null
  readonly at: Date
  readonly chunks: readonly ChunkText[]
  readonly origin: Origin
}

/**
 * Keeps an accepted inclusion: the request, what it still has to become, the work row that wakes a worker and the audit row, in one
 * statement that locks the caller's client and entitlement as `requireActiveClient` does.
 * @returns false when the entitlement or the client ended since the facts were read; nothing is kept then.
 */
export async function acceptInclusion(sql: Sql, caller: Caller, accepted: Acceptance): Promise<boolean> {
  const { companyId, requestId, resolution, at, chunks, origin } = accepted
  const values: unknown[] = [
    caller.clientId,
    companyId,
    requestId,
    resolution,
    at,
    uuidv7(),
    origin.address,
    origin.traceId,
  ]
  // Values, not arrays: escaping megabytes of JSON into array literals would block the event loop. Bytes are sent as they are.
  const place = (value: Uint8Array | number, type: 'bytea' | 'int') => `$${values.push(value)}::${type}`
  const rows = chunks.map(({ members, entries, people, known, primaries, dependents }, n) => {
    const bytes = [members, entries].map((value) => place(value, 'bytea'))
    const counts = [people, known, primaries, dependents].map((value) => place(value, 'int'))
    return `(${[n, ...bytes, ...counts].join()})`
  })
  const noted = `select $6::uuid as id, client_id::text as actor, 'inclusion.requested' as action, id::text as target, company_id,
    $7::text as address, $8::text as request_trace_id from accepted`
  // A text for each number of chunks: those of small batches are kept prepared.
  const way = chunks.length > maxChunksPrepared ? 'planned' : 'rows'
  const kept = await sql[way]<{ id: string }>(
    `with accepted as (
       insert into request (company_id, id, client_id, request_type, status, resolution, created_at)
       select t.company_id, $3, k.id, 'inclusion', 'processing', $4, $5
       from client k join entitlement t on t.client_id = k.id and t.company_id = $2
       where k.id = $1 and k.revoked_at is null
       for share of k, t
       returning company_id, id, client_id, created_at
     ), chunked as (
       insert into inclusion_chunk (company_id, request_id, chunk, members, entries, people, known, primaries, dependents,
         created_at)
       select a.company_id, a.id, c.n, c.members, c.entries, c.people, c.known, c.primaries, c.dependents, a.created_at
       from accepted a cross join (values ${rows.join(', ')}) as c(n, members, entries, people, known, primaries, dependents)
     ), turn as (
       -- asked first: an insert would wait for the worker's step that holds the row
       insert into work_client (client_id, last_served_at)
       select client_id, created_at from accepted a
       where not exists (select 1 from work_client t where t.client_id = a.client_id)
       on conflict do nothing
     ), ${auditFrom(noted, '$5')}
     insert into work (id, kind, client_id, company_id, target_id, run_at, created_at)
     select id, 'inclusion', client_id, company_id, id, created_at, created_at from accepted
     returning id, pg_notify('vigencia_work', '')`,
    values,
  )
  return kept.length === 1
}
