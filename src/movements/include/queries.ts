import { activePartner, rowOfActivePartner } from '../../http/active-client.ts'
import { v7 as uuidv7 } from 'uuid'
import type { Caller, Origin } from '../../http/caller.ts'
import { auditFrom } from '../../audit/audit-log.ts'
import type { Sql, Transaction } from '../../platform/database.ts'
import { copyStagedEnrollments } from './stage.ts'
import type { Resolution } from '../../domain/enums.ts'
import type { InclusionFacts } from '../../domain/inclusion-facts.ts'
import { isOpen } from '../../enrollments/is-open.ts'

export interface CompanyFacts {
  /** null: unknown, or not one of the caller's companies. */
  readonly companyId: string | null
  readonly products: InclusionFacts['products']
  readonly benefits: InclusionFacts['benefits']
  readonly openEnrollments: InclusionFacts['openEnrollments']
  readonly primaries: InclusionFacts['primaries']
  /** Primaries in accepted requests that are still processing; they count as pending. */
  readonly processing: InclusionFacts['processing']
}

/**
 * Reads the facts of the company and of people that a batch is judged by, from one snapshot, within the caller's entitlements.
 * @param primaryTaxIds the primaries of the dependents.
 * @throws ApiError 401 when the client is revoked.
 */
export async function readCompanyFacts(
  sql: Sql,
  caller: Caller,
  companyTaxId: string,
  taxIds: readonly string[],
  primaryTaxIds: readonly string[],
): Promise<CompanyFacts> {
  const rows = await sql.queryPlanned<CompanyFacts>(
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
       coalesce((select json_agg(json_build_object('taxId', s.tax_id, 'productId', s.product_id,
           'admissionDate', s.data->>'admission-date'))
         from target t join staged_enrollment s on s.company_id = t.id and s.tax_id = any($4::bpchar[]) and s.type = 'primary'),
         '[]') as processing
     from caller`,
    [caller.clientId, companyTaxId, taxIds, primaryTaxIds],
  )
  return rowOfActivePartner(rows)
}

export interface Acceptance {
  readonly companyId: string
  readonly requestId: string
  readonly resolution: Resolution | null
  readonly reference: string | null
  /** Rows of the accepted members, as `stagedRows` makes them. */
  readonly staged: Uint8Array
  readonly origin: Origin
}

/**
 * Saves an accepted inclusion: the request, the work row with the notification of a worker, and the audit row, in one statement that locks the caller's
 * client and entitlement as `requireActiveClient` does; then its staged enrollments.
 * @returns false when the entitlement or the client ended since the facts were read; nothing is saved then.
 */
export async function acceptInclusion(sql: Transaction, caller: Caller, accepted: Acceptance): Promise<boolean> {
  const { companyId, requestId, resolution, reference, staged, origin } = accepted
  const auditRow = `select $6::uuid as id, client_id::text as actor, 'inclusion.requested' as action, id::text as target, company_id,
    $7::text as address, $8::text as request_trace_id from accepted`
  const saved = await sql.query<{ id: string }>(
    `with accepted as (
       insert into request (company_id, id, client_id, request_type, status, resolution, created_at, reference)
       select t.company_id, $3, k.id, 'inclusion', 'processing', $4, $5, $9
       from client k join entitlement t on t.client_id = k.id and t.company_id = $2
       where k.id = $1 and k.revoked_at is null
       for share of k, t
       returning company_id, id, client_id, created_at
     ), new_work_client as (
       -- selected first: an insert would wait for the worker's step that locks the row
       insert into work_client (client_id, last_served_at)
       select client_id, created_at from accepted a
       where not exists (select 1 from work_client t where t.client_id = a.client_id)
       on conflict do nothing
     ), ${auditFrom(auditRow, '$5')}
     insert into work (id, kind, client_id, company_id, target_id, run_at, created_at)
     select id, 'inclusion', client_id, company_id, id, created_at, created_at from accepted
     returning id, pg_notify('vigencia_work', '')`,
    [
      caller.clientId,
      companyId,
      requestId,
      resolution,
      new Date(),
      uuidv7(),
      origin.address,
      origin.traceId,
      reference,
    ],
  )
  if (saved.length === 0) return false
  await sql.copy(copyStagedEnrollments, staged)
  return true
}
