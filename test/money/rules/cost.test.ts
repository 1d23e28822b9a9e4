import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ALLOCATION_GROUPS } from '#money/rules/allocation.ts'
import type { ContributionRule } from '#money/rules/contribution.ts'
import { CHARGE_SOURCES, groupCosts, type UnsharedCharge, withoutRepetition, withShares } from '#money/rules/cost.ts'
import { chargeOf } from './charges.ts'

const noRules = () => []
const fee = (amount: number) => chargeOf({ amount, person: null })
const of = (memberId: string, costCenter: string | null, amount: number) =>
  chargeOf({ amount, person: { memberId, employeeMemberId: memberId, costCenter } })
const groupsOf = (charges: readonly UnsharedCharge[]) => groupCosts(withShares(charges, noRules), 'cost-center')

describe('the costs by cost center', () => {
  test('a fee of 100.00 over three equal ones is 33.34, 33.33 and 33.33', () => {
    const { total, withoutPerson, groups } = groupsOf([
      of('a', '1', 500),
      of('b', '2', 500),
      of('c', '3', 500),
      fee(10_000),
    ])
    expect({ total, withoutPerson }).toEqual({ total: 11_500, withoutPerson: 10_000 })
    expect(groups.map(({ key, allocated, total }) => [key, allocated, total])).toEqual([
      ['1', 3_334, 3_834],
      ['2', 3_333, 3_833],
      ['3', 3_333, 3_833],
    ])
  })

  test('a dependent counts for the cost center of its primary, and is one of the people', () => {
    const dependent = chargeOf({ amount: 300, person: { memberId: 'b', type: 'dependent' } })
    expect(groupsOf([of('a', '4100', 500), dependent]).groups).toMatchObject([{ key: '4100', people: 2, total: 800 }])
  })

  test('people without one and people whom nobody here knows are groups of their own, at the end', () => {
    const unknown = chargeOf({ amount: 700, person: null, isUnmatched: true })
    expect(groupsOf([unknown, of('a', null, 100), of('b', '9', 200)]).groups).toMatchObject([
      { key: '9', total: 200 },
      { key: null, isUnmatched: false, total: 100 },
      { key: null, isUnmatched: true, people: 0, total: 700 },
    ])
  })

  test('an invoice of fees only is not lost', () => {
    expect(groupsOf([fee(250)])).toMatchObject({ total: 250, groups: [{ key: null, people: 0, total: 250 }] })
  })
})

describe('co-participation is counted once', () => {
  const entry = (amount: number) => chargeOf({ source: 'coparticipation', amount, person: null })
  const used = chargeOf({ source: 'coparticipation-statement', amount: 80 })

  test('where the invoice has it as one entry and a statement says whose it is, the difference is an amount of nobody', () => {
    const { total, withoutPerson } = groupsOf([of('a', '1', 500), entry(100), used])
    expect({ total, withoutPerson }).toEqual({ total: 600, withoutPerson: 20 })
    expect(withoutRepetition([entry(80), used])).toEqual([used])
  })

  test('a statement of what the invoice does not have adds to it', () => {
    expect(groupsOf([of('a', '1', 500), used]).total).toBe(580)
  })

  test('of another contract it is another one', () => {
    expect(groupsOf([entry(100), { ...used, contractId: 'other' }]).total).toBe(180)
  })
})

describe('what employees pay', () => {
  const rule: ContributionRule = {
    id: 'rule',
    productId: null,
    validFrom: '2026-01-01',
    primaryShare: { 'basis-points': 2_000 },
    dependentShare: { amount: 5_000 },
    coparticipationShare: { 'basis-points': 10_000 },
    costCenters: [],
    jobTitles: [],
  }
  const shareBy = (rules: readonly ContributionRule[], charge: UnsharedCharge) =>
    withShares([charge], () => rules)[0]?.share

  test.each<[string, readonly ContributionRule[], UnsharedCharge, number | string | null]>([
    ['a part of the own premium', [rule], chargeOf(), 2_000],
    ['a fixed amount for a dependent', [rule], chargeOf({ person: { type: 'dependent' } }), 5_000],
    ['what was used', [rule], chargeOf({ source: 'coparticipation-statement', amount: 80 }), 80],
    ['the rule wins over the carrier’s file', [rule], chargeOf({ employeeAmount: 1 }), 2_000],
    ['without a rule what the file says', [], chargeOf({ employeeAmount: 1_234 }), 1_234],
    ['without both it is not known', [], chargeOf(), 'no-contribution-rule'],
    [
      'a rule of a later day does not count',
      [{ ...rule, validFrom: '2026-12-01' }],
      chargeOf(),
      'no-contribution-rule',
    ],
    [
      'nor does a rule without a part of what is used',
      [{ ...rule, coparticipationShare: null }],
      chargeOf({ source: 'coparticipation' }),
      'no-coparticipation-share',
    ],
    ['nothing of an amount of nobody', [rule], chargeOf({ person: null }), null],
    [
      'nothing back of a fixed part while the net of the month of cover is above it',
      [{ ...rule, primaryShare: { amount: 5000 } }],
      chargeOf({ amount: -58_067, before: 82_953, period: '2026-10' }),
      0,
    ],
    [
      'a fixed part back once when all of it is credited',
      [{ ...rule, primaryShare: { amount: 5000 } }],
      chargeOf({ amount: -82_953, before: 82_953, period: '2026-10' }),
      -5000,
    ],
    [
      'a fixed part of each month of cover that is charged late',
      [{ ...rule, validFrom: '2026-10-01', primaryShare: { amount: 5000 } }],
      chargeOf({ amount: 26_208, period: '2026-10' }),
      5000,
    ],
    [
      'nothing by a rule that begins after the month of cover',
      [{ ...rule, validFrom: '2026-11-01' }],
      chargeOf({ amount: 26_208, period: '2026-10' }),
      'no-contribution-rule',
    ],
    [
      'by the cost center of the first day of the month of cover',
      [{ ...rule, costCenters: ['4200'] }],
      chargeOf({ costCenter: '4200', period: '2026-10' }),
      2000,
    ],
  ])('%s', (_name, rules, charge, share) => expect(shareBy(rules, charge)).toBe(share))
})

const charges = fc.array(
  fc
    .record({
      contractId: fc.constantFrom('one', 'two'),
      source: fc.constantFrom(...CHARGE_SOURCES),
      amount: fc.integer({ min: -90_000, max: 250_000 }),
      isUnmatched: fc.boolean(),
      member: fc.option(fc.integer({ min: 0, max: 9 })),
      costCenter: fc.option(fc.constantFrom('1', '2', '3')),
    })
    .map(({ member, costCenter, isUnmatched, ...charge }) =>
      member === null
        ? chargeOf({ ...charge, isUnmatched, person: null })
        : chargeOf({ ...charge, person: { memberId: `${member}`, employeeMemberId: `${member % 4}`, costCenter } }),
    ),
  { maxLength: 60 },
)

test('the totals of the groups are the sum of the charges, in any order of the charges and for each grouping', () => {
  fc.assert(
    fc.property(charges, fc.constantFrom(...ALLOCATION_GROUPS), (some, groupBy) => {
      const costs = groupCosts(withShares(some, noRules), groupBy)
      expect(costs.groups.reduce((sum, { total }) => sum + total, 0)).toBe(costs.total)
      const once = withoutRepetition(some).reduce((sum, { amount }) => sum + amount, 0)
      expect(costs.total).toBe(once)
      const reversed = groupCosts(withShares(some.toReversed(), noRules), groupBy)
      expect(reversed.groups.map(({ key, total }) => [key, total])).toEqual(
        costs.groups.map(({ key, total }) => [key, total]),
      )
    }),
    { numRuns: 1_000 },
  )
})

test('what an employee pays of a month of cover is the same in any order and splitting of its charges', () => {
  const share = fc.oneof(
    fc.record({ 'basis-points': fc.integer({ min: 0, max: 10_000 }) }),
    fc.record({ amount: fc.integer({ min: 0, max: 90_000 }) }),
  )
  const amounts = fc.array(fc.integer({ min: -90_000, max: 90_000 }), { minLength: 1, maxLength: 8 })
  fc.assert(
    fc.property(share, amounts, (primaryShare, parts) => {
      const rule: ContributionRule = {
        id: 'rule',
        productId: null,
        validFrom: '2026-01-01',
        primaryShare,
        dependentShare: primaryShare,
        coparticipationShare: null,
        costCenters: [],
        jobTitles: [],
      }
      const sharesOf = (list: readonly number[]) => {
        let before = 0
        return list.map((amount) => {
          const [charge] = withShares([chargeOf({ amount, before })], () => [rule])
          before += amount
          return Number(charge?.share)
        })
      }
      const sumOf = (list: readonly number[]) => sharesOf(list).reduce((sum, one) => sum + one, 0)
      const whole = sumOf([parts.reduce((sum, one) => sum + one, 0)])
      expect([sumOf(parts), sumOf(parts.toReversed())]).toEqual([whole, whole])
    }),
    { seed: 53, numRuns: 2000 },
  )
})
