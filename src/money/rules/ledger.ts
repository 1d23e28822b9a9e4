/*
 * What a benefit owes and was charged, by month of cover. The comparison of invoices, costs, closings, payroll, the reasons of charges and the
 * forecast are readings of it. Pure; amounts are cents.
 */
import type { LocalDate } from '#kernel/calendar.ts'
import type { EntryType } from '#kernel/reconciliation.ts'
import { addMonths, type Month } from '#registry/rules/cut-off.ts'
import type { PricedBenefit } from './expected-charge.ts'
import { type DatedTable, firstDay, type Premium, premiumOf, type PriceRules, tableOf } from './premium.ts'

/** How many months before that of an invoice it can still charge or credit: what is older is settled. */
export const LEDGER_MONTHS = 13

/** What of a line says which month it is of. */
interface DatedLine {
  readonly entryType: EntryType
  /** null: the file does not say it. */
  readonly entryPeriod: Month | null
  /** The month of the claim that it credits; absent or null: it credits none. */
  readonly claimedMonth?: Month | null
}

/** The month of cover of a premium in the invoice of a month: a retroactive entry that does not say its month is of the month before. */
export function periodOf({ entryPeriod, entryType, claimedMonth }: DatedLine, fileMonth: Month): Month {
  return claimedMonth ?? entryPeriod ?? (entryType.endsWith('-retroactive') ? addMonths(fileMonth, -1) : fileMonth)
}

/** What the invoices of a month charge a benefit as a premium for a month of cover. */
export interface LedgerCharge {
  /** The month of the invoices. */
  readonly fileMonth: Month
  /** The month of cover. */
  readonly period: Month
  readonly amount: number
}

/** What a benefit owes depends on it. */
export interface OwingBenefit extends PricedBenefit {
  readonly isPending: boolean
}

export interface LedgerBenefit extends OwingBenefit {
  /** The day on which it was entered here. */
  readonly createdOn: LocalDate
  readonly charges: readonly LedgerCharge[]
}

/** The prices of a contract, and the months whose invoices are known. */
export interface LedgerRules {
  readonly rules: PriceRules
  readonly tables: readonly DatedTable[]
  readonly knownMonths: ReadonlySet<Month>
}

/** What is owed for a month of cover. */
export interface Owed {
  readonly table: DatedTable
  readonly premium: Premium
  readonly isCovered: boolean
  readonly amount: number
}

/** What a benefit owes for a month of cover: nothing where it is not covered; null where no price table is of its plan. */
export function owedFor(
  benefit: OwingBenefit,
  period: Month,
  { tables, rules }: Pick<LedgerRules, 'rules' | 'tables'>,
): Owed | null {
  const table = tableOf(tables, benefit.planCode, period)
  const premium = table === null ? null : premiumOf(benefit, period, table, rules)
  if (table === null || premium === null) return null
  const isCovered = !benefit.isPending && premium.coveredDays > 0
  return { table, premium, isCovered, amount: isCovered ? premium.amount : 0 }
}

/**
 * What was charged for a month of cover by the invoices up to a month. A month whose invoice is not known is settled, but for what later invoices
 * have of it.
 * @param owed of the month of cover.
 */
export function chargedFor(
  benefit: Pick<LedgerBenefit, 'charges' | 'createdOn'>,
  period: Month,
  through: Month,
  owed: Owed,
  knownMonths: ReadonlySet<Month>,
): number {
  const sum = benefit.charges
    .filter((charge) => charge.period === period && charge.fileMonth <= through)
    .reduce((total, { amount }) => total + amount, 0)
  const isSettled = period < through && !knownMonths.has(period)
  return isSettled ? sum + presumedCharge(benefit.createdOn, period, sum, owed) : sum
}

/**
 * What an invoice that is not known charged: whoever was entered later was not charged yet, if a line charges for it; a credit is of a whole charge.
 * @param lines the sum of what known invoices have of the month.
 */
export function presumedCharge(createdOn: LocalDate, period: Month, lines: number, { premium, amount }: Owed): number {
  if (lines < 0) return premium.price
  return lines > 0 && createdOn >= firstDay(period) ? 0 : amount
}

/** A difference that a comparison reported, of a month of cover. */
export interface ReportedDifference {
  /** The month of cover. */
  readonly period: Month
  /** The invoice that was compared: its month and kind, in the order of the invoices. */
  readonly invoice: string
  readonly amount: number
}

/**
 * What was reported of a month of cover and is still so. The comparison of an invoice with lines of the month reports all that differs of it; a later one
 * without a line tells what was added since.
 * @param differences in the order of the invoices. @param lastWithLines the last invoice that has a line of the month.
 */
export function reportedOf(differences: readonly ReportedDifference[], lastWithLines: string): number {
  return differences
    .filter(({ invoice }) => invoice >= lastWithLines)
    .reduce((sum, { amount }) => (sum * amount < 0 ? amount : sum + amount), 0)
}

/**
 * What differs of a month of cover and was not reported yet.
 * @param over charged less owed. @param reported as `reportedOf` says it, with what is claimed.
 */
export function unreported(over: number, reported: number): number {
  if (over * reported <= 0) return over
  return Math.abs(reported) >= Math.abs(over) ? 0 : over - reported
}
