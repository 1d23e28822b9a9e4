import { expect, test } from 'vitest'
import { readStatements } from './statements.ts'

const changes = /\b(?:update|delete from|truncate(?: table)?) (?:only )?(?:audit|audit_seal)\b/i

test('no statement changes or deletes an audit row or a seal: the service only adds to them', () => {
  const faults = readStatements().filter(({ text }) => changes.test(text))
  expect(faults.map(({ where }) => where)).toEqual([])
  expect(readStatements().some(({ text }) => /\binsert into audit\b/.test(text))).toBe(true)
})

test.for([
  'delete from audit where id = $1',
  'with x as (update audit_seal set position = 1) select 1',
  'TRUNCATE audit',
])('sees %s', (text) => {
  expect(changes.test(text)).toBe(true)
})
