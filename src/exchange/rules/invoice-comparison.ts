/*
 * What an invoice charges for a person, compared with what is expected, month by month. The lines of a person and month count together, so that a
 * charge and its credit are one amount. What the difference is called does not depend on the order of the lines.
 */
import { daysBetween } from '#kernel/calendar.ts'
import type { ChargedBenefit, ComparisonRules, InvoiceLine } from './charged-benefit.ts'
import { addMonths, type Month } from '#registry/rules/cut-off.ts'
import {
  type DatedTable,
  firstDay,
  lastDay,
  type Premium,
  premiumOf,
  type PriceRules,
  tableOf,
} from '#money/rules/premium.ts'
import { AGE_ON, type AgeOn } from '#kernel/broker-enums.ts'
import { explanationByMovement } from './movement-explanation.ts'
import type { EntryType, Explanation, InvoiceClass, LineKind } from '#kernel/reconciliation.ts'

/** What earlier invoices of the contract charged. */
export interface ChargeHistory {
  /** The months whose invoices are known. */
  readonly months: ReadonlySet<Month>
  readonly chargedFor: (benefitId: string, month: Month) => number
}

export interface InvoiceDiscrepancy {
  readonly class: InvoiceClass
  readonly benefitId: string | null
  readonly lineNumber: number | null
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

/** Entries that are no premium: they are taken as they are. */
const notPremiums: readonly EntryType[] = ['claims-recovery', 'coparticipation', 'fee', 'tax', 'discount', 'other']

/** Whether an entry is a premium, or a correction of one. */
const isPremium = (type: EntryType): boolean => !notPremiums.includes(type)

/** The month of an entry: a retroactive one without a month is of the month before. */
function periodOf({ entryPeriod, entryType }: InvoiceLine, month: Month): Month {
  return entryPeriod ?? (entryType.endsWith('-retroactive') ? addMonths(month, -1) : month)
}

/** Whether a line credits a claim and does not say of which month: it is no charge of the month that it seems to be of. */
const creditsAnotherMonth = (line: InvoiceLine, month: Month): boolean =>
  (line.claimedMonth ?? null) !== null && line.claimedMonth !== periodOf(line, month)

const sumOf = (lines: readonly InvoiceLine[]): number => lines.reduce((sum, line) => sum + line.amount, 0)

/** Compares the lines of a benefit with what is expected of it. */
export function compareBenefit(
  benefit: ChargedBenefit,
  comparison: ComparisonRules,
  history: ChargeHistory,
): BenefitComparison {
  const { month } = comparison
  const isTaken = (line: InvoiceLine) => !isPremium(line.entryType) || creditsAnotherMonth(line, month)
  const others = benefit.lines.filter(isTaken)
  const premiums = benefit.lines.filter((line) => !isTaken(line))
  const byPeriod = Map.groupBy(
    premiums.toSorted((a, b) => a.lineNumber - b.lineNumber),
    (line) => periodOf(line, month),
  )
  const ofMonth = compareMonth(benefit, byPeriod.get(month) ?? [], comparison)
  const earlier = [...byPeriod]
    .filter(([period]) => period !== month)
    .map(([period, lines]) => compareEarlier(benefit, period, lines, comparison, history))
  return {
    expected: sumOf(others) + ofMonth.expected + earlier.reduce((sum, month) => sum + month.expected, 0),
    discrepancies: [...ofMonth.discrepancies, ...earlier.flatMap((month) => month.discrepancies)],
    charge: ofMonth.charge,
  }
}

/** What is owed for a month, and the premium of a whole month; null where no price table is valid. */
function owedFor(benefit: ChargedBenefit, month: Month, { tables, rules }: ComparisonRules) {
  const table = tableOf(tables, benefit.planCode, month)
  const premium = table === null ? null : premiumOf(benefit, month, table, rules)
  if (table === null || premium === null) return null
  const isCovered = !benefit.isPending && premium.coveredDays > 0
  return { table, premium, isCovered, amount: isCovered ? premium.amount : 0 }
}

function compareMonth(
  benefit: ChargedBenefit,
  lines: readonly InvoiceLine[],
  comparison: ComparisonRules,
): BenefitComparison {
  const { month } = comparison
  const owed = owedFor(benefit, month, comparison)
  if (owed === null) return { ...withoutPrice(benefit, lines), charge: null }
  const expected = owed.amount
  const repeated = sumOf(lines) > expected ? repeatedCharges(lines) : []
  const rest = lines.filter((line) => !repeated.includes(line))
  const found = sumOf(rest)
  const duplicates = repeated.map((line) =>
    discrepancyOf('duplicate-charge', benefit, line.lineNumber, { expected: 0, found: line.amount }),
  )
  const charge = rest.length === 0 || expected === 0 ? null : { tableId: owed.table.id, expected, found }
  if (found === expected) return { expected, discrepancies: duplicates, charge }
  const lineNumber = rest[0]?.lineNumber ?? null
  const differing =
    lineNumber === null
      ? discrepancyOf('not-charged', benefit, null, { expected, found: null })
      : !owed.isCovered && found > 0
        ? notCovered(benefit, month, lineNumber, found)
        : {
            ...discrepancyOf('amount-differs', benefit, lineNumber, { expected, found }),
            explanation: explanationOf(benefit, { found, expected, ...owed }, comparison),
          }
  const explanation = differing.explanation ?? explanationByMovement(benefit, month, found, expected, comparison)
  return { expected, discrepancies: [...duplicates, { ...differing, explanation }], charge }
}

/** Lines of a plan that has no price: what they should charge is not known. */
function withoutPrice(benefit: ChargedBenefit, lines: readonly InvoiceLine[]): Omit<BenefitComparison, 'charge'> {
  const [first] = lines
  if (first === undefined) return { expected: 0, discrepancies: [] }
  const missing = discrepancyOf('price-missing', benefit, first.lineNumber, { expected: 0, found: sumOf(lines) })
  return { expected: 0, discrepancies: [{ ...missing, expected: null }] }
}

/** Lines that charge an amount of the month again. */
function repeatedCharges(lines: readonly InvoiceLine[]): readonly InvoiceLine[] {
  const charges = lines.filter((line) => line.amount > 0)
  return charges.filter((line, index) => charges.findIndex((other) => other.amount === line.amount) < index)
}

/** A charge or a credit of an earlier month: what is owed of it, less what was charged then. */
function compareEarlier(
  benefit: ChargedBenefit,
  period: Month,
  lines: readonly InvoiceLine[],
  comparison: ComparisonRules,
  history: ChargeHistory,
): Omit<BenefitComparison, 'charge'> {
  const found = sumOf(lines)
  const owed = owedFor(benefit, period, comparison)
  if (owed === null) return withoutPrice(benefit, lines)
  const charged = history.months.has(period)
    ? history.chargedFor(benefit.benefitId, period)
    : presumedCharge(benefit, period, found, owed)
  const expected = owed.amount - charged
  if (found === expected) return { expected, discrepancies: [] }
  const lineNumber = lines[0]?.lineNumber ?? null
  const isTolerated = Math.abs(found - expected) <= comparison.tolerance
  const differing =
    found > 0 && !owed.isCovered
      ? notCovered(benefit, period, lineNumber, found, expected)
      : found > 0 && expected === 0
        ? discrepancyOf('retroactive-without-movement', benefit, lineNumber, { expected, found })
        : discrepancyOf('amount-differs', benefit, lineNumber, { expected, found })
  const explanation = isTolerated
    ? 'tolerated'
    : explanationByMovement(benefit, period, found + charged, owed.amount, comparison)
  return { expected, discrepancies: [{ ...differing, explanation }] }
}

/** What was charged in a month whose invoice is not known: a credit is of a whole charge, and who was entered later was not charged yet. */
function presumedCharge(
  benefit: ChargedBenefit,
  period: Month,
  found: number,
  { premium, amount }: { readonly premium: Premium; readonly amount: number },
): number {
  if (found < 0) return premium.price
  return benefit.createdOn >= firstDay(period) ? 0 : amount
}

function notCovered(
  benefit: ChargedBenefit,
  period: Month,
  lineNumber: number | null,
  found: number,
  expected = 0,
): InvoiceDiscrepancy {
  const { startDate, endDate } = benefit
  if (endDate === null || startDate > lastDay(period)) {
    const days = startDate > lastDay(period) ? daysBetween(firstDay(period), startDate) : null
    return { ...discrepancyOf('charged-before-start', benefit, lineNumber, { expected, found }), days }
  }
  const days = daysBetween(endDate, lastDay(period))
  return { ...discrepancyOf('charged-after-end', benefit, lineNumber, { expected, found }), days }
}

function discrepancyOf(
  name: InvoiceClass,
  { benefitId }: ChargedBenefit,
  lineNumber: number | null,
  { expected, found }: { readonly expected: number; readonly found: number | null },
): InvoiceDiscrepancy {
  const amount = (found ?? 0) - expected
  return { class: name, benefitId, lineNumber, expected, found, amount, days: null, explanation: null }
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
    expected: 0,
    found: line.amount,
    amount: line.amount,
    days: null,
    explanation: null,
  }
}
