import type { Sql } from '#platform/core/database.ts'

export interface CarrierOfContract {
  readonly contractId: string
  readonly taxId: string | null
  readonly ansRegistration: string | null
}

/** The CNPJ and the registration at the ANS by contract: its own, else those of its carrier. */
export async function readCarriers(sql: Sql, companyId: string): Promise<Map<string, CarrierOfContract>> {
  const rows = await sql.query<CarrierOfContract>(
    `select contract.id as "contractId", coalesce(contract.carrier_tax_id, carrier.tax_id) as "taxId",
       coalesce(contract.ans_registration, carrier.ans_registration) as "ansRegistration"
     from contract join carrier on carrier.id = contract.carrier_id where contract.company_id = $1`,
    [companyId],
  )
  return new Map(rows.map((row) => [row.contractId, row]))
}

export interface TaxPerson {
  readonly memberId: string
  readonly taxId: string
  readonly employeeId: string | null
  /** By `work-contract-type`: partners, who provide services and others are paid without employment. Unknown: employed. */
  readonly isEmployed: boolean
}

/** People by id, with what declarations name. */
export async function readTaxPeople(
  sql: Sql,
  companyId: string,
  ids: readonly string[],
): Promise<Map<string, TaxPerson>> {
  const rows = await sql.query<TaxPerson>(
    `select id as "memberId", tax_id as "taxId", employee_id as "employeeId",
       coalesce(details->>'work-contract-type', '') not in ('services-contract', 'partner') as "isEmployed"
     from member where company_id = $1 and id = any($2::uuid[])`,
    [companyId, ids],
  )
  return new Map(rows.map((row) => [row.memberId, row]))
}
