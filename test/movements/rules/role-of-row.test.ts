import { expect, test } from 'vitest'
import { withRole } from '#movements/rules/role-of-row.ts'

const primary = { 'beneficiary-type': 'primary' }
const daughter = { 'beneficiary-type': 'dependent', 'dependent-type': 'child' }

test.for([
  ['one column of kinship: Titular', ['dependent-type'], { 'dependent-type': 'Titular' }, primary],
  ['one column of kinship: a daughter', ['dependent-type'], { 'dependent-type': 'child' }, daughter],
  ['one column of role: Filha', ['beneficiary-type'], { 'beneficiary-type': 'Filha' }, daughter],
  ['both', ['beneficiary-type', 'dependent-type'], daughter, daughter],
  [
    'both, Titular in both',
    ['beneficiary-type', 'dependent-type'],
    { ...primary, 'dependent-type': 'titular' },
    primary,
  ],
  ['an empty CPF of the primary', ['primary-member-tax-id'], {}, primary],
  ['no kinship', ['dependent-type'], {}, {}],
  ['an empty role', ['beneficiary-type', 'primary-member-tax-id'], {}, {}],
] as const)('%s', ([, columns, fields, expected]) => {
  expect(withRole(fields, new Set(columns))).toEqual(expected)
})

test('a CPF of the primary alone makes a dependent', () => {
  const fields = { 'primary-member-tax-id': '52998224725' }
  expect(withRole(fields, new Set(['primary-member-tax-id']))).toEqual({ ...fields, 'beneficiary-type': 'dependent' })
})
