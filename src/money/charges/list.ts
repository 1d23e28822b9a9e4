import type { Language } from '#kernel/texts/texts.ts'
import { required } from '#platform/core/log.ts'
import type { Database, Sql } from '#platform/core/database.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import { pageBounds, pagination, type PageQuery } from '#platform/http/schemas.ts'
import type { Month } from '#registry/rules/cut-off.ts'
import { type ForecastContract, readForecastContract } from '../forecasts/queries.ts'
import type { ForecastSetting } from '../forecasts/calculate.ts'
import { findClosedMonth } from '../months/queries.ts'
import { readContractPrices } from '../prices/pricing-queries.ts'
import { ForecastCharges } from './forecast-charges.ts'
import { InvoiceCharges } from './invoice-charges.ts'
import { ChargeItems, type ChargeView } from './item.ts'
import { type ChargeListFilter, type ChargeRow, readComparison } from './queries.ts'
import type { ChargeItem } from './schema.ts'

export interface ListedMonth {
  readonly companyId: string
  readonly contractIds: readonly string[]
  readonly month: Month
  readonly today: LocalDate
}

export interface ListOptions {
  readonly filter: ChargeListFilter
  readonly view: ChargeView
  readonly language: Language
}

/** The charges of a contract in a month. */
interface ContractCharges {
  /** Whether it is known what differs. */
  readonly isCompared: boolean
  /** The settings without which nothing is forecast. */
  readonly missing: readonly ForecastSetting[]
  /** What the filter selects. */
  rows(filter: ChargeListFilter): Promise<readonly ChargeRow[]>
  items(rows: readonly ChargeRow[]): Promise<ChargeItem[]>
}

interface SelectedCharges {
  readonly contract: ForecastContract
  readonly charges: ContractCharges
  readonly rows: readonly ChargeRow[]
}

/** What the filter selects of each contract. */
async function select(
  sql: Sql,
  { contractIds, ...of }: ListedMonth,
  { filter, ...options }: ListOptions,
): Promise<SelectedCharges[]> {
  const isClosed = (await findClosedMonth(sql, of.companyId, of.month)) !== null
  const lists: SelectedCharges[] = []
  for (const contractId of contractIds) {
    const contract = required(await readForecastContract(sql, contractId), 'contract')
    const charges = await readCharges(sql, contract, { ...of, contractId, isClosed }, options)
    lists.push({ contract, charges, rows: await charges.rows(filter) })
  }
  return lists
}

/** The body of a page of charges: of one invoice, or of all contracts of a company. */
export async function chargeList(database: Database, of: ListedMonth, options: ListOptions, query: PageQuery) {
  return database.snapshot(async (sql) => {
    const lists = await select(sql, of, options)
    const { limit, offset } = pageBounds(query)
    const all = lists.flatMap(({ charges, rows }) => rows.map((row) => ({ charges, row })))
    const page = all.slice(offset, offset + limit)
    const result: ChargeItem[] = []
    for (const { charges } of lists) {
      result.push(...(await charges.items(page.filter((one) => one.charges === charges).map(({ row }) => row))))
    }
    const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0)
    const isCompared = lists.every(({ charges }) => charges.isCompared)
    const amount = sum(all.map(({ row }) => row.amount))
    const difference = sum(all.map(({ row }) => row.difference))
    const missing = new Set(lists.flatMap(({ charges }) => charges.missing))
    const isUnknown = lists.length > 0 && lists.every(({ charges }) => charges.missing.length > 0)
    return {
      result,
      pagination: pagination(query, all.length),
      totals: {
        amount: isUnknown ? null : amount,
        expected: isCompared && !isUnknown ? amount - difference : null,
        difference: isCompared && !isUnknown ? difference : null,
        'missing-settings': [...missing],
        'without-person': sum(all.filter(({ row }) => row.benefitId === null).map(({ row }) => row.amount)),
      },
    }
  })
}

/** The items that are explained at once. */
const chunkSize = 1000

/** Gives all items that the filter selects, in one snapshot. */
export async function allCharges(
  database: Database,
  of: ListedMonth,
  options: ListOptions,
  add: (contract: ForecastContract, items: readonly ChargeItem[]) => void,
): Promise<void> {
  await database.snapshot(async (sql) => {
    for (const { contract, charges, rows } of await select(sql, of, options)) {
      for (let first = 0; first < rows.length; first += chunkSize) {
        add(contract, await charges.items(rows.slice(first, first + chunkSize)))
      }
    }
  })
}

/** Those of the invoices that were read, or else those that are forecast. */
async function readCharges(
  sql: Sql,
  contract: ForecastContract,
  {
    isClosed,
    today,
    ...key
  }: Omit<ListedMonth, 'contractIds'> & { readonly contractId: string; readonly isClosed: boolean },
  options: Omit<ListOptions, 'filter'>,
): Promise<ContractCharges> {
  const comparison = await readComparison(sql, key)
  const prices = required(await readContractPrices(sql, key.contractId), 'contract')
  const basis = comparison === null ? 'forecast' : isClosed ? 'closed' : 'invoice'
  const items = new ChargeItems({
    key,
    basis,
    ...options,
    contributionRules: prices.contributionRules,
    calendar: contract.calendar,
    isCompared: comparison?.isCompared ?? true,
  })
  return comparison === null
    ? ForecastCharges.read(sql, { contract, month: key.month, asOf: today }, items)
    : InvoiceCharges.read(sql, { contract, key, prices, items, isCompared: comparison.isCompared })
}
