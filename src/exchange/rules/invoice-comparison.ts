/*
 * What an invoice charges for a person, compared with what is expected, month by month. The lines of a person and month count together, so that a
 * charge and its credit are one amount. What the difference is called does not depend on the order of the lines.
 */
import { daysBetween } from '#kernel/calendar.ts'
import type { ChargedBenefit, ClaimedAmount, ComparisonRules, FormerCharge, InvoiceLine } from './charged-benefit.ts'
import type { Month } from '#registry/rules/cut-off.ts'
import { owedFor, periodOf, presumedCharge, reportedOf, unreported } from '#money/rules/ledger.ts'
import { type DatedTable, firstDay, lastDay, type Premium, premiumOf, type PriceRules } from '#money/rules/premium.ts'
import { AGE_ON, type AgeOn } from '#kernel/broker-enums.ts'
import { explanationByMovement } from './movement-explanation.ts'
import { type Explanation, type InvoiceClass, isPremiumEntry, type LineKind } from '#kernel/reconciliation.ts'

export interface InvoiceDiscrepancy {
  readonly class: InvoiceClass
  readonly benefitId: string | null
  readonly lineNumber: number | null
  /** null: it is of no month of cover. */
  readonly coverMonth: Month | null
  /** In cents. */
  readonly expected: number | null
  readonly found: number | null
  /** What is charged too much; negative: too little; null: it is not known. */
  readonly amount: number | null
  readonly days: number | null
  readonly explanation: Explanation | null
}

/** The charge of the month of a plan, by which a yearly adjustment is recognized. */
interface ComparedCharge {
  readonly tableId: string
  readonly expected: number
  readonly found: number
}

interface BenefitComparison {
  /** The sum of what is expected of the benefit in this invoice, in cents. */
  readonly expected: number
  readonly discrepancies: readonly InvoiceDiscrepancy[]
  readonly charge: ComparedCharge | null
}

/** Whether a line credits a claim of another month than the one that it seems to be of. */
const creditsAnotherMonth = ({ claimedMonth, ...line }: InvoiceLine, month: Month): boolean =>
  (claimedMonth ?? null) !== null && claimedMonth !== periodOf(line, month)

const sumOf = (amounts: readonly { readonly amount: number }[]): number =>
  amounts.reduce((sum, { amount }) => sum + amount, 0)

/** Compares the lines of a benefit, and what earlier months still owe, with what is expected of it. */
export function compareBenefit(benefit: ChargedBenefit, comparison: ComparisonRules): BenefitComparison {
  const { month } = comparison
  const isTaken = (line: InvoiceLine) => !isPremiumEntry(line.entryType) || creditsAnotherMonth(line, month)
  const others = benefit.lines.filter(isTaken)
  const byPeriod = Map.groupBy(
    benefit.lines.filter((line) => !isTaken(line)).toSorted((a, b) => a.lineNumber - b.lineNumber),
    (line) => periodOf(line, month),
  )
  const charged = Map.groupBy(benefit.charges, ({ period }) => period)
  const ofMonth = compareMonth(benefit, byPeriod.get(month) ?? [], sumOf(charged.get(month) ?? []), comparison)
  const credits = others.filter((line) => isPremiumEntry(line.entryType))
  const earlier = [...byPeriod]
    .filter(([period]) => period !== month)
    .map(([period, lines]) =>
      compareEarlier(benefit, lines, { period, charges: charged.get(period) ?? [], credits }, comparison),
    )
  const periods = new Set([...comparison.comparedMonths, ...benefit.claimed.map(({ period }) => period)])
  const uncharged = [...periods]
    .filter((period) => !byPeriod.has(period) && period !== month)
    .map((period) => compareUncharged(benefit, { period, charges: charged.get(period) ?? [], credits }, comparison))
  const again = [...earlier, ...uncharged].reduce((sum, { claimed }) => sum + claimed, 0)
  const all = [ofMonth, ...earlier, ...uncharged]
  return {
    expected: sumOf(others) + all.reduce((sum, { expected }) => sum + expected, 0) - again,
    discrepancies: [
      ...all.flatMap(({ discrepancies }) => discrepancies),
      ...(again === 0 ? [] : [missingCredit(benefit, null, again)]),
    ],
    charge: ofMonth.charge,
  }
}

function compareMonth(
  benefit: ChargedBenefit,
  lines: readonly InvoiceLine[],
  charged: number,
  comparison: ComparisonRules,
): BenefitComparison {
  const { month } = comparison
  const owed = owedFor(benefit, month, comparison)
  if (owed === null) return { ...withoutPrice(benefit, month, lines), charge: null }
  const missing = owed.amount - charged - sumOf(lines)
  // The supplementary invoice adds to the main one: what is missing here may be there.
  const expected = owed.amount - charged - Math.min(Math.max(missing, 0), Math.max(benefit.supplementary, 0))
  const repeated = sumOf(lines) > expected ? repeatedCharges(lines) : []
  const rest = lines.filter((line) => !repeated.includes(line))
  const found = sumOf(rest)
  const duplicates = repeated.map((line) =>
    discrepancyOf('duplicate-charge', benefit, month, line.lineNumber, { expected: 0, found: line.amount }),
  )
  const charge = rest.length === 0 || expected === 0 ? null : { tableId: owed.table.id, expected, found }
  if (found === expected) return { expected, discrepancies: duplicates, charge }
  const lineNumber = rest[0]?.lineNumber ?? null
  const differing =
    lineNumber === null
      ? discrepancyOf('not-charged', benefit, month, null, { expected, found: null })
      : !owed.isCovered && found > 0
        ? notCovered(benefit, month, lineNumber, found, expected)
        : expected === 0 && charged > 0
          ? discrepancyOf('duplicate-charge', benefit, month, lineNumber, { expected, found })
          : {
              ...discrepancyOf('amount-differs', benefit, month, lineNumber, { expected, found }),
              explanation: explanationOf(benefit, { ...owed, found, expected }, comparison),
            }
  const explanation =
    differing.explanation ?? explanationByMovement(benefit, month, found + charged, owed.amount, comparison)
  return { expected, discrepancies: [...duplicates, { ...differing, explanation }], charge }
}

/** Lines of a plan that has no price: what they should charge is not known. */
function withoutPrice(
  benefit: ChargedBenefit,
  period: Month,
  lines: readonly InvoiceLine[],
): Omit<BenefitComparison, 'charge'> {
  const [first] = lines
  if (first === undefined) return { expected: 0, discrepancies: [] }
  const missing = discrepancyOf('price-missing', benefit, period, first.lineNumber, {
    expected: 0,
    found: sumOf(lines),
  })
  return { expected: 0, discrepancies: [{ ...missing, expected: null }] }
}

/** Lines that charge an amount of the month again. */
function repeatedCharges(lines: readonly InvoiceLine[]): readonly InvoiceLine[] {
  const charges = lines.filter((line) => line.amount > 0)
  return charges.filter((line, index) => charges.findIndex((other) => other.amount === line.amount) < index)
}

/** The comparison of an earlier month of cover. */
interface EarlierComparison extends Omit<BenefitComparison, 'charge'> {
  /** What claims ask for and the carrier still owes: each invoice should credit it. */
  readonly claimed: number
}

const nothing: EarlierComparison = { expected: 0, discrepancies: [], claimed: 0 }

/** What is known of an earlier month of cover. */
interface EarlierMonth {
  readonly period: Month
  /** Those of the invoices before. */
  readonly charges: readonly FormerCharge[]
  /** The lines that credit claims of other months than the one that they are of. */
  readonly credits: readonly InvoiceLine[]
}

/** What the invoices before charged, less what the lines of this one credit of claims of the month. */
const chargedBefore = ({ period, charges, credits }: EarlierMonth): number =>
  sumOf(charges) + sumOf(credits.filter((line) => line.claimedMonth === period))

function claimedOf({ claimed }: ChargedBenefit, period: Month): Omit<ClaimedAmount, 'period'> {
  const ofPeriod = claimed.filter((claim) => claim.period === period)
  return { amount: sumOf(ofPeriod), sent: ofPeriod.reduce((sum, { sent }) => sum + sent, 0) }
}

/** A charge or a credit of an earlier month: what is owed of it, less what was charged before. What claims ask for is not reported again. */
function compareEarlier(
  benefit: ChargedBenefit,
  lines: readonly InvoiceLine[],
  earlier: EarlierMonth,
  comparison: ComparisonRules,
): EarlierComparison {
  const { period } = earlier
  const found = sumOf(lines)
  const owed = owedFor(benefit, period, comparison)
  if (owed === null) return { ...withoutPrice(benefit, period, lines), claimed: 0 }
  const before = chargedBefore(earlier)
  const isKnown = comparison.knownMonths.has(period)
  const charged = isKnown ? before : before + presumedCharge(benefit.createdOn, period, before + found, owed)
  const over = charged + found - owed.amount
  const pending = claimedOf(benefit, period)
  // What credits a claim in part is a difference of its line.
  const isWhole = over >= pending.amount
  const expected = found - (isWhole ? over - pending.amount : over)
  const rest = { expected, claimed: isWhole ? pending.sent : 0 }
  if (found === expected) return { ...rest, discrepancies: [] }
  const lineNumber = lines[0]?.lineNumber ?? null
  const isTolerated = Math.abs(found - expected) <= comparison.tolerance
  const differing =
    found > 0 && !owed.isCovered
      ? notCovered(benefit, period, lineNumber, found, expected)
      : found > 0 && expected === 0
        ? discrepancyOf('retroactive-without-movement', benefit, period, lineNumber, { expected, found })
        : discrepancyOf('amount-differs', benefit, period, lineNumber, { expected, found })
  const explanation = isTolerated
    ? 'tolerated'
    : explanationByMovement(benefit, period, found + charged, owed.amount, comparison)
  return { ...rest, discrepancies: [{ ...differing, explanation }] }
}

/**
 * What an earlier month still owes, or has to be credited, and no line is for: the invoice should have it, unless an earlier comparison reported
 * it already.
 */
function compareUncharged(
  benefit: ChargedBenefit,
  earlier: EarlierMonth,
  comparison: ComparisonRules,
): EarlierComparison {
  const { period } = earlier
  const owed = owedFor(benefit, period, comparison)
  if (owed === null) return nothing
  const before = chargedBefore(earlier)
  const isKnown = comparison.knownMonths.has(period)
  const charged = isKnown ? before : before + presumedCharge(benefit.createdOn, period, before, owed)
  const over = charged - owed.amount
  if (over === 0) return nothing
  const direct = earlier.charges.filter(({ isDirect }) => isDirect)
  const lastWithLines = direct.reduce((last, { invoice }) => (invoice > last ? invoice : last), '')
  const pending = claimedOf(benefit, period)
  const reported = reportedOf(
    benefit.reported.filter((difference) => difference.period === period),
    lastWithLines,
  )
  const difference = unreported(over, reported + pending.amount)
  const claimed = Math.max(0, Math.min(pending.sent, over - difference))
  if (difference === 0) return { ...nothing, claimed }
  const missing =
    difference > 0
      ? missingCredit(benefit, period, difference)
      : discrepancyOf('not-charged', benefit, period, null, { expected: -difference, found: null })
  const explanation =
    Math.abs(difference) <= comparison.tolerance
      ? 'tolerated'
      : explanationByMovement(benefit, period, owed.amount + difference, owed.amount, comparison)
  return { expected: -difference, discrepancies: [{ ...missing, explanation }], claimed }
}

const missingCredit = (benefit: ChargedBenefit, period: Month | null, amount: number): InvoiceDiscrepancy =>
  discrepancyOf('credit-expected-missing', benefit, period, null, { expected: -amount, found: null })

function notCovered(
  benefit: ChargedBenefit,
  period: Month,
  lineNumber: number | null,
  found: number,
  expected: number,
): InvoiceDiscrepancy {
  const { startDate, endDate } = benefit
  if (endDate === null || startDate > lastDay(period)) {
    const days = startDate > lastDay(period) ? daysBetween(firstDay(period), startDate) : null
    return { ...discrepancyOf('charged-before-start', benefit, period, lineNumber, { expected, found }), days }
  }
  const days = daysBetween(endDate, lastDay(period))
  return { ...discrepancyOf('charged-after-end', benefit, period, lineNumber, { expected, found }), days }
}

function discrepancyOf(
  name: InvoiceClass,
  { benefitId }: ChargedBenefit,
  coverMonth: Month | null,
  lineNumber: number | null,
  { expected, found }: { readonly expected: number; readonly found: number | null },
): InvoiceDiscrepancy {
  const amount = (found ?? 0) - expected
  return { class: name, benefitId, lineNumber, coverMonth, expected, found, amount, days: null, explanation: null }
}

/** Why an amount probably differs: the carrier changes the band, or counts days, in another way; or it is within the tolerance. */
function explanationOf(
  benefit: ChargedBenefit,
  owed: {
    readonly table: DatedTable
    readonly premium: Premium
    readonly found: number
    readonly expected: number
  },
  { month, rules, tolerance }: ComparisonRules,
): Explanation | null {
  const { table, premium, found, expected } = owed
  const isOfOtherBand = (ageOn: AgeOn) => {
    if (ageOn === 'contract-anniversary' && rules.anniversaryMonth === null) return false
    const other = premiumOf(benefit, month, table, { ...rules, ageOn })
    return other !== null && other.category !== premium.category && other.amount === found
  }
  if (AGE_ON.some(isOfOtherBand)) return 'new-age-band'
  if (isOfOtherRounding(premium, found, month, rules)) return 'pro-rata'
  return Math.abs(found - expected) <= tolerance ? 'tolerated' : null
}

/** Whether an amount is that of the contract's rule for a part of the month, with its days or its cents rounded in another way. */
function isOfOtherRounding(
  { price, coveredDays }: Premium,
  found: number,
  month: Month,
  { proration }: PriceRules,
): boolean {
  const daysOfMonth = Number(lastDay(month).slice(8))
  if (coveredDays === 0 || coveredDays >= daysOfMonth) return false
  if (proration !== 'daily-30' && proration !== 'daily-calendar') return false
  const days = proration === 'daily-30' ? 30 : daysOfMonth
  const part = (price * Math.min(coveredDays, days)) / days
  const byDay = [Math.floor(price / days), Math.round(price / days), Math.ceil(price / days)]
  return [Math.floor(part), Math.ceil(part), ...byDay.map((daily) => daily * coveredDays)].includes(found)
}

/** The price tables all of whose charges differ by one factor, to a cent: those of a yearly adjustment. */
export class Adjustments {
  readonly #tables = new Map<string, { charges: number; least: number; most: number }>()

  add({ tableId, expected, found }: ComparedCharge): void {
    const { charges, least, most } = this.#tables.get(tableId) ?? { charges: 0, least: 0, most: Infinity }
    this.#tables.set(tableId, {
      charges: charges + 1,
      least: Math.max(least, (found - 1) / expected),
      most: Math.min(most, (found + 1) / expected),
    })
  }

  /** Whether the charges of a table were adjusted. One charge alone says nothing. */
  has(tableId: string): boolean {
    const table = this.#tables.get(tableId)
    if (table === undefined || table.charges < 2 || table.least > table.most) return false
    return table.least > 1 || table.most < 1
  }
}

/** A line that is of no benefit, or of several. */
export interface UnmatchedLine extends InvoiceLine {
  readonly isAmbiguous: boolean
  readonly kind: LineKind
  /** Whether it is the credit of a claim. */
  readonly isClaimed: boolean
}

/** What is wrong with a line of a person who is not known; null: nothing, as of the credit of a claim. Entries without a person: `judgeEntries`. */
export function judgeUnmatched(line: UnmatchedLine): InvoiceDiscrepancy | null {
  if (line.isClaimed) return null
  return {
    class: line.isAmbiguous ? 'ambiguous' : 'charged-unknown',
    benefitId: null,
    lineNumber: line.lineNumber,
    coverMonth: null,
    expected: 0,
    found: line.amount,
    amount: line.amount,
    days: null,
    explanation: null,
  }
}
