import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { SharedCharge } from '#money/rules/cost.ts'
import {
  type ClosedShare,
  type DeductedBenefit,
  type DueLine,
  dueLines,
  type PersonPart,
} from '#money/rules/deduction.ts'
import { finalLines } from '#money/rules/final-balance.ts'
import { deductionsOf, type ExportedLine, openLines } from '#money/rules/payroll.ts'
import { PAYROLL_KINDS, type PayrollKind } from '#kernel/broker-enums.ts'
import type { DatedTable } from '#money/rules/premium.ts'
import { chargeOf } from './charges.ts'
import { person, rules } from './vale-claro.ts'

const shared = (share: SharedCharge['share'], of: Parameters<typeof chargeOf>[0] = {}): SharedCharge => ({
  ...chargeOf(of),
  share,
})

const month = '2026-11'
const { contractId } = chargeOf({})
const { tables } = rules
const lineOf = (kind: PayrollKind, due: number) => ({
  memberId: 'a',
  kind,
  productType: 'health-insurance',
  originMonth: month,
  due,
  held: 0,
  isCharged: true,
})

describe('the deductions of an employee', () => {
  test('are one for the own premium, one for the dependents and one for what was used', () => {
    const { lines, problems } = deductionsOf(
      [
        shared(5_000),
        shared(15_000, { person: { benefitId: 'b', memberId: 'b', type: 'dependent' } }),
        shared(25_000, { person: { benefitId: 'c', memberId: 'c', type: 'dependent' } }),
        shared(8_000, { source: 'coparticipation' }),
        shared(700, {
          source: 'coparticipation-statement',
          person: { benefitId: 'b', memberId: 'b', type: 'dependent' },
        }),
        shared(null, { person: null }),
      ],
      month,
    )
    expect(lines).toEqual([
      { ...lineOf('primary', 5_000), people: [{ memberId: 'a', contractId, amount: 5_000 }] },
      {
        ...lineOf('dependent', 40_000),
        people: [
          { memberId: 'b', contractId, amount: 15_000 },
          { memberId: 'c', contractId, amount: 25_000 },
        ],
      },
      {
        ...lineOf('coparticipation', 8_700),
        people: [
          { memberId: 'a', contractId, amount: 8_000 },
          { memberId: 'b', contractId, amount: 700 },
        ],
      },
    ])
    expect(problems.size).toBe(0)
  })

  test('are nothing where the employer pays all', () =>
    expect(deductionsOf([shared(0)], month).lines).toMatchObject([{ due: 0 }]))

  test('have a problem where the part of one person of the family is not known', () => {
    const { problems } = deductionsOf(
      [shared(5_000), shared('no-contribution-rule', { person: { benefitId: 'b', memberId: 'b', type: 'dependent' } })],
      month,
    )
    expect([...problems]).toEqual([['a', 'no-contribution-rule']])
  })
})

/** An amount as that of two people. */
const peopleOf = (amount: number): PersonPart[] => [
  { memberId: 'a', contractId: 'one', amount: amount - 7 },
  { memberId: 'b', contractId: 'one', amount: 7 },
]

const lines = fc
  .uniqueArray(
    fc.record({
      memberId: fc.constantFrom('a', 'b', 'c', 'd'),
      kind: fc.constantFrom(...PAYROLL_KINDS),
      productType: fc.constantFrom('health-insurance', 'dental-insurance'),
      originMonth: fc.constantFrom('2026-10', '2026-11'),
      amount: fc.integer({ min: -10_000, max: 10_000 }),
    }),
    {
      selector: ({ memberId, kind, productType, originMonth }) => [memberId, kind, productType, originMonth].join(' '),
    },
  )
  .map((list): ExportedLine[] => list.map((line) => ({ ...line, people: peopleOf(line.amount) })))

const sum = (amounts: readonly { readonly amount: number }[]) =>
  amounts.reduce((total, { amount }) => total + amount, 0)

test('a credit for one dependent in a month that is older than the ledger leaves the part of another, who was not charged', () => {
  const originMonth = '2026-01'
  const dependent = (memberId: string): DeductedBenefit => ({
    ...person(memberId, '2015-06-01', null),
    type: 'dependent',
    contractId,
    memberId,
    employeeMemberId: 'a',
    productType: 'health-insurance',
    employedUntil: null,
    formerCostCenters: [],
  })
  const share = { 'basis-points': 5_000 }
  const rule = { id: 'rule', productId: null, validFrom: '2020-01-01', costCenters: [], jobTitles: [] }
  const shares = { primaryShare: share, dependentShare: share, coparticipationShare: null }
  const table = { ...tables[0], validFrom: '2020-01-01' } as DatedTable
  const pricing = { rules: rules.rules, tables: [table], contributionRules: [{ ...rule, ...shares }], tolerance: 0 }
  const [charged, credited] = [21_840, -10_000].map((amount): ClosedShare => {
    const { memberId, employeeMemberId, type, productType } = dependent('b')
    const of = { contractId, memberId, employeeMemberId, type, productType, benefitId: 'b', isPremium: true }
    return { ...of, period: originMonth, amount, share: amount / 2, isBefore: false, isGone: false }
  }) as [ClosedShare, ClosedShare]
  const { lines } = dueLines(
    {
      benefits: [dependent('b'), dependent('c')],
      shares: [charged, credited],
      accepted: [],
      pricings: new Map([[contractId, pricing]]),
    },
    { firstMonth: originMonth, from: '2026-06', through: '2026-06' },
  )
  expect(lines.filter((line) => line.originMonth === originMonth)).toMatchObject([
    {
      due: 10_920 + 5_920,
      people: [
        { memberId: 'c', amount: 10_920 },
        { memberId: 'b', amount: 5_920 },
      ],
    },
  ])
})

test('what fits of a line at the end of an employment is split by person, and the rest is billed', () => {
  const people = [
    { memberId: 'b', contractId: 'one', amount: 1_000 },
    { memberId: 'c', contractId: 'one', amount: 2_000 },
  ]
  const [line] = openLines([{ ...lineOf('dependent', 3_000), people }], [])
  if (line === undefined) throw new Error('no line')
  const [fits, rest] = finalLines([line], 1_000)
  expect([fits?.destination, fits?.amount, fits?.openPeople.map(({ amount }) => amount)]).toEqual([
    'payroll',
    1_000,
    [333, 667],
  ])
  expect([rest?.destination, rest?.amount, rest?.openPeople.map(({ amount }) => amount)]).toEqual([
    'bill',
    2_000,
    [667, 1_333],
  ])
})

test('what was exported and what is left are what is due', () => {
  fc.assert(
    fc.property(lines, lines, (due, exported) => {
      const dueLines = due.map(({ amount, ...key }): DueLine => {
        return { ...key, due: amount, held: 0, isCharged: true }
      })
      const rest = openLines(dueLines, exported).map(({ open, openPeople, ...line }) => {
        expect(sum(openPeople) - open).toBe(0)
        return { ...line, amount: open, people: openPeople }
      })
      expect(openLines(dueLines, [...exported, ...rest]).every(({ open }) => open === 0)).toBe(true)
      expect(sum(exported) + sum(rest)).toBe(sum(due))
    }),
    { numRuns: 1_000, seed: 20_270_215 },
  )
})
