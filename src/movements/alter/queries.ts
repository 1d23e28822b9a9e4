import { activePartner, rowOfActivePartner } from '../../core/access.ts'
import type { Client } from '../../core/actor.ts'
import type { Sql } from '../../core/database.ts'
import type { AlterationFacts, DestinationProduct } from '../../domain/alteration.ts'
import type { AlterationRequest } from '../../domain/alteration-data.ts'
import { isChange } from '../../enrollments/open-movement.ts'

export interface AlterationScope {
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
       select c.id, c.tax_id from company c
       where (c.tax_id in ($3, $5) or c.id = $4)
         and exists (select 1 from caller k join entitlement t on t.client_id = k.id where t.company_id = c.id)
     )
     select exists (select 1 from member where tax_id = $2) as known,
       (select id from entitled_company where tax_id = $3) as "byTaxId",
       (select id from entitled_company where id = $4) as "byId",
       (select id from entitled_company where tax_id = $5) as "destinationId",
       coalesce((select json_agg(json_build_object('companyId', m.company_id, 'memberId', m.id, 'inForce', exists (
           select 1 from benefit b
           where b.company_id = m.company_id and b.member_id = m.id and b.status in ('pending', 'active'))) order by m.company_id)
         from caller k
         join member m on m.tax_id = $2
         join entitlement t on t.company_id = m.company_id and t.client_id = k.id), '[]') as memberships
     from caller`,
    [caller.clientId, taxId, companyTaxId, companyId, newCompanyTaxId],
  )
  return rowOfActivePartner(rows)
}

export interface AlterationSubject {
  /** The altered company, one of the client's, and the id of the member there. */
  readonly companyId: string
  readonly memberId: string
  /** The company of `new-company-tax-id`, one of the client's; without it `companyId`. */
  readonly destinationCompanyId: string
}

export interface FactsSubject {
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

type AlteredPersonFacts = Omit<AlterationFacts, 'usableDocumentIds' | 'companyId' | 'destinationCompanyId' | 'products'>

/** SQL of the companies that facts are read of. The values of an accepted batch were checked when it was accepted. */
const scopeOf = (caller: Client | null): string =>
  caller === null
    ? `select id as company_id from company where $1::text is null and (id = $2 or id = any($4::uuid[]))`
    : `select t.company_id from ${activePartner} join entitlement t on t.client_id = $1
       where t.company_id = $2 or t.company_id = any($4::uuid[])`

/**
 * Reads the facts that alterations of members of one company are judged by, of the companies that the client is entitled to.
 * @param caller null: of a batch that was accepted.
 * @returns none of a member that was deleted.
 */
export async function readAlterationFacts(
  sql: Sql,
  caller: Client | null,
  companyId: string,
  subjects: readonly FactsSubject[],
): Promise<FoundFacts[]> {
  return sql.query<FoundFacts>(
    `with scope as materialized (
       ${scopeOf(caller)}
     ), person as materialized (
       select u.place::int - 1 as index, u.destination_id, m.company_id, m.id, m.tax_id, nullif(u.new_tax_id, m.tax_id) as new_tax_id,
         case when m.company_id = u.destination_id then m.tax_id else coalesce(u.new_tax_id, m.tax_id) end as tax_id_there
       from unnest($3::uuid[], $4::uuid[], $5::bpchar[]) with ordinality u(member_id, destination_id, new_tax_id, place)
       join scope s on s.company_id = $2
       join member m on m.company_id = s.company_id and m.id = u.member_id
       where m.company_id = $2
     )
     select h.index, h.tax_id as "taxId",
       coalesce((select json_agg(json_build_object('id', b.id, 'productId', b.product_id, 'productName', p.name,
           'productNameKey', p.name_key, 'productType', p.product_type, 'type', b.type, 'primaryMemberId', b.primary_member_id,
           'status', b.status, 'startDate', b.start_date) order by b.id)
         from benefit b
         join product p on p.company_id = b.company_id and p.id = b.product_id
         where b.company_id = h.company_id and b.member_id = h.id and b.status in ('pending', 'active')), '[]') as benefits,
       coalesce((select json_agg(distinct b.product_id)
         from member m
         join scope s on s.company_id = m.company_id
         join benefit b on b.company_id = m.company_id and b.member_id = m.id and b.status in ('pending', 'active')
         where m.company_id = h.destination_id and m.tax_id = h.tax_id_there
           and (h.tax_id_there = h.tax_id or m.id = h.id)), '[]') as "enrolledProductIds",
       coalesce((select json_agg(json_build_object('id', o.id, 'benefitId', o.benefit_id))
         from benefit b join open_movement o on o.company_id = b.company_id and o.benefit_id = b.id and ${isChange('o')}
         where b.company_id = h.company_id and b.member_id = h.id), '[]') as "openEndings",
       exists (select 1 from member m join scope s on s.company_id = m.company_id
         where m.tax_id = h.new_tax_id and m.id <> h.id and m.company_id in (h.company_id, h.destination_id)) as "taxIdTaken"
     from person h
     order by h.index`,
    [
      caller?.clientId ?? null,
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
    `select p.company_id as "companyId", json_agg(json_build_object('id', p.id, 'name', p.name, 'nameKey', p.name_key,
       'productType', p.product_type) order by p.position, p.id) as products
     from product p where p.company_id = any($1::uuid[]) and p.retired_at is null
     group by p.company_id`,
    [companyIds],
  )
  return new Map(rows.map(({ companyId, products }) => [companyId, products]))
}
