import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { ResultItems } from '../../sdk/src/result-items.ts'

/** Cuts the text at the positions, and gives the pieces to the parser. */
function read(text: string, cuts: readonly number[]): { items: unknown[]; isEnded: boolean } {
  const parser = new ResultItems()
  const ends = [...new Set([...cuts.map((cut) => cut % (text.length + 1)), text.length])].sort((a, b) => a - b)
  const items: unknown[] = []
  let start = 0
  for (const end of ends) {
    items.push(...parser.push(text.slice(start, end)))
    start = end
  }
  return { items, isEnded: parser.isEnded }
}

const item = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue({ maxDepth: 3 }))
const list = fc.array(item, { maxLength: 20 })
const cuts = fc.array(fc.nat(10_000), { maxLength: 40 })

test('the items are those of JSON.parse, wherever the text is cut into pieces', () => {
  fc.assert(
    fc.property(list, cuts, fc.constantFrom(undefined, 2), (result, cuts, indentation) => {
      const text = JSON.stringify({ result, more: ['x'] }, null, indentation)
      expect(read(text, cuts)).toEqual({ items: (JSON.parse(text) as { result: unknown }).result, isEnded: true })
    }),
  )
})

test('a text that is cut off is never complete, and its items are the first ones', () => {
  fc.assert(
    fc.property(list, cuts, fc.nat(), (result, cuts, length) => {
      const text = JSON.stringify({ result })
      const { items, isEnded } = read(text.slice(0, length % text.length), cuts)
      expect(isEnded).toBe(false)
      expect(items).toEqual((JSON.parse(text) as { result: unknown[] }).result.slice(0, items.length))
    }),
  )
})

test('another text is an error that does not quote it', () => {
  for (const text of ['<html>Helena', '[]', '{"error":"x"}', '{"result":[{Helena}]}', `${' '.repeat(2_000)}x`]) {
    expect(() => read(text, [])).toThrow('The list is not JSON')
  }
})
