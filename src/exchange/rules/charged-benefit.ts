/* What the comparison of an invoice knows of a benefit: the lines that charge for it, and its movements. */
import type { LocalDate } from '#kernel/calendar.ts'
import type { Month } from '#registry/rules/cut-off.ts'
import type { LedgerBenefit, LedgerRules, ReportedDifference } from '#money/rules/ledger.ts'
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

/** What claims ask for of a month of cover and the carrier did not credit. */
export interface ClaimedAmount {
  readonly period: Month
  readonly amount: number
  /** The part of it that was sent to the carrier. */
  readonly sent: number
}

/** What an invoice before charged for a month of cover. */
export interface FormerCharge {
  /** Its month and kind, in the order of the invoices. */
  readonly invoice: string
  readonly period: Month
  readonly amount: number
  /** Whether a line says that it is of the month, rather than the claim that it credits. */
  readonly isDirect: boolean
}

/** A benefit with the lines of the invoice that were found to be of it. Its `charges` are those of the invoices before: for a supplementary one the main one too. */
export interface ChargedBenefit extends Omit<LedgerBenefit, 'charges'> {
  readonly lines: readonly InvoiceLine[]
  readonly charges: readonly FormerCharge[]
  /** What the supplementary invoice of the month charges for it, for the main one. */
  readonly supplementary: number
  /** What changes, or changed after the cut-off, what is owed for it. */
  readonly movements: readonly CoverMovement[]
  /** The differences that comparisons of the invoices before reported and that are not claimed, in their order. */
  readonly reported: readonly ReportedDifference[]
  readonly claimed: readonly ClaimedAmount[]
}

/** `knownMonths`: the earlier ones whose invoices were read. */
export interface ComparisonRules extends LedgerRules {
  readonly month: Month
  /** The earlier months whose invoices were compared: what differs of them was reported then. */
  readonly comparedMonths: readonly Month[]
  /** Cents. */
  readonly tolerance: number
}
