import { activePartner, rowOfActivePartner } from '../../core/access.ts'
import type { Client } from '../../core/actor.ts'
import type { Sql } from '../../core/database.ts'
import type { InclusionFacts } from '../../domain/inclusion-facts.ts'
import { usableDocuments } from '../../documents/queries.ts'
import type { Context } from '../../http/context.ts'
import type { BatchKind } from '../batch/accept.ts'
import type { BatchSummary } from '../batch/parse-and-judge.ts'

export interface CompanyFacts {
  /** null: unknown, or not one of the caller's companies. */
  readonly companyId: string | null
  readonly products: InclusionFacts['products']
  readonly benefits: InclusionFacts['benefits']
  readonly formerCover: InclusionFacts['formerCover']
  readonly spouses: InclusionFacts['spouses']
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
  caller: Client,
  companyTaxId: string,
  taxIds: readonly string[],
  primaryTaxIds: readonly string[],
): Promise<CompanyFacts> {
  const rows = await sql.query<CompanyFacts>(
    `with caller as (
       select id from ${activePartner}
     ), target as (
       select c.id from caller k
       join company c on c.tax_id = $2
       join entitlement t on t.company_id = c.id and t.client_id = k.id
     ), processing as materialized (
       -- before the members: on Citus each of these reads has a snapshot of its own
       select item.tax_id, item.payload->>'product_id' as product_id, item.payload->>'start_date' as start_date,
         item.payload->'data'->>'admission-date' as admission_date, item.payload->'data'->>'date-of-birth' as date_of_birth
       from target t
       join movement_item item on item.company_id = t.id and item.kind = 'inclusion' and item.tax_id = any($4::bpchar[])
         and item.type = 'primary'
     ), person as materialized (
       select m.company_id, m.id, m.tax_id, m.admission_date, m.date_of_birth from target t
       join member m on m.company_id = t.id and m.tax_id = any($3::bpchar[])
     ), held as materialized (
       select n.tax_id, b.product_id, b.type, b.status, b.start_date, b.end_date from person n
       join benefit b on b.company_id = n.company_id and b.member_id = n.id
     )
     select (select id from target) as "companyId",
       coalesce((select json_agg(json_build_object('id', p.id, 'name', p.name, 'nameKey', p.name_key,
           'productType', p.product_type, 'allowedDependentTypes', p.allowed_dependent_types,
           'allowedStartOptions', p.allowed_start_options, 'billingDay', p.billing_day, 'cutOffDay', p.cut_off_day))
         from target t join product p on p.company_id = t.id where p.retired_at is null), '[]') as products,
       coalesce((select json_agg(json_build_object('taxId', h.tax_id, 'productId', h.product_id, 'type', h.type, 'status', h.status,
           'productType', p.product_type, 'startDate', h.start_date))
         from target t join product p on p.company_id = t.id join held h on h.product_id = p.id
         where h.status in ('pending', 'active')), '[]') as benefits,
       coalesce((select json_agg(json_build_object('taxId', f.tax_id, 'productId', f.product_id, 'type', f.type, 'endDate', f.end_date))
         from (select tax_id, product_id, type, max(end_date) as end_date from held
           where status = 'inactive' and end_date >= start_date group by tax_id, product_id, type) f), '[]') as "formerCover",
       coalesce((select json_agg(json_build_object('primaryTaxId', n.tax_id, 'productId', d.product_id, 'taxId', m.tax_id))
         from person n
         join benefit d on d.company_id = n.company_id and d.primary_member_id = n.id and d.type = 'dependent'
           and d.dependent_type in ('spouse', 'partner') and d.status in ('pending', 'active')
         join member m on m.company_id = d.company_id and m.id = d.member_id
         where n.tax_id = any($4::bpchar[])), '[]') as spouses,
       coalesce((select json_agg(json_build_object('taxId', e.member_tax_id, 'productId', e.destination_product_id,
           'type', e.member_type))
         from target t join open_movement e on e.destination_company_id = t.id and e.member_tax_id = any($3::bpchar[])
         where e.new_benefit_id is not null), '[]') as "openEnrollments",
       coalesce((select json_agg(json_build_object('taxId', n.tax_id, 'admissionDate', n.admission_date, 'dateOfBirth', n.date_of_birth))
         from person n where n.tax_id in (select h.tax_id from held h where h.type = 'primary')), '[]') as primaries,
       coalesce((select json_agg(json_build_object('taxId', s.tax_id, 'productId', s.product_id, 'admissionDate', s.admission_date,
           'dateOfBirth', s.date_of_birth, 'startDate', s.start_date))
         from processing s), '[]') as processing
     from caller`,
    [caller.clientId, companyTaxId, taxIds, primaryTaxIds],
  )
  return rowOfActivePartner(rows)
}

/** The inclusion: a batch of primaries and dependents. */
export const inclusion: BatchKind<'inclusion'> = {
  movement: 'inclusion',
  async readFacts(context: Context, caller: Client, batch: BatchSummary) {
    const { database } = context
    const { companyTaxId, primaryTaxIds } = batch
    const taxIds = [...new Set([...batch.taxIds, ...primaryTaxIds])]
    const { companyId, ...facts } = await readCompanyFacts(database, caller, companyTaxId, taxIds, primaryTaxIds)
    const usableDocumentIds = await usableDocuments(database, caller, batch.documentIds)
    if (companyId === null) return null
    return { companyId, facts: { ...facts, companyTaxId, today: context.today(), usableDocumentIds } }
  },
}
