import { activePartner, rowOfActiveClient } from '#platform/core/access.ts'
import type { Client } from '#platform/core/actor.ts'
import type { Sql } from '#platform/core/database.ts'
import type { RetirementRemainder } from '#kernel/broker-enums.ts'

/** What a contract says of those who leave. */
export interface ContinuationSettings {
  readonly postPaid: boolean | null
  readonly remainder: RetirementRemainder | null
}

/** SQL: the settings of the active contract of a `product` of the company as the JSON of `ContinuationSettings`; without a contract null. */
export const settingsOfProduct = (
  company: string,
) => `(select json_build_object('postPaid', contract.post_paid, 'remainder', contract.retirement_remainder)
  from contract_plan join contract on contract.company_id = contract_plan.company_id and contract.id = contract_plan.contract_id
  where contract_plan.company_id = ${company} and contract_plan.active_product_id = product.id)`

interface ProductSettings {
  readonly companyId: string
  /** null: the company has no such product. */
  readonly product: { readonly settings: ContinuationSettings | null } | null
}

/** What the contract of a product of a company says; null when the company has no such product. */
async function readProduct(sql: Sql, companyId: string, productId: string): Promise<ProductSettings['product']> {
  const rows = await sql.query<{ settings: ContinuationSettings | null }>(
    `select ${settingsOfProduct('$1')} as settings from product where product.company_id = $1 and product.id = $2`,
    [companyId, productId],
  )
  return rows[0] ?? null
}

/** The settings for a product of a company of any partner; null for an unknown company. */
export async function readProductSettings(
  sql: Sql,
  companyTaxId: string,
  productId: string,
): Promise<ProductSettings | null> {
  const [company] = await sql.query<{ id: string }>('select id from company where tax_id = $1', [companyTaxId])
  if (company === undefined) return null
  return { companyId: company.id, product: await readProduct(sql, company.id, productId) }
}

/** The settings for a product of one of the caller's companies; null for another company. @throws ApiError 401 when the client is revoked. */
export async function readPartnerSettings(
  sql: Sql,
  caller: Client,
  companyTaxId: string,
  productId: string,
): Promise<ProductSettings | null> {
  const rows = await sql.query<{ companyId: string | null }>(
    `select entitlement.company_id as "companyId" from ${activePartner}
     left join company on company.tax_id = $2
     left join entitlement on entitlement.company_id = company.id and entitlement.client_id = client.id`,
    [caller.clientId, companyTaxId],
  )
  const { companyId } = rowOfActiveClient(rows)
  return companyId === null ? null : { companyId, product: await readProduct(sql, companyId, productId) }
}
