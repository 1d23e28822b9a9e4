/* What payroll deducts from employees, by their part of the costs of a month. Amounts are in cents. */
import { type PayrollKind } from '#kernel/broker-enums.ts'
import type { MissingShare, SharedCharge } from './cost.ts'

export interface Deduction {
  readonly memberId: string
  readonly kind: PayrollKind
  readonly amount: number
}

interface Deductions {
  readonly deductions: readonly Deduction[]
  /** The employees of whom a part is not known, and why; they have no deductions. */
  readonly problems: ReadonlyMap<string, MissingShare>
}

/** The deductions of a month, by employee and kind, without those of zero. */
export function deductionsOf(charges: readonly SharedCharge[]): Deductions {
  const problems = new Map<string, MissingShare>()
  for (const { person, share } of charges) {
    if (person !== null && typeof share === 'string') problems.set(person.employeeMemberId, share)
  }
  const sums = new Map<string, Deduction>()
  for (const { person, share, source } of charges) {
    if (person === null || typeof share !== 'number' || problems.has(person.employeeMemberId)) continue
    const kind = source === 'premium' ? person.type : 'coparticipation'
    const key = `${person.employeeMemberId} ${kind}`
    const amount = (sums.get(key)?.amount ?? 0) + share
    sums.set(key, { memberId: person.employeeMemberId, kind, amount })
  }
  return { deductions: [...sums.values()].filter(({ amount }) => amount !== 0), problems }
}

/** What is left to export: the deductions less what earlier exports of the month have, without zeros. In the order of the employees' first lines. */
export function remainingDeductions(due: readonly Deduction[], exported: readonly Deduction[]): Deduction[] {
  const rest = new Map<string, Deduction>()
  const add = ({ memberId, kind, amount }: Deduction, sign: 1 | -1) => {
    const key = `${memberId} ${kind}`
    rest.set(key, { memberId, kind, amount: (rest.get(key)?.amount ?? 0) + sign * amount })
  }
  for (const line of due) add(line, 1)
  for (const line of exported) add(line, -1)
  return [...rest.values()].filter(({ amount }) => amount !== 0)
}
