import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ChargedBenefit, ComparisonRules, CoverMovement, InvoiceLine } from '#exchange/rules/charged-benefit.ts'
import { compareBenefit } from '#exchange/rules/invoice-comparison.ts'
import { type OwingBenefit, owedFor, reportedOf, type ReportedDifference } from '#money/rules/ledger.ts'
import { adjustPrices } from '#money/rules/price-table.ts'
import { addMonths, type Month, monthsOf } from '#registry/rules/cut-off.ts'
import { bands } from '../../data/prices.ts'

/*
 * Invoices of a carrier with a memory, month by month: it bills by what it was told before the month, corrects earlier months when it hears of a
 * change, makes errors, forgets, and credits what is claimed sooner or later. At the end every cent that was owed is charged or reported as not charged,
 * and every cent that was charged too much is credited.
 */

const first: Month = '2026-01'
const months = monthsOf(first, '2026-12')
/** Without errors and movements: what is open is credited. */
const quiet = monthsOf('2027-01', '2027-03')

/** A number from 0 up to 1 for each call: the same for the same seed. */
function generator(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

interface Options {
  /** How often an amount is wrong, and whether it may be too low. */
  readonly errors: number
  readonly mayChargeLess: boolean
  /** How often a charge, or a credit, of an earlier month is forgotten. */
  readonly forgetsCharges: number
  readonly forgetsCredits: number
}

interface Claim {
  readonly period: Month
  readonly amount: number
}

/** Plays the year of one person. */
function play(seed: number, options: Options) {
  const random = generator(seed)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const day = (month: Month) => `${month}-${String(1 + Math.floor(random() * 28)).padStart(2, '0')}`
  const rules: ComparisonRules['rules'] = {
    ageOn: pick(['month-after-birthday', 'birthday-month', 'first-day-of-reference-month'] as const),
    proration: pick(['none', 'daily-30', 'daily-calendar'] as const),
    prorationDay: null,
    anniversaryMonth: null,
  }
  const table = { kind: 'age-band-10', carrierPlanCode: null } as const
  const tables = [
    { ...table, id: 'one', prices: bands, validFrom: '2025-01-01' },
    { ...table, id: 'two', prices: adjustPrices(bands, 980), validFrom: `${pick(months)}-01` },
  ]
  const startMonth = pick(months.slice(0, 6))
  const endMonth = random() < 0.7 ? pick(months.slice(months.indexOf(startMonth))) : null
  const late = (month: Month) => {
    const known = addMonths(month, Math.floor(random() * 4))
    return known > '2026-12' ? '2026-12' : known
  }
  const start = { date: day(startMonth), knownIn: late(startMonth) }
  const endDay = endMonth === null ? null : day(endMonth)
  const knownEnd = endMonth === null ? '2026-12' : late(endMonth)
  const end =
    endDay === null || endDay < start.date
      ? null
      : { date: endDay, knownIn: knownEnd < start.knownIn ? start.knownIn : knownEnd }
  const person = {
    benefitId: 'benefit',
    type: 'primary',
    // A birthday in the year moves the band.
    dateOfBirth: `19${pick(['87', '92', '67'])}-${pick(months).slice(5)}-15`,
    productId: 'health',
    planCode: 'AE1230',
    costCenter: null,
    jobTitle: null,
  } as const
  /** As it is known at the end of a month; null: not yet. */
  const knownAt = (month: Month): OwingBenefit | null =>
    start.knownIn > month
      ? null
      : {
          ...person,
          startDate: start.date,
          endDate: end !== null && end.knownIn <= month ? end.date : null,
          isPending: false,
        }
  const owed = (benefit: OwingBenefit | null, period: Month) =>
    benefit === null ? 0 : (owedFor(benefit, period, { rules, tables })?.amount ?? 0)

  const charges: ChargedBenefit['charges'][number][] = []
  const reported: (ReportedDifference & { isClaimed: boolean; isReported: boolean })[] = []
  let claims: Claim[] = []
  const compared: Month[] = []
  for (const month of [...months, ...quiet]) {
    const isQuiet = month > '2026-12'
    const lines: InvoiceLine[] = []
    const add = (amount: number, entryType: InvoiceLine['entryType'], more: Partial<InvoiceLine> = {}) => {
      if (amount !== 0) lines.push({ lineNumber: lines.length + 1, amount, entryType, entryPeriod: null, ...more })
    }
    const view = knownAt(addMonths(month, -1))
    const former = knownAt(addMonths(month, -2))
    // An error beside a movement that the carrier has not heard of is one difference, which nothing takes apart.
    const mayErr = !isQuiet && view !== null && owed(view, month) === owed(knownAt(month), month)
    const error = mayErr && random() < options.errors ? Math.ceil(random() * 20_000) : 0
    add(owed(view, month) + (options.mayChargeLess && random() < 0.5 ? -error : error), 'monthly')
    for (const period of compared) {
      const change = owed(view, period) - owed(former, period)
      const forgets = random() < (change > 0 ? options.forgetsCharges : options.forgetsCredits)
      if (!forgets)
        add(change, change > 0 ? 'inclusion-retroactive' : 'cancellation-retroactive', { entryPeriod: period })
    }
    const credited = claims.filter(() => isQuiet || random() < 0.5)
    claims = claims.filter((claim) => !credited.includes(claim))
    for (const { period, amount } of credited) {
      const entryPeriod = random() < 0.5 ? period : null
      add(-amount, 'adjustment-credit', { entryPeriod, claimedMonth: period })
    }
    const known = knownAt(month)
    if (known !== null) {
      const movements: CoverMovement[] = [
        ...(start.knownIn === month
          ? [{ kind: 'inclusion', isOpen: false, date: start.date, newPlanCode: null } as const]
          : []),
        ...(end?.knownIn === month
          ? [{ kind: 'exclusion', isOpen: false, date: end.date, newPlanCode: null } as const]
          : []),
      ]
      const benefit: ChargedBenefit = {
        ...known,
        createdOn: `${start.knownIn}-10`,
        charges: [...charges],
        lines,
        supplementary: 0,
        movements,
        reported: reported.filter((row) => row.isReported && !row.isClaimed),
        claimed: claims.map(({ period, amount }) => ({ period, amount, sent: amount })),
      }
      const comparison = {
        month,
        rules,
        tables,
        knownMonths: new Set(compared),
        comparedMonths: compared,
        tolerance: 0,
      }
      const { expected, discrepancies } = compareBenefit(benefit, comparison)
      const found = lines.reduce((sum, { amount }) => sum + amount, 0)
      expect(discrepancies.reduce((sum, { amount }) => sum + (amount ?? 0), 0)).toBe(found - expected)
      for (const { coverMonth, amount, explanation } of discrepancies) {
        if (coverMonth === null || amount === null) continue
        const isReported = explanation !== 'within-cut-off'
        const isClaimed = isReported && amount > 0
        reported.push({ period: coverMonth, invoice: `${month} main`, amount, isClaimed, isReported })
        if (isClaimed) claims.push({ period: coverMonth, amount })
      }
    }
    for (const { amount, entryPeriod, claimedMonth } of lines) {
      const stated = entryPeriod ?? month
      const isDirect = (claimedMonth ?? stated) === stated
      charges.push({ invoice: `${month} main`, period: claimedMonth ?? stated, amount, isDirect })
    }
    compared.push(month)
  }
  const final = knownAt('2027-03')
  return compared.map((period) => {
    const ofPeriod = charges.filter((charge) => charge.period === period)
    const charged = ofPeriod.reduce((sum, { amount }) => sum + amount, 0)
    const direct = ofPeriod.filter(({ isDirect }) => isDirect).map(({ invoice }) => invoice)
    const rows = reported.filter((row) => row.period === period && row.isReported && !row.isClaimed)
    return {
      period,
      over: charged - owed(final, period),
      reported: reportedOf(rows, direct.toSorted().at(-1) ?? ''),
      isClaimed: claims.some((claim) => claim.period === period),
    }
  })
}

const seeds = fc.integer({ min: 1, max: 2_000_000_000 })

test('whatever the carrier charges too much or forgets to credit is credited in the end, and nothing twice', () => {
  const options = { errors: 0.2, mayChargeLess: false, forgetsCharges: 0, forgetsCredits: 0.4 }
  fc.assert(
    fc.property(seeds, (seed) => {
      for (const { over, isClaimed, period } of play(seed, options))
        expect([period, over, isClaimed]).toEqual([period, 0, false])
    }),
    { seed: 5301, numRuns: 2000 },
  )
})

test('whatever the carrier charges too little is reported, to the cent, and nothing is left charged too much', () => {
  const options = { errors: 0.3, mayChargeLess: true, forgetsCharges: 0.4, forgetsCredits: 0.4 }
  fc.assert(
    fc.property(seeds, (seed) => {
      for (const { over, reported, isClaimed, period } of play(seed, options)) {
        expect([period, over, isClaimed]).toEqual([period, Math.min(over, 0), false])
        if (over < 0) expect([period, Math.min(reported, over)]).toEqual([period, reported])
      }
    }),
    { seed: 5302, numRuns: 2000 },
  )
})
