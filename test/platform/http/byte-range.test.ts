import { expect, test } from 'vitest'
import { byteRange } from '#platform/http/byte-range.ts'

test.each([
  [undefined, null],
  ['bytes=0-0', { first: 0, last: 0 }],
  ['bytes=10-19', { first: 10, last: 19 }],
  ['Bytes = 10 - 19', { first: 10, last: 19 }],
  ['bytes=90-', { first: 90, last: 99 }],
  ['bytes=90-1000', { first: 90, last: 99 }],
  ['bytes=-10', { first: 90, last: 99 }],
  ['bytes=-1000', { first: 0, last: 99 }],
  ['bytes=100-', 'unsatisfiable'],
  ['bytes=100-200', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=20-10', null],
  ['bytes=0-1,5-6', null],
  ['bytes=-', null],
  ['bytes=a-b', null],
  ['pages=1-2', null],
  ['', null],
  ['bytes', null],
  ['bytes=', null],
  ['bytes=1', null],
  ['bytes=0-1-2', null],
  ['bytes=0-1=2', null],
  ['bytes=0 1-2', null],
  ['bytes=0-1234567890123456', null],
  [' bytes = 10 - 19 ', { first: 10, last: 19 }],
])('%s of 100 bytes', (header, range) => {
  expect(byteRange(header, 100)).toEqual(range)
})

test('a header of thousands of spaces is ignored, whatever it asks for', () => {
  const spaces = ' '.repeat(7_000)
  expect(byteRange(`bytes=${spaces}-${spaces}x`, 100)).toBeNull()
  expect(byteRange(`bytes=${spaces}0-${spaces}1`, 100)).toBeNull()
})
