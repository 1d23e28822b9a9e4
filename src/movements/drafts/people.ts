import { registrationJson } from '#coverage/members/write.ts'
import type { Sql } from '#platform/core/database.ts'
import type { DraftPerson, DraftProducts } from '../rules/movement-draft.ts'

/** What is stored of people of a company, by their CPFs. */
export async function readDraftPeople(
  sql: Sql,
  companyId: string,
  taxIds: readonly string[],
): Promise<Map<string, DraftPerson>> {
  const rows = await sql.query<DraftPerson & { readonly taxId: string }>(
    `with person as materialized (
       select * from member where company_id = $1 and tax_id = any($2::bpchar[])
     ), held as materialized (
       select benefit.member_id, min(benefit.primary_member_id::text)::uuid as primary_member_id,
         json_agg(json_build_object('id', benefit.id, 'productId', product.id, 'productName', product.name, 'productType', product.product_type,
           'type', benefit.type, 'startDate', benefit.start_date) order by benefit.id) as benefits
       from person
       join benefit on benefit.company_id = $1 and benefit.member_id = person.id and benefit.status in ('pending', 'active')
       join product on product.company_id = $1 and product.id = benefit.product_id
       group by benefit.member_id
     )
     select person.tax_id as "taxId", person.id as "memberId", coalesce(held.primary_member_id, person.id) as family,
       ${registrationJson('person')} as profile, coalesce(held.benefits, '[]') as benefits
     from person left join held on held.member_id = person.id`,
    [companyId, taxIds],
  )
  return new Map(rows.map((person) => [person.taxId, person]))
}

/** The products with these ids, of any company. */
export async function readDraftProducts(sql: Sql, ids: readonly string[]): Promise<DraftProducts> {
  if (ids.length === 0) return new Map()
  const rows = await sql.query<{ id: string; name: string; productType: string }>(
    'select id, name, product_type as "productType" from product where id = any($1::uuid[])',
    [ids],
  )
  return new Map(rows.map((product) => [product.id, product]))
}
