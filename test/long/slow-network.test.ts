import { afterAll, beforeAll, expect, test } from 'vitest'
import { startEmbedded } from '#platform/embedded-postgres/embedded.ts'
import { Pool } from 'pg'
import { type Query, readDifferences, readOpenWork } from '../crash/invariants.ts'
import { type Batch, largeBatch, sendBatch, smallBatch, waitUntilReady } from '../crash/load.ts'
import { clearPrograms, type Program, startProgram } from '../crash/program.ts'
import { type DatabaseProxy, openDatabaseProxy } from '../crash/proxy.ts'
import { rngOf } from '../crash/rng.ts'
import { openTenant, products, type Tenant, variablesOn } from '../crash/tenant.ts'
import { closeEngineFixture, makeData, stopAtEnd } from '../platform/embedded-postgres/engine-fixture.ts'
import { monday, send, until } from '../world/test-app.ts'
import { seed } from '../seed.ts'

/* A slow network between the service and its database, and one that breaks connections in the middle of transactions. */

const rng = rngOf(seed)
let proxy: DatabaseProxy
let program: Program
let tenant: Tenant
let pool: Pool
const ask: Query = async (text, values = []) => (await pool.query(text, values)).rows

beforeAll(async () => {
  const engine = await stopAtEnd(startEmbedded({ dataDir: await makeData(), settings: { fsync: 'off' } }))
  proxy = await openDatabaseProxy(engine.url)
  program = await startProgram(variablesOn(proxy.url))
  tenant = await openTenant(program.url)
  pool = new Pool({ connectionString: engine.url, max: 2 })
  pool.on('error', () => {})
})

afterAll(async () => {
  await pool.end()
  await clearPrograms()
  await proxy.close()
  await closeEngineFixture()
})

/** Inclusions and reads, several at once. @returns the batches, and the statuses of the responses. */
async function load(count: number, large: number): Promise<{ batches: Batch[]; statuses: Set<number | null> }> {
  const batches = [
    largeBatch(large, products, '?resolution=approve'),
    ...Array.from({ length: count }, () => smallBatch(rng, products, '2027-01-04')),
  ]
  const left = [...batches]
  const statuses = new Set<number | null>()
  const sender = async () => {
    for (let batch = left.shift(); batch !== undefined; batch = left.shift()) {
      const status = await sendBatch(tenant, batch)
      const path = `${tenant.url}/v1/company/${tenant.companyTaxId}`
      statuses.add(status).add((await send(path, 'GET', { token: tenant.token })).status)
      if (status === 503) await waitUntilReady(tenant.url)
    }
  }
  await Promise.all(Array.from({ length: 6 }, sender))
  return { batches, statuses }
}

async function expectStored(batches: readonly Batch[]): Promise<void> {
  await until(
    () => readOpenWork(ask, monday),
    (open) => open === 0,
  )
  expect(await readDifferences(ask, batches)).toEqual({})
  expect(program.ended).toBe(false)
  expect(program.errorLines).toEqual([])
}

test('slow: 15 ms and 1 MB/s in each direction; 200 or 503 and nothing else, all that was accepted is stored once', async () => {
  Object.assign(proxy.settings, { latencyMs: 15, bytesPerSecond: 1_000_000 })
  const { batches, statuses } = await load(30, 300)
  Object.assign(proxy.settings, { latencyMs: 0, bytesPerSecond: Number.POSITIVE_INFINITY })
  expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([])
  expect(statuses.has(200)).toBe(true)
  await expectStored(batches)
})

test.each([
  ['a commit that does not arrive', /Q\0\0\0.commit\0/, 7, false],
  ['a commit whose result does not arrive', /Q\0\0\0.commit\0/, 7, true],
  ['a statement of a transaction that does not arrive', /insert into|update /, 4, false],
])('%s: 200 or 503 and nothing else, all that was accepted is stored once', async (_name, pattern, every, arrives) => {
  const before = proxy.broken
  proxy.settings.breakAt = { pattern, every, arrives }
  const { batches, statuses } = await load(60, 600)
  proxy.settings.breakAt = null
  expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([])
  expect(statuses.has(200)).toBe(true)
  expect(proxy.broken - before).toBeGreaterThan(2)
  await waitUntilReady(tenant.url)
  await expectStored(batches)
})
