import { activeClient, companiesOf, rowOfActiveClient } from '#platform/core/access.ts'
import type { ClientActor } from '#platform/core/actor.ts'
import type { Sql } from '#platform/core/database.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import type { InclusionFacts } from '../rules/inclusion-facts.ts'
import { usableDocuments } from '#registry/documents/queries.ts'
import { readContractLimits } from '#registry/contracts/retroactive-limits.ts'
import { rulesInForce } from '#registry/requirements/queries.ts'
import type { BatchKind } from '../batch/accept.ts'

interface CompanyFacts {
  /** null: unknown, or not one of the caller's companies. */
  readonly companyId: string | null
  readonly products: InclusionFacts['products']
  readonly calendars: NonNullable<InclusionFacts['calendars']>
  readonly benefits: InclusionFacts['benefits']
  readonly formerCover: InclusionFacts['formerCover']
  readonly spouses: InclusionFacts['spouses']
  readonly openEnrollments: InclusionFacts['openEnrollments']
  readonly primaries: InclusionFacts['primaries']
  /** Primaries in accepted requests that are still processing; they count as pending. */
  readonly processing: InclusionFacts['processing']
  readonly requirementRules: NonNullable<InclusionFacts['requirementRules']>
}

/**
 * Reads the facts of the company and of people that a batch is judged by, from one snapshot, within the caller's companies.
 * @param primaryTaxIds the primaries of the dependents.
 * @throws ApiError 401 when the client is revoked.
 */
async function readCompanyFacts(
  sql: Sql,
  caller: Pick<ClientActor, 'clientId' | 'kind'>,
  companyTaxId: string,
  taxIds: readonly string[],
  primaryTaxIds: readonly string[],
  today: LocalDate,
): Promise<CompanyFacts> {
  const rows = await sql.query<CompanyFacts>(
    `with caller as (
       select id from ${activeClient(caller)}
     ), target as (
       select company.id from caller
       join company on company.tax_id = $2
       ${companiesOf(caller, 'company.id')}
     ), processing as materialized (
       -- before the members: on Citus each of these reads has a snapshot of its own
       select movement_item.tax_id, movement_item.payload->>'product_id' as product_id, movement_item.payload->>'start_date' as start_date,
         movement_item.payload->'data'->>'admission-date' as admission_date, movement_item.payload->'data'->>'date-of-birth' as date_of_birth
       from target
       join movement_item on movement_item.company_id = target.id and movement_item.kind = 'inclusion' and movement_item.tax_id = any($4::bpchar[])
         and movement_item.type = 'primary'
     ), person as materialized (
       select member.company_id, member.id, member.tax_id, member.admission_date, member.date_of_birth from target
       join member on member.company_id = target.id and member.tax_id = any($3::bpchar[])
     ), held as materialized (
       select person.tax_id, benefit.product_id, benefit.type, benefit.status, benefit.start_date, benefit.end_date from person
       join benefit on benefit.company_id = person.company_id and benefit.member_id = person.id
     ), plan as materialized (
       select contract_plan.active_product_id as product_id, contract.lives, contract.calendar from target
       join contract_plan on contract_plan.company_id = target.id and contract_plan.active_product_id is not null
       join contract on contract.company_id = contract_plan.company_id and contract.id = contract_plan.contract_id
     )
     select (select id from target) as "companyId",
       coalesce((select json_agg(json_build_object('id', product.id, 'name', product.name, 'nameKey', product.name_key,
           'productType', product.product_type, 'allowedDependentTypes', product.allowed_dependent_types,
           'allowedStartOptions', product.allowed_start_options, 'ageLimits', product.age_limits, 'billingDay', product.billing_day, 'cutOffDay', product.cut_off_day,
           'carrierKey', product.carrier_key, 'lives', plan.lives))
         from target join product on product.company_id = target.id left join plan on plan.product_id = product.id where product.retired_at is null), '[]') as products,
       coalesce((select json_agg(json_build_object('productId', plan.product_id, 'calendar', plan.calendar)) from plan
         where plan.calendar is not null), '[]') as calendars,
       coalesce((select json_agg(json_build_object('taxId', held.tax_id, 'productId', held.product_id, 'type', held.type, 'status', held.status,
           'productType', product.product_type, 'startDate', held.start_date))
         from target join product on product.company_id = target.id join held on held.product_id = product.id
         where held.status in ('pending', 'active')), '[]') as benefits,
       coalesce((select json_agg(json_build_object('taxId', former.tax_id, 'productId', former.product_id, 'type', former.type,
         'endDate', former.end_date))
         from (select tax_id, product_id, type, max(end_date) as end_date from held
           where status = 'inactive' and end_date >= start_date group by tax_id, product_id, type) former), '[]') as "formerCover",
       coalesce((select json_agg(json_build_object('primaryTaxId', person.tax_id, 'productId', benefit.product_id, 'taxId', member.tax_id))
         from person
         join benefit on benefit.company_id = person.company_id and benefit.primary_member_id = person.id and benefit.type = 'dependent'
           and benefit.dependent_type in ('spouse', 'partner') and benefit.status in ('pending', 'active')
         join member on member.company_id = benefit.company_id and member.id = benefit.member_id
         where person.tax_id = any($4::bpchar[])), '[]') as spouses,
       coalesce((select json_agg(json_build_object('taxId', open_movement.member_tax_id, 'productId', open_movement.destination_product_id,
           'type', open_movement.member_type))
         from target join open_movement on open_movement.destination_company_id = target.id and open_movement.member_tax_id = any($3::bpchar[])
         where open_movement.new_benefit_id is not null), '[]') as "openEnrollments",
       coalesce((select json_agg(json_build_object('taxId', person.tax_id, 'admissionDate', person.admission_date,
         'dateOfBirth', person.date_of_birth))
         from person where person.tax_id in (select held.tax_id from held where held.type = 'primary')), '[]') as primaries,
       coalesce((select json_agg(json_build_object('taxId', processing.tax_id, 'productId', processing.product_id,
         'admissionDate', processing.admission_date,
           'dateOfBirth', processing.date_of_birth, 'startDate', processing.start_date))
         from processing), '[]') as processing,
       ${rulesInForce('$5')} as "requirementRules"
     from caller`,
    [caller.clientId, companyTaxId, taxIds, primaryTaxIds, today],
  )
  return rowOfActiveClient(rows)
}

/** The inclusion: a batch of primaries and dependents. */
export const inclusion: BatchKind<'inclusion'> = {
  movement: 'inclusion',
  async readFacts(sql, caller, batch, today) {
    const { companyTaxId, primaryTaxIds } = batch
    const taxIds = [...new Set([...batch.taxIds, ...primaryTaxIds])]
    const found = await readCompanyFacts(sql, caller, companyTaxId, taxIds, primaryTaxIds, today)
    const { companyId, ...facts } = found
    const usableDocumentIds = await usableDocuments(sql, caller, batch.documentIds)
    if (companyId === null) return null
    const limits = await readContractLimits(sql, companyId)
    return { companyId, facts: { ...facts, limits, companyTaxId, today, usableDocumentIds } }
  },
}
