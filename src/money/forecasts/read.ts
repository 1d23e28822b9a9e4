import { invalidParameter } from '#platform/core/errors.ts'
import type { Database, Sql } from '#platform/core/database.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import { addMonths, type Month } from '#registry/rules/cut-off.ts'
import { sumOf } from '../rules/charge-terms.ts'
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
import {
  causesOf,
  readStoredFigures,
  readStoredForecast,
  readVarianceLines,
  type StoredForecast,
  varianceByClass,
} from './stored.ts'

/** @param figures null: nothing can be calculated. */
function figuresOf(figures: ForecastFigures | null) {
  if (figures === null) {
    const none = { 'last-amount': null, 'by-certainty': null, total: null, later: null, lost: null }
    return { ...none, 'by-cause': [], 'later-by-invoice': [] }
  }
  const { lastAmount, amounts, causes, lost } = figures
  const later = laterOf(figures)
  return {
    'last-amount': lastAmount,
    'by-certainty': amounts,
    total: totalOf(amounts),
    'by-cause': causesOf(causes),
    later: sumOf(later),
    'later-by-invoice': later.map(({ dueIn, amount }) => ({ 'due-in': dueIn, amount })),
    lost,
  }
}

const laterOf = ({ later }: ForecastFigures) =>
  Object.entries(later)
    .map(([dueIn, amount]) => ({ dueIn, amount }))
    .filter(({ amount }) => amount !== 0)
    .toSorted((a, b) => (a.dueIn < b.dueIn ? -1 : 1))

/** The forecast of a contract: the stored one once the invoice of its month is read. @throws ApiError 400 for a month that is too far. */
export async function readForecast(
  database: Database,
  contract: ForecastContract,
  asked: Month | undefined,
  today: LocalDate,
): Promise<ForecastData> {
  return database.snapshot(async (sql) => (await forecastOf(sql, contract, asked, today)).data)
}

async function forecastOf(
  sql: Sql,
  contract: ForecastContract,
  asked: Month | undefined,
  today: LocalDate,
): Promise<{ readonly data: ForecastData; readonly figures: ForecastFigures | null }> {
  const month = asked ?? monthOfNext(contract, today)
  const stored = await readStoredForecast(sql, contract, month)
  const isRead = await isInvoiced(sql, contract, month)
  const isStored = stored !== null && isRead
  if (!isStored && !isNear(contract, month, today)) throw invalidParameter(notNear)
  const missing = isStored ? [] : await missingForecast(sql, { contract, month, asOf: today })
  const figures = isStored
    ? await readStoredFigures(sql, contract.companyId, stored.id)
    : missing.length > 0
      ? null
      : await forecastFigures(sql, { contract, month, asOf: today })
  const data = {
    'contract-id': contract.contractId,
    'company-tax-id': contract.companyTaxId,
    'carrier-name': contract.carrierName,
    'contract-number': contract.contractNumber,
    'sub-contract': contract.subContract,
    'reference-month': month,
    'as-of': isStored ? stored.asOf : today,
    'cut-off-date': contract.calendar === null ? null : cutOffOfMonth(contract.calendar, month),
    ...figuresOf(figures),
    'without-price': figures?.withoutPrice ?? 0,
    'missing-settings': missing,
    'not-forecast': [...NOT_FORECAST],
    'frozen-at': stored?.frozenAt ?? null,
    variance: isStored && figures !== null ? await varianceOf(sql, contract, month, { ...stored, ...figures }) : null,
  }
  return { data, figures }
}

async function varianceOf(
  sql: Sql,
  contract: ForecastContract,
  month: Month,
  stored: StoredForecast & ForecastFigures,
) {
  const lines = await readVarianceLines(sql, contract, month, stored.id, null)
  const { invoiceTotal, classes } = varianceByClass(lines)
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
    const sum = noFigures()
    let isCalculated = contracts.length === 0
    for (const contract of contracts) {
      const { data, figures } = await forecastOf(sql, contract, month, today)
      forecasts.push(data)
      if (figures === null) continue
      isCalculated = true
      addFigures(sum, { ...figures, causes: causesOf(figures.causes), later: laterOf(figures) })
    }
    return {
      'company-tax-id': companyTaxId,
      'reference-month': month,
      'as-of': today,
      ...figuresOf(isCalculated ? sum : null),
      incomplete: forecasts.some((one) => one['missing-settings'].length > 0 || one['without-price'] > 0),
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
