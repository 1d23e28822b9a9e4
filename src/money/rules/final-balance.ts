/* What of the deductions of an employee who leaves goes to the payroll, and what is billed. Pure; amounts are cents. */
import type { Destination } from '#kernel/broker-enums.ts'
import { allocate } from './allocation.ts'
import type { PersonPart } from './deduction.ts'
import { less, type OpenLine } from './payroll.ts'

/** A part of a line for one destination. */
export interface FinalLine extends OpenLine {
  readonly destination: Destination
  readonly amount: number
}

/** All that is left of a line, for one destination. */
export const wholeLine = (line: OpenLine, destination: Destination): FinalLine => ({
  ...line,
  destination,
  amount: line.open,
})

/**
 * Splits what is left of an employee: what is given back first, then the oldest months, so that the payroll deducts at most the limit in all. What is
 * given back as a whole goes to the payroll.
 * @param limit null: there is none.
 */
export function finalLines(lines: readonly OpenLine[], limit: number | null): FinalLine[] {
  const open = lines.filter((line) => line.open !== 0)
  const credits = open.filter((line) => line.open < 0)
  const debits = open.filter((line) => line.open > 0).toSorted((a, b) => Number(a.originMonth > b.originMonth) * 2 - 1)
  let deducted = credits.reduce((sum, line) => sum + line.open, 0)
  const split: FinalLine[] = credits.map((line) => wholeLine(line, 'payroll'))
  for (const line of debits) {
    const amount = limit === null ? line.open : Math.min(line.open, Math.max(0, limit - deducted))
    deducted += amount
    const fits = partsOf(line, amount)
    if (amount > 0) split.push({ ...line, destination: 'payroll', amount, openPeople: fits })
    if (amount < line.open) {
      split.push({
        ...line,
        destination: 'bill',
        amount: line.open - amount,
        openPeople: less(line.openPeople, fits),
      })
    }
  }
  return split
}

/** A part of what is left of a line, by person. */
function partsOf({ openPeople }: OpenLine, part: number): PersonPart[] {
  const amounts = allocate(
    part,
    openPeople.map(({ amount }) => amount),
  )
  return openPeople.map((person, index) => ({ ...person, amount: amounts[index] ?? 0 }))
}

/** The most that is deducted at the end: a month's remuneration, less what else is compensated. */
export const finalLimit = (remuneration: number, otherCompensation: number): number =>
  Math.max(0, remuneration - otherCompensation)
