/* A change of company, or of plan to another contract, has two sides: the carrier that gains the person, and the one that loses it. */

/** SQL: the id of the active contract of a product of a company. */
const contractOf = (company: string, product: string) => `(select contract_plan.contract_id from contract_plan
  where contract_plan.company_id = ${company} and contract_plan.active_product_id = ${product})`

const formerContract = (alias: string) => contractOf(`${alias}.company_id`, `${alias}.product_id`)

/**
 * SQL: the enrollment (alias) moves its benefit out of a contract: to another one, to a product without one, or to another company, whose product
 * is in no contract of this one.
 */
export const changesContract = (alias: string): string => `(${alias}.destination_product_id is not null
  and ${formerContract(alias)}
    <> coalesce(${contractOf(`${alias}.company_id`, `${alias}.destination_product_id`)}, '00000000-0000-0000-0000-000000000000'))`

/** SQL: the side of an enrollment (alias) in a shipment of a contract; null: it is of one contract, or of none. @param contract SQL of its id. */
export const sideIn = (
  alias: string,
  contract: string,
): string => `case when ${contract} is not null and (${alias}.destination_company_id <> ${alias}.company_id or ${changesContract(alias)}) then
  case when ${formerContract(alias)} = ${contract} then 'leaving' else 'joining' end end`
