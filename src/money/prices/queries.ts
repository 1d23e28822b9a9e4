import type { Static } from 'typebox'
import type { Sql } from '#platform/core/database.ts'
import { ApiError } from '#platform/core/errors.ts'
import { equals } from '#platform/core/parameters.ts'
import { mapPage, type Page } from '#platform/http/page.ts'
import { pages } from '#platform/http/pages.ts'
import { lockMonths } from '../months/queries.ts'
import { type PriceWarning, priceWarnings } from '../rules/price-table.ts'
import type { ContractQuery, PriceTableData, PriceTableInput } from './schema.ts'

/** `hasPlan`: whether a product of the contract has the plan code. */
type StoredTable = Omit<PriceTableData, 'price-warnings'> & { readonly hasPlan: boolean }

const tableJson = `json_build_object('price-table-id', price_table.id, 'contract-id', price_table.contract_id,
  'carrier-plan-code', price_table.carrier_plan_code, 'valid-from', price_table.valid_from, 'kind', price_table.kind,
  'prices', price_table.prices, 'created-at', iso(price_table.created_at), 'updated-at', iso(price_table.updated_at),
  'hasPlan', price_table.carrier_plan_code is null or exists (select 1 from contract_plan where contract_plan.company_id = price_table.company_id
    and contract_plan.contract_id = price_table.contract_id and contract_plan.carrier_plan_code = price_table.carrier_plan_code))`

function withWarnings({ hasPlan, ...table }: StoredTable): PriceTableData {
  const unknown: readonly PriceWarning[] = hasPlan ? [] : ['plan-code-unknown']
  return { ...table, 'price-warnings': [...priceWarnings(table), ...unknown] }
}

const storedPage = pages<Static<typeof ContractQuery>>({
  from: 'price_table',
  item: tableJson,
  order: 'contract_id, carrier_plan_code collate "C" nulls first, valid_from desc, id',
  where: { 'contract-id': equals('contract_id') },
})

/** A page of the tables of a contract, or of all: by contract and plan, the latest first. */
export async function priceTablePage(sql: Sql, query: Static<typeof ContractQuery>): Promise<Page> {
  return mapPage(await storedPage(sql, query), withWarnings)
}

/** A price table; null when there is none. */
export async function readPriceTable(sql: Sql, id: string): Promise<PriceTableData | null> {
  const rows = await sql.query<{ item: StoredTable }>(`select ${tableJson} as item from price_table where id = $1`, [
    id,
  ])
  return rows[0] === undefined ? null : withWarnings(rows[0].item)
}

/** The company of a contract, locked until the transaction ends, as every write of its prices and months does. @throws ApiError 404 */
export async function lockContractCompany(sql: Sql, contractId: string): Promise<string> {
  const [found] = await sql.query<{ companyId: string }>(
    'select company_id as "companyId" from contract where id = $1',
    [contractId],
  )
  if (found === undefined) throw new ApiError('contract-not-found')
  await lockMonths(sql, found.companyId)
  return found.companyId
}

/** Serializes the writes of new ids: an id of the client is unique over all companies. */
export async function lockNewIds(sql: Sql, table: DatedTable): Promise<void> {
  await sql.execute('select pg_advisory_xact_lock(hashtext($1))', [table])
}

interface PriceTableRow extends PriceTableInput {
  readonly companyId: string
  readonly id: string
}

/** What of a contract counts from a day on. */
type DatedTable = 'price_table' | 'contribution_rule'

/** Inserts a row, or replaces the one with its id. @param row its columns. */
export async function putDatedRow(
  sql: Sql,
  table: DatedTable,
  { companyId, id }: { readonly companyId: string; readonly id: string },
  row: Readonly<Record<string, unknown>>,
  at: Date,
): Promise<void> {
  const columns = [...Object.keys(row), 'updated_at']
  await sql.execute(
    `insert into ${table} (company_id, id, created_at, ${columns.join(', ')})
     values ($1, $2, $3, ${Object.keys(row)
       .map((_, index) => `$${index + 4}`)
       .join(', ')}, $3)
     on conflict (company_id, id) do update set ${columns.map((column) => `${column} = excluded.${column}`).join(', ')}`,
    [companyId, id, at, ...Object.values(row)],
  )
}

const planAndDay = (row: PriceTableRow) => [
  row.companyId,
  row.id,
  row['contract-id'],
  row['carrier-plan-code'],
  row['valid-from'],
]

/** Whether another table of the contract is of the same plan from the same day on. */
export async function hasOtherTable(sql: Sql, row: PriceTableRow): Promise<boolean> {
  const rows = await sql.query(
    `select from price_table where company_id = $1 and id <> $2 and contract_id = $3 and carrier_plan_code is not distinct from $4
       and valid_from = $5`,
    planAndDay(row),
  )
  return rows.length > 0
}
