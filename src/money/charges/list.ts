import type { Language } from '#kernel/texts/texts.ts'
import { required } from '#platform/core/log.ts'
import type { Database, Sql } from '#platform/core/database.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import { pageBounds, pagination, type PageQuery } from '#platform/http/schemas.ts'
import type { Month } from '#registry/rules/cut-off.ts'
import { readForecastContract } from '../forecasts/queries.ts'
import { findClosedMonth } from '../months/queries.ts'
import { readContractPrices } from '../prices/pricing-queries.ts'
import { ForecastCharges } from './forecast-charges.ts'
import { InvoiceCharges } from './invoice-charges.ts'
import { ChargeItems, type ChargeView } from './item.ts'
import { type ChargeListFilter, type ChargeRow, readComparison } from './queries.ts'
import type { ChargeItem } from './schema.ts'

interface ListedMonth {
  readonly companyId: string
  readonly contractIds: readonly string[]
  readonly month: Month
  readonly today: LocalDate
}

interface ListOptions {
  readonly filter: ChargeListFilter
  readonly view: ChargeView
  readonly language: Language
}

/** The charges of a contract in a month. */
interface ContractCharges {
  /** Whether it is known what differs. */
  readonly isCompared: boolean
  /** What the filter selects. */
  rows(filter: ChargeListFilter): Promise<readonly ChargeRow[]>
  items(rows: readonly ChargeRow[]): Promise<ChargeItem[]>
}

/** The body of a page of charges: of one invoice, or of all contracts of a company. */
export async function chargeList(
  database: Database,
  { companyId, contractIds, month, today }: ListedMonth,
  { filter, ...options }: ListOptions,
  query: PageQuery,
) {
  return database.snapshot(async (sql) => {
    const isClosed = (await findClosedMonth(sql, companyId, month)) !== null
    const lists: { readonly contract: ContractCharges; readonly rows: readonly ChargeRow[] }[] = []
    for (const contractId of contractIds) {
      const contract = await readCharges(sql, { companyId, contractId, month, today, isClosed }, options)
      lists.push({ contract, rows: await contract.rows(filter) })
    }
    const { limit, offset } = pageBounds(query)
    const all = lists.flatMap(({ contract, rows }) => rows.map((row) => ({ contract, row })))
    const page = all.slice(offset, offset + limit)
    const result: ChargeItem[] = []
    for (const { contract } of lists) {
      result.push(...(await contract.items(page.filter((one) => one.contract === contract).map(({ row }) => row))))
    }
    const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0)
    const isCompared = lists.every(({ contract }) => contract.isCompared)
    const amount = sum(all.map(({ row }) => row.amount))
    const difference = sum(all.map(({ row }) => row.difference))
    return {
      result,
      pagination: pagination(query, all.length),
      totals: {
        amount,
        expected: isCompared ? amount - difference : null,
        difference: isCompared ? difference : null,
        'without-person': sum(all.filter(({ row }) => row.benefitId === null).map(({ row }) => row.amount)),
      },
    }
  })
}

/** Those of the invoices that were read, or else those that are forecast. */
async function readCharges(
  sql: Sql,
  {
    isClosed,
    today,
    ...key
  }: Omit<ListedMonth, 'contractIds'> & { readonly contractId: string; readonly isClosed: boolean },
  options: Omit<ListOptions, 'filter'>,
): Promise<ContractCharges> {
  const comparison = await readComparison(sql, key)
  const contract = required(await readForecastContract(sql, key.contractId), 'contract')
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
    ? new ForecastCharges(sql, { contract, month: key.month, asOf: today }, items)
    : InvoiceCharges.read(sql, { key, prices, items, isCompared: comparison.isCompared })
}
