import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const source = new URL('../../src/', import.meta.url)

test('a POST of a partner keeps its answer in the transaction of what it does', () => {
  const posts = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => ({ name, code: readFileSync(new URL(name, source), 'utf8') }))
    .filter(({ code }) => /method: 'POST'/.test(code) && /api: 'partner'/.test(code))
  expect(posts.length).toBeGreaterThan(3)
  expect(
    posts.filter(({ code }) => !code.includes('responseSaver(')).map(({ name }) => name),
    'call responseSaver(service.responseStore, request) and what it returns last in the transaction: see src/http/idempotency/idempotency.ts',
  ).toEqual([])
})
