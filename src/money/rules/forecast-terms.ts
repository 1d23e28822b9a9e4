/* The terms of what is forecast for a month of cover. Pure; amounts are cents. */
import { type ChargeMonth, type ChargeTerm, priceTerms, sumOf } from './charge-terms.ts'
import type { ForecastMonth, ForecastRules } from './forecast.ts'
import { owedFor } from './ledger.ts'

/** The prices of the cover, what earlier invoices charged of them, and what is left to claims. */
export function forecastTerms(
  { month, amount, cover, chargedBefore }: ForecastMonth,
  rules: ForecastRules,
): ChargeMonth {
  const terms = cover.flatMap((part): ChargeTerm[] => {
    const owed = owedFor(part, month, rules)
    return owed === null ? [] : priceTerms(part, month, owed, rules)
  })
  if (chargedBefore !== 0) terms.push({ term: 'charged-before', amount: -chargedBefore })
  const left = amount - sumOf(terms)
  if (left !== 0) terms.push({ term: 'difference', amount: left })
  return { month, amount, lineNumbers: [], terms }
}
