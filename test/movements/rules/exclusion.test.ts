import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ExclusionBatchFacts, judgeExclusionBatch } from '#movements/rules/exclusion-batch.ts'
import { parseExclusionEntry } from '#movements/rules/exclusion-entries.ts'
import {
  type BenefitFacts,
  type ExclusionFacts,
  type ExclusionTarget,
  judgeExclusion,
  ownEnd,
} from '#movements/rules/exclusion.ts'
import { reference } from '#kernel/reference.ts'
import { cpfAt } from '../../data/people.ts'

const day = '2026-11-23'
const plain = { 'end-date': day, 'extension-plan': false }

const benefit = (id: string, more: Partial<BenefitFacts> = {}): BenefitFacts => ({
  id,
  companyId: 'c',
  memberId: 'mother',
  taxId: cpfAt(1),
  productId: 'health',
  productName: 'Saúde',
  type: 'primary',
  primaryMemberId: null,
  primaryTaxId: null,
  status: 'active',
  startDate: '2026-01-01',
  isContributory: false,
  isPrimaryExtended: false,
  keepsContinuation: false,
  openChangeId: null,
  changeId: null,
  replacesId: null,
  ...more,
})
const ofChild = (id: string, more: Partial<BenefitFacts> = {}): BenefitFacts =>
  benefit(id, {
    memberId: 'child',
    taxId: cpfAt(2),
    type: 'dependent',
    primaryMemberId: 'mother',
    primaryTaxId: cpfAt(1),
    ...more,
  })
const facts = (benefits: BenefitFacts[], more: Partial<ExclusionFacts> = {}): ExclusionFacts => ({
  companyId: 'c',
  memberId: 'mother',
  benefits,
  openIds: [],
  ...more,
})
const byHealth: ExclusionTarget = { by: 'product', productId: 'health' }
const everything: ExclusionTarget = { by: 'company' }
const judged = (membership: ExclusionFacts, target: ExclusionTarget, details = plain) => {
  const verdict = judgeExclusion([membership], target, details)
  if (verdict.kind !== 'excluded') return verdict
  return verdict.parts.map((part) => [part.benefit.id, ...part.cascaded.map(({ id }) => id)])
}

describe('one exclusion', () => {
  const dental = benefit('d', { productId: 'dental', openChangeId: 'e1' })
  test.each<[string, ExclusionFacts, ExclusionTarget, unknown]>([
    ['takes dependents of the product along', facts([benefit('b'), ofChild('x')]), byHealth, [['b', 'x']]],
    [
      'leaves dependents who have an open exclusion of their own',
      facts([benefit('b'), ofChild('x', { openChangeId: 'own' }), ofChild('y', { memberId: 'other' })]),
      byHealth,
      [['b', 'y']],
    ],
    [
      'leaves dependents of other products',
      facts([benefit('b'), ofChild('x', { productId: 'dental' })]),
      byHealth,
      [['b']],
    ],
    ['is not prevented by an open change of another benefit', facts([benefit('b'), dental]), byHealth, [['b']]],
    [
      'of everything is prevented by it',
      facts([benefit('b'), dental]),
      everything,
      { kind: 'ongoing', enrollmentIds: ['e1'] },
    ],
    ['is not prevented by other open enrollments', facts([benefit('b')], { openIds: ['i'] }), byHealth, [['b']]],
    [
      'by primary is prevented by any open enrollment',
      facts([ofChild('x')], { memberId: 'child', openIds: ['i'] }),
      { by: 'primary', primaryTaxId: cpfAt(1) },
      { kind: 'ongoing', enrollmentIds: ['i'] },
    ],
    [
      'of a product that is a change ahead is prevented by the change',
      facts([benefit('b'), benefit('n', { productId: 'premium', status: 'pending', changeId: 'e2', replacesId: 'b' })]),
      { by: 'product', productId: 'premium' },
      { kind: 'ongoing', enrollmentIds: ['e2'] },
    ],
    [
      'of everything voids a change ahead',
      facts([benefit('b'), benefit('n', { productId: 'premium', status: 'pending', changeId: 'e2', replacesId: 'b' })]),
      everything,
      [['b']],
    ],
    [
      'of everything is prevented by a change ahead from another company',
      facts([benefit('b'), benefit('n', { productId: 'premium', status: 'pending', changeId: 'e2', replacesId: 'z' })]),
      everything,
      { kind: 'ongoing', enrollmentIds: ['e2'] },
    ],
    [
      'of everything leaves an open inclusion',
      facts([benefit('b'), benefit('n', { status: 'pending' })]),
      everything,
      [['b']],
    ],
    ['finds nothing active', facts([benefit('n', { status: 'pending' })]), everything, { kind: 'none' }],
    [
      'by product is ambiguous with two roles, everything is not',
      facts([benefit('a'), benefit('b', { type: 'dependent', primaryMemberId: 'father' })]),
      byHealth,
      { kind: 'ambiguous', benefitIds: ['a', 'b'] },
    ],
    [
      'of everything ends both roles',
      facts([benefit('a'), benefit('b', { type: 'dependent', primaryMemberId: 'father' })]),
      everything,
      [['a'], ['b']],
    ],
    [
      'ends on no day before a start',
      facts([benefit('a'), benefit('b', { productId: 'dental', startDate: '2026-12-01' })]),
      everything,
      { kind: 'before-start' },
    ],
  ])('%s', (_, membership, target, expected) => {
    expect(judged(membership, target)).toEqual(expected)
  })

  test('keeps a dependent under an extension plan only where the primary is kept', () => {
    const kept = { 'end-date': day, 'extension-plan': true }
    const child = (isPrimaryExtended: boolean) => facts([ofChild('x', { isPrimaryExtended })], { memberId: 'child' })
    expect(judged(child(false), byHealth, kept)).toEqual({ kind: 'primary-not-kept' })
    expect(judged(child(true), byHealth, kept)).toEqual([['x']])
  })
})

describe('a batch', () => {
  const details = { 'end-date': day, 'exclusion-reason': 'dismissal' }
  const batchFacts = (benefits: BenefitFacts[]): ExclusionBatchFacts => ({
    companyTaxId: '12ABC34501DE35',
    companyId: 'c',
    today: day,
    taxIdsElsewhere: [],
    members: [
      { id: 'mother', taxId: cpfAt(1) },
      { id: 'child', taxId: cpfAt(2) },
    ],
    benefits,
    usableDocumentIds: [],
  })
  const judge = (sent: Record<string, unknown>[], benefits: BenefitFacts[]) =>
    judgeExclusionBatch(
      sent.map((entry, index) => parseExclusionEntry(entry, index)),
      batchFacts(benefits),
    )
  const mother = { 'tax-id': cpfAt(1), 'exclusion-details': details }
  const child = { 'tax-id': cpfAt(2), 'exclusion-details': details }

  test('gives a dependent with an entry of its own to that entry, in the family of the primary', () => {
    const benefits = [benefit('b'), ofChild('x'), ofChild('y', { memberId: 'other' })]
    for (const [sent, index] of [
      [[mother, child], 0],
      [[child, mother], 1],
    ] as const) {
      const { accepted, rejected } = judge([...sent], benefits)
      expect(rejected).toEqual([])
      expect(accepted.map(({ family }) => family)).toEqual([0, 0])
      expect(accepted[index]?.parts.map((part) => [part.benefit.id, part.cascaded.map(({ id }) => id)])).toEqual([
        ['b', ['y']],
      ])
    }
  })

  test('takes a dependent along whose own entry is rejected', () => {
    const { accepted } = judge([mother, { ...child, 'exclusion-details': {} }], [benefit('b'), ofChild('x')])
    expect(accepted[0]?.parts[0]?.cascaded.map(({ id }) => id)).toEqual(['x'])
  })

  test('null, blank, misspelt and conflicting selectors never select everything', () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.oneof(fc.constantFrom('product-id', 'benefit-id', 'primary-member-tax-id'), fc.string()),
          fc.oneof(fc.constantFrom(null, '', ' ', 7, cpfAt(1), '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21'), fc.string()),
        ),
        (selectors) => {
          const { target, offenses } = parseExclusionEntry({ ...selectors, ...mother }, 0)
          const extra = Object.keys(selectors).filter(
            (key) => !['tax-id', 'exclusion-details', 'reference'].includes(key),
          )
          if (target?.by === 'company') expect(extra).toEqual([])
          if (extra.length > 1) expect(offenses.length).toBeGreaterThan(0)
        },
      ),
    )
  })

  test('lists every offense: those of the entry, of the facts and of other entries', () => {
    const wrong = { ...mother, reference: cpfAt(3), 'exclusion-details': { ...details, 'end-date': '2020-01-01' } }
    const { rejected } = judge([wrong, mother], [benefit('b', { openChangeId: 'e' })])
    expect(rejected.map(({ index, offenses }) => [index, offenses])).toEqual([
      [0, ['duplicated-member', 'invalid-exclusion-details', 'invalid-reference', 'ongoing-enrollment']],
      [1, ['duplicated-member', 'ongoing-enrollment']],
    ])
    expect(rejected[0]?.['offense-details']).toEqual([
      { code: 'invalid-reference', field: 'reference' },
      { code: 'ongoing-enrollment', field: 'tax-id', 'product-name': 'Saúde' },
      { code: 'invalid-exclusion-details', field: 'exclusion-details.end-date', reason: 'before-start-date' },
      { code: 'duplicated-member', field: 'tax-id', 'product-name': 'Saúde' },
    ])
  })
})

test.each([
  ['RH-2026/11', 'RH-2026/11'],
  ['  lote 7 ', 'lote 7'],
  ['x'.repeat(100), 'x'.repeat(100)],
  ['😀'.repeat(100), '😀'.repeat(100)],
  [`nota ${'1'.repeat(44)}`, `nota ${'1'.repeat(44)}`],
  ['12345678900', '12345678900'],
  [null, undefined],
  ['', undefined],
  ['x'.repeat(101), null],
  [7, null],
  [`fim de ${cpfAt(4)}`, null],
  [`x${cpfAt(4).replace(/^(...)(...)(...)(..)$/, '$1.$2.$3-$4')}y`, null],
])('the reference %j is read as %j', (sent, expected) => {
  expect(reference.parse(sent)).toBe(expected)
})

test.each([
  ['no end', null, null, null],
  ['no end, the primary has one', null, '2026-11-30', null],
  ['an earlier end than the primary', '2026-11-25', '2026-11-30', '2026-11-25'],
  ['an end, the primary has none', '2026-11-25', null, '2026-11-25'],
  ['the end of the primary', '2026-11-30', '2026-11-30', null],
  ['the end of a benefit that would begin after the primary’s', '2026-11-22', '2026-11-20', null],
])('the own end of a dependent with %s', (_case, endDate, primaryEnd, expected) => {
  expect(ownEnd({ startDate: '2026-11-23', endDate }, { endDate: primaryEnd })).toBe(expected)
})
