import type { Sql } from '#platform/core/database.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import type { Month } from '#registry/rules/cut-off.ts'
import { type ForecastedBenefit, forecastLines, type ForecastSetting, missingForecast } from '../forecasts/calculate.ts'
import { isTooFar } from '../forecasts/months.ts'
import type { ForecastContract } from '../forecasts/queries.ts'
import type { ExplainedCharge } from '../rules/charge.ts'
import type { ForecastRules } from '../rules/forecast.ts'
import { totalOf } from '../rules/forecast-causes.ts'
import { forecastTerms } from '../rules/forecast-terms.ts'
import { type ChargeItems, hasCause } from './item.ts'
import { type ChargeListFilter, type ChargeRow, readBenefitNames, readChargeFacts } from './queries.ts'
import type { ChargeItem } from './schema.ts'

interface OfForecast {
  readonly contract: ForecastContract
  readonly month: Month
  readonly asOf: LocalDate
}

/** What the forecast of the next invoice of a contract charges, benefit by benefit. */
export class ForecastCharges {
  readonly isCompared = true
  readonly #sql: Sql
  readonly #of: OfForecast
  readonly #items: ChargeItems

  /** The settings without which nothing is forecast. */
  readonly missing: readonly ForecastSetting[]

  private constructor(sql: Sql, of: OfForecast, items: ChargeItems, missing: readonly ForecastSetting[]) {
    this.#sql = sql
    this.#of = of
    this.#items = items
    this.missing = missing
  }

  static async read(sql: Sql, of: OfForecast, items: ChargeItems): Promise<ForecastCharges> {
    return new ForecastCharges(sql, of, items, await missingForecast(sql, of))
  }

  async rows(filter: ChargeListFilter): Promise<readonly ChargeRow[]> {
    const { contract, month, asOf } = this.#of
    if (filter.lineNumber !== undefined || filter.class !== undefined || filter.hasDifference === true) return []
    if (filter.variance !== undefined) return []
    if (isTooFar(contract, month, asOf) || this.missing.length > 0) return []
    const isOfSome = filter.benefitId !== undefined || filter.memberId !== undefined || filter.name !== undefined
    const selected = isOfSome ? await readBenefitNames(this.#sql, contract, filter, null) : null
    const amounts = new Map<string, number>()
    const ids = selected?.map(({ benefitId }) => benefitId) ?? null
    for await (const { benefits } of forecastLines(this.#sql, this.#of, ids)) {
      for (const { benefit, line } of benefits) {
        if (isListed(line, filter)) amounts.set(benefit.benefitId, line === null ? 0 : totalOf(line.amounts))
      }
    }
    const names = selected ?? (await readBenefitNames(this.#sql, contract, {}, [...amounts.keys()]))
    return names.flatMap(({ benefitId, name }) => {
      const amount = amounts.get(benefitId)
      return amount === undefined
        ? []
        : [{ benefitId, name, lineNumber: null, fileId: null, isPerson: true, amount, difference: 0 }]
    })
  }

  async items(rows: readonly ChargeRow[]): Promise<ChargeItem[]> {
    const ids = rows.flatMap(({ benefitId }) => benefitId ?? [])
    if (ids.length === 0) return []
    const { contract, month } = this.#of
    const facts = await readChargeFacts(this.#sql, { ...contract, month }, ids, true)
    const explained = new Map<string, Pick<ForecastedBenefit, 'benefit'> & { readonly explanation: ExplainedCharge }>()
    for await (const { rules, benefits } of forecastLines(this.#sql, this.#of, ids)) {
      for (const { benefit, line } of benefits) {
        explained.set(benefit.benefitId, { benefit, explanation: explain(line, rules) })
      }
    }
    return rows.flatMap((row): ChargeItem[] => {
      const [own, charge] = [facts.get(row.benefitId ?? ''), explained.get(row.benefitId ?? '')]
      return own === undefined || charge === undefined
        ? []
        : [this.#items.ofBenefit({ facts: own, ...charge }, row, [], null)]
    })
  }
}

/** Whether the forecast has anything of a benefit, or cannot say it. */
function isListed(line: ForecastedBenefit['line'], filter: ChargeListFilter): boolean {
  if (line === null) return filter.cause === undefined && filter.certainty === undefined
  const { lastAmount, causes, months } = line
  const isCharged = lastAmount !== 0 || causes.length > 0 || months.some(({ amount }) => amount !== 0)
  return isCharged && hasCause(causes, filter)
}

function explain(line: ForecastedBenefit['line'], rules: ForecastRules): ExplainedCharge {
  const common = { difference: 0 }
  if (line === null) {
    const term = { term: 'as-charged', amount: 0, missingSettings: ['price-table'] } as const
    const months = [{ month: rules.month, amount: 0, lineNumbers: [], terms: [term] }]
    return { ...common, amount: 0, lastAmount: 0, months, causes: [] }
  }
  const { lastAmount, causes } = line
  const months = line.months.map((one) => forecastTerms(one, rules)).filter(({ terms }) => terms.length > 0)
  return { ...common, amount: totalOf(line.amounts), lastAmount, months, causes }
}
