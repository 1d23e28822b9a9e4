/* The entries of an invoice that concern no person, against the fees of the contract. */
import type { ContractFee } from '#registry/rules/contract-fee.ts'
import type { InvoiceDiscrepancy, UnmatchedLine } from './invoice-comparison.ts'

export interface EntryLine extends UnmatchedLine {
  readonly entryCode: string | null
}

/** The entries without a person against the fees of the contract, in the order of the lines. @returns what of them is expected, and what is not. */
export function judgeEntries(
  lines: readonly EntryLine[],
  fees: readonly ContractFee[],
): { readonly expected: number; readonly discrepancies: readonly InvoiceDiscrepancy[] } {
  const rest = new Map(fees.map((fee) => [fee, fee.amount]))
  // A code says more than its type.
  const ordered = fees.toSorted((a, b) => Number(a['entry-code'] === null) - Number(b['entry-code'] === null))
  const discrepancies: InvoiceDiscrepancy[] = []
  let sum = 0
  for (const line of lines.toSorted((a, b) => a.lineNumber - b.lineNumber)) {
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
    coverMonth: null,
    expected,
    found: amount,
    amount: amount - expected,
    days: null,
    explanation: null,
  }
}
