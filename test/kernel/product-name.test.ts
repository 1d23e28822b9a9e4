import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { productNameKey } from '#kernel/product-name.ts'

test.each([
  ['Saúde Essencial', '  saude ESSENCIAL '],
  ['Saúde Essencial', 'Sau\u0301de Essencial'],
  ['AÇÃO', 'acao'],
  ['Saúde Essencial', 'Saúde\u00a0 \n Essencial'],
  ['Saúde Essencial', 'Saúde\u200b Essencial\ufeff'],
])('%s and %s are one product', (one, other) => {
  expect(productNameKey(one)).toBe(productNameKey(other))
})

test.each([['Dental 1', 'Dental 10']])('%s and %s are two products', (one, other) => {
  expect(productNameKey(one)).not.toBe(productNameKey(other))
})

test('the key of a key is the same', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (name) => {
      const key = productNameKey(name)
      expect(productNameKey(key)).toBe(key)
    }),
  )
})
