import { describe, expect, test } from 'vitest'
import { expressionsOf, patternsOf, weaknessOf } from '../regular-expressions.ts'

const vulnerable = [
  ['cubic', String.raw`/^\s*bytes\s*=\s*(\d{0,15})\s*-\s*(\d{0,15})\s*$/i`],
  ['quadratic', String.raw`/\s+$/`],
  ['exponential', '/^(a+)+$/'],
  ['a constructor', `new RegExp('^(a|a)*$', 'u')`],
  ['a call', 'RegExp(`^(a|a)*$`)'],
  ['put together at run time', 'new RegExp(`^${"a"}$`)'],
  ['with flags of run time', `new RegExp('a', flags)`],
] as const

describe('the check of regular expressions', () => {
  test.each(vulnerable)('refuses one that is %s: %s', (_case, code) => {
    const found = expressionsOf('a.ts', `const flags: string = 'u'\nexport const text = 'x'.replace(${code}, flags)\n`)
    expect(found.map(({ where }) => where)).toEqual(['a.ts:2'])
    expect(found.map((one) => weaknessOf(one) !== null)).toEqual([true])
  })

  test.each([String.raw`/^\d{0,15}$/`, '/["\\\\]+/g', `new RegExp('^[a-z]+$')`, 'new RegExp(/a/, "g")'])(
    'takes %s',
    (code) => {
      const found = expressionsOf('a.ts', `export const expression = ${code}\n`)
      expect(found).toHaveLength(1)
      expect(found.map(weaknessOf)).toEqual([null])
    },
  )

  test('reads the patterns of JSON schemas', () => {
    const document = { schemas: { Name: { type: 'string', pattern: '^(a|a)*$' }, pattern: { type: 'string' } } }
    const found = patternsOf('a.json', document)
    expect(found.map(({ where }) => where)).toEqual(['a.json#/schemas/Name/pattern'])
    expect(found.map((one) => weaknessOf(one) !== null)).toEqual([true])
  })
})
