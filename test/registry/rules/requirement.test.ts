import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DEPENDENT_TYPES, DOCUMENT_TYPES, MOVEMENT_KINDS } from '#kernel/enums.ts'
import { contradictions, shadowing } from '#registry/rules/requirement-rule.ts'
import {
  ageOn,
  ENFORCEMENTS,
  itemsLeft,
  requirementItems,
  type RequirementConditions,
  type RequirementRule,
  Requirements,
  type RequirementSubject,
  strength,
  strictest,
} from '#registry/rules/requirement.ts'
import { ruleOf } from './requirement-rules.ts'

const partner: RequirementSubject = {
  carrierKey: 'operadora aurora',
  productType: 'health-insurance',
  productId: 'p1',
  companyTaxId: '7B4XK2M9000194',
  movement: 'inclusion',
  beneficiaryType: 'dependent',
  dependentType: 'partner',
  workContractType: null,
  exclusionReason: null,
  lives: 'up-to-29',
  age: 30,
  daysSinceAdmission: 31,
  late: true,
}
const missing = (rules: RequirementRule[], documents: string[] = [], subject = partner) =>
  new Requirements(rules).missing(subject, new Set(documents))

describe('a rule', () => {
  test.each<[Partial<RequirementConditions> & { carrierKeys?: string[] }, boolean]>([
    [{}, true],
    [{ carrierKeys: ['operadora aurora'] }, true],
    [{ carrierKeys: ['outra'] }, false],
    [{ 'product-types': ['health-insurance'] }, true],
    [{ 'product-types': ['dental-insurance'] }, false],
    [{ 'product-ids': ['p2'] }, false],
    [{ 'company-tax-ids': ['7B4XK2M9000194'] }, true],
    [{ movements: ['exclusion', 'alteration'] }, false],
    [{ 'beneficiary-types': ['primary'] }, false],
    [{ 'dependent-types': ['spouse', 'partner'] }, true],
    [{ 'dependent-types': ['child'] }, false],
    [{ 'work-contract-types': ['intern'] }, false],
    [{ 'exclusion-reasons': ['death'] }, false],
    [{ lives: 'up-to-29' }, true],
    [{ lives: '30-or-more' }, false],
    [{ 'age-from': 30, 'age-until': 30 }, true],
    [{ 'age-from': 31 }, false],
    [{ 'age-until': 29 }, false],
    [{ 'days-since-admission-over': 30 }, true],
    [{ 'days-since-admission-over': 31 }, false],
    [{ late: true }, true],
    [{ late: false }, false],
  ])('holds when all of its conditions do: %o', (conditions, holds) => {
    const { carrierKeys = [], ...when } = conditions
    expect(missing([ruleOf({ when, carrierKeys })])).toHaveLength(holds ? 1 : 0)
  })

  test('holds for nobody of whom a condition is not known', () => {
    const unknown = { ...partner, lives: null, age: null, daysSinceAdmission: null, dependentType: null }
    for (const when of [{ lives: 'up-to-29' }, { 'age-from': 0 }, { 'days-since-admission-over': 0 }]) {
      expect(missing([ruleOf({ when })], [], unknown)).toEqual([])
    }
    expect(missing([ruleOf({ when: { 'dependent-types': ['child'] } })], [], unknown)).toEqual([])
  })

  test('is satisfied by one of its documents', () => {
    const require = [{ 'any-of': ['birth-certificate-or-national-id', 'other'], of: null, message: 'RG' }] as const
    const rules = [ruleOf({ require })]
    expect(missing(rules, ['marriage-certificate'])).toHaveLength(1)
    expect(missing(rules, ['other'])).toEqual([])
  })

  test('asks with others for each set of documents once, by the strictest', () => {
    const both = ['other', 'invoice'] as const
    const found = missing([
      ruleOf({ 'rule-id': 'a', require: [{ 'any-of': both, of: null, message: 'A' }] }),
      ruleOf({
        'rule-id': 'b',
        require: [{ 'any-of': both.toReversed(), of: 'company', message: 'B' }],
        enforcement: 'offense',
      }),
      ruleOf({ 'rule-id': 'c', enforcement: 'warning' }),
    ])
    expect(found.map(({ message, enforcement }) => [message, enforcement])).toEqual([
      ['B', 'offense'],
      ['Declaração de união estável', 'warning'],
    ])
    expect(strictest(found)).toBe('offense')
    expect(strictest([])).toBeNull()
  })
})

test('pending items are numbered, without warnings, and end with a document of their types', () => {
  const items = requirementItems([
    { 'any-of': ['other', 'invoice'], of: null, message: 'A', enforcement: 'pending' },
    { 'any-of': ['fgts-list'], of: null, message: 'W', enforcement: 'warning' },
    { 'any-of': ['work-card'], of: null, message: 'B', enforcement: 'pending' },
  ])
  expect(items.map(({ requirement, message }) => [requirement, message])).toEqual([
    [1, 'A'],
    [2, 'B'],
  ])
  expect(itemsLeft(items, new Set(['invoice'])).map(({ requirement }) => requirement)).toEqual([2])
  expect(itemsLeft(items, new Set(['fgts-list']))).toEqual(items)
})

test.each([
  ['2005-11-25', '2026-11-24', 20],
  ['2005-11-25', '2026-11-25', 21],
  ['2004-02-29', '2026-02-28', 21],
  ['2004-02-29', '2026-03-01', 22],
  ['2027-01-01', '2026-11-25', null],
])('somebody born on %s is on %s %s years old', (birth, day, age) => {
  expect(ageOn(birth, day)).toBe(age)
})

describe('a rule that can never hold', () => {
  const product = { id: 'p1', productType: 'health-insurance', carrierKey: 'aurora', companyTaxId: 'c1' }
  test.each<[Partial<RequirementConditions>, string[]]>([
    [{ 'beneficiary-types': ['primary'], 'dependent-types': ['child'] }, ['when.dependent-types']],
    [{ 'beneficiary-types': ['primary', 'dependent'], 'dependent-types': ['child'] }, []],
    [{ movements: ['inclusion'], 'exclusion-reasons': ['death'] }, ['when.exclusion-reasons']],
    [{ 'exclusion-reasons': ['death'] }, []],
    [{ movements: ['exclusion'], late: true }, ['when.late']],
    [{ 'exclusion-reasons': ['death'], late: true }, ['when.late']],
    [{ 'age-from': 22, 'age-until': 21 }, ['when.age-until']],
    [{ 'age-from': 21, 'age-until': 21 }, []],
    [{ 'product-ids': ['p1'], 'product-types': ['dental-insurance'] }, ['when.product-ids']],
    [{ 'product-ids': ['p1'], 'company-tax-ids': ['c1'] }, []],
  ])('%o', (when, fields) => {
    const products = when['product-ids'] === undefined ? [] : [product]
    expect(contradictions(ruleOf({ when }), products).map(({ field }) => field)).toEqual(fields)
  })
})

const some = <T>(values: readonly T[]) => fc.subarray([...values], { maxLength: 2 })
const rule = fc
  .record({
    when: fc.record({
      movements: some(MOVEMENT_KINDS),
      'dependent-types': some(DEPENDENT_TYPES.slice(0, 4)),
      'beneficiary-types': some(['primary', 'dependent']),
      'age-from': fc.option(fc.integer({ min: 0, max: 40 })),
      late: fc.option(fc.boolean()),
    }),
    types: fc.subarray(DOCUMENT_TYPES.slice(0, 4), { minLength: 1 }),
    enforcement: fc.constantFrom(...ENFORCEMENTS),
    id: fc.uuid(),
  })
  .map(({ when, types, enforcement, id }) =>
    ruleOf({ 'rule-id': id, when, enforcement, require: [{ 'any-of': types, of: null, message: id }] }),
  )
const rules = fc.uniqueArray(rule, { maxLength: 12, selector: (one) => one['rule-id'] })
const subject = fc
  .record({
    movement: fc.constantFrom(...MOVEMENT_KINDS),
    dependentType: fc.constantFrom(null, ...DEPENDENT_TYPES.slice(0, 4)),
    age: fc.integer({ min: 0, max: 50 }),
    late: fc.boolean(),
  })
  .map(
    (one) => ({ ...partner, ...one, beneficiaryType: one.dependentType === null ? 'primary' : 'dependent' }) as const,
  )
const documents = fc.subarray(DOCUMENT_TYPES.slice(0, 4))
const runs = { seed: 20_261_125, numRuns: 500 }
const level = (list: RequirementRule[], who: RequirementSubject, types: string[]) => {
  const enforcement = strictest(missing(list, types, who))
  return enforcement === null ? -1 : strength(enforcement)
}

describe('for any rules', () => {
  test('their order does not matter', () => {
    fc.assert(
      fc.property(rules, subject, documents, fc.func(fc.integer()), (list, who, types, by) => {
        const shuffled = list.toSorted((one, other) => by(one['rule-id']) - by(other['rule-id']))
        expect(missing(shuffled, types, who)).toEqual(missing(list, types, who))
      }),
      runs,
    )
  })

  test('a rule that is added never accepts what was refused', () => {
    fc.assert(
      fc.property(rules, rule, subject, documents, (list, added, who, types) => {
        expect(level([...list, added], who, types)).toBeGreaterThanOrEqual(level(list, who, types))
      }),
      runs,
    )
  })

  test('a shadowed rule changes nothing that is asked for', () => {
    fc.assert(
      fc.property(rules, rule, subject, documents, (list, added, who, types) => {
        fc.pre(shadowing(added, list).length > 0)
        const asked = (some_: RequirementRule[]) =>
          missing(some_, types, who).map((one) => [one['any-of'].toSorted(), one.enforcement])
        expect(asked([...list, added]).toSorted()).toEqual(asked(list).toSorted())
      }),
      runs,
    )
  })
})
