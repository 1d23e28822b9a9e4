import { describe, expect, test } from 'vitest'
import type { InclusionFacts } from '#movements/rules/inclusion-facts.ts'
import type { InclusionWarningCode } from '#kernel/warnings.ts'
import {
  benefitOf,
  choose,
  cpf,
  DENTAL,
  dependent,
  HEALTH,
  idOf,
  judged,
  PREMIUM,
  primary,
  type Sent,
  TODAY,
} from './inclusion-company.ts'

type Facts = Partial<InclusionFacts>

const health = idOf(HEALTH)
const dental = choose(DENTAL, 'on-inclusion-date', 'dental-insurance')
const onAdmission = choose(HEALTH, 'on-admission-date')
const onNextPeriod = choose(HEALTH, 'on-next-billing-period')
const admitted = (date: string, more: Sent = {}) =>
  primary(1, { 'admission-date': date, products: onAdmission, ...more })
const spouse = (n: number, more: Sent = {}) =>
  dependent(n, 1, { 'dependent-type': 'spouse', 'date-of-birth': '1989-02-11', ...more })

/** `[index, field]` of the warnings of a code. */
const warned = (code: InclusionWarningCode, members: readonly Sent[], facts: Facts = {}): unknown[] =>
  judged(members, facts)
    .warnings.filter(({ warning }) => warning === code)
    .map(({ index, field }) => [index, field])

/** `[start, scheduled for, why]` of the first product of each accepted member, primaries first. */
const starts = (members: readonly Sent[], facts: Facts = {}): unknown[] =>
  judged(members, facts).accepted.map(({ products: [first] }) => [
    first?.startDate,
    first?.scheduledActionDate,
    first?.scheduledReason,
  ])

/** `[index, code, day]` of the warnings about starts. */
const startWarnings = (members: readonly Sent[], facts: Facts = {}): unknown[] =>
  judged(members, facts)
    .warnings.filter((one) => one['start-date'] !== undefined)
    .map((one) => [one.index, one.warning, one['start-date']])

const item = 'products.health-insurance[0]'

describe('a dependent starts with the primary', () => {
  test('of the batch, wherever it is, and waits as the primary does', () => {
    const members = [dependent(2, 1), admitted('2026-09-10')]
    expect(starts(members)).toEqual([
      ['2026-09-10', '2026-09-10', 'future-admission-date'],
      ['2026-09-10', '2026-09-10', 'future-admission-date'],
    ])
    expect(judged(members).warnings).toEqual([
      { index: 0, 'tax-id': cpf(2), warning: 'starts-with-primary', field: item, 'start-date': '2026-09-10' },
    ])
  })

  test('whose own day is later than the admission date', () => {
    const members = [admitted('2026-08-03', { products: onNextPeriod }), dependent(2, 1, { products: onAdmission })]
    const [own, ofChild] = starts(members) as [unknown, unknown]
    expect(ofChild).toEqual(own)
    expect(startWarnings(members)).toMatchObject([[1, 'starts-with-primary', (own as string[])[0]]])
  })

  test.each([
    ['active', { benefits: [benefitOf(1, { startDate: '2026-09-01' })] }],
    ['pending', { benefits: [benefitOf(1, { status: 'pending', startDate: '2026-09-01' })] }],
    [
      'processing',
      {
        processing: [
          { taxId: cpf(1), productId: health, admissionDate: null, dateOfBirth: null, startDate: '2026-09-01' },
        ],
      },
    ],
  ] as const)('of the company, %s, and is in the queue at once', (_, facts) => {
    expect(starts([dependent(2, 1)], facts as unknown as Facts)).toEqual([['2026-09-01', null, null]])
    expect(startWarnings([dependent(2, 1)], facts as unknown as Facts)).toEqual([
      [0, 'starts-with-primary', '2026-09-01'],
    ])
  })

  test('but not when the own day is later', () => {
    expect(starts([dependent(2, 1)], { benefits: [benefitOf(1)] })).toEqual([[TODAY, null, null]])
    expect(startWarnings([dependent(2, 1)], { benefits: [benefitOf(1)] })).toEqual([])
  })
})

describe('a start within former cover', () => {
  const former = (n: number, endDate: string, type: 'primary' | 'dependent' = 'primary') => ({
    formerCover: [{ taxId: cpf(n), productId: health, type, endDate }],
  })

  test('is on the day after it', () => {
    expect(starts([admitted('2026-01-05')], former(1, '2026-07-31'))).toEqual([['2026-08-01', null, null]])
    expect(startWarnings([admitted('2026-01-05')], former(1, '2026-07-31'))).toEqual([
      [0, 'starts-after-former-cover', '2026-08-01'],
    ])
    expect(starts([primary(1)], former(1, TODAY))).toEqual([['2026-08-21', null, null]])
  })

  test('also of a dependent, whose primary it does not concern', () => {
    const facts = { ...former(2, TODAY, 'dependent'), benefits: [benefitOf(1)] }
    expect(starts([dependent(2, 1)], facts)).toEqual([['2026-08-21', null, null]])
  })

  test('moves the dependents of the batch too', () => {
    const members = [admitted('2026-01-05'), dependent(2, 1, { products: onAdmission })]
    expect(starts(members, former(1, '2026-07-31'))).toEqual([
      ['2026-08-01', null, null],
      ['2026-08-01', null, null],
    ])
    expect(startWarnings(members, former(1, '2026-07-31'))).toEqual([
      [0, 'starts-after-former-cover', '2026-08-01'],
      [1, 'starts-with-primary', '2026-08-01'],
    ])
  })

  test('counts in the role only', () => {
    expect(startWarnings([admitted('2026-01-05')], former(1, '2026-07-31', 'dependent'))).toEqual([])
  })
})

describe('same-product-type', () => {
  const both = {
    'health-insurance': [
      { name: HEALTH, 'start-option': 'on-inclusion-date' },
      { name: PREMIUM, 'start-option': 'on-inclusion-date' },
    ],
  }

  test('is of the second product of a type, in one entry or in two', () => {
    const second = 'products.health-insurance[1]'
    expect(warned('same-product-type', [primary(1, { products: both })])).toEqual([[0, second]])
    expect(warned('same-product-type', [primary(1), primary(1, { products: choose(PREMIUM) })])).toEqual([[1, item]])
    expect(warned('same-product-type', [primary(1, { products: { ...choose(HEALTH), ...dental } })])).toEqual([])
  })

  test.each(['active', 'pending'] as const)('is of a product beside one that is %s', (status) => {
    const facts = { benefits: [benefitOf(1, { productId: idOf(PREMIUM), status })] }
    expect(warned('same-product-type', [primary(1)], facts)).toEqual([[0, item]])
    expect(warned('same-product-type', [primary(1, { products: dental })], facts)).toEqual([])
  })

  test('is not of the same product again, which is an offense', () => {
    expect(warned('same-product-type', [primary(1)], { benefits: [benefitOf(1)] })).toEqual([])
  })
})

describe('two-spouses', () => {
  test('is of the second spouse or partner of a primary in a product', () => {
    const members = [primary(1), spouse(2), spouse(3, { 'dependent-type': 'partner' })]
    expect(warned('two-spouses', members)).toEqual([[2, item]])
    expect(warned('two-spouses', [primary(1), spouse(2), dependent(3, 1)])).toEqual([])
  })

  test('counts those of the company, each product by itself', () => {
    const spouses = [{ primaryTaxId: cpf(1), productId: health, taxId: cpf(9) }]
    const facts = { benefits: [benefitOf(1), benefitOf(1, { productId: idOf(DENTAL) })], spouses }
    expect(warned('two-spouses', [spouse(2)], facts)).toEqual([[0, item]])
    expect(warned('two-spouses', [spouse(2, { products: dental })], facts)).toEqual([])
    expect(warned('two-spouses', [spouse(9)], facts)).toEqual([])
  })
})

describe('child-older-than-primary', () => {
  const child = (dateOfBirth: string, type = 'child') =>
    dependent(2, 1, { 'date-of-birth': dateOfBirth, 'dependent-type': type })
  const code = 'child-older-than-primary'

  test.each(['child', 'stepchild', 'adopted-child'])('is of a %s born before the primary or on the day', (type) => {
    expect(warned(code, [child('1990-05-17', type), primary(1)])).toEqual([[0, 'date-of-birth']])
    expect(warned(code, [child('1990-05-18', type), primary(1)])).toEqual([])
  })

  test('compares with a primary of the company', () => {
    const primaries = [{ taxId: cpf(1), admissionDate: null, dateOfBirth: '2000-01-01' }]
    expect(warned(code, [child('1999-12-31')], { benefits: [benefitOf(1)], primaries })).toEqual([[0, 'date-of-birth']])
  })

  test('is not of a spouse', () => {
    expect(warned(code, [spouse(2), primary(1)])).toEqual([])
  })
})

test('admission-date-far is of an admission more than a year ahead', () => {
  expect(warned('admission-date-far', [admitted('2027-08-20')])).toEqual([])
  expect(warned('admission-date-far', [admitted('2027-08-21')])).toEqual([[0, 'admission-date']])
  expect(warned('admission-date-far', [primary(1, { 'admission-date': '2062-08-01' })])).toHaveLength(1)
})

test('rejected members have the warnings too, but none about a start', () => {
  const members = [primary(1, { phone: 'x', 'admission-date': '2062-08-01', products: onAdmission })]
  expect(warned('admission-date-far', members)).toHaveLength(1)
  expect(startWarnings(members)).toEqual([])
})

test('a text that shows signs of a wrong encoding is stored as it came, with a warning of its field', () => {
  const members = [primary(1, { 'mothers-name': 'ConceiÃ§Ã£o', 'job-title': 'Mec?nico' }), primary(2)]
  expect(warned('suspicious-text', members)).toEqual([
    [0, 'mothers-name'],
    [0, 'job-title'],
  ])
})
