import { activePartner, companiesOf, rowOfActiveClient } from '#platform/core/access.ts'
import type { Actor, Client } from '#platform/core/actor.ts'
import type { Sql } from '#platform/core/database.ts'
import type { AlterationFacts, DestinationProduct } from '../rules/alteration.ts'
import type { AlterationRequest } from '../rules/alteration-data.ts'
import { isChange } from '#coverage/enrollments/open-movement.ts'

interface AlterationScope {
  /** Whether any company has a member with the CPF: an unknown CPF is 404, one of another client's company 403. */
  readonly known: boolean
  /** The companies that the request names, each null when it is unknown, not the client's, or absent. */
  readonly byTaxId: string | null
  readonly byId: string | null
  readonly destinationId: string | null
  /** The person's member rows in the client's companies; `inForce`: with an active or pending benefit. */
  readonly memberships: readonly { readonly companyId: string; readonly memberId: string; readonly inForce: boolean }[]
}

/**
 * Reads which of the companies that an alteration names are the client's, and of which ones the person is a member.
 * @throws ApiError 401 when the client is revoked.
 */
export async function readAlterationScope(
  sql: Sql,
  caller: Client,
  taxId: string,
  { companyTaxId, companyId, newCompanyTaxId }: AlterationRequest,
): Promise<AlterationScope> {
  const rows = await sql.query<AlterationScope>(
    `with caller as (
       select id from ${activePartner}
     ), entitled_company as (
       select company.id, company.tax_id from company
       where (company.tax_id in ($3, $5) or company.id = $4)
         and exists (select 1 from caller join entitlement on entitlement.client_id = caller.id where entitlement.company_id = company.id)
     )
     select exists (select 1 from member where tax_id = $2) as known,
       (select id from entitled_company where tax_id = $3) as "byTaxId",
       (select id from entitled_company where id = $4) as "byId",
       (select id from entitled_company where tax_id = $5) as "destinationId",
       coalesce((select json_agg(json_build_object('companyId', member.company_id, 'memberId', member.id, 'inForce', exists (
           select 1 from benefit
           where benefit.company_id = member.company_id and benefit.member_id = member.id and benefit.status in ('pending', 'active'))
         ) order by member.company_id)
         from caller
         join member on member.tax_id = $2
         join entitlement on entitlement.company_id = member.company_id and entitlement.client_id = caller.id), '[]') as memberships
     from caller`,
    [caller.clientId, taxId, companyTaxId, companyId, newCompanyTaxId],
  )
  return rowOfActiveClient(rows)
}

export interface AlterationSubject {
  /** The altered company, one of the client's, and the id of the member there. */
  readonly companyId: string
  readonly memberId: string
  /** The company of `new-company-tax-id`, one of the client's; without it `companyId`. */
  readonly destinationCompanyId: string
}

interface FactsSubject {
  readonly memberId: string
  readonly destinationCompanyId: string
  /** null: the CPF is not altered. */
  readonly newTaxId: string | null
}

export interface FoundFacts extends AlteredPersonFacts {
  /** The place of the subject. */
  readonly index: number
  /** The current CPF of the member. */
  readonly taxId: string
}

type AlteredPersonFacts = Omit<
  AlterationFacts,
  'usableDocumentIds' | 'companyId' | 'destinationCompanyId' | 'products' | 'dependentsAlterable'
>

/**
 * Reads the facts that alterations of members of one company are judged by, of the actor's companies. Those of an accepted batch, which the
 * service reads, were checked when it was accepted.
 * @returns none of a member that was deleted.
 */
export async function readAlterationFacts(
  sql: Sql,
  actor: Actor,
  companyId: string,
  subjects: readonly FactsSubject[],
): Promise<FoundFacts[]> {
  return sql.query<FoundFacts>(
    `with caller as (
       select $1::text as id
     ), scope as materialized (
       select company.id as company_id from caller join company on company.id = $2 or company.id = any($4::uuid[])
       ${companiesOf(actor, 'company.id')}
     ), person as materialized (
       select subject.place::int - 1 as index, subject.destination_id, member.company_id, member.id, member.tax_id,
         nullif(subject.new_tax_id, member.tax_id) as new_tax_id,
         case when member.company_id = subject.destination_id then member.tax_id else coalesce(subject.new_tax_id, member.tax_id) end as tax_id_there
       from unnest($3::uuid[], $4::uuid[], $5::bpchar[]) with ordinality subject(member_id, destination_id, new_tax_id, place)
       join scope on scope.company_id = $2
       join member on member.company_id = scope.company_id and member.id = subject.member_id
       where member.company_id = $2
     ), held as materialized (
       select person.index, json_agg(json_build_object('id', benefit.id, 'productId', benefit.product_id, 'productName', product.name,
           'productNameKey', product.name_key, 'productType', product.product_type, 'type', benefit.type,
           'primaryMemberId', benefit.primary_member_id,
           'status', benefit.status, 'startDate', benefit.start_date) order by benefit.id) as benefits
       from person
       join benefit on benefit.company_id = person.company_id and benefit.member_id = person.id and benefit.status in ('pending', 'active')
       join product on product.company_id = benefit.company_id and product.id = benefit.product_id
       group by person.index
     ), led as materialized (
       select person.index, json_agg(json_build_object('taxId', member.tax_id, 'productId', benefit.product_id,
           'dependentType', benefit.dependent_type, 'dateOfBirth', member.date_of_birth, 'studentUntil', member.details->>'student-until',
           'disabled', coalesce((member.details->>'disabled')::boolean, false)) order by benefit.id) as dependents
       from person
       join benefit on benefit.company_id = person.company_id and benefit.primary_member_id = person.id and benefit.status = 'active'
       join member on member.company_id = benefit.company_id and member.id = benefit.member_id
       group by person.index
     ), enrolled as materialized (
       select person.index, json_agg(distinct benefit.product_id) as product_ids
       from person
       join member on member.company_id = person.destination_id and member.tax_id = person.tax_id_there
         and (person.tax_id_there = person.tax_id or member.id = person.id)
       join scope on scope.company_id = member.company_id
       join benefit on benefit.company_id = member.company_id and benefit.member_id = member.id and benefit.status in ('pending', 'active')
       group by person.index
     ), ending as materialized (
       select person.index, json_agg(json_build_object('id', open_movement.id, 'benefitId', open_movement.benefit_id)) as movements
       from person
       join benefit on benefit.company_id = person.company_id and benefit.member_id = person.id
       join open_movement on open_movement.company_id = benefit.company_id and open_movement.benefit_id = benefit.id
         and ${isChange('open_movement')}
       group by person.index
     ), taken as materialized (
       select distinct person.index from person
       join member on member.company_id in (person.company_id, person.destination_id) and member.tax_id = person.new_tax_id
         and member.id <> person.id
       join scope on scope.company_id = member.company_id
     )
     select person.index, person.tax_id as "taxId", coalesce(held.benefits, '[]') as benefits, coalesce(led.dependents, '[]') as dependents,
       coalesce(enrolled.product_ids, '[]') as "enrolledProductIds", coalesce(ending.movements, '[]') as "openEndings",
       taken.index is not null as "taxIdTaken"
     from person
     left join held on held.index = person.index
     left join led on led.index = person.index
     left join enrolled on enrolled.index = person.index
     left join ending on ending.index = person.index
     left join taken on taken.index = person.index
     order by person.index`,
    [
      'clientId' in actor ? actor.clientId : null,
      companyId,
      subjects.map(({ memberId }) => memberId),
      subjects.map(({ destinationCompanyId }) => destinationCompanyId),
      subjects.map(({ newTaxId }) => newTaxId),
    ],
  )
}

/** Reads the products that the companies offer, in their order. The caller is entitled to them. */
export async function readDestinationProducts(
  sql: Sql,
  companyIds: readonly string[],
): Promise<Map<string, DestinationProduct[]>> {
  const rows = await sql.query<{ companyId: string; products: DestinationProduct[] }>(
    `select company_id as "companyId", json_agg(json_build_object('id', id, 'name', name, 'nameKey', name_key,
       'productType', product_type, 'ageLimits', age_limits) order by position, id) as products
     from product where company_id = any($1::uuid[]) and retired_at is null
     group by company_id`,
    [companyIds],
  )
  return new Map(rows.map(({ companyId, products }) => [companyId, products]))
}
