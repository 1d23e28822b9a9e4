import { describe, expect, test } from 'vitest'
import { fitsNames } from '#kernel/name.ts'

const between = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index)
const refused = [
  ...between(0x00, 0x1f),
  ...between(0x7f, 0x9f),
  0x061c,
  0x200e,
  0x200f,
  ...between(0x202a, 0x202e),
  ...between(0x2066, 0x2069),
]

describe('a name', () => {
  test('has no control character and no bidirectional formatting character at any position', () => {
    for (const code of refused) {
      const sign = String.fromCodePoint(code)
      expect([
        code,
        fitsNames(`${sign}Ana`),
        fitsNames(`A${sign}na`),
        fitsNames(`Ana${sign}`),
        fitsNames(sign),
      ]).toEqual([code, false, false, false, false])
    }
  })

  test('may have every other character of the first 70,000', () => {
    const others = between(0x20, 70_000).filter((code) => !refused.includes(code) && (code < 0xd800 || code > 0xdfff))
    expect(others.filter((code) => !fitsNames(`A${String.fromCodePoint(code)}`))).toEqual([])
  })

  test.each(['Ana', 'José d’Ávila', '李小龍', 'محمد', 'O’Neil-Souza', 'Ana\u00a0Lima', 'Ana \u{1f600}'])(
    '%s',
    (name) => {
      expect(fitsNames(name)).toBe(true)
    },
  )
})
