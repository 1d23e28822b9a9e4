/* What a contract charges beside the premiums: fees, taxes, adjustments and discounts that its invoices may have and that concern no person. */
import type { FieldError } from '#kernel/fields.ts'
import type { ImpersonalEntryType } from '#kernel/reconciliation.ts'

/** In cents. */
export const MAX_FEE = 1_000_000_000

/** A fee that the contract names, in wire keys. */
export interface ContractFee {
  readonly 'entry-type': ImpersonalEntryType
  /** The carrier's code; null: any. */
  readonly 'entry-code': string | null
  /** What an invoice has of it in all, in cents; negative for a discount. null: any amount. */
  readonly amount: number | null
  readonly name: string | null
}

/** Two fees of one type and code would be one. */
export function repeatedFees(fees: readonly ContractFee[]): FieldError[] {
  const keys = fees.map((fee) => `${fee['entry-type']} ${fee['entry-code'] ?? ''}`)
  return keys.flatMap((key, index) =>
    keys.indexOf(key) < index ? [{ field: `contract-fees[${index}].entry-type`, code: 'repeated' as const }] : [],
  )
}
