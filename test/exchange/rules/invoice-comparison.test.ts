import type { ChargedBenefit, FormerCharge, ComparisonRules, InvoiceLine } from '#exchange/rules/charged-benefit.ts'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Adjustments, compareBenefit as compareWith, judgeUnmatched } from '#exchange/rules/invoice-comparison.ts'
import type { PriceRules } from '#money/rules/premium.ts'
import type { AgeOn } from '#kernel/broker-enums.ts'
import { ENTRY_TYPES, type EntryType } from '#kernel/reconciliation.ts'
import { bands } from '../../data/prices.ts'

const month = '2026-11'
const rulesOf = (ageOn: AgeOn = 'month-after-birthday', tolerance = 0): ComparisonRules => ({
  month,
  rules: { ageOn, proration: 'none', prorationDay: null, anniversaryMonth: null },
  tables: [{ id: 'table', kind: 'age-band-10', prices: bands, carrierPlanCode: null, validFrom: '2026-01-01' }],
  tolerance,
  knownMonths: new Set(),
  comparedMonths: [],
})
/** The invoices before: the months that are known, and what they charge. */
interface History {
  readonly months: readonly string[]
  readonly charges: readonly FormerCharge[]
}
const chargedIn = (fileMonth: string, amount: number, period = fileMonth): FormerCharge => ({
  invoice: `${fileMonth} main`,
  period,
  amount,
  isDirect: true,
})
const nothingKnown: History = { months: [], charges: [] }
const known = (charged: number, period = '2026-10'): History => ({
  months: [period],
  charges: charged === 0 ? [] : [chargedIn(period, charged)],
})
const compareBenefit = (one: ChargedBenefit, rules: ComparisonRules, { months, charges }: History) =>
  compareWith({ ...one, charges: [...one.charges, ...charges] }, { ...rules, knownMonths: new Set(months) })

const line = (
  lineNumber: number,
  amount: number,
  entryType: EntryType = 'monthly',
  entryPeriod: string | null = null,
) => ({
  lineNumber,
  amount,
  entryType,
  entryPeriod,
})
const benefit = (more: Partial<ChargedBenefit> = {}): ChargedBenefit => ({
  benefitId: 'benefit',
  type: 'primary',
  dateOfBirth: '2015-05-05',
  startDate: '2020-01-01',
  endDate: null,
  productId: 'health',
  planCode: 'AE1230',
  costCenter: null,
  jobTitle: null,
  isPending: false,
  createdOn: '2026-11-20',
  charges: [],
  lines: [line(1, 41_235)],
  supplementary: 0,
  movements: [],
  reported: [],
  claimed: [],
  ...more,
})
const compare = (one: ChargedBenefit, rules = rulesOf(), history = nothingKnown) => {
  const { expected, discrepancies } = compareBenefit(one, rules, history)
  return [expected, ...discrepancies.map((found) => [found.class, found.amount, found.days, found.explanation])]
}

describe('the worked invoice', () => {
  const people = {
    A: benefit(),
    B: benefit({ endDate: '2026-10-15' }),
    C: benefit({ lines: [] }),
    // It was covered in October only.
    D: benefit({
      dateOfBirth: '2006-03-03',
      startDate: '2026-10-01',
      endDate: '2026-10-31',
      lines: [line(3, 48_245, 'inclusion-retroactive', '2026-10')],
    }),
    E: benefit({ endDate: '2026-09-30', lines: [line(4, -41_235, 'cancellation-retroactive', '2026-10')] }),
    G: benefit({ dateOfBirth: '1987-11-18', lines: [line(6, 81_579)] }),
  }
  const unknown = { ...line(5, 70_631), isAmbiguous: false, kind: 'person', isClaimed: false } as const

  test('has each line in its class', () => {
    expect(compare(people.A)).toEqual([41_235])
    expect(compare(people.B)).toEqual([0, ['charged-after-end', 41_235, 46, null]])
    expect(compare(people.C)).toEqual([41_235, ['not-charged', -41_235, null, null]])
    expect(compare(people.D)).toEqual([48_245])
    expect(compare(people.E)).toEqual([-41_235])
    expect(compare(people.G)).toEqual([74_163, ['amount-differs', 7416, null, 'new-age-band']])
    expect(judgeUnmatched(unknown)).toMatchObject({ class: 'charged-unknown', amount: 70_631 })
  })

  test.each([
    ['month-after-birthday', 163_643, 78_047],
    ['birthday-month', 171_059, 70_631],
  ] as const)('with the age of %s expects %i cents and differs by %i', (ageOn, expected, difference) => {
    const compared = Object.values(people).map((one) => compareBenefit(one, rulesOf(ageOn), nothingKnown))
    expect(compared.reduce((sum, one) => sum + one.expected, 0)).toBe(expected)
    const found = [...compared.flatMap((one) => one.discrepancies), judgeUnmatched(unknown)]
    expect(found.reduce((sum, one) => sum + (one?.amount ?? 0), 0)).toBe(difference)
    expect(expected + difference).toBe(241_690)
  })
})

describe('a charge of the month', () => {
  test.each([
    ['before the cover', benefit({ startDate: '2026-12-15' }), [0, ['charged-before-start', 41_235, 44, null]]],
    [
      'of a benefit that is not active yet',
      benefit({ isPending: true }),
      [0, ['charged-before-start', 41_235, null, null]],
    ],
    [
      'twice',
      benefit({ lines: [line(1, 41_235), line(2, 41_235)] }),
      [41_235, ['duplicate-charge', 41_235, null, null]],
    ],
    [
      'twice after the end',
      benefit({ endDate: '2026-10-31', lines: [line(1, 41_235), line(2, 41_235)] }),
      [0, ['duplicate-charge', 41_235, null, null], ['charged-after-end', 41_235, 30, null]],
    ],
    [
      'with its credit',
      benefit({ endDate: '2026-10-31', lines: [line(1, 41_235), line(2, -41_235, 'cancellation')] }),
      [0],
    ],
    ['in two parts', benefit({ lines: [line(1, 40_000), line(2, 1235, 'adjustment-debit')] }), [41_235]],
    [
      'with a fee and what was used',
      benefit({ lines: [line(1, 41_235), line(2, 999, 'fee'), line(3, 1234, 'coparticipation')] }),
      [41_235 + 999 + 1234],
    ],
    ['that is only a credit', benefit({ lines: [line(1, -100)] }), [41_235, ['amount-differs', -41_335, null, null]]],
  ] as const)('%s', (_, one, outcome) => {
    expect(compare(one)).toEqual(outcome)
  })

  test.each([
    ['within the tolerance', 41_245, 10, 'tolerated'],
    ['beyond it', 41_246, 10, null],
    ['without one', 41_236, 0, null],
  ])('that differs %s', (_, amount, tolerance, explanation) => {
    const one = benefit({ lines: [line(1, amount)] })
    expect(compare(one, rulesOf('birthday-month', tolerance))[1]).toEqual([
      'amount-differs',
      amount - 41_235,
      null,
      explanation,
    ])
  })

  const prorated = (proration: PriceRules['proration'], prorationDay: number | null = null): ComparisonRules => {
    const rules = rulesOf()
    return { ...rules, rules: { ...rules.rules, proration, prorationDay } }
  }

  test.each([
    ['none', 'the thirtieths', { startDate: '2026-11-16' }, 20_618],
    ['none', 'nothing', { startDate: '2026-11-16' }, 0],
    ['daily-30', 'the whole month', { endDate: '2026-11-05' }, 41_235],
    ['daily-30', 'the whole month', { startDate: '2026-11-11' }, 41_235],
    ['full-if-started-until-day', 'the thirtieths', { startDate: '2026-11-11' }, 27_490],
  ] as const)('of a part of the month under %s by the rule of another contract, %s, is not explained', (...of) => {
    const [proration, , dates, amount] = of
    const rules = prorated(proration, proration === 'full-if-started-until-day' ? 15 : null)
    const [, found] = compare(benefit({ ...dates, lines: [line(1, amount)] }), rules)
    expect(found).toMatchObject(['amount-differs', expect.any(Number), null, null])
  })

  test.each([
    // 41,235 × 5 / 30 = 6872.5
    ['cut off', 6872, 'pro-rata'],
    ['by the cents of a day', 1374 * 5, 'pro-rata'],
    ['by the cents of a day, rounded up', 1375 * 5, 'pro-rata'],
    ['another amount', 6871, null],
  ])('of a part of the month by the contract’s own rule, %s', (_, amount, explanation) => {
    const one = benefit({ endDate: '2026-11-05', lines: [line(1, amount)] })
    expect(compare(one, prorated('daily-30'))[1]).toMatchObject(['amount-differs', amount - 6873, null, explanation])
  })

  test('without a price is reported, and nothing of it is expected', () => {
    const unpriced = { ...rulesOf(), tables: [] }
    expect(compare(benefit(), unpriced)).toEqual([0, ['price-missing', 41_235, null, null]])
    const earlier = benefit({ lines: [line(1, 41_235, 'inclusion-retroactive', '2026-10')] })
    expect(compare(earlier, unpriced)).toEqual([0, ['price-missing', 41_235, null, null]])
    expect(compare(benefit({ lines: [] }), unpriced)).toEqual([0])
  })

  test('that credits a claim without its month is no charge of the month', () => {
    const credit = { ...line(2, -5000, 'adjustment-credit'), claimedMonth: '2026-10' }
    expect(compare(benefit({ lines: [line(1, 41_235), credit] }))).toEqual([36_235])
    expect(compare(benefit({ endDate: '2026-09-30', lines: [credit] }))).toEqual([-5000])
  })
})

describe('an entry of an earlier month', () => {
  const retroactive = (amount: number, more: Partial<ChargedBenefit> = {}) =>
    benefit({ lines: [line(1, 41_235), line(2, amount, 'inclusion-retroactive', '2026-10')], ...more })

  test('is owed when the invoice of that month did not have it', () => {
    expect(compare(retroactive(41_235), rulesOf(), known(0))).toEqual([82_470])
    expect(compare(retroactive(41_235, { createdOn: '2026-10-01' }))).toEqual([82_470])
  })

  test.each([
    ['was charged then', retroactive(41_235), known(41_235)],
    ['was entered long before', retroactive(41_235, { createdOn: '2026-09-30' }), nothingKnown],
  ])('has no movement when the person %s', (_, one, history) => {
    expect(compare(one, rulesOf(), history)).toEqual([41_235, ['retroactive-without-movement', 41_235, null, null]])
  })

  test('that is not covered is after the end, or before the start', () => {
    const ended = benefit({ endDate: '2026-09-30', lines: [line(2, 41_235, 'alteration-retroactive')] })
    expect(compare(ended)).toEqual([0, ['charged-after-end', 41_235, 31, null]])
    expect(compare(retroactive(41_235, { startDate: '2026-11-01' }))).toEqual([
      41_235,
      ['charged-before-start', 41_235, 31, null],
    ])
  })

  test('credits what was charged too much, to the cent', () => {
    const credit = (amount: number) =>
      benefit({ endDate: '2026-09-30', lines: [line(2, amount, 'cancellation-retroactive', '2026-10')] })
    expect(compare(credit(-41_235), rulesOf(), known(41_235))).toEqual([-41_235])
    expect(compare(credit(-41_230), rulesOf(), known(41_235))).toEqual([-41_235, ['amount-differs', 5, null, null]])
    expect(compare(credit(-41_230), rulesOf('birthday-month', 5), known(41_235))).toEqual([
      -41_235,
      ['amount-differs', 5, null, 'tolerated'],
    ])
    expect(compare(credit(-41_235), rulesOf(), known(0))).toEqual([0, ['amount-differs', -41_235, null, null]])
  })
})

describe('a line of no benefit', () => {
  const unmatched = { ...line(1, 5000), isAmbiguous: false, kind: 'person', isClaimed: false } as const
  test('is charged unknown, or ambiguous, unless it is the credit of a claim', () => {
    expect(judgeUnmatched(unmatched)?.class).toBe('charged-unknown')
    expect(judgeUnmatched({ ...unmatched, isAmbiguous: true })?.class).toBe('ambiguous')
    expect(judgeUnmatched({ ...unmatched, amount: -5000, isClaimed: true })).toBeNull()
  })
})

describe('a yearly adjustment', () => {
  const adjustmentsOf = (...found: readonly number[]) => {
    const adjustments = new Adjustments()
    for (const [index, amount] of found.entries()) {
      adjustments.add({ tableId: 'table', expected: bands[index]?.amount ?? 1, found: amount })
    }
    return adjustments.has('table')
  }
  test('is one factor of all charges of a table, to a cent', () => {
    expect(adjustmentsOf(47_515, 55_593, 67_823)).toBe(true)
    expect(adjustmentsOf(47_516, 55_592, 67_823)).toBe(true)
    expect(adjustmentsOf(39_173, 45_833)).toBe(true)
    expect(adjustmentsOf(47_515, 55_593, 67_923)).toBe(false)
    expect(adjustmentsOf(47_515, 48_245)).toBe(false)
    expect(adjustmentsOf(41_235, 48_245)).toBe(false)
    expect(adjustmentsOf(47_515)).toBe(false)
    expect(adjustmentsOf()).toBe(false)
  })
})

describe('an earlier month that was compared', () => {
  const rules = (more: Partial<ComparisonRules> = {}): ComparisonRules => ({
    ...rulesOf(),
    comparedMonths: ['2026-09', '2026-10'],
    ...more,
  })
  const charged = (amount: number, period = '2026-10'): History => ({
    months: ['2026-09', '2026-10'],
    charges: [chargedIn('2026-09', 41_235), ...(amount === 0 ? [] : [chargedIn(period, amount)])],
  })
  const reported = (amount: number) => [{ period: '2026-10', invoice: '2026-10 main', amount }]

  test.each<[string, ChargedBenefit, History, unknown[]]>([
    ['was charged what is owed', benefit(), charged(41_235), [41_235]],
    [
      'was charged, and the benefit ended before it',
      benefit({ endDate: '2026-09-30', lines: [] }),
      charged(41_235),
      [-41_235, ['credit-expected-missing', 41_235, null, null]],
    ],
    [
      'was charged, and the credit comes',
      benefit({ endDate: '2026-09-30', lines: [line(1, -41_235, 'cancellation-retroactive', '2026-10')] }),
      charged(41_235),
      [-41_235],
    ],
    [
      'was not charged, and the benefit began before it',
      benefit({ startDate: '2026-09-01' }),
      charged(0),
      [82_470, ['not-charged', -41_235, null, null]],
    ],
    ['was reported to be charged too much', benefit({ reported: reported(5000) }), charged(46_235), [41_235]],
    [
      'was reported to be charged too much, and then the benefit ended',
      benefit({ endDate: '2026-09-30', lines: [], reported: reported(5000) }),
      charged(46_235),
      [-41_235, ['credit-expected-missing', 41_235, null, null]],
    ],
    [
      'was reported to be charged too much, and was credited since',
      benefit({ reported: reported(5000) }),
      {
        ...charged(46_235),
        charges: [...charged(46_235).charges, chargedIn('2026-11', -5000, '2026-10')],
      },
      [41_235],
    ],
    [
      'was reported to be charged too much, and is credited by a line that does not say its month',
      benefit({
        lines: [line(1, 41_235), { ...line(2, -5000, 'adjustment-credit'), claimedMonth: '2026-10' }],
        reported: reported(5000),
      }),
      charged(46_235),
      [36_235],
    ],
    [
      'was charged after an exclusion that the carrier was told after the cut-off',
      benefit({
        endDate: '2026-09-30',
        lines: [],
        movements: [{ kind: 'exclusion', isOpen: false, date: '2026-09-30', newPlanCode: null }],
      }),
      charged(41_235),
      [-41_235, ['credit-expected-missing', 41_235, null, 'within-cut-off']],
    ],
  ])('%s', (_name, one, history, expected) => {
    expect(compare(one, rules(), history)).toEqual(expected)
  })

  test('is not asked for within the tolerance, and each difference names its month', () => {
    const one = benefit({ endDate: '2026-08-31', lines: [] })
    const { discrepancies } = compareBenefit(one, rules({ tolerance: 50_000 }), charged(41_235))
    expect(discrepancies.map(({ coverMonth, explanation }) => [coverMonth, explanation])).toEqual([
      ['2026-09', 'tolerated'],
      ['2026-10', 'tolerated'],
    ])
  })

  test('is a month of its own when the main invoice of it and a supplementary one charge', () => {
    const main = benefit({ lines: [], supplementary: 41_235 })
    expect(compare(main)).toEqual([0])
    const supplementary = benefit({ charges: [chargedIn(month, 20_000)] })
    expect(compare(supplementary)).toEqual([21_235, ['amount-differs', 20_000, null, null]])
    const again = benefit({ charges: [chargedIn(month, 41_235)] })
    expect(compare(again)).toEqual([0, ['duplicate-charge', 41_235, null, null]])
  })
})

describe('whatever the lines are', () => {
  const lines = fc.array(
    fc.record({
      amount: fc.integer({ min: -100_000, max: 100_000 }),
      entryType: fc.constantFrom(...ENTRY_TYPES),
      entryPeriod: fc.option(fc.constantFrom('2026-11', '2026-10', '2026-09')),
    }),
    { maxLength: 6 },
  )
  const numbered = (list: readonly Omit<InvoiceLine, 'lineNumber'>[]) =>
    list.map((one, index) => ({ ...one, lineNumber: index + 1 }))
  const dates = fc.constantFrom<Partial<ChargedBenefit>>(
    {},
    { endDate: '2026-10-10' },
    { startDate: '2026-12-01' },
    { startDate: '2026-11-20' },
    { isPending: true },
  )
  const history = fc.constantFrom(nothingKnown, known(41_235), known(0, '2026-09'))

  test('the discrepancies are the difference, to the cent', () => {
    fc.assert(
      fc.property(lines, dates, history, (list, more, before) => {
        const { expected, discrepancies } = compareBenefit(
          benefit({ ...more, lines: numbered(list) }),
          rulesOf(),
          before,
        )
        const charged = list.reduce((sum, one) => sum + one.amount, 0)
        expect(discrepancies.reduce((sum, one) => sum + (one.amount ?? 0), 0)).toBe(charged - expected)
      }),
      { seed: 3704, numRuns: 3000 },
    )
  })

  test('their order does not matter', () => {
    fc.assert(
      fc.property(lines, dates, history, (list, more, before) => {
        const outcome = (ordered: typeof list) => {
          const compared = compareBenefit(benefit({ ...more, lines: numbered(ordered) }), rulesOf(), before)
          const found = compared.discrepancies.map((one) => `${one.class} ${one.amount} ${one.explanation}`)
          return [compared.expected, found.toSorted()]
        }
        expect(outcome(list.toReversed())).toEqual(outcome(list))
      }),
      { seed: 3705, numRuns: 3000 },
    )
  })
})
