/* What is left for payroll to deduct: what is due less what was exported. Amounts are in cents. */
import type { Month } from '#registry/rules/cut-off.ts'
import type { SharedCharge } from './cost.ts'
import {
  type ClosedShare,
  type DeductionMonths,
  type DueLine,
  type DueLines,
  dueLines,
  type PersonPart,
  sumByPerson,
} from './deduction.ts'

/** What employees pay of charges, as lines of a month. */
export const chargedShares = (charges: readonly SharedCharge[], month: Month): ClosedShare[] =>
  charges.flatMap(({ contractId, person, source, amount, share }) =>
    person === null || share === null
      ? []
      : [
          {
            ...person,
            contractId,
            isPremium: source === 'premium',
            period: month,
            amount,
            share,
            isBefore: false,
            isGone: false,
          },
        ],
  )

/** The deductions of one month's charges, whatever month of cover they are for; employees of whom a part is not known have none. */
export const deductionsOf = (charges: readonly SharedCharge[], month: Month): DueLines =>
  dueLines(
    { benefits: [], shares: chargedShares(charges, month), accepted: [], pricings: new Map() },
    { firstMonth: month, from: month, through: '' },
  )

/** What exports have of an employee, by kind, type of products and month. */
export interface ExportedLine extends Pick<DueLine, 'memberId' | 'kind' | 'productType' | 'originMonth' | 'people'> {
  readonly amount: number
}

/** What is due, and what of it is left. */
export interface OpenLine extends DueLine {
  /** null: no export has a line of it. */
  readonly exported: number | null
  readonly open: number
  /** What is left by person, where something is; it adds up to `open`. */
  readonly openPeople: readonly PersonPart[]
}

/** What is left of each line; what was exported and is not due any more is given back. */
export function openLines(due: readonly DueLine[], exported: readonly ExportedLine[]): OpenLine[] {
  const keyOf = ({ memberId, kind, productType, originMonth }: Omit<ExportedLine, 'amount' | 'people'>) =>
    `${memberId} ${kind} ${productType} ${originMonth}`
  const sums = new Map<string, ExportedLine>()
  for (const line of exported) {
    const key = keyOf(line)
    const former = sums.get(key)
    const { amount, people } = line
    if (former === undefined) sums.set(key, line)
    else sums.set(key, { ...line, amount: former.amount + amount, people: [...former.people, ...people] })
  }
  const lines = due.map((line): OpenLine => {
    const key = keyOf(line)
    const former = sums.get(key)
    sums.delete(key)
    const open = line.due - (former?.amount ?? 0)
    const openPeople = open === 0 ? [] : less(line.people, former?.people ?? [])
    return { ...line, exported: former?.amount ?? null, open, openPeople }
  })
  const notDue = [...sums.values()].map(({ amount, people, ...line }): OpenLine => {
    const settled = { due: 0, held: 0, isCharged: false, people: [] }
    return { ...line, ...settled, exported: amount, open: -amount, openPeople: less([], people) }
  })
  return [...lines, ...notDue]
}

/**
 * The lines that exports through a month can change: what is older than the ledger is settled, unless a month since then charges for it. Of months
 * that are open again nothing is left.
 */
export const changeableLines = (
  lines: readonly OpenLine[],
  { from, through }: Pick<DeductionMonths, 'from' | 'through'>,
  reopened: ReadonlySet<Month>,
): OpenLine[] =>
  lines
    .filter(({ originMonth, isCharged }) => originMonth <= through && (originMonth >= from || isCharged))
    .map((line) => (reopened.has(line.originMonth) ? { ...line, open: 0, openPeople: [] } : line))

/** Parts less others, by person. */
export const less = (parts: readonly PersonPart[], others: readonly PersonPart[]): PersonPart[] =>
  sumByPerson([...parts, ...others.map((part) => ({ ...part, amount: -part.amount }))]).filter(
    ({ amount }) => amount !== 0,
  )
