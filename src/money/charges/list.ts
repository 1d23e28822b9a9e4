import type { Language } from '#kernel/texts/texts.ts'
import { required } from '#platform/core/log.ts'
import type { Sql } from '#platform/core/database.ts'
import { pageBounds, pagination, type PageQuery } from '#platform/http/schemas.ts'
import type { CutOffCalendar, Month } from '#registry/rules/cut-off.ts'
import { readSharedCharges } from '../costs/cost-list.ts'
import { readKnownMonths, readLedgerBenefits } from '../ledger/queries.ts'
import { findClosedMonth } from '../months/queries.ts'
import { missingOf, readContractPrices } from '../prices/pricing-queries.ts'
import { type Certainty, type ChargeBasis, type ChargeCause, explainCharge } from '../rules/charge.ts'
import type { PriceRules } from '../rules/premium.ts'
import { causeOfLine, ChargeItems, type ChargeView, type ExplainedBenefit } from './item.ts'
import {
  type ChargeFilter,
  type ChargeKey,
  type ChargeRow,
  readChargeFacts,
  readChargeRows,
  readComparison,
  readExpectedBenefits,
  readLinesOfNobody,
} from './queries.ts'
import type { ChargeItem } from './schema.ts'

export interface ChargeListFilter extends ChargeFilter {
  readonly cause?: ChargeCause | undefined
  readonly certainty?: Certainty | undefined
}

interface ListedMonth {
  readonly companyId: string
  readonly contractIds: readonly string[]
  readonly month: Month
}

interface ListOptions {
  readonly filter: ChargeListFilter
  readonly view: ChargeView
  readonly language: Language
}

interface ContractFacts {
  readonly prices: NonNullable<Awaited<ReturnType<typeof readContractPrices>>>
  readonly knownMonths: ReadonlySet<Month>
  readonly calendar: CutOffCalendar | null
  /** Whether the invoices of the month were compared. */
  readonly isCompared: boolean
}

/** The benefits that are explained at once. */
const chunkSize = 1000

/** The body of a page of charges: of one invoice, or of all contracts of a company. */
export async function chargeList(
  sql: Sql,
  { companyId, contractIds, month }: ListedMonth,
  options: ListOptions,
  query: PageQuery,
) {
  const closed = (await findClosedMonth(sql, companyId, month)) !== null
  const lists: { readonly contract: ContractCharges; readonly rows: readonly ChargeRow[] }[] = []
  for (const contractId of contractIds) {
    const contract = await ContractCharges.read(sql, { companyId, contractId, month }, closed, options)
    lists.push({ contract, rows: await contract.rows(options.filter) })
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
}

/** The charges of a contract in a month. */
class ContractCharges {
  readonly #sql: Sql
  readonly #key: ChargeKey
  readonly #basis: ChargeBasis
  readonly #of: ContractFacts
  readonly #items: ChargeItems

  private constructor(sql: Sql, key: ChargeKey, basis: ChargeBasis, options: ListOptions, of: ContractFacts) {
    this.#sql = sql
    this.#key = key
    this.#basis = basis
    this.#of = of
    const { view, language } = options
    const { calendar, isCompared } = of
    const { contributionRules } = of.prices
    this.#items = new ChargeItems({ key, basis, view, language, contributionRules, calendar, isCompared })
  }

  static async read(sql: Sql, key: ChargeKey, isClosed: boolean, options: ListOptions): Promise<ContractCharges> {
    const { companyId, contractId, month } = key
    const comparison = await readComparison(sql, key)
    const basis = comparison === null ? 'forecast' : isClosed ? 'closed' : 'invoice'
    const [contract] = await sql.query<{ calendar: CutOffCalendar | null }>(
      'select calendar from contract where company_id = $1 and id = $2',
      [companyId, contractId],
    )
    return new ContractCharges(sql, key, basis, options, {
      prices: required(await readContractPrices(sql, contractId), 'contract'),
      knownMonths: await readKnownMonths(sql, { companyId, contractId, through: month }),
      calendar: contract?.calendar ?? null,
      isCompared: comparison?.isCompared ?? true,
    })
  }

  /** Whether it is known what differs. */
  get isCompared(): boolean {
    return this.#of.isCompared
  }

  /** What the filter selects. What follows from the explanation alone is explained for all. */
  async rows(filter: ChargeListFilter): Promise<readonly ChargeRow[]> {
    const { cause, certainty } = filter
    const rows =
      this.#basis === 'forecast' ? await this.#expectedRows(filter) : await readChargeRows(this.#sql, this.#key, filter)
    if (cause === undefined && certainty === undefined) return rows
    const selected: ChargeRow[] = []
    for (const { row, causes } of await this.#explainAll(rows)) {
      const isOf = causes.some(
        (one) =>
          (cause === undefined || one.cause === cause) &&
          (certainty === undefined || this.#items.certaintyOf(one.cause) === certainty),
      )
      if (isOf) selected.push(row)
    }
    return selected
  }

  async items(rows: readonly ChargeRow[]): Promise<ChargeItem[]> {
    const ids = rows.flatMap(({ benefitId }) => benefitId ?? [])
    const { companyId, month } = this.#key
    const explained = new Map((await this.#explain(ids)).map((charge) => [charge.facts.benefitId, charge]))
    const shares =
      ids.length === 0 || this.#basis === 'forecast' ? [] : await readSharedCharges(this.#sql, companyId, month, ids)
    const byBenefit = Map.groupBy(shares, ({ person }) => person?.benefitId ?? '')
    const nobody = new Map(
      (
        await readLinesOfNobody(
          this.#sql,
          companyId,
          rows.filter(({ benefitId }) => benefitId === null),
        )
      ).map((line) => [`${line.fileId} ${line.lineNumber}`, line]),
    )
    return rows.flatMap((row): ChargeItem[] => {
      const charge = explained.get(row.benefitId ?? '')
      if (charge !== undefined) return [this.#items.ofBenefit(charge, row, byBenefit.get(charge.facts.benefitId) ?? [])]
      const line = nobody.get(`${row.fileId} ${row.lineNumber}`)
      return line === undefined ? [] : [this.#items.ofLine(line)]
    })
  }

  async #expectedRows(filter: ChargeListFilter): Promise<ChargeRow[]> {
    if (filter.lineNumber !== undefined || filter.class !== undefined || filter.hasDifference === true) return []
    const rows = (await readExpectedBenefits(this.#sql, this.#key, filter)).map(({ benefitId, name }) => ({
      benefitId,
      name,
      lineNumber: null,
      fileId: null,
      isPerson: true,
      amount: 0,
      difference: 0,
    }))
    return (await this.#explainAll(rows)).flatMap(({ row, amount }) => (amount === 0 ? [] : [{ ...row, amount }]))
  }

  async #explainAll(rows: readonly ChargeRow[]) {
    const all: { row: ChargeRow; amount: number; causes: readonly { cause: ChargeCause }[] }[] = []
    for (let first = 0; first < rows.length; first += chunkSize) {
      const chunk = rows.slice(first, first + chunkSize)
      const explained = await this.#explain(chunk.flatMap(({ benefitId }) => benefitId ?? []))
      const byId = new Map(explained.map((charge) => [charge.facts.benefitId, charge.explanation]))
      for (const row of chunk) {
        const found = byId.get(row.benefitId ?? '')
        if (found !== undefined) all.push({ row, amount: found.amount, causes: found.causes })
        else if (row.benefitId === null)
          all.push({ row, amount: row.amount, causes: [{ cause: causeOfLine(row.isPerson) }] })
      }
    }
    return all
  }

  async #explain(ids: readonly string[]): Promise<ExplainedBenefit[]> {
    if (ids.length === 0) return []
    const { companyId, contractId, month } = this.#key
    const ledger = await readLedgerBenefits(this.#sql, { companyId, contractId, through: month, benefitIds: ids })
    const facts = await readChargeFacts(this.#sql, this.#key, ids)
    const missing = missingOf(this.#of.prices, month)
    const { settings, tables } = this.#of.prices
    const rules =
      missing.length > 0 ? null : { rules: settings as PriceRules, tables, knownMonths: this.#of.knownMonths }
    const isInvoice = this.#basis !== 'forecast'
    return [...facts.values()].flatMap((one) => {
      const benefit = ledger.get(one.benefitId)
      if (benefit === undefined) return []
      const ofInvoice = one.discrepancies.flatMap(({ coverMonth }) => coverMonth ?? [])
      // What no invoice was compared with is told by the next one.
      const untold = [...this.#of.knownMonths].filter((known) => known < month && !one.toldMonths.includes(known))
      const explanation = explainCharge(benefit, one.lines, {
        month,
        rules,
        missing,
        isInvoice,
        toldMonths: isInvoice ? ofInvoice : untold,
        beganByChange: one.began !== null && one.began.enrollmentType !== 'inclusion',
        endedByChange: one.ended !== null && one.ended.enrollmentType !== 'exclusion',
      })
      return [{ facts: one, benefit, explanation }]
    })
  }
}
