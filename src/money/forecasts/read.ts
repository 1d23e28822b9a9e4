import { invalidParameter } from '#platform/core/errors.ts'
import type { Database, Sql } from '#platform/core/database.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import { addMonths, type Month } from '#registry/rules/cut-off.ts'
import { totalOf } from '../rules/forecast-causes.ts'
import { VARIANCE_CLASSES } from '../rules/variance.ts'
import {
  addFigures,
  cutOffOfMonth,
  type ForecastFigures,
  forecastFigures,
  missingForecast,
  noFigures,
} from './calculate.ts'
import { isNear, monthOfNext, notNear } from './months.ts'
import { type ForecastContract, isInvoiced, readForecastContracts } from './queries.ts'
import { type CompanyForecastData, type ForecastData, type ForecastOfCompanyData, NOT_FORECAST } from './schema.ts'
import { causesOf, readStoredForecast, readVariance, type StoredForecast } from './stored.ts'

const figuresOf = ({ lastAmount, amounts, causes, later, lost }: ForecastFigures) => ({
  'last-amount': lastAmount,
  'by-certainty': amounts,
  total: totalOf(amounts),
  'by-cause': causesOf(causes),
  later,
  lost,
})

/** The forecast of a contract: the stored one once the invoice of its month is read. @throws ApiError 400 for a month that is too far. */
export async function readForecast(
  database: Database,
  contract: ForecastContract,
  asked: Month | undefined,
  today: LocalDate,
): Promise<ForecastData> {
  return database.snapshot((sql) => forecastOf(sql, contract, asked, today))
}

async function forecastOf(
  sql: Sql,
  contract: ForecastContract,
  asked: Month | undefined,
  today: LocalDate,
): Promise<ForecastData> {
  const month = asked ?? monthOfNext(contract, today)
  const stored = await readStoredForecast(sql, contract, month)
  const isRead = await isInvoiced(sql, contract, month)
  const isStored = stored !== null && isRead
  if (!isStored && !isNear(contract, month, today)) throw invalidParameter(notNear)
  const missing = isStored ? [] : await missingForecast(sql, { contract, month, asOf: today })
  const figures = isStored
    ? stored
    : missing.length > 0
      ? noFigures()
      : await forecastFigures(sql, { contract, month, asOf: today })
  return {
    'contract-id': contract.contractId,
    'company-tax-id': contract.companyTaxId,
    'carrier-name': contract.carrierName,
    'contract-number': contract.contractNumber,
    'sub-contract': contract.subContract,
    'reference-month': month,
    'as-of': isStored ? stored.asOf : today,
    'cut-off-date': contract.calendar === null ? null : cutOffOfMonth(contract.calendar, month),
    ...figuresOf(figures),
    'without-price': figures.withoutPrice,
    'missing-settings': missing,
    'not-forecast': [...NOT_FORECAST],
    'frozen-at': stored?.frozenAt ?? null,
    variance: isStored ? await varianceOf(sql, contract, month, stored) : null,
  }
}

async function varianceOf(sql: Sql, contract: ForecastContract, month: Month, stored: StoredForecast) {
  const { invoiceTotal, classes } = await readVariance(sql, contract, month, stored.id)
  return {
    total: invoiceTotal,
    amount: invoiceTotal - totalOf(stored.amounts),
    'by-class': VARIANCE_CLASSES.map((name) => ({ class: name, ...classes[name] })),
  }
}

/** The forecasts of the active contracts of a company, and their sum. */
export async function readCompanyForecast(
  database: Database,
  { companyId, companyTaxId }: Pick<ForecastContract, 'companyId' | 'companyTaxId'>,
  asked: Month | undefined,
  today: LocalDate,
): Promise<CompanyForecastData> {
  return database.snapshot(async (sql) => {
    const contracts = await readForecastContracts(sql, companyId)
    const months = contracts.map((contract) => monthOfNext(contract, today)).toSorted()
    const month = asked ?? months[0] ?? addMonths(today.slice(0, 7), 1)
    const forecasts: ForecastData[] = []
    for (const contract of contracts) forecasts.push(await forecastOf(sql, contract, month, today))
    const sum = noFigures()
    for (const forecast of forecasts) {
      const causes = forecast['by-cause']
      addFigures(sum, {
        lastAmount: forecast['last-amount'],
        amounts: forecast['by-certainty'],
        causes,
        later: forecast.later,
        lost: forecast.lost,
      })
    }
    const isIncomplete = forecasts.some(
      (forecast) => forecast['missing-settings'].length > 0 || forecast['without-price'] > 0,
    )
    return {
      'company-tax-id': companyTaxId,
      'reference-month': month,
      'as-of': today,
      ...figuresOf(sum),
      incomplete: isIncomplete,
      contracts: forecasts,
    }
  })
}

/** The same without what partners do not see. */
export function shownToPartners({ contracts, ...company }: CompanyForecastData): ForecastOfCompanyData {
  return {
    ...company,
    contracts: contracts.map(
      ({ 'contract-id': _id, 'contract-number': _number, 'sub-contract': _sub, ...shown }) => shown,
    ),
  }
}
