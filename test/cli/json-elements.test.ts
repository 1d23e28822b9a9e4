import fc from 'fast-check'
import { expect, test } from 'vitest'
import { elementsOf } from '../../src/cli/json-line-numbers.ts'

const chunked = (text: string, size: number) => {
  const bytes = Buffer.from(text)
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) => bytes.subarray(n * size, (n + 1) * size))
}

test('whatever the elements, their layout and the pieces they come in, each is found whole and on its line', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(fc.jsonValue(), fc.string({ unit: 'binary' }))),
      fc.jsonValue(),
      fc.nat(3),
      fc.integer({ min: 1, max: 40 }),
      async (elements, other, indent, size) => {
        const text = JSON.stringify({ other, members: elements, last: { members: [1] } }, null, indent)
        const found = await Array.fromAsync(elementsOf(chunked(text, size), 'members'))
        expect(found.map((one) => JSON.parse(one.text) as unknown)).toEqual(JSON.parse(JSON.stringify(elements)))
        const lines = text.split('\n')
        for (const one of found) expect(lines[one.line - 1]).toContain(one.text.split('\n')[0])
      },
    ),
  )
})

test('a text that ends early is told', async () => {
  const text = '{"result":[{"a":1},{"b":2}]}'
  for (let length = 0; length < text.length; length += 1) {
    const read = Array.fromAsync(elementsOf([Buffer.from(text.slice(0, length))], 'result'))
    await expect(read).rejects.toThrow('ended early')
  }
  expect(await Array.fromAsync(elementsOf([Buffer.from(text)], 'result'))).toHaveLength(2)
})
