/* The forecast of the next invoice of a contract, benefit by benefit. */
import type { Sql } from '#platform/core/database.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import { addMonths, cutOffsOf, type CutOffCalendar, type Month } from '#registry/rules/cut-off.ts'
import { ledgerBenefits, readKnownMonths } from '../ledger/queries.ts'
import { missingOf, pricingOf, readContractPrices } from '../prices/pricing-queries.ts'
import { type ForecastLine, forecastBenefit, type ForecastRules, lastKnown } from '../rules/forecast.ts'
import {
  type CauseAmount,
  CERTAINTIES,
  type Certainty,
  FORECAST_CAUSES,
  type ForecastCause,
} from '../rules/forecast-causes.ts'
import type { LedgerBenefit } from '../rules/ledger.ts'
import { firstDay, type PriceSetting } from '../rules/premium.ts'
import { type ForecastContract, readMovements, readWaitingClaims } from './queries.ts'

export interface ForecastFigures {
  lastAmount: number
  readonly amounts: Record<Certainty, number>
  readonly causes: Record<ForecastCause, number>
  /** By the month of the invoice. */
  readonly later: Record<Month, number>
  lost: number
  /** Benefits whose plan has no price table: they are in no figure. */
  withoutPrice: number
}

/** A setting without which a forecast cannot be made. */
export type ForecastSetting = PriceSetting | 'calendar' | 'price-table'

export const FORECAST_SETTINGS = ['calendar', 'price-table', 'age-on', 'proration', 'anniversary-month'] as const

export const noFigures = (): ForecastFigures => ({
  lastAmount: 0,
  amounts: { firm: 0, scheduled: 0, 'at-carrier': 0, requested: 0 },
  causes: Object.fromEntries(FORECAST_CAUSES.map((cause) => [cause, 0])) as Record<ForecastCause, number>,
  later: {},
  lost: 0,
  withoutPrice: 0,
})

type LineFigures = Pick<ForecastLine, 'lastAmount' | 'amounts' | 'later' | 'lost'> & {
  readonly causes: readonly CauseAmount[]
}

/** Adds a line to figures. */
export function addFigures(sum: ForecastFigures, line: LineFigures): void {
  sum.lastAmount += line.lastAmount
  for (const { dueIn, amount } of line.later) sum.later[dueIn] = (sum.later[dueIn] ?? 0) + amount
  sum.lost += line.lost
  for (const certainty of CERTAINTIES) sum.amounts[certainty] += line.amounts[certainty]
  for (const { cause, amount } of line.causes) sum.causes[cause] += amount
}

/** The cut-off before which the movements of a month's invoice reach the carrier. */
export function cutOffOfMonth(calendar: CutOffCalendar, month: Month): LocalDate {
  const near = cutOffsOf(calendar, addMonths(month, -4), addMonths(month, 1))
  const own = near.filter((cutOff) => cutOff['coverage-start'].slice(0, 7) === month)
  return own.at(-1)?.['cut-off-date'] ?? firstDay(month)
}

interface ForecastOf {
  readonly contract: ForecastContract
  readonly month: Month
  readonly asOf: LocalDate
}

/** The settings that the contract lacks. */
export async function missingForecast(sql: Sql, { contract, month }: ForecastOf): Promise<ForecastSetting[]> {
  const prices = await readContractPrices(sql, contract.contractId)
  return [
    ...(contract.calendar === null ? (['calendar'] as const) : []),
    ...(prices === null || prices.tables.length === 0 ? (['price-table'] as const) : []),
    ...(prices === null ? [] : missingOf(prices, month)),
  ]
}

/** A benefit with its line of a forecast; null: its plan has no price. */
export interface ForecastedBenefit {
  readonly benefit: LedgerBenefit
  readonly line: ForecastLine | null
}

/**
 * The lines of a forecast, 2000 benefits at a time, in a transaction. What lacks settings has none: `missingForecast`.
 * @param benefitIds only these; null: all.
 */
export async function* forecastLines(
  sql: Sql,
  { contract, month, asOf }: ForecastOf,
  benefitIds: readonly string[] | null = null,
): AsyncGenerator<{ readonly rules: ForecastRules; readonly benefits: ForecastedBenefit[] }> {
  const prices = await readContractPrices(sql, contract.contractId)
  if (prices === null || contract.calendar === null) return
  const { companyId, contractId, calendar, limits } = contract
  const through = addMonths(month, -1)
  const knownMonths = await readKnownMonths(sql, { companyId, contractId, through })
  const rules = { ...pricingOf(prices, month), knownMonths, calendar, limits, asOf, month }
  // Movements that the last invoice can lack were told after its cut-off.
  const since = cutOffOfMonth(calendar, lastKnown(knownMonths, month) ?? month)
  const movements = await readMovements(sql, contract, since, benefitIds)
  const claims = await readWaitingClaims(sql, contract, month)
  for await (const found of ledgerBenefits(sql, { companyId, contractId, through: month, benefitIds })) {
    const benefits = found.map((benefit) => {
      const line = forecastBenefit(
        {
          ...benefit,
          // What is charged now is not what is forecast.
          charges: benefit.charges.filter(({ fileMonth }) => fileMonth < month),
          ...(movements.get(benefit.benefitId) ?? { open: [], completed: [] }),
          claims: claims.get(benefit.benefitId) ?? [],
        },
        rules,
      )
      return { benefit, line }
    })
    yield { rules, benefits }
  }
}

/** The figures of a forecast. */
export async function forecastFigures(sql: Sql, of: ForecastOf): Promise<ForecastFigures> {
  const figures = noFigures()
  for await (const { benefits } of forecastLines(sql, of)) {
    for (const { line } of benefits) {
      if (line === null) figures.withoutPrice += 1
      else addFigures(figures, line)
    }
  }
  return figures
}
