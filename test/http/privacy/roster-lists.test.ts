import { beforeAll, expect, test } from 'vitest'
import { write } from '#platform/core/write.ts'
import type { Context } from '#platform/http/context.ts'
import type { Progress } from '#platform/http/district.ts'
import { executeApproved } from '#privacy/erasures/execute.ts'
import { rosterFileStep } from '#movements/rosters/read.ts'
import { useIdleTestApp } from '../../crash/idle-fixture.ts'
import { readViolations } from '../../crash/invariants.ts'
import { planned } from '../../world/erasing.ts'
import { child, covered, employee, itemsOf, openSync, putList } from '../../world/rosters.ts'
import { type Client, type Company, expectOk, type Json } from '../../world/test-app.ts'

/* What becomes of people in lists who are erased while a list is read, compared, and has a draft. */

const idle = useIdleTestApp({ VIGENCIA_RETENTION: 'benefit=0' })
const { ask } = idle
let second: Client
beforeAll(async () => {
  second = await idle.testApp.operatorOf('admin')
})

interface Scene {
  readonly company: Company
  readonly payroll: Client
  readonly erased: Json
  readonly others: readonly Json[]
  readonly sync: Json
}

/** A list with somebody who left, whom it includes again with a child; with others, of whom one is new. */
async function scene(): Promise<Scene> {
  const company = await idle.testApp.company()
  const payroll = await idle.testApp.partner(company.taxId)
  const others = Array.from({ length: 4 }, (_, n) => employee(n, { phone: '11987654321' }))
  const erased = employee(9, { name: 'Zuleica Tavares Quintanilha', 'employee-id': 'MATR-77123' })
  await covered(idle.testApp, company, others)
  await covered(idle.testApp, company, [{ ...erased, 'end-date': '2026-10-31' }])
  const list = [
    ...others.map((one, n) => (n === 0 ? { ...one, phone: '11912345678' } : one)),
    employee(20),
    erased,
    child(erased, { name: 'Helena Prates' }),
  ]
  const sync = await openSync(payroll, company, { states: ['people', 'products'] })
  const lines = list.map((one) => `${JSON.stringify(one)}\n`).join('')
  expectOk(await putList(payroll, sync, lines, '/v1', { 'content-type': 'application/x-ndjson' }))
  return { company, payroll, erased, others, sync }
}

async function step(on: Context, { company, sync }: Scene): Promise<Progress> {
  const target = { companyId: company.id, targetId: sync['roster-sync-id'] }
  let progress: Progress = 'done'
  await rosterFileStep(on, target, new AbortController().signal, async (store) => {
    await write(on, { kind: 'service' }, { may: 'service' }, async (tx) => {
      progress = await store(tx)
      if (progress === 'done') await tx.execute('delete from work where target_id = $1', [target.targetId])
    })
  })
  return progress
}

async function erase({ erased }: Scene): Promise<void> {
  const { at } = await planned(idle.testApp, erased['tax-id'])
  expectOk(await second.post(`${at}/approve`))
  await executeApproved(idle.context, new AbortController().signal)
}

const sayings = async ({ payroll, sync }: Scene): Promise<string[]> => {
  const { body } = expectOk(await payroll.get(`/v1/roster-sync/${sync['roster-sync-id']}`))
  return (await itemsOf(payroll, body.result)).map((item) => `${item.class} ${item.status} ${item.name}`).toSorted()
}

/** Tables of lists that have a text. */
async function tablesWith(text: string): Promise<string[]> {
  const found: string[] = []
  for (const table of [
    'roster_sync',
    'roster_line',
    'roster_person',
    'roster_item',
    'movement_draft',
    'movement_draft_item',
    'member',
  ]) {
    const rows = await ask(`select from ${table} t where t::text ilike '%' || $1 || '%'`, [text])
    if (rows.length > 0) found.push(table)
  }
  return found
}

test.each([
  ['once its lines are read', 1],
  ['once its people are found', 2],
  ['once its families are compared', 3],
  ['once it has a draft', 4],
])('somebody who is erased from a list %s is in nothing of it, and the others are as before', async (_name, steps) => {
  const given = await scene()
  for (let n = 0; n < steps; n += 1) await step(idle.context, given)
  await erase(given)
  while ((await step(idle.context, given)) === 'more');
  const texts = [given.erased['tax-id'], 'zuleica', 'matr-77123']
  for (const text of texts) expect([text, await tablesWith(text)]).toEqual([text, []])
  const others = (await sayings(given)).filter((one) => !one.includes('Helena') && !one.startsWith('refused'))
  expect(others.map((one) => one.split(' ').slice(0, 2).join(' '))).toEqual([
    'correction proposed',
    'inclusion proposed',
  ])
  for (const table of ['roster_line', 'roster_person', 'roster_item'])
    expect(await ask(`select from ${table}`)).toEqual([])
  expect(await readViolations(ask)).toEqual({})
})
