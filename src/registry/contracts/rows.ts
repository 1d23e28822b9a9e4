import type { Sql } from '#platform/core/database.ts'
import type { LayoutDirection } from '../rules/layout.ts'

/** A row of `contract`, by the names of its columns, without those of the write. */
export interface ContractRow {
  readonly carrier_id: string
  readonly contract_number: string
  readonly sub_contract: string
  readonly carrier_company_code: string | null
  readonly ans_registration: string | null
  readonly carrier_tax_id: string | null
  readonly lives: string | null
  readonly contract_start: string | null
  readonly anniversary_month: number | null
  readonly contributory: boolean | null
  readonly coparticipation: boolean | null
  readonly post_paid: boolean | null
  readonly retirement_remainder: string | null
  readonly age_on: string | null
  readonly proration: string | null
  readonly proration_day: number | null
  readonly tolerance: number
  readonly retroactive_exclusion: object | null
  readonly retroactive_inclusion: object | null
  readonly coparticipation_delay_months: number | null
  readonly fees: readonly object[]
  readonly channel: string | null
  readonly layouts: Partial<Readonly<Record<LayoutDirection, string>>>
  readonly calendar: object | null
  readonly contacts: readonly object[]
  readonly answer_within_business_days: number
  readonly code_map: readonly object[]
  readonly acknowledgement_mapping: object | null
  readonly show_discrepancies: boolean
  readonly status: string
}

export interface PlanRow {
  readonly product_id: string
  readonly carrier_plan_code: string | null
  readonly ans_plan_number: string | null
  readonly plan_version: string | null
}

/** Locks a company until the transaction ends, which serializes the writes of its products and contracts. @returns its id; null when there is none. */
export async function lockCompany(sql: Sql, taxId: string): Promise<string | null> {
  const rows = await sql.query<{ id: string }>('select id from company where tax_id = $1 for no key update', [taxId])
  return rows[0]?.id ?? null
}

/** Inserts a contract, or replaces the one with this id. Its plans are to be deleted before: they have its status. */
export async function putContractRow(
  sql: Sql,
  { companyId, id }: { readonly companyId: string; readonly id: string },
  row: ContractRow,
  at: Date,
): Promise<void> {
  const columns = Object.keys(row)
  await sql.execute(
    `insert into contract (company_id, id, created_at, updated_at, ${columns.join(', ')})
     select $1, $2, $3, $3, ${columns.join(', ')}
     from json_to_record($4::json) as sent(carrier_id uuid, contract_number text, sub_contract text, carrier_company_code text,
       ans_registration text, carrier_tax_id text, lives text, contract_start date, anniversary_month smallint, contributory boolean,
       coparticipation boolean, post_paid boolean, retirement_remainder text, age_on text, proration text,
       proration_day smallint, tolerance integer, retroactive_exclusion jsonb, retroactive_inclusion jsonb, coparticipation_delay_months smallint, fees jsonb, channel text, layouts jsonb, calendar jsonb, contacts jsonb, answer_within_business_days smallint, code_map jsonb, acknowledgement_mapping jsonb,
       show_discrepancies boolean, status text)
     on conflict (company_id, id) do update set updated_at = excluded.updated_at,
       ${columns.map((column) => `${column} = excluded.${column}`).join(', ')}`,
    [companyId, id, at, JSON.stringify(row)],
  )
}

export async function deletePlans(sql: Sql, companyId: string, contractId: string): Promise<void> {
  await sql.execute('delete from contract_plan where company_id = $1 and contract_id = $2', [companyId, contractId])
}

/** Inserts the plans of a contract, in this order. */
export async function insertPlans(
  sql: Sql,
  { companyId, id }: { readonly companyId: string; readonly id: string },
  status: string,
  plans: readonly PlanRow[],
): Promise<void> {
  if (plans.length === 0) return
  await sql.execute(
    `insert into contract_plan (company_id, contract_id, status, product_id, carrier_plan_code, ans_plan_number, plan_version, position)
     select $1, $2, $3, product_id, carrier_plan_code, ans_plan_number, plan_version, position
     from json_to_recordset($4::json) as sent(product_id uuid, carrier_plan_code text, ans_plan_number text, plan_version text,
       position smallint)`,
    [companyId, id, status, JSON.stringify(plans.map((plan, position) => ({ ...plan, position })))],
  )
}

/** Another contract of the company with the same carrier and numbers. */
export async function hasNumber(
  sql: Sql,
  companyId: string,
  { carrier_id, contract_number, sub_contract }: ContractRow,
  exceptId: string,
): Promise<boolean> {
  const rows = await sql.query(
    `select from contract where company_id = $1 and carrier_id = $2 and contract_number = $3 and sub_contract = $4 and id <> $5`,
    [companyId, carrier_id, contract_number, sub_contract, exceptId],
  )
  return rows.length > 0
}

interface PlannedProduct {
  readonly id: string
  readonly isOfCarrier: boolean
  /** The number of another active contract that has it. */
  readonly otherContract: string | null
}

/** Those of the products that the company has. @param contractId of the contract that they are meant for. */
export async function readPlannedProducts(
  sql: Sql,
  companyId: string,
  productIds: readonly string[],
  { carrierId, contractId }: { readonly carrierId: string; readonly contractId: string },
): Promise<PlannedProduct[]> {
  return sql.query<PlannedProduct>(
    `select product.id, carrier.id = $3 as "isOfCarrier", contract.contract_number as "otherContract"
     from product join carrier on carrier.key = product.carrier_key
     left join contract_plan on contract_plan.company_id = $1 and contract_plan.active_product_id = product.id
       and contract_plan.contract_id <> $4
     left join contract on contract.company_id = $1 and contract.id = contract_plan.contract_id
     where product.company_id = $1 and product.id = any($2::uuid[])`,
    [companyId, productIds, carrierId, contractId],
  )
}

/** The products of active contracts that have another carrier than the contract: their places in the company and the numbers of the contracts. */
export async function productsOfOtherCarriers(
  sql: Sql,
  companyId: string,
): Promise<{ readonly position: number; readonly contractNumber: string }[]> {
  return sql.query(
    `select product.position, contract.contract_number as "contractNumber"
     from contract_plan join contract on contract.company_id = $1 and contract.id = contract_plan.contract_id
     join carrier on carrier.id = contract.carrier_id
     join product on product.company_id = $1 and product.id = contract_plan.active_product_id
     where contract_plan.company_id = $1 and product.carrier_key <> carrier.key order by product.position`,
    [companyId],
  )
}

/** The directions of those of the layouts that are of the installation. */
export async function readLayoutDirections(
  sql: Sql,
  ids: readonly string[],
): Promise<(readonly [id: string, direction: LayoutDirection])[]> {
  const rows = await sql.query<{ id: string; direction: LayoutDirection }>(
    'select distinct id, direction from layout where id = any($1::text[])',
    [ids],
  )
  return rows.map(({ id, direction }) => [id, direction])
}
