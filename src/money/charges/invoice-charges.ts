import type { Sql } from '#platform/core/database.ts'
import type { Month } from '#registry/rules/cut-off.ts'
import { readSharedCharges } from '../costs/cost-list.ts'
import type { ForecastContract } from '../forecasts/queries.ts'
import { readStoredForecast, readVarianceLines, type StoredForecast, type VarianceLine } from '../forecasts/stored.ts'
import { readKnownMonths, readLedgerBenefits } from '../ledger/queries.ts'
import { type ContractPrices, missingOf } from '../prices/pricing-queries.ts'
import { explainCharge } from '../rules/charge.ts'
import type { PriceRules } from '../rules/premium.ts'
import type { VarianceClass } from '../rules/variance.ts'
import { causesOfLine, type ChargeItems, type ExplainedBenefit, hasCause } from './item.ts'
import {
  type ChargeKey,
  type ChargeListFilter,
  type ChargeRow,
  readChargeFacts,
  readChargeRows,
  readLinesOfNobody,
} from './queries.ts'
import type { ChargeItem } from './schema.ts'

interface OfInvoice {
  readonly contract: ForecastContract
  readonly key: ChargeKey
  readonly prices: ContractPrices
  readonly items: ChargeItems
  /** Whether the invoices of the month were compared. */
  readonly isCompared: boolean
}

/** The benefits that are explained at once. */
const chunkSize = 1000

/** What the invoices of a contract charge in a month. */
export class InvoiceCharges {
  readonly missing = []
  readonly #sql: Sql
  readonly #of: OfInvoice
  readonly #knownMonths: ReadonlySet<Month>
  readonly #forecast: StoredForecast | null

  private constructor(
    sql: Sql,
    of: OfInvoice,
    { knownMonths, forecast }: { readonly knownMonths: ReadonlySet<Month>; readonly forecast: StoredForecast | null },
  ) {
    this.#sql = sql
    this.#of = of
    this.#knownMonths = knownMonths
    this.#forecast = forecast
  }

  static async read(sql: Sql, of: OfInvoice): Promise<InvoiceCharges> {
    const { contract, key } = of
    const knownMonths = await readKnownMonths(sql, { ...key, through: key.month })
    return new InvoiceCharges(sql, of, { knownMonths, forecast: await readStoredForecast(sql, contract, key.month) })
  }

  get isCompared(): boolean {
    return this.#of.isCompared
  }

  /** What follows from the explanation alone is explained for all. */
  async rows(filter: ChargeListFilter): Promise<readonly ChargeRow[]> {
    const rows = await this.#ofVariance(await readChargeRows(this.#sql, this.#of.key, filter), filter.variance)
    if (filter.cause === undefined && filter.certainty === undefined) return rows
    const selected: ChargeRow[] = []
    for (let first = 0; first < rows.length; first += chunkSize) {
      const chunk = rows.slice(first, first + chunkSize)
      const explained = await this.#explain(chunk.flatMap(({ benefitId }) => benefitId ?? []))
      const causes = new Map(explained.map(({ facts, explanation }) => [facts.benefitId, explanation.causes]))
      selected.push(
        ...chunk.filter((row) => {
          const own = row.benefitId === null ? causesOfLine(row) : causes.get(row.benefitId)
          return own !== undefined && hasCause(own, filter)
        }),
      )
    }
    return selected
  }

  async #ofVariance(rows: readonly ChargeRow[], variance: VarianceClass | undefined): Promise<readonly ChargeRow[]> {
    if (variance === undefined) return rows
    if (this.#forecast === null) return []
    const lines = await this.#variance(null)
    const ids = new Set(lines.flatMap((line) => (line.class === variance ? (line.benefitId ?? []) : [])))
    return rows.filter(({ benefitId }) => (benefitId === null ? variance === 'without-person' : ids.has(benefitId)))
  }

  /** What became of the forecast that was stored; nothing without one. */
  async #variance(benefitIds: readonly string[] | null): Promise<VarianceLine[]> {
    const { contract, key } = this.#of
    if (this.#forecast === null) return []
    return readVarianceLines(this.#sql, contract, key.month, this.#forecast.id, benefitIds)
  }

  async items(rows: readonly ChargeRow[]): Promise<ChargeItem[]> {
    const { items, key } = this.#of
    const ids = rows.flatMap(({ benefitId }) => benefitId ?? [])
    const variances = new Map((await this.#variance(ids)).map((line) => [line.benefitId, line]))
    const explained = new Map((await this.#explain(ids)).map((charge) => [charge.facts.benefitId, charge]))
    const shares = ids.length === 0 ? [] : await readSharedCharges(this.#sql, key.companyId, key.month, ids)
    const byBenefit = Map.groupBy(shares, ({ person }) => person?.benefitId ?? '')
    const ofNobody = rows.filter(({ benefitId }) => benefitId === null)
    const lines = ofNobody.length === 0 ? [] : await readLinesOfNobody(this.#sql, key.companyId, ofNobody)
    const nobody = new Map(lines.map((line) => [`${line.fileId} ${line.lineNumber}`, line]))
    return rows.flatMap((row): ChargeItem[] => {
      const charge = explained.get(row.benefitId ?? '')
      if (charge !== undefined) {
        const { benefitId } = charge.facts
        return [items.ofBenefit(charge, row, byBenefit.get(benefitId) ?? [], variances.get(benefitId) ?? null)]
      }
      const line = nobody.get(`${row.fileId} ${row.lineNumber}`)
      return line === undefined ? [] : [items.ofLine(line, this.#forecast !== null)]
    })
  }

  async #explain(ids: readonly string[]): Promise<ExplainedBenefit[]> {
    if (ids.length === 0) return []
    const { companyId, contractId, month } = this.#of.key
    const ledger = await readLedgerBenefits(this.#sql, { companyId, contractId, through: month, benefitIds: ids })
    const facts = await readChargeFacts(this.#sql, this.#of.key, ids, false)
    const missing = missingOf(this.#of.prices, month)
    const { settings, tables } = this.#of.prices
    const rules = missing.length > 0 ? null : { rules: settings as PriceRules, tables, knownMonths: this.#knownMonths }
    return [...facts.values()].flatMap((one) => {
      const benefit = ledger.get(one.benefitId)
      if (benefit === undefined) return []
      const explanation = explainCharge(benefit, one.lines, {
        month,
        rules,
        missing,
        toldMonths: one.discrepancies.flatMap(({ coverMonth }) => coverMonth ?? []),
        beganByChange: one.began !== null && one.began.enrollmentType !== 'inclusion',
        endedByChange: one.ended !== null && one.ended.enrollmentType !== 'exclusion',
      })
      return [{ facts: one, benefit, explanation }]
    })
  }
}
