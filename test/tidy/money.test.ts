import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/* Money is in whole cents, from the wire to the tables: no number with a fraction has a place to be. */

interface Node {
  readonly type?: unknown
  readonly [key: string]: unknown
}

/** The paths of the schemas below a node that allow a number with a fraction. */
function fractions(node: unknown, path: string): string[] {
  if (typeof node !== 'object' || node === null) return []
  const { type } = node as Node
  const own = type === 'number' || (Array.isArray(type) && type.includes('number')) ? [path] : []
  return [...own, ...Object.entries(node).flatMap(([key, value]) => fractions(value, `${path}/${key}`))]
}

test('no column has a fraction, and those of amounts are integers', () => {
  const lines = readFileSync('sql/schema.sql', 'utf8').split('\n')
  const columns = lines.flatMap((line) => /^ {2}(\w+) ([a-z][a-z ]*)/.exec(line)?.slice(1, 3) ?? [])
  const pairs = columns.flatMap((name, index) => (index % 2 === 0 ? [[name, columns[index + 1] ?? ''] as const] : []))
  expect(pairs.filter(([, type]) => /^(numeric|decimal|real|double|money|float)/.test(type))).toEqual([])
  const ofMoney = pairs.filter(([name]) => /(^|_)(amount|total|salary|tolerance|discrepancy)$/.test(name))
  expect(ofMoney.length).toBeGreaterThan(12)
  expect(ofMoney.filter(([, type]) => !/^(bigint|integer)/.test(type))).toEqual([])
})

test('no field of the API is a number with a fraction, but for a value as a caller sent it', () => {
  const found = fractions(JSON.parse(readFileSync('openapi.json', 'utf8')), '')
  const asSent =
    /\/properties\/(value|old|new|here|stated)\/anyOf\/\d+$|\/Rejected\w+\/properties\/(tax-id|name|beneficiary-type)\/anyOf\/\d+$/
  expect(found.filter((path) => !asSent.test(path))).toEqual([])
})

test('a sum of amounts arrives as a number: without a cast it is numeric, which arrives as text', () => {
  const sums = globSync('src/**/*.ts').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/sum\((?:\w+\.)?\w*amount\)(?:, 0\))?(.{0,12})/g)].map(
      ([text, next = '']) => ({ file, text, next }),
    ),
  )
  expect(sums.length).toBeGreaterThan(5)
  expect(sums.filter(({ next }) => /^ as /.test(next))).toEqual([])
})
