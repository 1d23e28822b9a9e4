import { expect, test } from 'vitest'
import { reference } from '#kernel/reference.ts'

test.each([
  ['folha-2026-11', 'folha-2026-11'],
  ['  lote 7 ', 'lote 7'],
  ['x'.repeat(100), 'x'.repeat(100)],
  ['20261123000123', '20261123000123'],
  // Eleven digits with wrong check digits.
  ['52998224726', '52998224726'],
  // A CPF inside of a longer number is part of that number.
  ['552998224725', '552998224725'],
  ['', undefined],
  ['  ', undefined],
  [null, undefined],
  [undefined, undefined],
  ['x'.repeat(101), null],
  [7, null],
  ['52998224725', null],
  ['529.982.247-25', null],
  ['admissão 529.982.247-25/2026', null],
  ['id529982247-25x', null],
  ['52998224726 52998224725', null],
])('the reference %j is read as %j', (sent, expected) => {
  expect(reference.parse(sent)).toBe(expected)
})
