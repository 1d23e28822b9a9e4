import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { IMPORT_COLUMNS } from '#movements/rules/import-columns.ts'
import { parseImportLine } from '#movements/rules/import-line.ts'
import { columnOfOffense } from '#kernel/import-offenses.ts'
import { IMPORT_OFFENSES, OFFENSES } from '#kernel/offenses.ts'

const primary = {
  'company-tax-id': '12.ABC.345/01DE-35',
  'beneficiary-type': 'primary',
  name: ' Ana ',
  'tax-id': '529.982.247-25',
  'mothers-name': 'Rita',
  'date-of-birth': '1980-02-29',
  gender: 'female',
  'product-name': ' Saúde  Ouro ',
  'start-date': '2024-03-01',
}
const dependent = {
  ...primary,
  'beneficiary-type': 'dependent',
  'primary-member-tax-id': '11144477735',
  'dependent-type': 'child',
}

test('a line in normal form', () => {
  const sent = { ...dependent, 'end-date': '2024-03-01', 'card-number': ' 1 ', 'marital-status': 'other', salary: 5 }
  expect(parseImportLine(7, sent)).toEqual({
    line: 7,
    companyTaxId: '12ABC34501DE35',
    role: 'dependent',
    taxId: '52998224725',
    primaryTaxId: '11144477735',
    dependentType: 'child',
    dateOfBirth: '1980-02-29',
    profile: {
      name: 'Ana',
      'mothers-name': 'Rita',
      'date-of-birth': '1980-02-29',
      gender: 'female',
      'marital-status': 'others',
      salary: 5,
    },
    nameKey: 'saude ouro',
    startDate: '2024-03-01',
    endDate: '2024-03-01',
    cardNumber: '1',
    offenses: [],
  })
})

describe('offenses', () => {
  test.for([
    [{}, []],
    [{ 'admission-date': '2024-02-30' }, ['invalid-admission-date']],
    [{ 'end-date': '2024-02-29' }, ['invalid-end-date']],
    [{ 'end-date': 'x' }, ['invalid-end-date']],
    [{ 'end-date': ' ' }, []],
    [{ 'start-date': 'x', 'end-date': '2024-01-01' }, ['invalid-start-date']],
    [{ 'card-number': 'x'.repeat(200) }, []],
    [{ 'card-number': 'x'.repeat(201) }, ['invalid-card-number']],
    [{ 'product-name': 'x'.repeat(201) }, ['unknown-product']],
    [{ 'product-name': '\u0301' }, ['unknown-product']],
    [{ 'company-tax-id': 11_222_333_000_181 }, ['invalid-company-tax-id']],
    [{ 'primary-member-tax-id': 'x', 'dependent-type': 'x' }, []],
  ] as const)('of a primary with %j: %j', ([overrides, offenses]) => {
    expect(parseImportLine(1, { ...primary, ...overrides }).offenses).toEqual(offenses)
  })

  test.for([
    [{ 'admission-date': 'x' }, []],
    [{ 'primary-member-tax-id': '' }, ['missing-primary-member-tax-id']],
    [{ 'primary-member-tax-id': '52998224725' }, ['invalid-primary-member-tax-id']],
    [{ 'dependent-type': 'friend' }, ['invalid-dependent-type']],
  ] as const)('of a dependent with %j: %j', ([overrides, offenses]) => {
    expect(parseImportLine(1, { ...dependent, ...overrides }).offenses).toEqual(offenses)
  })

  test('of an empty line: every required field is missing', () => {
    expect([...parseImportLine(1, {}).offenses].sort()).toEqual([
      'missing-beneficiary-type',
      'missing-company-tax-id',
      'missing-date-of-birth',
      'missing-gender',
      'missing-mothers-name',
      'missing-name',
      'missing-product-name',
      'missing-start-date',
      'missing-tax-id',
    ])
    expect(parseImportLine(2, null)).toMatchObject({ line: 2, offenses: ['malformed-line'] })
  })

  test('of any line are in the closed list, each once; a line without offenses has all required fields', () => {
    const known: ReadonlySet<string> = new Set([...OFFENSES, ...IMPORT_OFFENSES])
    const columns: ReadonlySet<string> = new Set(IMPORT_COLUMNS.keys())
    const sent = fc.dictionary(fc.constantFrom(...IMPORT_COLUMNS.keys()), fc.oneof(fc.anything(), fc.string()))
    fc.assert(
      fc.property(fc.constantFrom(primary, dependent, {}), sent, (base, overrides) => {
        const line = parseImportLine(1, { ...base, ...overrides })
        expect(line.offenses.every((one) => known.has(one))).toBe(true)
        expect(line.offenses.map(columnOfOffense).every((one) => columns.has(one))).toBe(true)
        expect(new Set(line.offenses).size).toBe(line.offenses.length)
        if (line.offenses.length > 0) return
        const { companyTaxId, taxId, role, nameKey, startDate } = line
        expect([companyTaxId, taxId, role, nameKey, startDate]).not.toContain(null)
        expect(line.endDate === null || line.endDate >= (startDate ?? '')).toBe(true)
      }),
    )
  })
})
