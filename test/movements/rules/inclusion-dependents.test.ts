import { describe, expect, test } from 'vitest'
import type { InclusionFacts } from '#movements/rules/inclusion-facts.ts'
import {
  benefitOf,
  choose,
  cpf,
  DENTAL,
  dependent,
  HEALTH,
  idOf,
  judged,
  offensesOf,
  PREMIUM,
  primary,
} from './inclusion-company.ts'

type Facts = Partial<InclusionFacts>

const dental = choose(DENTAL, 'on-inclusion-date', 'dental-insurance')
const onAdmission = choose(HEALTH, 'on-admission-date')
const known = (admissionDate: string | null = null): Facts => ({
  primaries: [{ taxId: cpf(1), admissionDate, dateOfBirth: '1980-01-01' }],
})
const holds = (status: 'active' | 'pending', name = HEALTH): Facts => ({
  benefits: [benefitOf(1, { productId: idOf(name), status })],
})
const processing = (admissionDate: string | null = null): Facts => ({
  processing: [
    { taxId: cpf(1), productId: idOf(HEALTH), admissionDate, dateOfBirth: '1980-01-01', startDate: '2020-01-01' },
  ],
})

describe('the primary of a dependent', () => {
  test('may be at any index of the batch, its CPF formatted or not', () => {
    const formatted = cpf(1).replace(/^(...)(...)(...)(..)$/, '$1.$2.$3-$4')
    expect(offensesOf([dependent(2, 1), primary(1, { 'tax-id': formatted }), dependent(3, 1)])).toEqual([[], [], []])
  })

  test.each([
    ['has an active benefit', holds('active')],
    ['has a pending benefit', holds('pending')],
    ['is still processing', processing()],
  ])('may be one of the company who %s', (_, facts) => {
    expect(offensesOf([dependent(2, 1)], facts)).toEqual([[]])
  })

  test('whose benefit ended is not enrolled in the product', () => {
    expect(offensesOf([dependent(2, 1)], known())).toEqual([['primary-member-not-enrolled-in-product']])
    expect(offensesOf([dependent(2, 1)], holds('active', DENTAL))).toEqual([['primary-member-not-enrolled-in-product']])
  })

  test('is not found when it is only a dependent, here or in the company', () => {
    expect(offensesOf([primary(3), dependent(1, 3), dependent(2, 1)])).toEqual([[], [], ['primary-member-not-found']])
    const facts: Facts = { benefits: [benefitOf(1, { type: 'dependent' })] }
    expect(offensesOf([dependent(2, 1)], facts)).toEqual([['primary-member-not-found']])
  })

  test('cannot be the dependent itself', () => {
    expect(offensesOf([primary(1, { products: dental }), dependent(1, 1)])).toEqual([
      [],
      ['invalid-primary-member-tax-id'],
    ])
  })

  test('rejected as already enrolled counts by its active benefit', () => {
    expect(offensesOf([primary(1), dependent(2, 1)], holds('active'))).toEqual([['already-enrolled'], []])
    expect(offensesOf([primary(1, { phone: 'x' }), dependent(2, 1)], holds('active'))).toEqual([
      ['already-enrolled', 'invalid-phone'],
      [],
    ])
  })

  test('rejected as already enrolled in one product is also rejected for the other', () => {
    const both = { ...choose(HEALTH), ...dental }
    expect(
      offensesOf(
        [primary(1, { products: both }), dependent(2, 1), dependent(3, 1, { products: dental })],
        holds('active'),
      ),
    ).toEqual([['already-enrolled'], [], ['primary-member-rejected']])
  })

  test('rejected for an ongoing enrollment rejects its dependents', () => {
    expect(offensesOf([primary(1), dependent(2, 1)], holds('pending'))).toEqual([
      ['ongoing-enrollment'],
      ['primary-member-rejected'],
    ])
  })

  test('with an active benefit is enough for the dependent, even if another entry is rejected', () => {
    expect(offensesOf([primary(1, { products: dental, phone: 'x' }), dependent(2, 1)], holds('active'))).toEqual([
      ['invalid-phone'],
      [],
    ])
  })

  test('rejected, without the product too: both offenses', () => {
    expect(offensesOf([primary(1, { products: dental, phone: 'x' }), dependent(2, 1)])).toEqual([
      ['invalid-phone'],
      ['primary-member-not-enrolled-in-product', 'primary-member-rejected'],
    ])
  })

  test('rejected for unidentified products: the product may be among them', () => {
    expect(offensesOf([primary(1, { products: choose('Fantasma') }), dependent(2, 1)])).toEqual([
      ['unknown-product'],
      ['primary-member-rejected'],
    ])
    expect(offensesOf([primary(1, { products: {} }), dependent(2, 1, { products: {} })])).toEqual([
      ['missing-products'],
      ['missing-products', 'primary-member-rejected'],
    ])
  })

  test('twice in the batch rejects its dependents', () => {
    expect(offensesOf([primary(1), dependent(2, 1), primary(1)])).toEqual([
      ['duplicated-member'],
      ['primary-member-rejected'],
      ['duplicated-member'],
    ])
  })

  test('with two entries is judged by the one of the product', () => {
    const premium = choose(PREMIUM)
    expect(
      offensesOf([
        primary(1, { products: premium, phone: 'x' }),
        primary(1),
        dependent(2, 1),
        dependent(3, 1, { products: premium }),
      ]),
    ).toEqual([['invalid-phone'], [], [], ['primary-member-rejected']])
  })

  test('that is missing or invalid is the only offense', () => {
    const sent = { 'primary-member-tax-id': '1', products: onAdmission }
    expect(offensesOf([dependent(2, 1, sent)])).toEqual([['invalid-primary-member-tax-id']])
    expect(offensesOf([dependent(2, 1, { products: onAdmission })])).toEqual([['primary-member-not-found']])
  })
})

describe("a dependent's admission date", () => {
  const startOf = (members: Record<string, unknown>[], facts: Facts): unknown =>
    judged(members, facts).accepted.at(-1)?.products[0]?.startDate

  test('is that of the primary in the batch; the own date is ignored with a warning', () => {
    const members = [
      dependent(2, 1, { products: onAdmission, 'admission-date': 'whenever' }),
      primary(1, { 'admission-date': '2026-08-03', products: onAdmission }),
    ]
    expect(startOf(members, {})).toBe('2026-08-03')
    expect(judged(members).warnings).toEqual([
      { index: 0, 'tax-id': cpf(2), warning: 'ignored-field', field: 'admission-date' },
    ])
    expect(judged(members).accepted[1]?.profile).not.toHaveProperty('admission-date')
  })

  test('is else that of the request still processing, else that of the profile', () => {
    const members = [dependent(2, 1, { products: onAdmission })]
    expect(startOf(members, { ...processing('2026-08-04'), ...known('2020-01-01') })).toBe('2026-08-04')
    expect(startOf(members, { ...processing(null), ...known('2020-01-01') })).toBe('2020-01-01')
    expect(startOf(members, { ...holds('active'), ...known('2020-01-01') })).toBe('2020-01-01')
  })

  test("is that of the company's data before that of a rejected entry", () => {
    const members = [primary(1, { 'admission-date': '2026-08-03' }), dependent(2, 1, { products: onAdmission })]
    expect(startOf(members, { ...holds('active'), ...known('2020-01-01') })).toBe('2020-01-01')
    expect(startOf(members, { ...holds('active'), ...known(null) })).toBe('2026-08-03')
  })

  test('is missing when the primary has none', () => {
    const child = dependent(2, 1, { products: onAdmission })
    expect(offensesOf([primary(1), child])).toEqual([[], ['missing-admission-date']])
    expect(offensesOf([child], { ...holds('active'), ...known() })).toEqual([['missing-admission-date']])
    expect(offensesOf([primary(1, { products: onAdmission }), child])).toEqual([
      ['missing-admission-date'],
      ['missing-admission-date', 'primary-member-rejected'],
    ])
  })

  test('is not reported as missing when the primary sent an invalid one', () => {
    const members = [primary(1, { 'admission-date': 'x' }), dependent(2, 1, { products: onAdmission })]
    expect(offensesOf(members)).toEqual([['invalid-admission-date'], ['primary-member-rejected']])
    expect(offensesOf(members, { ...holds('active'), ...known() })).toEqual([
      ['already-enrolled', 'invalid-admission-date'],
      ['missing-admission-date'],
    ])
  })
})
