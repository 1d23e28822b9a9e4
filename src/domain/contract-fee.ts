/* What a contract charges beside the premiums, of nobody: fees, taxes, adjustments and discounts that its invoices may have. Pure. */
import type { InvoiceDiscrepancy, UnmatchedLine } from './invoice-comparison.ts'
import type { FieldError } from './fields.ts'
import type { ImpersonalEntryType } from './reconciliation.ts'

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

export interface EntryLine extends UnmatchedLine {
  readonly entryCode: string | null
}

/** The entries of nobody against the fees of the contract, in the order of the lines. @returns what of them is expected, and what is not. */
export function judgeEntries(
  lines: readonly EntryLine[],
  fees: readonly ContractFee[],
): { readonly expected: number; readonly discrepancies: readonly InvoiceDiscrepancy[] } {
  const rest = new Map(fees.map((fee) => [fee, fee.amount]))
  // A code says more than its type.
  const ordered = fees.toSorted(
    (one, other) => Number(one['entry-code'] === null) - Number(other['entry-code'] === null),
  )
  const discrepancies: InvoiceDiscrepancy[] = []
  let sum = 0
  for (const line of lines.toSorted((one, other) => one.lineNumber - other.lineNumber)) {
    const expected = line.isClaimed ? line.amount : expectedOf(line, ordered, rest)
    sum += expected
    if (expected !== line.amount) discrepancies.push(unknownFee(line, expected))
  }
  return { expected: sum, discrepancies }
}

/** What of a line the fees name, which have that much less left. */
function expectedOf(line: EntryLine, fees: readonly ContractFee[], rest: Map<ContractFee, number | null>): number {
  let open = line.amount
  for (const fee of fees) {
    const isOfFee =
      fee['entry-type'] === line.entryType && (fee['entry-code'] === null || fee['entry-code'] === line.entryCode)
    if (!isOfFee || open === 0) continue
    const left = rest.get(fee) ?? null
    if (left === null) return line.amount
    const part = Math.sign(left) !== Math.sign(open) ? 0 : Math.abs(open) <= Math.abs(left) ? open : left
    rest.set(fee, left - part)
    open -= part
  }
  return line.amount - open
}

function unknownFee({ lineNumber, amount }: EntryLine, expected: number): InvoiceDiscrepancy {
  return {
    class: 'fee-unknown',
    benefitId: null,
    lineNumber,
    expected,
    found: amount,
    amount: amount - expected,
    days: null,
    explanation: null,
  }
}
