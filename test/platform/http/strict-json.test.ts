import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { batchLimits, JsonError, parseJson, TooManyValuesError } from '#platform/http/strict-json.ts'

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)

describe('a body that is accepted', () => {
  test.each([
    '{}',
    ' [1, "é", "\\u00e9", "\\ud83d\\ude00", "😀", "\\"", "\\\\u0000", "[[[", "\\\\"] ',
    '"__proto__"',
    '{"\\u0061":{"b":"__proto__","constructor":1}}',
    nested(64),
    '{"a":'.repeat(64) + '1' + '}'.repeat(64),
    `[${'[],'.repeat(100)}[]]`,
    '{"a":1,"a":2}',
    '["{,{,{,"]',
  ])('%s', (text) => {
    expect(parseJson(Buffer.from(text))).toEqual(JSON.parse(text))
  })

  test('of a batch: up to 500,000 objects', () => {
    expect(parseJson(Buffer.from(`[${'{},'.repeat(499_998)}0]`), batchLimits)).toHaveLength(499_999)
  })

  test('of a batch: 10,000 members with every field, four products and five documents each', () => {
    const member = {
      ...Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`field-${index}`, 'x'])),
      products: {
        a: [{ name: 'x', 'start-option': 'x' }],
        b: Array.from({ length: 3 }, () => ({ name: 'x', 'start-option': 'x' })),
      },
      documents: Array.from({ length: 5 }, () => ({ 'document-id': 'x', 'document-type': 'x' })),
    }
    const body = Buffer.from(
      JSON.stringify({ 'company-tax-id': 'x', members: Array.from({ length: 10_000 }, () => member) }),
    )
    expect(body.length).toBeLessThan(16 * 1024 * 1024)
    expect(parseJson(body, batchLimits)).toMatchObject({ 'company-tax-id': 'x' })
  })

  test('of up to 20,000 values', () => {
    expect(parseJson(Buffer.from(`[${'0,'.repeat(19_997)}0]`))).toHaveLength(19_998)
  })

  test('whatever JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6, noUnicodeString: false }), (value) => {
        const text = JSON.stringify(value)
        fc.pre(!/__proto__|\\u(?:0000|d[89a-f])/i.test(text))
        expect(parseJson(Buffer.from(text))).toEqual(JSON.parse(text))
      }),
      { numRuns: 500 },
    )
  })
})

describe('a body that is refused', () => {
  test.each([
    ['nothing', ''],
    ['no JSON', '{"a":'],
    ['two byte order marks', '\ufeff\ufeff{}'],
    ['two values', '{} {}'],
    ['a raw NUL', '["a\u0000b"]'],
    ['a NUL outside of strings', '[1]\u0000'],
    ['an escaped NUL', '["a\\u0000b"]'],
    ['an escaped NUL in a key', '{"\\u0000":1}'],
    ['an escaped NUL after an escaped backslash', '["\\\\\\u0000"]'],
    ['a lone high surrogate', '["\\ud800"]'],
    ['a lone high surrogate before text', '["\\ud800abcdef"]'],
    ['a lone high surrogate before another', '["\\ud83d\\ud83d\\ude00"]'],
    ['a lone low surrogate', '["\\uDC00"]'],
    ['surrogates the wrong way round', '["\\ude00\\ud83d"]'],
    ['a surrogate cut off', '["\\ud83d\\ude'],
    ['a bad escape', '["\\u00zz"]'],
    ['a key __proto__', '{"__proto__":{}}'],
    ['a key __proto__ deep down', '[{"a":[{"__proto__":1}]}]'],
    ['an escaped key __proto__', '{"\\u005f_proto__":1}'],
    ['another escaped key __proto__', '{"__pr\\u006Fto__":1}'],
    ['nesting of 65', nested(65)],
    ['nesting of 65 objects', '{"a":'.repeat(65) + '1' + '}'.repeat(65)],
    ['10 MB of brackets', '['.repeat(10_000_000)],
    ['10 MB of objects in objects', '{"a":'.repeat(2_000_000)],
  ])('%s', (_, text) => {
    expect(() => parseJson(Buffer.from(text))).toThrow(JsonError)
  })

  test.each([
    ['more than 20,000 values', `[${'0,'.repeat(20_000)}0]`, undefined],
    ['more than 20,000 keys', `{${'"a":0,'.repeat(20_000)}"b":0}`, undefined],
    ['more than 20,000 values, and then nothing that is JSON', '0,'.repeat(20_001), undefined],
    ['a batch of more than 500,000 objects', `[${'{},'.repeat(500_000)}0]`, batchLimits],
    ['a batch of more than 1,500,000 values', `[${'0,'.repeat(1_500_000)}0]`, batchLimits],
  ])('%s, before it is parsed', (_, text, limits) => {
    expect(() => parseJson(Buffer.from(text), limits)).toThrow(TooManyValuesError)
  })

  test('not for commas and braces inside strings', () => {
    expect(parseJson(Buffer.from(JSON.stringify(['{,['.repeat(50_000)])))).toHaveLength(1)
  })

  test.each([
    ['a broken sequence', [0x22, 0xc3, 0x22]],
    ['an overlong NUL', [0x22, 0xc0, 0x80, 0x22]],
    ['an encoded surrogate', [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ['Latin-1', [0x22, 0xe9, 0x22]],
  ])('%s', (_, bytes) => {
    expect(() => parseJson(Buffer.from(bytes))).toThrow(JsonError)
  })

  test('any bytes that are no JSON, always with a JsonError', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        let outcome: unknown = 'taken'
        try {
          parseJson(Buffer.from(bytes))
        } catch (error) {
          outcome = error
        }
        expect(outcome === 'taken' || outcome instanceof JsonError).toBe(true)
      }),
      { numRuns: 500 },
    )
  })
})
