import { beforeAll, expect, test } from 'vitest'
import { book, writing } from '../../world/calls/book.ts'
import { type Made, make, tokenOf, type World } from '../../world/calls/call.ts'
import { expectOk, type Json, useTestApp } from '../../world/test-app.ts'

/* Every call of the book, and the audit rows that it left: those that its entry names. */

const testApp = useTestApp({ VIGENCIA_WEBHOOK_ALLOW_PRIVATE: 'true' })
let world: World
beforeAll(async () => {
  const company = await testApp.company()
  world = { testApp, company, partner: await testApp.partner(company.taxId), operator: testApp.operator }
})

const done = new Set<string>()
/** Audit rows as they were first written, by id. */
const written = new Map<string, Json>()
let serial = 0

/** Makes the call, which must succeed. @returns actions and actors of the audit, sorted. */
async function rowsOf(call: Made): Promise<string[]> {
  const trace = `write-${(serial += 1)}`
  const { token } = call.api === 'partner' ? world.partner : world.operator
  expectOk(await make(testApp, call, tokenOf(call, token), { 'x-request-id': trace }))
  const { result } = expectOk(await testApp.operator.get(`/operator/v1/audit?request-trace-id=${trace}`)).body
  const stored = 'select id::text, to_jsonb(audit) as row from audit where request_trace_id = $1'
  for (const row of await testApp.sql(stored, [trace])) written.set(row['id'], row['row'])
  const who: Record<string, string> = {
    ...(call.clientId === undefined ? {} : { [call.clientId]: 'person' }),
    [world.partner.clientId]: 'partner',
    [testApp.operator.clientId]: 'operator',
  }
  for (const row of result)
    expect(row).toMatchObject({ target: expect.stringMatching(/./), address: expect.any(String) })
  return result.map((row: Json) => `${row.action} by ${who[row.actor] ?? row.actor}`).toSorted()
}

test.each(Object.entries(book))(
  '%s: each call that writes leaves its audit rows, and the others none',
  async (_name, chapter) => {
    const calls = chapter.callsOf(await chapter.prepare(world))
    expect(calls.length).toBeGreaterThan(0)
    for (const call of calls) {
      const { operation, api, audit } = call
      const rows = await rowsOf(call)
      const expected = audit
        .filter((row) => row !== '*')
        .map((row) => (row.includes(' by ') ? row : `${row} by ${api}`))
      const all = audit.includes('*') ? expect.arrayContaining(expected) : expected
      expect({ operation, rows }).toEqual({ operation, rows: all })
      if (audit.length > 0) done.add(operation)
    }
  },
)

test('no operation that writes is left out', () => {
  expect(writing).toEqual([...done].toSorted())
})

test('no audit row is changed or deleted by what comes after it', async () => {
  const rows = await testApp.sql('select id::text, to_jsonb(audit) as row from audit where id = any($1::uuid[])', [
    [...written.keys()],
  ])
  expect(written.size).toBeGreaterThan(20)
  expect(new Map(rows.map((row) => [row['id'], row['row']]))).toEqual(written)
})
