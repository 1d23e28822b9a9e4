import type { Sql } from '#platform/core/database.ts'

/** The ids of the products in which people of a company are active primaries, by CPF. @param taxIds of files: any texts. */
export async function productsOfPrimaries(
  sql: Sql,
  companyTaxId: string,
  taxIds: readonly string[],
): Promise<Readonly<Record<string, readonly string[]>>> {
  const rows = await sql.query<{ taxId: string; products: string[] }>(
    `select member.tax_id as "taxId", array_agg(benefit.product_id::text) as products
     from company
     join member on member.company_id = company.id and member.tax_id = any($2)
     join benefit on benefit.company_id = member.company_id and benefit.member_id = member.id
       and benefit.status = 'active' and benefit.type = 'primary'
     where company.tax_id = $1
     group by member.tax_id`,
    [companyTaxId, taxIds.filter((taxId) => /^\d{11}$/.test(taxId))],
  )
  return Object.fromEntries(rows.map(({ taxId, products }) => [taxId, products]))
}
