import type { ComparisonRules } from '../rules/charged-benefit.ts'
import { creditClaims, readUncreditedOfUnknown } from '#money/claims/credits.ts'
import { withoutNestedLoops } from '#platform/core/nested-loops.ts'
import type { Tx } from '#platform/core/write.ts'
import type { LocalDate } from '#kernel/calendar.ts'
import { type ContractFee } from '#registry/rules/contract-fee.ts'
import { type EntryLine, judgeEntries } from '../rules/entry-comparison.ts'
import { Adjustments, compareBenefit, type InvoiceDiscrepancy, judgeUnmatched } from '../rules/invoice-comparison.ts'
import { explanationByMovement } from '../rules/movement-explanation.ts'
import { missingOf, pricingOf, readContractPrices } from '#money/prices/pricing-queries.ts'
import {
  type InvoiceKey,
  nextChargedBenefits,
  openChargedBenefits,
  readArriving,
  readEarlierMonths,
  readTotals,
  readUnmatched,
  setTotals,
  storeDiscrepancies,
} from './invoice-queries.ts'
import { kept } from './roster.ts'

interface InvoiceComparison extends InvoiceKey {
  /** Movements that were completed later cannot be in the invoice; null: the contract has no calendar. */
  readonly cutOff: LocalDate | null
  readonly at: Date
}

/**
 * Compares the lines of an invoice with what is expected, stores what differs, and marks the claims that it credits. When the contract lacks a
 * setting meanwhile, nothing is computed.
 */
export async function compareInvoice(tx: Tx, comparison: InvoiceComparison): Promise<void> {
  const { contractId, month, at } = comparison
  const prices = await readContractPrices(tx, contractId)
  if (prices === null || missingOf(prices, month).length > 0) return
  const { rules, tables } = pricingOf(prices, month)
  const months = await readEarlierMonths(tx, comparison)
  const compareBy = { month, rules, tables, tolerance: prices.tolerance, ...months }
  const { compared, unmatched, missing } = await withoutNestedLoops(tx, async () => {
    const credits = await creditClaims(tx, comparison)
    return {
      compared: await compareBenefits(tx, comparison, compareBy),
      unmatched: await compareUnmatched(tx, comparison, { credits, fees: prices.fees, compareBy }),
      missing: missingCredits(await readUncreditedOfUnknown(tx, comparison)),
    }
  })
  const found = [...compared.discrepancies, ...unmatched.discrepancies, ...missing]
  const { declared, computed } = await readTotals(tx, comparison)
  const isStatedByLine = unmatched.totals.has(declared)
  if (declared !== null && declared !== computed && !isStatedByLine) found.push(totalDiffers(declared, computed, null))
  const expected =
    compared.expected + unmatched.expected + missing.reduce((sum, benefit) => sum + (benefit.expected ?? 0), 0)
  await storeDiscrepancies(tx, comparison, found, kept, at)
  await setTotals(tx, comparison, computed, expected)
}

interface Compared {
  readonly expected: number
  readonly discrepancies: readonly InvoiceDiscrepancy[]
}

async function compareBenefits(tx: Tx, key: InvoiceComparison, rules: ComparisonRules): Promise<Compared> {
  const adjustments = new Adjustments()
  const discrepancies: InvoiceDiscrepancy[] = []
  const tableOfDiscrepancy = new Map<InvoiceDiscrepancy, string>()
  let expected = 0
  await openChargedBenefits(tx, key, rules.comparedMonths, key.cutOff)
  for (;;) {
    const benefits = await nextChargedBenefits(tx)
    if (benefits.length === 0) break
    for (const benefit of benefits) {
      const comparison = compareBenefit(benefit, rules)
      expected += comparison.expected
      if (comparison.charge !== null) adjustments.add(comparison.charge)
      discrepancies.push(...comparison.discrepancies)
      const ofCharge = comparison.discrepancies.find(
        (found) => found.class === 'amount-differs' && found.explanation === null,
      )
      if (comparison.charge !== null && ofCharge !== undefined)
        tableOfDiscrepancy.set(ofCharge, comparison.charge.tableId)
    }
  }
  const adjusted = discrepancies.map((found): InvoiceDiscrepancy => {
    const table = tableOfDiscrepancy.get(found)
    return table !== undefined && adjustments.has(table) ? { ...found, explanation: 'annual-adjustment' } : found
  })
  return { expected, discrepancies: adjusted }
}

interface UnmatchedComparison {
  /** The lines that credit claims. */
  readonly credits: ReadonlySet<number>
  readonly fees: readonly ContractFee[]
  readonly compareBy: ComparisonRules
}

/** @returns also what the totals of the file say. */
async function compareUnmatched(
  tx: Tx,
  key: InvoiceKey,
  { credits, fees, compareBy }: UnmatchedComparison,
): Promise<Compared & { readonly totals: ReadonlySet<number | null> }> {
  const arriving = new Map((await readArriving(tx, key)).map((movement) => [movement.lineNumber, movement]))
  const discrepancies: InvoiceDiscrepancy[] = []
  const entries: EntryLine[] = []
  const totals = new Set<number | null>()
  let expected = 0
  for (const line of await readUnmatched(tx, key)) {
    const { lineNumber, statedTotal, summedTotal } = line
    const isClaimed = credits.has(lineNumber)
    if (line.isRefused) discrepancies.push(refused(lineNumber))
    else if (line.kind === 'entry' && !line.isAmbiguous) entries.push({ ...line, isClaimed })
    else if (line.kind === 'total') {
      totals.add(statedTotal)
      if (statedTotal !== null && summedTotal !== null && statedTotal !== summedTotal)
        discrepancies.push(totalDiffers(statedTotal, summedTotal, lineNumber))
    } else {
      const found = judgeUnmatched({ ...line, isClaimed })
      if (found === null) expected += line.amount
      else discrepancies.push(explainedByArrival(found, arriving.get(lineNumber), compareBy))
    }
  }
  const judged = judgeEntries(entries, fees)
  return { expected: expected + judged.expected, discrepancies: [...discrepancies, ...judged.discrepancies], totals }
}

/** Who comes to the contract by an open change may be charged for what that plan costs. */
function explainedByArrival(
  found: InvoiceDiscrepancy,
  arriving: Awaited<ReturnType<typeof readArriving>>[number] | undefined,
  compareBy: ComparisonRules,
): InvoiceDiscrepancy {
  if (arriving === undefined || found.class !== 'charged-unknown') return found
  const arrival = { kind: 'arrival', isOpen: true, date: arriving.startDate, newPlanCode: null } as const
  const benefit = {
    ...arriving,
    lines: [],
    supplementary: 0,
    movements: [arrival],
    charges: [],
    reported: [],
    claimed: [],
  }
  return { ...found, explanation: explanationByMovement(benefit, compareBy.month, found.found ?? 0, 0, compareBy) }
}

const nothing = {
  benefitId: null,
  lineNumber: null,
  coverMonth: null,
  expected: null,
  found: null,
  amount: null,
  days: null,
  explanation: null,
}

const refused = (lineNumber: number): InvoiceDiscrepancy => ({ ...nothing, class: 'line-refused', lineNumber })

const totalDiffers = (declared: number, computed: number, lineNumber: number | null): InvoiceDiscrepancy => ({
  ...nothing,
  class: 'total-differs',
  lineNumber,
  expected: computed,
  found: declared,
  amount: declared - computed,
})

const missingCredits = (amount: number): InvoiceDiscrepancy[] =>
  amount === 0 ? [] : [{ ...nothing, class: 'credit-expected-missing', expected: -amount, amount }]
