/* Rows of a carrier's file that are sums of other rows: they check the lines and are no charge. Pure. */
import { foldText } from '#kernel/name.ts'

/** Words with which carriers, accountants and spreadsheets begin a row of sums. `soma` alone may begin a name. */
const label =
  /^(?:(?:valor |vlr |grand |sub ?-?)?tota(?:l|is)\b|totaliza(?:dor|cao)\b|somatori[oa]s?\b|(?:soma|sum)(?: (?:total|geral|parcial|dos|das|do|da|de)\b.*|[ :=.]*)$)/
const subtotal = /^(?:sub ?-?total|total parcial|soma parcial)/

/** Labels that are nothing else: a row that also names a person, as of a family's total, may be a sum only with one of these. */
const strict =
  /^(?:valor |vlr |grand |sub ?-?)?tota(?:l|is)(?: (?:geral|parcial|mensal|a pagar|(?:d[aeo]s? |por )?(?:familia|grupo|titular|titulares|dependentes|filial|subfatura|fatura|contrato|empresa|plano|competencia|mes)))?[ :=.]*$/

const maxLabelCharacters = 80
const wordsOf = (cell: string): string => foldText(cell).replace(/^[^a-z]+/, '')

/** Whether a cell says that its row is a sum. */
export function isTotalLabel(cell: string): boolean {
  return cell.length <= maxLabelCharacters && label.test(wordsOf(cell))
}

/** The cell of a row that says that it is a sum; null: there is none. */
export function totalLabelOf(cells: readonly string[]): string | null {
  const labels = cells.filter(isTotalLabel)
  return labels.find(isOnlyLabel) ?? labels[0] ?? null
}

export const isOnlyLabel = (cell: string): boolean => strict.test(wordsOf(cell))

/** Whether it says that the sum is of a part of the rows. */
export const isSubtotalLabel = (cell: string): boolean => subtotal.test(wordsOf(cell))

/** A row that may be a sum. */
interface Candidate {
  /** That its cell has a label of sums: `part` of a part of the rows. null: none. */
  readonly label: 'whole' | 'part' | null
  /** Whether it also names a person. */
  readonly hasIdentity: boolean
}

/** A row of the file in its order. */
export interface SummedRow {
  /** In cents; null: it has none that can be read. */
  readonly amount: number | null
  /** null: it is a charge. */
  readonly candidate: Candidate | null
}

/** A row that is a sum. */
interface Total {
  /** In cents; null: it says none. */
  readonly stated: number | null
  /** The sum of the rows that it is of. */
  readonly summed: number
  /** Whether it is of all rows. */
  readonly isWhole: boolean
}

/**
 * Which rows are sums, and of what. A row with a label is one; a row that also names a person, or has an amount and nothing else, is one when the
 * amount is the sum of rows above it, or of all others.
 */
export function findTotals(rows: readonly SummedRow[]): ReadonlyMap<number, Total> {
  const totals = new Map<number, Total>()
  const open: { readonly row: number; readonly stated: number; readonly near: Total }[] = []
  const plain = rows.reduce((sum, { amount, candidate }) => sum + (isLabelled(candidate) ? 0 : (amount ?? 0)), 0)
  let sum = 0
  let charges = 0
  /** The sums before each row, and before the first row after each total. */
  const before = new Set([0])
  const starts = new Set([0])
  let last = 0
  for (const [row, { amount, candidate }] of rows.entries()) {
    const isSum = amount !== null && amount !== 0 && charges > 0
    const isRest = amount !== null && amount !== 0 && rows.length > 1 && amount === plain - amount
    const total = candidate !== null && isTotal(candidate)
    if (!total) {
      sum += amount ?? 0
      charges += 1
      before.add(sum)
      continue
    }
    if (amount === null) totals.set(row, { stated: null, summed: sum, isWhole: false })
    else if (isRest && candidate?.label === null) totals.set(row, { stated: amount, summed: amount, isWhole: true })
    else if (before.has(sum - amount)) totals.set(row, { stated: amount, summed: amount, isWhole: amount === sum })
    else {
      const part = sum - last
      const isOfPart = candidate?.label === 'part' || Math.abs(amount - part) < Math.abs(amount - sum)
      const near = { stated: amount, summed: isOfPart ? part : sum, isWhole: !isOfPart }
      open.push({ row, stated: amount, near })
      totals.set(row, near)
    }
    starts.add(sum)
    last = sum

    function isTotal({ label: words, hasIdentity }: Candidate): boolean {
      if (words !== null && !hasIdentity) return true
      if (words !== null) return isSum && before.has(sum - (amount ?? 0)) && amount !== 0
      return isRest || (isSum && starts.has(sum - (amount ?? 0)))
    }
  }
  // One that stands before the rows that it sums up.
  for (const { row, stated, near } of open) {
    if (stated === sum) totals.set(row, { ...near, summed: sum, isWhole: true })
  }
  return totals
}

const isLabelled = (candidate: Candidate | null): boolean => candidate !== null && candidate.label !== null
