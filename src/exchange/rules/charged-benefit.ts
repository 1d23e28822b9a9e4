/* What the comparison of an invoice knows of a benefit: the lines that charge for it, and its movements. */
import type { LocalDate } from '#kernel/calendar.ts'
import type { Month } from '#registry/rules/cut-off.ts'
import type { PricedBenefit } from '#money/rules/expected-charge.ts'
import type { DatedTable, PriceRules } from '#money/rules/premium.ts'
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

/** A benefit with the lines of the invoice that were found to be of it. */
export interface ChargedBenefit extends PricedBenefit {
  readonly isPending: boolean
  /** The day on which it was entered here. */
  readonly createdOn: LocalDate
  readonly lines: readonly InvoiceLine[]
  /** What changes, or changed after the cut-off, what is owed for it. */
  readonly movements: readonly CoverMovement[]
}

export interface ComparisonRules {
  readonly month: Month
  readonly rules: PriceRules
  readonly tables: readonly DatedTable[]
  /** Cents. */
  readonly tolerance: number
}
