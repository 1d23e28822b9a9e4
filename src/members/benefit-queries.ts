import type { Sql } from '../database.ts'

/** SQL of a Benefit over the aliases b (benefit), c (company), p (product) and q (the primary's member row, if any). */
export const benefitJson = `json_build_object('benefit-id', b.id, 'status', b.status, 'company-tax-id', c.tax_id,
  'product-id', b.product_id, 'product-name', p.name, 'product-type', p.product_type, 'carrier-name', p.carrier_name,
  'type', b.type, 'start-date', b.start_date, 'end-date', b.end_date, 'extension-plan', b.extension_plan,
  'card-number', b.card_number, 'dependent-type', b.dependent_type, 'primary-member-tax-id', q.tax_id)`

/** `{ "result": Benefit }` for an operator, who sees every company; null when there is none. */
export async function readBenefitForOperator(sql: Sql, benefitId: string): Promise<string | null> {
  const rows = await sql.rows<{ body: string }>(
    `select json_build_object('result', ${benefitJson})::text as body
     from benefit b
     join company c on c.id = b.company_id
     join product p on p.company_id = b.company_id and p.id = b.product_id
     left join member q on q.company_id = b.company_id and q.id = b.primary_member_id
     where b.id = $1`,
    [benefitId],
  )
  return rows[0]?.body ?? null
}
