/* What is left for payroll to deduct: what is due less what was exported. Amounts are in cents. */
import type { Month } from '#registry/rules/cut-off.ts'
import type { SharedCharge } from './cost.ts'
import { type ClosedShare, type DueLine, type DueLines, dueLines } from './deduction.ts'

/** What employees pay of charges, as lines of a month. */
export const chargedShares = (charges: readonly SharedCharge[], month: Month): ClosedShare[] =>
  charges.flatMap(({ person, source, amount, share }) =>
    person === null || share === null
      ? []
      : [{ ...person, isPremium: source === 'premium', period: month, amount, share, isBefore: false, isGone: false }],
  )

/** The deductions of one month's charges, whatever month of cover they are for; employees of whom a part is not known have none. */
export const deductionsOf = (charges: readonly SharedCharge[], month: Month): DueLines =>
  dueLines(
    { benefits: [], shares: chargedShares(charges, month), accepted: [], pricings: new Map() },
    { from: month, through: '' },
  )

/** What exports have of an employee, by kind, type of products and month. */
export interface ExportedLine extends Pick<DueLine, 'memberId' | 'kind' | 'productType' | 'originMonth'> {
  readonly amount: number
}

/** What is due, and what of it is left. */
export interface OpenLine extends DueLine {
  /** null: no export has a line of it. */
  readonly exported: number | null
  readonly open: number
}

/** What is left of each line; what was exported and is not due any more is given back. */
export function openLines(due: readonly DueLine[], exported: readonly ExportedLine[]): OpenLine[] {
  const keyOf = ({ memberId, kind, productType, originMonth }: Omit<ExportedLine, 'amount'>) =>
    `${memberId} ${kind} ${productType} ${originMonth}`
  const sums = new Map<string, ExportedLine>()
  for (const line of exported) {
    const key = keyOf(line)
    sums.set(key, { ...line, amount: (sums.get(key)?.amount ?? 0) + line.amount })
  }
  const lines = due.map((line): OpenLine => {
    const former = sums.get(keyOf(line))?.amount ?? null
    sums.delete(keyOf(line))
    return { ...line, exported: former, open: line.due - (former ?? 0) }
  })
  const notDue = [...sums.values()].map(({ amount, ...line }): OpenLine => {
    return { ...line, due: 0, held: 0, isCharged: false, people: [], exported: amount, open: -amount }
  })
  return [...lines, ...notDue]
}
