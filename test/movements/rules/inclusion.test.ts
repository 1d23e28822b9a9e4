import { describe, expect, test } from 'vitest'
import { choose, cpf, DENTAL, dependent, HEALTH, judged, primary, TODAY } from './inclusion-company.ts'

describe('an accepted member', () => {
  test('is stored in normal form, with the sent fields only', () => {
    const documents = [{ 'document-id': 'd1', 'document-type': 'other' }]
    const sent = primary(1, {
      name: '  Ana  ',
      'marital-status': 'other',
      'job-title': ' ',
      'cost-center': null,
      salary: 0,
      phone: '(11) 92561-8483',
      'email-private': ' ana@mail.example ',
      'admission-date': '2026-08-19',
      documents,
    })
    const { accepted } = judged([sent], { usableDocumentIds: ['d1'] })
    expect(accepted).toEqual([
      {
        index: 0,
        taxId: cpf(1),
        type: 'primary',
        primaryTaxId: null,
        dependentType: null,
        profile: {
          name: 'Ana',
          'mothers-name': 'Fátima Brandão',
          'date-of-birth': '1990-05-17',
          gender: 'female',
          'marital-status': 'others',
          salary: 0,
          'email-private': 'ana@mail.example',
          phone: '11925618483',
          'admission-date': '2026-08-19',
        },
        reference: null,
        sandbox: null,
        documents,
        products: [
          {
            productId: 'saude essencial enfermaria',
            productName: HEALTH,
            startOption: 'on-inclusion-date',
            requestedStart: TODAY,
            startDate: TODAY,
            scheduledActionDate: null,
            scheduledReason: null,
          },
        ],
      },
    ])
  })

  test('comes after the primaries, if a dependent; each in batch order', () => {
    const { accepted } = judged([dependent(5, 2), primary(3), dependent(4, 3), primary(2)])
    expect(accepted.map((member) => member.index)).toEqual([1, 3, 0, 2])
    expect(accepted[2]).toMatchObject({ type: 'dependent', primaryTaxId: cpf(2), dependentType: 'child' })
  })

  test('may share a document with others, unless it is not usable', () => {
    const documents = [{ 'document-id': 'd1', 'document-type': 'other' }]
    const members = [primary(1, { documents }), primary(2, { documents })]
    expect(judged(members, { usableDocumentIds: ['d1'] }).accepted).toHaveLength(2)
    expect(judged(members).rejected).toHaveLength(2)
  })
})

describe('a benefit starts', () => {
  test.each([
    [TODAY, 'on-inclusion-date', undefined, TODAY, null],
    [TODAY, 'on-admission-date', '2001-02-03', '2001-02-03', null],
    [TODAY, 'on-admission-date', TODAY, TODAY, null],
    [TODAY, 'on-admission-date', '2026-08-21', '2026-08-21', 'future-admission-date'],
    [TODAY, 'on-next-billing-period', undefined, '2026-09-01', 'next-billing-period'],
    ['2026-08-21', 'on-next-billing-period', undefined, '2026-10-01', 'next-billing-period'],
  ])('included on %s, %s, admitted %s: on %s', (today, option, admission, startDate, scheduledReason) => {
    const sent = primary(1, { 'admission-date': admission, products: choose(HEALTH, option) })
    const scheduledActionDate = scheduledReason === null ? null : startDate
    expect(judged([sent], { today }).accepted[0]?.products[0]).toMatchObject({
      startDate,
      scheduledActionDate,
      scheduledReason,
    })
  })
})

describe('warnings', () => {
  test('name the unknown and the ignored fields of accepted and of rejected members', () => {
    const members = [
      primary(1, { nickname: 'Leninha', 'primary-member-tax-id': 'x', 'dependent-type': 'boss', 'job-title': null }),
      primary(2, { nickname: null, phone: 'x' }),
      dependent(3, 1, { 'admission-date': ' ' }),
    ]
    expect(judged(members).warnings).toEqual([
      { index: 0, 'tax-id': cpf(1), warning: 'unknown-field', field: 'nickname' },
      { index: 0, 'tax-id': cpf(1), warning: 'ignored-field', field: 'primary-member-tax-id' },
      { index: 0, 'tax-id': cpf(1), warning: 'ignored-field', field: 'dependent-type' },
      { index: 1, 'tax-id': cpf(2), warning: 'unknown-field', field: 'nickname' },
    ])
  })

  test('are limited in number and length', () => {
    const noise = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`${i}`.padEnd(300, 'x'), 1]))
    const { warnings } = judged([primary(1, noise)])
    expect(warnings).toHaveLength(20)
    for (const { field } of warnings) expect(field).toHaveLength(200)
  })

  test.each([
    ['2026-07-21', []],
    ['2026-07-20', ['admission-date']],
  ])('a primary admitted on %s is told as late: %j', (admission, expected) => {
    const { warnings } = judged([primary(1, { 'admission-date': admission, 'dependency-date': '2000-01-01' })])
    expect(warnings.map(({ warning, field }) => [warning, field])).toEqual(
      expected.map((field) => ['late-inclusion', field]),
    )
  })

  test('a late dependent is counted from its dependency date, else from the admission of the primary', () => {
    const { warnings } = judged([
      primary(1, { 'admission-date': '2020-01-01' }),
      dependent(2, 1, { 'dependency-date': '2026-08-01' }),
      dependent(3, 1, { 'dependency-date': '2026-07-01' }),
      dependent(4, 1),
    ])
    expect(warnings.map(({ index, field }) => [index, field])).toEqual([
      [0, 'admission-date'],
      [2, 'dependency-date'],
      [3, 'admission-date'],
    ])
  })
})

test('a rejected member echoes the sent fields, null for absent ones and large objects', () => {
  const members = [
    primary(1, { products: choose(HEALTH) }),
    {
      'beneficiary-type': ' Primary ',
      name: 7,
      'tax-id': ['x'.repeat(200)],
      products: choose(DENTAL, 'on-inclusion-date', 'dental-insurance'),
    },
  ]
  expect(judged(members).rejected).toEqual([
    {
      index: 1,
      'beneficiary-type': ' Primary ',
      name: 7,
      'tax-id': null,
      'company-tax-id': '7B4XK2M9000194',
      offenses: [
        'invalid-beneficiary-type',
        'invalid-name',
        'invalid-tax-id',
        'missing-date-of-birth',
        'missing-gender',
        'missing-mothers-name',
      ],
      'offense-details': [
        { code: 'invalid-beneficiary-type', field: 'beneficiary-type', suggestion: 'primary' },
        { code: 'invalid-name', field: 'name', message: { key: 'send-as-text' } },
        { code: 'invalid-tax-id', field: 'tax-id' },
        { code: 'missing-date-of-birth', field: 'date-of-birth' },
        { code: 'missing-gender', field: 'gender' },
        { code: 'missing-mothers-name', field: 'mothers-name' },
      ],
    },
  ])
})
