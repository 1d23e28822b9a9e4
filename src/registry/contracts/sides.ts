/* A change of company, or of plan to another contract, has two sides: the carrier that gains the person, and the one that loses it. */

/** SQL: the id of the active contract of a product of a company. */
const contractOf = (company: string, product: string) => `(select contract_plan.contract_id from contract_plan
  where contract_plan.company_id = ${company} and contract_plan.active_product_id = ${product})`

/**
 * SQL: the enrollment (alias) moves its benefit out of a contract: to another one, to a product without one, or to another company, whose product
 * is in no contract of this one.
 * @param company SQL of its company, as the other conditions of the statement have it: Citus compares no column with a parameter.
 */
export const changesContract = (alias: string, company: string): string => `(${alias}.destination_product_id is not null
  and ${contractOf(company, `${alias}.product_id`)}
    <> coalesce(${contractOf(company, `${alias}.destination_product_id`)}, '00000000-0000-0000-0000-000000000000'))`

/**
 * SQL: the side of an enrollment (alias) in a shipment of a contract; null: it is of one contract, or of none. @param contract SQL of its id.
 * @param company SQL of the company, as for `changesContract`.
 */
export const sideIn = (
  alias: string,
  contract: string,
  company = `${alias}.company_id`,
): string => `case when ${contract} is not null and (${alias}.destination_company_id <> ${alias}.company_id or ${changesContract(alias, company)}) then
  case when ${contractOf(company, `${alias}.product_id`)} = ${contract} then 'leaving' else 'joining' end end`
