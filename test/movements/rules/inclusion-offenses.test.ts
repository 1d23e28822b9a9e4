import { describe, expect, test } from 'vitest'
import type { InclusionFacts } from '#movements/rules/inclusion-facts.ts'
import { OFFENSES } from '#kernel/offenses.ts'
import type { Offense } from '#kernel/offenses.ts'
import {
  benefitOf,
  choose,
  cpf,
  DENTAL,
  dependent,
  factsOf,
  HEALTH,
  idOf,
  offensesOf,
  PREMIUM,
  primary,
  readData,
} from './inclusion-company.ts'
import { ruleOf } from '../../registry/rules/requirement-rules.ts'
import type { Sent } from './inclusion-company.ts'

type Facts = Partial<InclusionFacts>
interface Case {
  members: Sent[]
  facts?: Facts
  /** Offenses of each member, in the order sent. */
  expected: string[][]
}

const benefit = (
  n: number,
  status: 'active' | 'pending',
  name = HEALTH,
  type: 'primary' | 'dependent' = 'primary',
): Facts => ({
  benefits: [benefitOf(n, { productId: idOf(name), type, status })],
})
const without = (field: string): Case => ({
  members: [primary(1, { [field]: null })],
  expected: [[`missing-${field}`]],
})
const wrong = (field: string, value: unknown): Case => ({
  members: [primary(1, { [field]: value })],
  expected: [[`invalid-${field}`]],
})

const enrolled = { 'document-id': 'matrícula', 'document-type': 'proof-of-enrollment' }
const tooOld = ['dependent-too-old']
const childLimit = {
  'dependent-type': 'child',
  'max-age': 21,
  'student-max-age': 24,
  unless: ['disabled'],
  ends: 'end-of-month',
  'draft-exclusion': false,
} as const

const CASES: Record<Offense, Case> = {
  'already-enrolled': { members: [primary(1)], facts: benefit(1, 'active'), expected: [['already-enrolled']] },
  'dependent-too-old': {
    members: [
      primary(1),
      dependent(2, 1, { 'date-of-birth': '2005-08-20' }),
      dependent(3, 1, { 'date-of-birth': '2005-08-21' }),
      dependent(4, 1, { 'date-of-birth': '2005-08-20', 'dependent-type': 'spouse' }),
      dependent(5, 1, { 'date-of-birth': '2005-08-20', disabled: true }),
      dependent(6, 1, { 'date-of-birth': '2005-08-20', 'student-until': '2026-12-31' }),
      dependent(7, 1, { 'date-of-birth': '2005-08-20', 'student-until': '2026-12-31', documents: [enrolled] }),
      dependent(8, 1, { 'date-of-birth': '2005-08-20', 'student-until': '2026-08-19', documents: [enrolled] }),
      dependent(9, 1, { 'date-of-birth': '2002-08-20', 'student-until': '2026-12-31', documents: [enrolled] }),
      dependent(10, 1, { 'date-of-birth': '2005-08-20', documents: [enrolled] }),
    ],
    facts: {
      usableDocumentIds: [enrolled['document-id']],
      products: factsOf().products.map((product) => ({ ...product, ageLimits: [childLimit] })),
    },
    expected: [[], tooOld, [], [], [], tooOld, [], tooOld, tooOld, tooOld],
  },
  'dependent-type-not-allowed': {
    members: [primary(1), dependent(2, 1, { 'dependent-type': 'parent' })],
    expected: [[], ['dependent-type-not-allowed']],
  },
  'duplicated-member': {
    members: [primary(1), primary(2), primary(1)],
    expected: [['duplicated-member'], [], ['duplicated-member']],
  },
  'invalid-address-city': wrong('address-city', 7),
  'invalid-address-complement': wrong('address-complement', 'x'.repeat(201)),
  'invalid-address-neighborhood': wrong('address-neighborhood', []),
  'invalid-address-number': wrong('address-number', 100),
  'invalid-address-postal-code': wrong('address-postal-code', '0131'),
  'invalid-address-state': wrong('address-state', 'XX'),
  'invalid-address-street': wrong('address-street', {}),
  'invalid-admission-date': wrong('admission-date', '2026-02-30'),
  'invalid-bank-account-number': wrong('bank-account-number', 12345),
  'invalid-bank-account-owners-name': wrong('bank-account-owners-name', true),
  'invalid-bank-account-owners-tax-id': wrong('bank-account-owners-tax-id', '11111111111'),
  'invalid-bank-branch-number': wrong('bank-branch-number', 1),
  'invalid-bank-number': wrong('bank-number', 341),
  'invalid-beneficiary-type': wrong('beneficiary-type', 'boss'),
  'invalid-birth-declaration-number': wrong('birth-declaration-number', '30-7284193-4'),
  'invalid-cbo': wrong('cbo', '2124'),
  'invalid-city-ibge-code': wrong('city-ibge-code', '9950308'),
  'invalid-cns': wrong('cns', '705008734026158'),
  'invalid-cost-center': wrong('cost-center', 7),
  'invalid-cost-center-name': wrong('cost-center-name', 7),
  'invalid-date-of-birth': wrong('date-of-birth', '2026-08-21'),
  'invalid-dependency-date': wrong('dependency-date', '1899-12-31'),
  'invalid-dependent-type': {
    members: [primary(1), dependent(2, 1, { 'dependent-type': 'son' })],
    expected: [[], ['invalid-dependent-type']],
  },
  'invalid-disabled': wrong('disabled', 'yes'),
  'invalid-documents': wrong('documents', [{ 'document-id': 'unknown', 'document-type': 'other' }]),
  'invalid-email': {
    members: [primary(1, { email: 'a@mail.example', 'email-private': 'b@mail.example' })],
    expected: [['invalid-email']],
  },
  'invalid-email-corporate': wrong('email-corporate', 'nobody'),
  'invalid-email-private': wrong('email-private', 'a@b'),
  'invalid-employee-company-tax-id': wrong('employee-company-tax-id', '123'),
  'invalid-employee-id': wrong('employee-id', 'x'.repeat(201)),
  'invalid-fathers-name': wrong('fathers-name', 7),
  'invalid-gender': wrong('gender', 'F'),
  'invalid-identity-document-issued-at': wrong('identity-document-issued-at', '2026-02-30'),
  'invalid-identity-document-issuer': wrong('identity-document-issuer', {}),
  'invalid-identity-document-number': wrong('identity-document-number', 341_927_085),
  'invalid-identity-document-state': wrong('identity-document-state', 'SSP'),
  'invalid-job-title': wrong('job-title', {}),
  'invalid-marital-status': wrong('marital-status', 'engaged'),
  'invalid-monthly-salary': {
    members: [primary(1, { 'monthly-salary': 1, salary: 2 })],
    expected: [['invalid-monthly-salary']],
  },
  'invalid-mothers-name': wrong('mothers-name', ['Ana']),
  'invalid-name': wrong('name', 7),
  'invalid-phone': wrong('phone', '0912345'),
  'invalid-pis': wrong('pis', '12054789361'),
  'invalid-preferred-name': wrong('preferred-name', 'N/A'),
  'invalid-primary-member-tax-id': {
    members: [primary(1), dependent(2, 1, { 'primary-member-tax-id': '123' })],
    expected: [[], ['invalid-primary-member-tax-id']],
  },
  'invalid-products': wrong('products', [HEALTH]),
  'invalid-reference': wrong('reference', `folha 11/2026 ${cpf(1)}`),
  'invalid-sandbox': wrong('sandbox', { outcome: 'lost' }),
  'invalid-salary': wrong('salary', 1234.5),
  'invalid-start-option': {
    members: [primary(1, { products: choose(HEALTH, 'tomorrow') })],
    expected: [['invalid-start-option']],
  },
  'invalid-student-until': wrong('student-until', '2026-02-30'),
  'invalid-tax-id': wrong('tax-id', '11111111111'),
  'invalid-work-contract-type': wrong('work-contract-type', 'gig'),
  'missing-admission-date': {
    members: [primary(1, { products: choose(HEALTH, 'on-admission-date') })],
    expected: [['missing-admission-date']],
  },
  'missing-beneficiary-type': without('beneficiary-type'),
  'missing-date-of-birth': without('date-of-birth'),
  'missing-dependent-type': {
    members: [primary(1), dependent(2, 1, { 'dependent-type': ' ' })],
    expected: [[], ['missing-dependent-type']],
  },
  'missing-documents': {
    members: [primary(1), dependent(2, 1), primary(3, { documents: [] })],
    facts: { requirementRules: [ruleOf({ when: { 'dependent-types': ['child'] }, enforcement: 'offense' })] },
    expected: [[], ['missing-documents'], []],
  },
  'missing-gender': without('gender'),
  'missing-mothers-name': without('mothers-name'),
  'missing-name': without('name'),
  'missing-primary-member-tax-id': {
    members: [primary(1), dependent(2, 1, { 'primary-member-tax-id': undefined })],
    expected: [[], ['missing-primary-member-tax-id']],
  },
  'missing-product-name': { members: [primary(1, { products: choose(' ') })], expected: [['missing-product-name']] },
  'missing-products': without('products'),
  'missing-start-option': {
    members: [primary(1, { products: choose(HEALTH, null) })],
    expected: [['missing-start-option']],
  },
  'missing-tax-id': without('tax-id'),
  'ongoing-enrollment': {
    members: [primary(1)],
    facts: { openEnrollments: [{ taxId: cpf(1), productId: idOf(HEALTH), type: 'primary' }] },
    expected: [['ongoing-enrollment']],
  },
  'primary-member-not-enrolled-in-product': {
    members: [primary(1), dependent(2, 1, { products: choose(DENTAL, 'on-inclusion-date', 'dental-insurance') })],
    expected: [[], ['primary-member-not-enrolled-in-product']],
  },
  'primary-member-not-found': { members: [dependent(2, 1)], expected: [['primary-member-not-found']] },
  'primary-member-rejected': {
    members: [dependent(2, 1), primary(1, { phone: 'x' })],
    expected: [['primary-member-rejected'], ['invalid-phone']],
  },
  'product-type-mismatch': {
    members: [primary(1, { products: choose(DENTAL, undefined) })],
    expected: [['product-type-mismatch']],
  },
  'start-option-not-allowed': {
    members: [primary(1, { 'admission-date': '2026-08-01', products: choose(PREMIUM, 'on-admission-date') })],
    expected: [['start-option-not-allowed']],
  },
  'unknown-product': { members: [primary(1, { products: choose('Plano Fantasma') })], expected: [['unknown-product']] },
}

describe('each offense of the closed list', () => {
  test('is listed once, sorted, with a case here', () => {
    expect([...OFFENSES]).toEqual([...new Set(OFFENSES)].sort())
    expect(Object.keys(CASES).sort()).toEqual([...OFFENSES])
  })

  test.each(OFFENSES)('%s is the only offense of its case', (offense) => {
    const { members, facts, expected } = CASES[offense]
    expect(expected.flat()).toContain(offense)
    expect(offensesOf(members, facts)).toEqual(expected)
  })
})

test('every member of the case table gets exactly the offenses it expects', () => {
  const { members } = readData<{ members: Sent[] }>('payroll-offenses.json')
  const sent = members.map((member) => ({ ...member, expect: undefined }))
  expect(offensesOf(sent)).toEqual(members.map((member) => member['expect']))
})

test('the payroll of a thousand families is accepted as a whole', () => {
  const { members } = readData<{ members: Sent[] }>('payroll-1000.json')
  expect(offensesOf(members).flat()).toEqual([])
})

describe('products', () => {
  test.each([
    [{}, ['missing-products']],
    ['', ['missing-products']],
    ['health', ['invalid-products']],
    [7, ['invalid-products']],
    [[], ['invalid-products']],
    [{ 'health-insurance': [] }, ['invalid-products']],
    [{ 'health-insurance': null }, ['invalid-products']],
    [{ 'health-insurance': HEALTH }, ['invalid-products']],
    [{ 'health-insurance': [HEALTH] }, ['invalid-products']],
    [{ 'health-insurance': [null] }, ['invalid-products']],
    [{ 'health-insurance': [[]] }, ['invalid-products']],
    [{ 'health-insurance': [{ name: 7, 'start-option': 'tomorrow' }] }, ['invalid-products']],
    [{ 'health-insurance': [{}] }, ['missing-product-name', 'missing-start-option']],
    [{ 'health-insurance': [{ name: 'Fantasma', 'start-option': 7 }] }, ['invalid-start-option', 'unknown-product']],
    [{ 'health-insurance': [{ name: 'x'.repeat(500), 'start-option': 'on-inclusion-date' }] }, ['unknown-product']],
    [{ 'pet-insurance': [{ name: HEALTH }] }, ['product-type-mismatch']],
    [{ constructor: [{ name: HEALTH, 'start-option': 'x' }] }, ['product-type-mismatch']],
  ])('%j are told as %j', (products, expected) => {
    expect(offensesOf([primary(1, { products })])).toEqual([expected])
  })

  test('match by name without case, accents and surrounding white space', () => {
    expect(offensesOf([primary(1, { products: choose('  SAUDE essencial enfermaria ') })])).toEqual([[]])
  })

  test('of one entry may not be the same twice, however spelt', () => {
    const item = { name: HEALTH, 'start-option': 'on-inclusion-date' }
    const products = { 'health-insurance': [item, { ...item, name: HEALTH.toUpperCase() }] }
    expect(offensesOf([primary(1, { products })])).toEqual([['duplicated-member']])
  })

  test('with a mismatched type have no further offenses', () => {
    const products = choose(DENTAL, 'tomorrow')
    const dental = choose(DENTAL, 'on-inclusion-date', 'dental-insurance')
    expect(offensesOf([primary(1, { products }), primary(1, { products: dental })])).toEqual([
      ['product-type-mismatch'],
      [],
    ])
  })
})

describe('a member whose role is unknown', () => {
  test('is judged by the sent fields; no field of either role is required', () => {
    const sent = primary(1, { 'beneficiary-type': 'boss', products: choose(HEALTH, 'on-admission-date') })
    const wrongDate = { ...sent, 'tax-id': cpf(2), 'admission-date': 'soon', 'dependent-type': 'son' }
    expect(offensesOf([sent, wrongDate])).toEqual([
      ['invalid-beneficiary-type'],
      ['invalid-admission-date', 'invalid-beneficiary-type', 'invalid-dependent-type'],
    ])
  })

  test('is in the batch: its dependents are rejected with it, not as not found', () => {
    expect(offensesOf([dependent(2, 1), primary(1, { 'beneficiary-type': undefined })])).toEqual([
      ['primary-member-rejected'],
      ['missing-beneficiary-type'],
    ])
  })
})

describe('one person', () => {
  const dental = choose(DENTAL, 'on-inclusion-date', 'dental-insurance')

  test('may be primary in one product and dependent in another', () => {
    expect(offensesOf([primary(1), primary(2, { products: dental }), dependent(1, 2, { products: dental })])).toEqual([
      [],
      [],
      [],
    ])
  })

  test('may not be primary and dependent in one product', () => {
    expect(offensesOf([primary(1), primary(2), dependent(1, 2)])).toEqual([
      ['duplicated-member'],
      [],
      ['duplicated-member'],
    ])
  })

  test('with a benefit in one role is not enrolled in the other', () => {
    expect(offensesOf([primary(1)], benefit(1, 'active', HEALTH, 'dependent'))).toEqual([[]])
  })

  test('with a pending benefit has an ongoing enrollment', () => {
    expect(offensesOf([primary(1)], benefit(1, 'pending'))).toEqual([['ongoing-enrollment']])
  })
})
