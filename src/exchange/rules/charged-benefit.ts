/* What the comparison of an invoice knows of a benefit: the lines that charge for it, and its movements. */
import type { LocalDate } from '#kernel/calendar.ts'
import type { Month } from '#registry/rules/cut-off.ts'
import type { LedgerBenefit, LedgerRules } from '#money/rules/ledger.ts'
import type { EntryType } from '#kernel/reconciliation.ts'

/** A line of an invoice, as far as amounts depend on it. */
export interface InvoiceLine {
  readonly lineNumber: number
  /** In cents; a credit is negative. */
  readonly amount: number
  readonly entryType: EntryType
  /** The month that it is for; null: the file does not say it. */
  readonly entryPeriod: Month | null
  /** The month of the claim that it credits; absent: it credits none. */
  readonly claimedMonth?: Month | null
}

/** A movement of the cover of a benefit; corrections of data and second cards change no charge. */
export interface CoverMovement {
  /** `departure` and `arrival`: the two benefits of a change of plan or company. */
  readonly kind: 'inclusion' | 'exclusion' | 'departure' | 'arrival'
  /** Otherwise it was completed after the cut-off: the carrier charged without it. */
  readonly isOpen: boolean
  /** The last day of an exclusion, the first day of the others. */
  readonly date: LocalDate | null
  /** For a departure within the contract: the code of the new plan. */
  readonly newPlanCode: string | null
}

/** A difference that the comparison of an earlier invoice told. */
export interface ToldDifference {
  /** The month of cover. */
  readonly period: Month
  readonly amount: number
}

/** A benefit with the lines of the invoice that were found to be of it. Its `charges` are those of the invoices before: for a supplementary one the main one too. */
export interface ChargedBenefit extends LedgerBenefit {
  readonly lines: readonly InvoiceLine[]
  /** What the supplementary invoice of the month charges for it, for the main one. */
  readonly supplementary: number
  /** What changes, or changed after the cut-off, what is owed for it. */
  readonly movements: readonly CoverMovement[]
  readonly told: readonly ToldDifference[]
}

/** `knownMonths`: the earlier ones whose invoices were read. */
export interface ComparisonRules extends LedgerRules {
  readonly month: Month
  /** The earlier months whose invoices were compared: what differs of them was told then. */
  readonly comparedMonths: readonly Month[]
  /** Cents. */
  readonly tolerance: number
}
