import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { JsonError, parseJson } from '../src/json.ts'

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)

describe('a body that is taken', () => {
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

  test('up to 500,000 objects', () => {
    expect(parseJson(Buffer.from(`[${'{},'.repeat(499_999)}0]`))).toHaveLength(500_000)
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
    ['a byte order mark', '\ufeff{}'],
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
    ['more than 500,000 objects', `[${'{},'.repeat(500_000)}0]`],
    ['more than 1,500,000 commas', `[${'0,'.repeat(1_500_001)}0]`],
    ['10 MB of brackets', '['.repeat(10_000_000)],
    ['10 MB of objects in objects', '{"a":'.repeat(2_000_000)],
  ])('%s', (_, text) => {
    expect(() => parseJson(Buffer.from(text))).toThrow(JsonError)
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
