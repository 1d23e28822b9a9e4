import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWorker } from '#apps/worker/worker.ts'
import { monday, until } from '../world/test-app.ts'
import { readDifferences, readOpenWork } from '../crash/invariants.ts'
import { type IdleTestApp, openIdleTestApp, targetOf } from '../crash/steps.ts'
import { products } from '../crash/tenant.ts'
import { largeBatch, sendBatch } from '../crash/load.ts'

let idle: IdleTestApp
const ask = <Row extends object>(text: string, values?: unknown[]) => idle.testApp.sql<Row>(text, values)

beforeAll(async () => {
  idle = await openIdleTestApp()
})

afterAll(() => idle.close())

const tables = ['member', 'benefit', 'enrollment', 'request', 'movement_item', 'event', 'audit']

/*
 * PostgreSQL assumes one row for a company that did not exist at the last analyze. A plan that reads the whole company for each row is then
 * the cheapest, and the statement times out on each attempt.
 */
test('the first payroll of a new company is processed although the statistics know only the others', async () => {
  const worker = startWorker(await idle.context())
  try {
    for (const table of tables) await ask(`alter table ${table} set (autovacuum_enabled = false)`)
    const settled = () =>
      until(
        () => readOpenWork(ask, monday),
        (open) => open === 0,
      )
    const known = largeBatch(3_000, products)
    expect(await sendBatch(await targetOf(idle.testApp, await idle.testApp.company()), known)).toBe(200)
    await settled()
    for (const table of tables) await ask(`analyze ${table}`)
    const unknown = [largeBatch(3_000, products), largeBatch(600, products, '?resolution=approve')]
    const target = await targetOf(idle.testApp, await idle.testApp.company())
    for (const batch of unknown) {
      expect(await sendBatch(target, batch)).toBe(200)
      await settled()
    }
    expect(await readDifferences(ask, [known, ...unknown])).toEqual({})
  } finally {
    await worker.stop()
  }
})
