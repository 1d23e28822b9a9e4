import type { Sql } from '#platform/core/database.ts'
import type { LocalDate } from '#kernel/calendar.ts'

/** `{ "result": [...] }`: the products of a company that somebody has on the day, or will have; null when there is no such company. */
export async function readHeadcount(sql: Sql, taxId: string, today: LocalDate): Promise<string | null> {
  const counted = (condition: string) => `count(*) filter (where ${condition})`
  const inForce = '(benefit.end_date is null or benefit.end_date >= $2::date) and benefit.start_date <= $2::date'
  const rows = await sql.query<{ body: string }>(
    `with lives as materialized (
       select benefit.company_id, benefit.product_id, ${counted(`${inForce} and benefit.type = 'primary'`)} as primaries,
         ${counted(`${inForce} and benefit.type = 'dependent'`)} as dependents, ${counted('benefit.start_date > $2::date')} as starting
       from company join benefit on benefit.company_id = company.id
       where company.tax_id = $1 and benefit.status = 'active' group by benefit.company_id, benefit.product_id
     )
     select json_build_object('result', (
       select coalesce(json_agg(json_build_object('product-id', product.id, 'product-name', product.name, 'carrier-name', product.carrier_name,
         'product-type', product.product_type, 'retired', product.retired_at is not null, 'primaries', lives.primaries,
         'dependents', lives.dependents, 'starting', lives.starting) order by product.retired_at nulls first, product.position, product.id), '[]')
       from lives join product on product.company_id = lives.company_id and product.id = lives.product_id
     ))::text as body
     from company where company.tax_id = $1`,
    [taxId, today],
  )
  return rows[0]?.body ?? null
}
