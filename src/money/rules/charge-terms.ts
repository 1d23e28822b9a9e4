/* The terms of what is charged for a month of cover: they add up to its amount. Pure; amounts are cents. */
import type { LocalDate } from '#kernel/calendar.ts'
import type { EntryType } from '#kernel/reconciliation.ts'
import { birthdayAt } from '#registry/rules/age-limit.ts'
import { addMonths, type Month } from '#registry/rules/cut-off.ts'
import type { LedgerRules, Owed, OwingBenefit } from './ledger.ts'
import { ageDay, firstDay, lastDay, premiumOf } from './premium.ts'
import { isByAge, type PriceCategory } from './price-table.ts'

export const CHARGE_TERMS = ['price', 'proration', 'charged-before', 'entry', 'as-charged', 'difference'] as const

/** `price-table`: no price table is of the plan. */
export const MISSING_FOR_PRICES = ['age-on', 'proration', 'anniversary-month', 'price-table'] as const
export type MissingForPrice = (typeof MISSING_FOR_PRICES)[number]

/** A birthday of the last twelve months that changed the row of the price table. */
interface MovedBy {
  readonly birthday: LocalDate
  readonly fromCategory: PriceCategory
}

export type ChargeTerm =
  | {
      readonly term: 'price'
      readonly amount: number
      readonly priceTableId: string
      readonly validFrom: LocalDate
      readonly category: PriceCategory
      readonly age: number
      /** The day of the age that counts; null: the price does not depend on it. */
      readonly ageDay: LocalDate | null
      readonly movedBy: MovedBy | null
    }
  | {
      readonly term: 'proration'
      readonly amount: number
      readonly rule: LedgerRules['rules']['proration']
      readonly coveredDays: number
      readonly from: LocalDate
      readonly until: LocalDate | null
    }
  | { readonly term: 'entry'; readonly amount: number; readonly entryType: EntryType }
  | { readonly term: 'as-charged'; readonly amount: number; readonly missingSettings: readonly MissingForPrice[] }
  | { readonly term: 'charged-before' | 'difference'; readonly amount: number }

export interface ChargeMonth {
  readonly month: Month
  readonly amount: number
  readonly lineNumbers: readonly number[]
  readonly terms: readonly ChargeTerm[]
}

type PricedBy = Pick<LedgerRules, 'rules'>

export const sumOf = (amounts: readonly { readonly amount: number }[]): number =>
  amounts.reduce((sum, { amount }) => sum + amount, 0)

/** What is owed for a month of cover: its price, and the days that are not covered. */
export function priceTerms(benefit: OwingBenefit, period: Month, owed: Owed, rules: PricedBy): ChargeTerm[] {
  if (!owed.isCovered) return []
  const { table, premium } = owed
  const price: ChargeTerm = {
    term: 'price',
    amount: premium.price,
    priceTableId: table.id,
    validFrom: table.validFrom,
    category: premium.category,
    age: premium.age,
    ageDay: isByAge(table.kind) ? ageDay(period, rules.rules) : null,
    movedBy: movedBy(benefit, period, owed, rules),
  }
  const part = owed.amount - premium.price
  if (part === 0) return [price]
  const { startDate, endDate } = benefit
  return [
    price,
    {
      term: 'proration',
      amount: part,
      rule: rules.rules.proration,
      coveredDays: premium.coveredDays,
      from: startDate > firstDay(period) ? startDate : firstDay(period),
      until: endDate !== null && endDate < lastDay(period) ? endDate : null,
    },
  ]
}

/** The birthday of the last twelve months that changed the row; null: none did. */
function movedBy({ dateOfBirth, type }: OwingBenefit, period: Month, owed: Owed, { rules }: PricedBy) {
  const { table, premium } = owed
  if (!isByAge(table.kind)) return null
  const former = premiumOf(
    { dateOfBirth, type, startDate: dateOfBirth, endDate: null },
    addMonths(period, -12),
    table,
    rules,
  )
  if (former === null || former.category === premium.category) return null
  return { birthday: birthdayAt(dateOfBirth, premium.age), fromCategory: former.category }
}
