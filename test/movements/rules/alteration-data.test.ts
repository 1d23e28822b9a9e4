import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ALTERATION_FIELDS, parseAlteration, QUALIFYING_KEYS } from '#movements/rules/alteration-data.ts'
import { DOCUMENT_TYPES, MARITAL_STATUSES, STATES, WORK_CONTRACT_TYPES } from '#kernel/enums.ts'

const alterationKeys = Object.keys(ALTERATION_FIELDS)
const today = '2026-11-23'
const id = '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21'
const parse = (data: unknown, others = {}) => parseAlteration({ 'alteration-data': data, ...others }, today)
const accepted = (data: unknown, others = {}) => {
  const parsed = parse(data, others)
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.details))
  return parsed.value
}
const long = (length: number) => 'ç'.repeat(length)

// Key, valid values with their stored form, invalid values. Null and blank are always invalid.
const texts: [unknown[][], unknown[]] = [
  [
    ['  Ana Lúcia ', 'Ana Lúcia'],
    [long(200), long(200)],
  ],
  [1, true, [], {}, long(201)],
]
const choices = (values: readonly string[]): [unknown[][], unknown[]] => [
  values.map((value) => [value, value]),
  [values[0]?.toUpperCase(), `${values[0]}x`, 0, [values[0]]],
]
const uuids: [unknown[][], unknown[]] = [
  [
    [id, id],
    [id.toUpperCase(), id],
  ],
  ['1', id.replaceAll('-', ''), `{${id}}`, `${id} `, 7],
]
const cpfs: [unknown[][], unknown[]] = [
  [
    ['52998224725', '52998224725'],
    ['529.982.247-25', '52998224725'],
  ],
  ['52998224724', '11111111111', '529982247-25', ' 52998224725', 52_998_224_725],
]
const cnpjs: [unknown[][], unknown[]] = [
  [
    ['12.ABC.345/01DE-35', '12ABC34501DE35'],
    ['12abc34501de35', '12ABC34501DE35'],
    ['11222333000181', '11222333000181'],
  ],
  ['12ABC34501DE36', '00000000000000', '1122233300018', 11_222_333_000_181],
]
const table: Record<string, [unknown[][], unknown[]]> = {
  'new-product-id': uuids,
  'new-company-tax-id': cnpjs,
  'requested-start-date': [
    [
      ['2026-12-01', '2026-12-01'],
      ['1900-01-01', '1900-01-01'],
      ['2028-02-29', '2028-02-29'],
    ],
    ['1899-12-31', '2026-02-29', '01/12/2026', '2026-12-01T00:00:00Z', 20_261_201],
  ],
  reason: [
    [
      [' Promoção\na gerente ', 'Promoção\na gerente'],
      [long(500), long(500)],
    ],
    [long(501), 1, ['x']],
  ],
  name: texts,
  'preferred-name': texts,
  'tax-id': cpfs,
  'mothers-name': texts,
  'date-of-birth': [
    [
      ['1990-05-17', '1990-05-17'],
      [today, today],
    ],
    ['2026-11-24', '1899-12-31', '1990-02-30', 0],
  ],
  gender: choices(['male', 'female']),
  'marital-status': [
    [...MARITAL_STATUSES.map((value) => [value, value]), ['other', 'others']],
    ['Single', 'separated', 1, ['single']],
  ],
  email: [[[' ana@exemplo.com.br ', 'ana@exemplo.com.br']], ['ana', 'ana@', '@x.br', 'a b@x.br', 'a@x', 1]],
  phone: [
    [
      ['(11) 98765-4321', '11987654321'],
      ['+55 21 3456-7890', '2134567890'],
    ],
    ['98765-4321', '0198765432', '119876543210', 11_987_654_321],
  ],
  'address-postal-code': [
    [
      ['01310-100', '01310100'],
      ['01310100', '01310100'],
    ],
    ['1310-100', '0.1310-100', '013101000', '0131-0100', 1_310_100],
  ],
  'address-street': texts,
  'address-number': [[['1578-A', '1578-A']], [1578]],
  'address-neighborhood': texts,
  'address-complement': texts,
  'address-city': texts,
  'address-state': [
    [...STATES.map((value) => [value, value]), ['sp', 'SP']],
    ['XX', 'São Paulo', 'S', 11],
  ],
  'city-ibge-code': [
    [
      ['3550308', '3550308'],
      ['355030', '355030'],
    ],
    ['9950308', '35503', '35503080', '3350308x', 3_550_308],
  ],
  'fathers-name': texts,
  cns: [
    [
      ['705008734026156', '705008734026156'],
      ['705 0087 3402 6156', '705008734026156'],
    ],
    ['705008734026158', '305008734026156', '70500873402615', 705_008_734_026_156],
  ],
  pis: [
    [
      ['12054789366', '12054789366'],
      ['120.54789.36-6', '12054789366'],
    ],
    ['12054789361', '120547893-66', 12_054_789_366],
  ],
  'birth-declaration-number': [
    [
      ['30728419354', '30728419354'],
      ['30-72841935-4', '30728419354'],
    ],
    ['3072841935', '30.72841935-4', 30_728_419_354],
  ],
  'identity-document-number': texts,
  'identity-document-issuer': texts,
  'identity-document-state': [
    [
      ['SP', 'SP'],
      ['sp', 'SP'],
    ],
    ['XX', 'SSP', 11],
  ],
  'identity-document-issued-at': [[['2008-03-14', '2008-03-14']], ['14/03/2008', '1899-12-31', 0]],
  cbo: [
    [
      ['212405', '212405'],
      ['2124-05', '212405'],
    ],
    ['21240', '2124-5', '2124.05', 212_405],
  ],
  'student-until': [[['2026-12-31', '2026-12-31']], ['31/12/2026', '1899-12-31', 0]],
  disabled: [
    [
      [true, true],
      [false, false],
    ],
    ['true', 'sim', 1],
  ],
  'company-id': uuids,
  'work-contract-type': choices(WORK_CONTRACT_TYPES),
  'monthly-salary': [
    [
      [0, 0],
      [523_000, 523_000],
      [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
    ],
    [-1, 0.5, Number.MAX_SAFE_INTEGER + 1, '523000'],
  ],
  'employee-company-tax-id': cnpjs,
  'bank-number': [[['001', '001']], [1]],
  'bank-branch-number': [[['1234-5', '1234-5']], [12_345]],
  'bank-account-number': texts,
  'bank-account-owners-name': texts,
  'bank-account-owners-tax-id': cpfs,
  documents: [
    [[[], undefined], ...DOCUMENT_TYPES.map((type) => [[{ 'document-id': id, 'document-type': type }], undefined])],
    [
      {},
      [null],
      [id],
      [{ 'document-id': id }],
      [{ 'document-type': 'other' }],
      [{ 'document-id': id, 'document-type': 'x' }],
      [{ 'document-id': 1, 'document-type': 'other' }],
    ],
  ],
}

/** Sent with the key under test, for keys that are not allowed alone. */
const beside = (key: string) => (key === 'name' ? { gender: 'male' } : { name: 'Ana' })

test('the table holds the 40 keys of the contract and two that were added', () => {
  expect(Object.keys(table).toSorted()).toEqual([...alterationKeys].toSorted())
  expect(alterationKeys).toHaveLength(42)
  expect(STATES).toHaveLength(27)
})

describe.each(Object.entries(table))('%s', (key, [good, bad]) => {
  test.each(good)('takes %j as %j', (value, expected) => {
    const { data: parsedData, documents } = accepted({ ...beside(key), [key]: value })
    expect(parsedData[key]).toEqual(expected)
    expect(documents).toEqual(key === 'documents' ? value : [])
  })

  test.each([...bad, null, '', '  '].map((value) => [value]))('refuses %j', (value) => {
    const { rule, schema = {} } = ALTERATION_FIELDS[key] ?? {}
    const isList = key === 'documents' && Array.isArray(value)
    const path = expect.stringMatching(/^documents\[0\](\.document-(id|type))?$/)
    const located = expect.objectContaining({ key: 'rule-of-item', path })
    const message = isList ? located : value === '2026-11-24' ? { key: 'not-after-today' } : { key: 'rule', rule }
    const isWrongType = isList && JSON.stringify(value).includes('"document-id":"')
    const values = isWrongType ? DOCUMENT_TYPES : schema['enum']
    const allowed = values === undefined ? {} : { allowed: values }
    expect(parse({ ...beside(key), [key]: value })).toEqual({
      ok: false,
      code: 'invalid-alteration-data',
      details: [{ field: `alteration-data.${key}`, code: 'invalid', message, ...allowed }],
    })
  })
})

describe('what qualifies', () => {
  test.each(QUALIFYING_KEYS)('%s alone', (key) => {
    expect(parse({ [key]: table[key]?.[0][0]?.[0] }).ok).toBe(true)
  })

  const alone = ['requested-start-date', 'reason', 'documents', 'company-id']
  test('these are all but four', () => {
    expect(alterationKeys.filter((key) => !QUALIFYING_KEYS.includes(key)).toSorted()).toEqual(alone.toSorted())
  })

  test.each([{}, ...alone.map((key) => ({ [key]: table[key]?.[0][0]?.[0] }))])('%j does not', (data) => {
    expect(parse(data)).toEqual({
      ok: false,
      code: 'invalid-alteration-data',
      details: [{ field: 'alteration-data', code: 'nothing-to-alter' }],
    })
  })

  test('all four together do not', () => {
    const data = Object.fromEntries(alone.map((key) => [key, table[key]?.[0][0]?.[0]]))
    expect(parse(data)).toMatchObject({ ok: false, details: [{ code: 'nothing-to-alter' }] })
  })
})

describe('the body', () => {
  test.each([
    [undefined, 'missing'],
    [null, 'invalid'],
    ['x', 'invalid'],
    [[], 'invalid'],
    [1, 'invalid'],
  ])('alteration-data of %j is %s', (data, code) => {
    const parsed = parseAlteration(data === undefined ? {} : { 'alteration-data': data }, today)
    expect(parsed).toEqual({
      ok: false,
      code: 'invalid-alteration-data',
      details: [{ field: 'alteration-data', code }],
    })
  })

  test.each([
    [{ 'company-tax-id': '1' }, { field: 'company-tax-id', code: 'invalid' }],
    [{ 'company-tax-id': null }, { field: 'company-tax-id', code: 'invalid' }],
    [{ note: 1 }, { field: 'note', code: 'unknown' }],
  ])('%j in the body is invalid', (others, detail) => {
    expect(parse({ name: 'Ana' }, others)).toEqual({ ok: false, code: 'invalid-body', details: [detail] })
  })

  test('all errors are reported at once; unknown keys by their names, also those of Object.prototype', () => {
    const parsed = parse({ gender: 'x', constructor: 'x', toString: 1, 'Tax-Id': '52998224725', name: '' })
    expect(parsed).toMatchObject({ ok: false, code: 'invalid-alteration-data' })
    const details = parsed.ok ? [] : parsed.details
    expect(details.map(({ field, code }) => ({ field, code }))).toEqual([
      { field: 'alteration-data.gender', code: 'invalid' },
      { field: 'alteration-data.constructor', code: 'unknown' },
      { field: 'alteration-data.toString', code: 'unknown' },
      { field: 'alteration-data.Tax-Id', code: 'unknown' },
      { field: 'alteration-data.name', code: 'invalid' },
    ])
  })
})

test('e-mail and salary are stored under the keys of the profile; the data keep the keys that were sent', () => {
  const request = accepted(
    { email: 'ana@exemplo.com', 'monthly-salary': 1, reason: 'x', 'new-product-id': id, 'company-id': id },
    { 'company-tax-id': '12.abc.345/01de-35' },
  )
  expect(request).toEqual({
    companyTaxId: '12ABC34501DE35',
    companyId: id,
    newProductId: id,
    newCompanyTaxId: null,
    requestedStartDate: null,
    reference: null,
    sandbox: null,
    documents: [],
    registration: { 'email-private': 'ana@exemplo.com', salary: 1 },
    data: { email: 'ana@exemplo.com', 'monthly-salary': 1, reason: 'x', 'new-product-id': id, 'company-id': id },
  })
})

const anyData = fc.dictionary(
  fc.oneof(fc.constantFrom(...alterationKeys), fc.string({ maxLength: 12 })),
  fc.jsonValue(),
  {
    maxKeys: 8,
  },
)
const goodData = fc
  .subarray(Object.keys(table), { minLength: 1 })
  .chain((keys) =>
    fc.record(
      Object.fromEntries(keys.map((key) => [key, fc.constantFrom(...(table[key]?.[0] ?? []).map(([value]) => value))])),
    ),
  )

test('any data are parsed, or refused with an error for each unknown key; no error contains a value', () => {
  fc.assert(
    fc.property(anyData, (data) => {
      const parsed = parse(data)
      const unknown = Object.keys(data).filter((key) => !alterationKeys.includes(key))
      const details = parsed.ok ? [] : parsed.details
      const reported = details.filter(({ code }) => code === 'unknown').map(({ field }) => field)
      expect(reported).toEqual(unknown.map((key) => `alteration-data.${key}`))
      for (const { field, code, message, allowed, ...others } of details) {
        const { rule, schema = {} } = code === 'invalid' ? (ALTERATION_FIELDS[field.split('.')[1] ?? ''] ?? {}) : {}
        // The place in a list, with the rule of what is there.
        if (message?.key === 'rule-of-item') {
          expect(message.path).toMatch(/^documents\[\d+\](\.document-(id|type))?$/)
          expect(others).toEqual({})
          continue
        }
        const expected = rule === undefined ? undefined : { key: 'rule', rule }
        expect([message, allowed, others]).toEqual([expected, schema['enum'], {}])
      }
    }),
  )
})

test('any combination of valid values is parsed, and parsing the result again changes nothing', () => {
  fc.assert(
    fc.property(goodData, (data) => {
      fc.pre(Object.keys(data).some((key) => QUALIFYING_KEYS.includes(key)))
      const request = accepted(data)
      const { data: parsedData, documents } = request
      expect(accepted({ ...parsedData, ...(documents.length > 0 ? { documents } : {}) })).toEqual(request)
    }),
  )
})
