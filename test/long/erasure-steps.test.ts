import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Context } from '#platform/http/context.ts'
import { executeErasure } from '#privacy/erasures/execute.ts'
import { applyRetention } from '#privacy/retention/run.ts'
import { holder, ndjson, sendImport } from '../world/import.ts'
import { expectOk } from '../world/test-app.ts'
import { failAfterEach } from '../crash/fail-after-each.ts'
import { readViolations } from '../crash/invariants.ts'
import { type IdleTestApp, openIdleTestApp } from '../crash/steps.ts'

/* An erasure and a run of retention while statements fail: what they began goes on, and nothing is half done. */

let idle: IdleTestApp
let context: Context
const signal = new AbortController().signal

beforeAll(async () => {
  idle = await openIdleTestApp({ VIGENCIA_RETENTION: 'benefit=30' })
  context = await idle.context({ VIGENCIA_DATA_DIR: idle.testApp.dataDir })
})
afterAll(() => idle.close())

/** People whose benefits ended in October, of two companies, and a rejected line of an import. @returns the CPF that both know. */
async function people(): Promise<string> {
  const [first, second] = [await idle.testApp.company(), await idle.testApp.company()]
  const line = holder(first, { name: 'Berenice Prado Lins', 'end-date': '2026-10-10' })
  const lines = [
    line,
    { ...line, 'company-tax-id': second.taxId },
    { ...line, 'product-name': 'Não existe' },
    holder(first, { 'end-date': '2026-10-11' }),
  ]
  expectOk(await sendImport(idle.testApp.operator, ndjson(lines)))
  return line['tax-id']
}

/** The people that a transaction left half erased, and the rules that it broke. */
async function broken(): Promise<unknown> {
  const halfErased = await idle.testApp.sql(
    `select id from member where (tax_id like 'erased%') <> (name = 'erased') or (name = 'erased') <> (details = '{}' and mothers_name = 'erased')`,
  )
  return { ...(await readViolations(idle.testApp.sql)), ...(halfErased.length > 0 && { halfErased }) }
}

/** How often the act failed: after one more statement each time. */
async function failing(act: (on: Context) => Promise<unknown>): Promise<number> {
  expect(await broken()).toEqual({})
  return (await failAfterEach(context, broken, act)).failed
}

test('an erasure that fails after any statement is done in the end', async () => {
  const { testApp } = idle
  const taxId = await people()
  const path = '/operator/v1/subject-request'
  const body = { 'tax-id': taxId, kind: 'erasure' }
  const { result } = expectOk(await testApp.operator.post(path, body)).body
  const id = result['subject-request-id']
  expectOk(await testApp.operator.post(`${path}/${id}/plan`))
  expectOk(await (await testApp.operatorOf('admin')).post(`${path}/${id}/approve`))
  expect(await failing((on) => executeErasure(on, id))).toBeGreaterThan(20)
  expect(expectOk(await testApp.operator.get(`${path}/${id}`)).body.result).toMatchObject({
    status: 'fulfilled',
    'tax-id': null,
  })
  const [left] = await testApp.sql(
    `select (select count(*)::int from member where tax_id = $1) as members,
       (select count(*)::int from member_import_error where content like '%' || $1 || '%') as lines`,
    [taxId],
  )
  expect(left).toEqual({ members: 0, lines: 0 })
})

test('a run of retention that fails after any statement is done in the end', async () => {
  const taxId = await people()
  expect(await failing((on) => applyRetention(on, signal))).toBeGreaterThan(10)
  expect(await idle.testApp.sql('select from member where tax_id = $1', [taxId])).toEqual([])
  expect(await idle.testApp.sql(`select from member where name <> 'erased'`)).toEqual([])
})
