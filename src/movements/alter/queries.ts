import { activePartner, rowOfActivePartner } from '../../http/active-client.ts'
import type { Caller } from '../../http/caller.ts'
import type { Sql } from '../../platform/database.ts'
import type { AlterationFacts } from '../../domain/alteration.ts'
import type { AlterationRequest } from '../../domain/alteration-data.ts'
import { isOpen } from '../../enrollments/is-open.ts'

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
  caller: Caller,
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

export interface FoundFacts extends Omit<AlterationFacts, 'usableDocumentIds' | 'companyId' | 'destinationCompanyId'> {
  /** The current CPF of the member; null when the member was deleted. */
  readonly taxId: string | null
}

/**
 * Reads the facts that an alteration is judged by, if the client is entitled to the companies.
 * @param newTaxId the new CPF; null when it is not altered.
 */
export async function readAlterationFacts(
  sql: Sql,
  caller: Caller,
  { companyId, memberId, destinationCompanyId }: AlterationSubject,
  newTaxId: string | null,
): Promise<FoundFacts> {
  const [row] = await sql.query<FoundFacts>(
    `with scope as (
       select t.company_id from ${activePartner} join entitlement t on t.client_id = k.id
       where t.company_id in ($2, $3)
     ), person as (
       select m.company_id, m.id, m.tax_id, nullif($5::bpchar, m.tax_id) as new_tax_id,
         case when $2::uuid = $3::uuid then m.tax_id else coalesce($5::bpchar, m.tax_id) end as tax_id_there
       from scope s join member m on m.company_id = s.company_id
       where m.company_id = $2 and m.id = $4
     ), movement as materialized (
       select e.id, e.status, e.benefit_id, e.enrollment_type, e.new_benefit_id
       from person m join enrollment e on e.company_id = m.company_id and e.member_id = m.id
     )
     select (select tax_id from person) as "taxId",
       coalesce((select json_agg(json_build_object('id', b.id, 'productId', b.product_id, 'productName', p.name,
           'productNameKey', p.name_key, 'productType', p.product_type, 'type', b.type, 'primaryMemberId', b.primary_member_id,
           'status', b.status, 'startDate', b.start_date) order by b.id)
         from person m
         join benefit b on b.company_id = m.company_id and b.member_id = m.id and b.status in ('pending', 'active')
         join product p on p.company_id = b.company_id and p.id = b.product_id), '[]') as benefits,
       coalesce((select json_agg(json_build_object('id', p.id, 'name', p.name, 'nameKey', p.name_key,
           'productType', p.product_type) order by p.position, p.id)
         from scope s join product p on p.company_id = s.company_id
         where p.company_id = $3 and p.retired_at is null), '[]') as products,
       coalesce((select json_agg(distinct b.product_id)
         from person here
         join member m on m.company_id = $3 and m.tax_id = here.tax_id_there
           and (here.tax_id_there = here.tax_id or m.id = here.id)
         join scope s on s.company_id = m.company_id
         join benefit b on b.company_id = m.company_id and b.member_id = m.id and b.status in ('pending', 'active')),
         '[]') as "enrolledProductIds",
       coalesce((select json_agg(json_build_object('id', e.id, 'benefitId', e.benefit_id))
         -- compared outside of the CTE: inside, an index of all open movements could be chosen
         from movement e where (e.enrollment_type = 'exclusion' or e.new_benefit_id is not null)
           and ${isOpen('e')}), '[]') as "openEndings",
       exists (select 1 from person here join member m on m.tax_id = here.new_tax_id and m.id <> here.id
         join scope s on s.company_id = m.company_id) as "taxIdTaken"`,
    [caller.clientId, companyId, destinationCompanyId, memberId, newTaxId],
  )
  return row as FoundFacts
}
