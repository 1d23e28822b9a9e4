import { expect, test } from 'vitest'
import { parseSearch } from '#kernel/search.ts'

test.each([
  ['Ana', { text: 'Ana', digits: null }],
  ['  são ', { text: 'são', digits: null }],
  ['100%_\\', { text: '100\\%\\_\\\\', digits: null }],
  ['123.456', { text: '123.456', digits: '123456' }],
  ['529.982.247-25', { text: '529.982.247-25', digits: '52998224725' }],
  ['1-2', { text: '1-2', digits: null }],
  ['😀😀😀', { text: '😀😀😀', digits: null }],
])('%j is searched as %j', (q, term) => expect(parseSearch(q)).toEqual(term))

test.each(['', '   ', 'ab', ' a b'.trim().slice(0, 2), '  ab  ', '😀😀'])('%j is too short', (q) =>
  expect(parseSearch(q)).toBe(null),
)
