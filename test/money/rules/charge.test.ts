import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ChargeLine, explainCharge } from '#money/rules/charge.ts'
import type { LedgerBenefit, LedgerCharge, LedgerRules } from '#money/rules/ledger.ts'
import { PRICE_CATEGORIES } from '#money/rules/price-table.ts'
import { ENTRY_TYPES } from '#kernel/reconciliation.ts'

/* The people of January 2027 at Cerâmica Vale Claro, as the design of the ledger has them. */

const amounts = [21_840, 26_208, 31_974, 37_120, 39_804, 45_516, 56_190, 64_057, 82_953, 130_236]
const table = {
  id: 'table',
  kind: 'age-band-10' as const,
  prices: PRICE_CATEGORIES['age-band-10'].map((category, index) => ({ category, amount: amounts[index] ?? 0 })),
  carrierPlanCode: null,
  validFrom: '2026-02-01',
}
const rules: LedgerRules = {
  rules: { ageOn: 'month-after-birthday', proration: 'daily-30', prorationDay: null, anniversaryMonth: null },
  tables: [table],
  knownMonths: new Set(['2026-10', '2026-11', '2026-12', '2027-01']),
}
const month = '2027-01'
const own = (amount: number, fileMonth = '2026-12'): LedgerCharge => ({ fileMonth, period: fileMonth, amount })
const benefit = (more: Partial<LedgerBenefit> = {}): LedgerBenefit => ({
  benefitId: 'benefit',
  type: 'primary',
  dateOfBirth: '1982-07-30',
  startDate: '2020-01-01',
  endDate: null,
  productId: 'health',
  planCode: null,
  costCenter: null,
  jobTitle: null,
  isPending: false,
  createdOn: '2020-01-01',
  charges: [own(56_190, '2026-11'), own(56_190)],
  ...more,
})
const line = (lineNumber: number, amount: number, more: Partial<ChargeLine> = {}): ChargeLine => ({
  lineNumber,
  amount,
  entryType: 'monthly',
  entryPeriod: null,
  claimedMonth: null,
  ...more,
})
const explaining = {
  month,
  rules,
  missing: [],
  toldMonths: [],
  beganByChange: false,
  endedByChange: false,
}
const late = (lineNumber: number, amount: number, entryPeriod: string) =>
  line(lineNumber, amount, {
    entryType: amount > 0 ? 'inclusion-retroactive' : 'cancellation-retroactive',
    entryPeriod,
  })

describe('why an amount is what it is', () => {
  test('somebody who was included late has three months, each with its price and its days', () => {
    const iolanda = benefit({ dateOfBirth: '1999-08-21', startDate: '2026-11-23', charges: [] })
    const lines = [late(1, 8526, '2026-11'), late(2, 31_974, '2026-12'), line(3, 31_974)]
    const { months, causes, amount, difference, lastAmount } = explainCharge(iolanda, lines, explaining)
    expect({ amount, difference, lastAmount }).toEqual({ amount: 72_474, difference: 0, lastAmount: 0 })
    expect(causes).toEqual([
      { cause: 'entry', amount: 31_974, certainty: 'firm' },
      { cause: 'retroactive-charge', amount: 40_500, certainty: 'firm' },
    ])
    expect(months.map((one) => [one.month, one.amount, one.lineNumbers])).toEqual([
      ['2026-11', 8526, [1]],
      ['2026-12', 31_974, [2]],
      ['2027-01', 31_974, [3]],
    ])
    expect(months[0]?.terms).toEqual([
      {
        term: 'price',
        amount: 31_974,
        priceTableId: 'table',
        validFrom: '2026-02-01',
        category: '24-28',
        age: 27,
        ageDay: '2026-10-31',
        movedBy: null,
      },
      { term: 'proration', amount: -23_448, rule: 'daily-30', coveredDays: 8, from: '2026-11-23', until: null },
    ])
  })

  test('somebody whose birthday moves the band says which', () => {
    const teresa = benefit({ dateOfBirth: '1987-12-14', charges: [own(39_804)] })
    const { months, causes } = explainCharge(teresa, [line(1, 45_516)], explaining)
    expect(months[0]?.terms).toMatchObject([
      { term: 'price', age: 39, movedBy: { birthday: '2026-12-14', fromCategory: '34-38' } },
    ])
    expect(causes).toEqual([{ cause: 'age-band', amount: 5712, certainty: 'firm' }])
  })

  test('an amount that nothing explains is a difference', () => {
    const { months, causes, difference } = explainCharge(benefit(), [line(1, 64_057)], explaining)
    expect(months[0]?.terms.map(({ term, amount }) => [term, amount])).toEqual([
      ['price', 56_190],
      ['difference', 7867],
    ])
    expect([difference, causes]).toEqual([7867, [{ cause: 'difference', amount: 7867, certainty: 'firm' }]])
  })

  test('the price of another day of the age is named, and what the last invoice had wrong', () => {
    const teresa = benefit({ dateOfBirth: '1988-01-20', charges: [own(40_000)] })
    const { causes } = explainCharge(teresa, [line(1, 45_516)], explaining)
    expect(causes).toEqual([
      { cause: 'settled-difference', amount: -196, certainty: 'firm' },
      { cause: 'age-rule', amount: 5712, certainty: 'firm' },
    ])
  })

  test.each([
    [
      'whoever left, with the credit of the month before',
      benefit({ dateOfBirth: '1961-10-01', endDate: '2026-11-30', charges: [own(130_236, '2026-11'), own(130_236)] }),
      [late(1, -130_236, '2026-12')],
      [
        ['exit', -130_236],
        ['retroactive-credit', -130_236],
      ],
    ],
    [
      'a price table that begins',
      benefit(),
      [line(1, 60_000)],
      [['price-table', 3810]],
      {
        tables: [
          table,
          {
            ...table,
            id: 'new',
            validFrom: '2027-01-01',
            prices: table.prices.map((price) => ({ ...price, amount: 60_000 })),
          },
        ],
      },
    ],
    [
      'a claim that is credited, and a fee',
      benefit({ charges: [own(56_190, '2026-11'), { ...own(64_057), period: '2026-12' }] }),
      [
        line(1, 56_190),
        line(2, -7867, { entryType: 'adjustment-credit', claimedMonth: '2026-12' }),
        line(3, 500, { entryType: 'fee' }),
      ],
      [
        ['settled-difference', -7867],
        ['claim-credit', -7867],
        ['other-entry', 500],
      ],
    ],
    ['who ends within the month', benefit({ endDate: '2027-01-09' }), [line(1, 16_857)], [['proration', -39_333]]],
  ] as const)('%s', (_name, one, lines, causes, more: Partial<LedgerRules> = {}) => {
    const explained = explainCharge(one, lines, { ...explaining, rules: { ...rules, ...more } })
    expect(explained.causes.map(({ cause, amount }) => [cause, amount])).toEqual(causes)
  })

  test('without a price, or with a missing setting, an amount is as charged', () => {
    const unpriced = explainCharge(benefit(), [line(1, 100)], { ...explaining, rules: { ...rules, tables: [] } })
    expect(unpriced.months[0]?.terms).toEqual([{ term: 'as-charged', amount: 100, missingSettings: ['price-table'] }])
    const unset = explainCharge(benefit(), [line(1, 100)], { ...explaining, rules: null, missing: ['age-on'] })
    expect(unset.months[0]?.terms).toEqual([{ term: 'as-charged', amount: 100, missingSettings: ['age-on'] }])
  })
})

describe('of any lines', () => {
  const months = ['2026-11', '2026-12', '2027-01'] as const
  const lines = fc.array(
    fc.record({
      amount: fc.integer({ min: -100_000, max: 100_000 }),
      entryType: fc.constantFrom(...ENTRY_TYPES),
      entryPeriod: fc.option(fc.constantFrom(...months)),
      claimedMonth: fc.option(fc.constantFrom('2026-11', '2026-12'), { freq: 6 }),
    }),
    { maxLength: 6 },
  )
  const charges = fc.array(
    fc.record({
      fileMonth: fc.constantFrom('2026-10', '2026-11', '2026-12'),
      period: fc.constantFrom('2026-10', ...months),
      amount: fc.integer({ min: -50_000, max: 90_000 }),
    }),
    { maxLength: 5 },
  )
  const person = fc.record({
    dateOfBirth: fc.constantFrom('1988-02-29', '1987-12-14', '1999-08-21', '2015-05-05'),
    startDate: fc.constantFrom('2020-01-01', '2026-11-23', '2027-01-10'),
    endDate: fc.option(fc.constantFrom('2026-11-30', '2026-12-09', '2027-01-20')),
    isPending: fc.boolean(),
  })
  const proration = fc.constantFrom('none', 'daily-30', 'daily-calendar')

  test('the terms are each amount, the months the whole, and the causes the change, to the cent', () => {
    fc.assert(
      fc.property(lines, charges, person, proration, fc.boolean(), (list, before, more, rule, hasPrice) => {
        const explained = explainCharge(
          benefit({ ...more, charges: before }),
          list.map((one, index) => ({ ...one, lineNumber: index + 1 })),
          {
            ...explaining,
            rules: { ...rules, rules: { ...rules.rules, proration: rule }, tables: hasPrice ? [table] : [] },
          },
        )
        const sum = (all: readonly { readonly amount: number }[]) =>
          all.reduce((total, { amount }) => total + amount, 0)
        for (const one of explained.months) expect(sum(one.terms)).toBe(one.amount)
        expect(sum(explained.months)).toBe(explained.amount)
        expect(explained.amount).toBe(sum(list))
        expect(sum(explained.causes)).toBe(explained.amount - explained.lastAmount)
      }),
      { seed: 5303, numRuns: 3000 },
    )
  })
})
