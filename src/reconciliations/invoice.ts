import { creditClaims, readUncredited } from '../claims/credits.ts'
import { withoutNestedLoops } from '../core/nested-loops.ts'
import type { Tx } from '../core/write.ts'
import type { LocalDate } from '../domain/calendar.ts'
import {
  Adjustments,
  type ChargeHistory,
  compareBenefit,
  type ComparisonRules,
  type InvoiceDiscrepancy,
  judgeUnmatched,
} from '../domain/invoice-comparison.ts'
import { missingOf, pricingOf, readContractPrices } from '../prices/pricing-queries.ts'
import {
  type InvoiceKey,
  nextChargedBenefits,
  openChargedBenefits,
  readCharged,
  readKnownMonths,
  readMovements,
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
  const { contractId, month, cutOff, at } = comparison
  const prices = await readContractPrices(tx, contractId)
  if (prices === null || missingOf(prices, month).length > 0) return
  const { rules, tables } = pricingOf(prices, month)
  const { compared, unmatched, missing } = await withoutNestedLoops(tx, async () => {
    const credits = await creditClaims(tx, comparison)
    return {
      compared: await compareBenefits(tx, comparison, { month, rules, tables, tolerance: prices.tolerance }),
      unmatched: await compareUnmatched(tx, comparison, credits),
      missing: (await readUncredited(tx, comparison)).map(missingCredit),
    }
  })
  const found = [...compared.discrepancies, ...unmatched.discrepancies, ...missing]
  const { declared, computed } = await readTotals(tx, comparison)
  if (declared !== null && declared !== computed) found.push(totalDiffers(declared, computed))
  const expected = compared.expected + unmatched.expected + missing.reduce((sum, one) => sum + (one.expected ?? 0), 0)
  await storeDiscrepancies(tx, comparison, await explained(tx, comparison, found, cutOff), kept, at)
  await setTotals(tx, comparison, computed, expected)
}

interface Compared {
  readonly expected: number
  readonly discrepancies: readonly InvoiceDiscrepancy[]
}

async function compareBenefits(tx: Tx, key: InvoiceKey, rules: ComparisonRules): Promise<Compared> {
  const history = await readHistory(tx, key)
  const adjustments = new Adjustments()
  const discrepancies: InvoiceDiscrepancy[] = []
  const tableOfDiscrepancy = new Map<InvoiceDiscrepancy, string>()
  let expected = 0
  await openChargedBenefits(tx, key)
  for (;;) {
    const benefits = await nextChargedBenefits(tx)
    if (benefits.length === 0) break
    for (const benefit of benefits) {
      const one = compareBenefit(benefit, rules, history)
      expected += one.expected
      if (one.charge !== null) adjustments.add(one.charge)
      discrepancies.push(...one.discrepancies)
      const ofCharge = one.discrepancies.find((found) => found.class === 'amount-differs' && found.explanation === null)
      if (one.charge !== null && ofCharge !== undefined) tableOfDiscrepancy.set(ofCharge, one.charge.tableId)
    }
  }
  const adjusted = discrepancies.map((found): InvoiceDiscrepancy => {
    const table = tableOfDiscrepancy.get(found)
    return table !== undefined && adjustments.has(table) ? { ...found, explanation: 'annual-adjustment' } : found
  })
  return { expected, discrepancies: adjusted }
}

async function readHistory(tx: Tx, key: InvoiceKey): Promise<ChargeHistory> {
  const months = await readKnownMonths(tx, key)
  const charged = await readCharged(tx, key)
  const amounts = new Map(charged.map((one) => [`${one.benefitId} ${one.month}`, one.amount]))
  return { months, chargedFor: (benefitId, month) => amounts.get(`${benefitId} ${month}`) ?? 0 }
}

/** @param credits the lines that credit claims. */
async function compareUnmatched(tx: Tx, key: InvoiceKey, credits: ReadonlySet<number>): Promise<Compared> {
  const discrepancies: InvoiceDiscrepancy[] = []
  let expected = 0
  for (const line of await readUnmatched(tx, key)) {
    const found = line.isRefused
      ? refused(line.lineNumber)
      : judgeUnmatched({ ...line, isClaimed: credits.has(line.lineNumber) })
    if (found === null) expected += line.amount
    else discrepancies.push(found)
  }
  return { expected, discrepancies }
}

const nothing = {
  benefitId: null,
  lineNumber: null,
  expected: null,
  found: null,
  amount: null,
  days: null,
  explanation: null,
}

const refused = (lineNumber: number): InvoiceDiscrepancy => ({ ...nothing, class: 'line-refused', lineNumber })

const totalDiffers = (declared: number, computed: number): InvoiceDiscrepancy => ({
  ...nothing,
  class: 'total-differs',
  expected: computed,
  found: declared,
  amount: declared - computed,
})

function missingCredit({
  benefitId,
  amount,
}: {
  readonly benefitId: string | null
  readonly amount: number
}): InvoiceDiscrepancy {
  return { ...nothing, class: 'credit-expected-missing', benefitId, expected: -amount, amount }
}

/** The same, with what movements explain. */
async function explained(
  tx: Tx,
  key: InvoiceKey,
  found: readonly InvoiceDiscrepancy[],
  cutOff: LocalDate | null,
): Promise<InvoiceDiscrepancy[]> {
  const isOpen = (one: InvoiceDiscrepancy) => one.explanation === null && one.class !== 'credit-expected-missing'
  const ids = new Set(found.filter(isOpen).flatMap((one) => one.benefitId ?? []))
  const movements = await readMovements(tx, key, [...ids], cutOff)
  return found.map((one): InvoiceDiscrepancy => {
    if (!isOpen(one)) return one
    const { benefitId, lineNumber } = one
    if (benefitId === null) {
      const isOfMovement = one.class === 'charged-unknown' && lineNumber !== null && movements.openLines.has(lineNumber)
      return isOfMovement ? { ...one, explanation: 'open-movement' } : one
    }
    if (movements.open.has(benefitId)) return { ...one, explanation: 'open-movement' }
    return movements.late.has(benefitId) ? { ...one, explanation: 'within-cut-off' } : one
  })
}
