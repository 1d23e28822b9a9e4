import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isStored, parseIdempotencyKey } from '#platform/http/idempotency/idempotency-key.ts'

test.for([
  ['abc', 'abc'],
  ['"abc"', 'abc'],
  ['a b', 'a b'],
  ['"a b"', 'a b'],
  [String.raw`"a\"b"`, 'a"b'],
  [String.raw`"a\\b"`, String.raw`a\b`],
  [String.raw`a\b`, String.raw`a\b`],
  ['a"b', 'a"b'],
  ['8e03978e-40d5-43dd-bc93-6894a57f9324', '8e03978e-40d5-43dd-bc93-6894a57f9324'],
  ['x'.repeat(255), 'x'.repeat(255)],
  [`"${'x'.repeat(255)}"`, 'x'.repeat(255)],
  [`"${'\\"'.repeat(255)}"`, '"'.repeat(255)],
  ['', null],
  ['""', null],
  ['"', null],
  ['"abc', null],
  ['"a"b"', null],
  ['"abc";v=1', null],
  [String.raw`"a\b"`, null],
  [String.raw`"abc\"`, null],
  ['x'.repeat(256), null],
  [`"${'x'.repeat(256)}"`, null],
  ['ação', null],
  ['a\tb', null],
  ['"a\tb"', null],
  ['a\u007fb', null],
] as const)('the header %s is the key %s', ([value, key]) => {
  expect(parseIdempotencyKey(value)).toBe(key)
})

test('every key may be quoted, and is the same key then', () => {
  const printable = fc.string({
    unit: fc.integer({ min: 32, max: 126 }).map((code) => String.fromCharCode(code)),
    minLength: 1,
    maxLength: 255,
  })
  fc.assert(
    fc.property(printable, (key) => {
      const quoted = `"${key.replaceAll(/["\\]/g, String.raw`\$&`)}"`
      expect(parseIdempotencyKey(quoted)).toBe(key)
      if (!key.startsWith('"')) expect(parseIdempotencyKey(key)).toBe(key)
    }),
  )
})

test('whatever the header holds, the key is 1 to 255 printable characters or none', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 600 }), (value) => {
      expect(parseIdempotencyKey(value) ?? 'none').toMatch(/^[\x20-\x7e]{1,255}$/)
    }),
  )
})

test('answers that sending again may mend are not kept', () => {
  const statuses = [200, 204, 400, 401, 403, 404, 405, 409, 410, 413, 415, 422, 429, 500, 503]
  expect(statuses.filter(isStored)).toEqual([200, 204, 400, 403, 404, 409])
})
