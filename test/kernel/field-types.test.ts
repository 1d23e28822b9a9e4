import { describe, expect, test } from 'vitest'
import { cents, date, documents, email, maritalStatus, phone, postalCode, text } from '#kernel/field-types.ts'

const document = { 'document-id': '0190', 'document-type': 'other' }

test.each([undefined, null, '', '   ', '\t\n'])('%j counts as not sent in every field', (value) => {
  for (const { parse } of [date, documents, email, maritalStatus, phone, cents, text]) {
    expect(parse(value)).toBeUndefined()
  }
})

describe('a text', () => {
  test('is trimmed and has up to 200 characters, of any size in UTF-16', () => {
    expect(text.parse('  Ana  ')).toBe('Ana')
    expect(text.parse('x'.repeat(200))).toBe('x'.repeat(200))
    expect(text.parse('😀'.repeat(200))).toBe('😀'.repeat(200))
    expect(text.parse(` ${'x'.repeat(200)} `)).toBe('x'.repeat(200))
  })

  test.each(['x'.repeat(201), '😀'.repeat(201), 'x'.repeat(100_000), 7, true, [], {}])('%# is invalid', (value) => {
    expect(text.parse(value)).toBeNull()
  })
})

test('a date is valid from 1900 on', () => {
  expect(date.parse('1900-01-01')).toBe('1900-01-01')
  expect(date.parse('1899-12-31')).toBeNull()
  expect(date.parse('2026-02-30')).toBeNull()
  expect(date.parse(20260101)).toBeNull()
})

test('the marital status other is read as others', () => {
  expect(maritalStatus.parse('other')).toBe('others')
  expect(maritalStatus.parse('others')).toBe('others')
  expect(maritalStatus.parse('Single')).toBeNull()
})

describe('a salary', () => {
  test.each([0, 1, 1e2, Number.MAX_SAFE_INTEGER])('%s cents is accepted', (value) => {
    expect(cents.parse(value)).toBe(value)
  })

  test.each([-1, 0.5, 2 ** 53, Infinity, Number.NaN, '100', true, {}])('%s is invalid', (value) => {
    expect(cents.parse(value)).toBeNull()
  })
})

describe('an e-mail', () => {
  test.each(['a@b.co', 'ana.maria+rh@sub.empresa.com.br', "d'avila@x-y.example", ' ana@mail.example '])(
    '%s is taken',
    (value) => {
      expect(email.parse(value)).toBe(value.trim())
    },
  )

  test.each([
    'nobody',
    '@b.co',
    'a@',
    'a@b',
    'a@b.',
    'a@.co',
    'a@b..co',
    'a..b@c.co',
    '.a@c.co',
    'a.@c.co',
    'a b@c.co',
    'a@b@c.co',
    'a@-b.co',
    'a@b-.co',
    'a@1.2.3.4',
    'joão@mail.example',
    'Ana <a@b.co>',
    'a@b.co,c@d.co',
    `${'a'.repeat(65)}@b.co`,
    `a@${'b'.repeat(200)}.co`,
    42,
  ])('%s is invalid', (value) => {
    expect(email.parse(value)).toBeNull()
  })

  test.each(['a.'.repeat(100_000), `a@${'a-'.repeat(100_000)}`, '@'.repeat(100_000), `a@${'a-'.repeat(99)}`])(
    'hostile ones (%#) are refused',
    (value) => {
      expect(email.parse(value)).toBeNull()
    },
  )
})

describe('a phone', () => {
  test.each([
    ['11925618483', '11925618483'],
    ['1133334444', '1133334444'],
    ['(11) 92561-8483', '11925618483'],
    ['+55 11 92561-8483', '11925618483'],
    ['+5511925618483', '11925618483'],
    ['11.92561.8483', '11925618483'],
    ['011 98765-4321', '11987654321'],
    ['5511987654321', '11987654321'],
    ['551133334444', '1133334444'],
    ['+55 (011) 98765-4321', '11987654321'],
    ['0055 11 98765-4321', '11987654321'],
    // The area code 55 is of Santa Maria.
    ['55 3333-4444', '5533334444'],
    ['55 98765-4321', '55987654321'],
  ])('%s is kept as %s', (value, expected) => {
    expect(phone.parse(value)).toBe(expected)
  })

  test.each([
    '0912345',
    '925618483',
    '0119256184',
    '10925618483',
    '119256184830',
    '+1 212 555 0100',
    '11 9256-184x',
    '11+925618483',
    'phone',
    11925618483,
  ])('%s is invalid', (value) => {
    expect(phone.parse(value)).toBeNull()
  })
})

test.each(['01310-100', '01310100', '01.310-100'])('the postal code %s is kept as its digits', (value) => {
  expect(postalCode.parse(value)).toBe('01310100')
})

describe('documents', () => {
  test('are accepted as sent, an equal pair once', () => {
    expect(documents.parse([document, { ...document }])).toEqual([document])
    expect(documents.parse([])).toEqual([])
    expect(documents.parse([{ ...document, note: 'x' }])).toEqual([document])
  })

  test.each([
    [{}],
    ['0190'],
    [[null]],
    [['0190']],
    [[{ 'document-id': '0190' }]],
    [[{ 'document-type': 'other' }]],
    [[{ 'document-id': 7, 'document-type': 'other' }]],
    [[{ 'document-id': ' ', 'document-type': 'other' }]],
    [[{ 'document-id': 'x'.repeat(201), 'document-type': 'other' }]],
    [[{ 'document-id': '0190', 'document-type': 'selfie' }]],
    [[document, 7]],
  ])('%j are invalid', (value) => {
    expect(documents.parse(value)).toBeNull()
  })
})
