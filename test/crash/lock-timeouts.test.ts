import { Client, Pool } from 'pg'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startEmbedded } from '#platform/embedded-postgres/embedded.ts'
import { closeEngineFixture, stopAtEnd, makeData } from '../platform/embedded-postgres/engine-fixture.ts'
import { companyBody, expectOk, monday, send, until } from '../world/test-app.ts'
import { type Query, readDifferences, readOpenWork } from './invariants.ts'
import { clearPrograms, startProgram } from './program.ts'
import { openTenant, products, type Tenant, variablesOn } from './tenant.ts'
import { largeBatch, sendBatch } from './load.ts'
import { isLong } from '../scale.ts'

/* A statement that waits too long for a lock, or runs too long, is cancelled: 503, nothing is stored, and the worker retries. */

let url: string
let variables: Record<string, string>
let pool: Pool
let holder: Client
const ask: Query = async (text, values = []) => (await pool.query(text, values)).rows

beforeAll(async () => {
  url = (await stopAtEnd(startEmbedded({ dataDir: await makeData(), settings: { fsync: 'off' } }))).url
  variables = variablesOn(url)
  pool = new Pool({ connectionString: url, max: 2 })
  // PostgreSQL may end a connection that is being closed.
  pool.on('connect', (client) => client.on('error', () => {}))
  pool.on('error', () => {})
  holder = new Client({ connectionString: url })
  await holder.connect()
})

afterEach(async () => {
  await holder.query('rollback')
  await clearPrograms()
})

afterAll(async () => {
  await holder.end()
  await pool.end()
  await closeEngineFixture()
})

const waiting = async (): Promise<number> => {
  const [row] = await ask<{ n: number }>(
    `select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock' and application_name like 'vigencia %'`,
  )
  return row?.n ?? 0
}

test.each([['lock', 'lock_timeout=150'], ...(isLong ? [['statement', 'lock_timeout=0&statement_timeout=500']] : [])])(
  'given up by the %s timeout: 503 and nothing kept, then 200; the worker tries again',
  async (_name, limits) => {
    const program = await startProgram({ ...variables, VIGENCIA_DATABASE_URL: `${url}&${limits}` })
    const tenant = await openTenant(program.url)
    const calls = callsOf(tenant)
    const make = ({ method, path, ...options }: (typeof calls)[number]) => send(tenant.url + path, method, options)

    await holder.query('begin; lock table company in access exclusive mode')
    for (const call of calls) {
      const response = await make(call)
      expect({ path: call.path, status: response.status }).toEqual({ path: call.path, status: 503 })
      expect(response.headers.get('retry-after')).toMatch(/^\d+$/)
    }
    await holder.query('rollback')
    for (const call of calls) expectOk(await make(call))

    await holder.query('begin; lock table benefit in share row exclusive mode')
    const batch = largeBatch(600, products, '?resolution=approve')
    expect(await sendBatch(tenant, batch)).toBe(200)
    await until(waiting, (count) => count > 0)
    await until(waiting, (count) => count === 0)
    await holder.query('rollback')
    await until(
      () => readOpenWork(ask, monday),
      (open) => open === 0,
    )
    expect(await readDifferences(ask, [batch])).toEqual({})
    expect(program.errorLines).toEqual([])
  },
)

function callsOf(tenant: Tenant) {
  const { token, operatorToken, companyTaxId } = tenant
  const inclusion = { 'company-tax-id': companyTaxId, members: largeBatch(1, products).members }
  return [
    { method: 'GET', path: `/v1/company/${companyTaxId}`, token },
    { method: 'GET', path: '/operator/v1/company', token: operatorToken },
    { method: 'PUT', path: `/operator/v1/company/${companyTaxId}`, token: operatorToken, body: companyBody },
    { method: 'POST', path: '/v1/enrollment/inclusion', token, body: inclusion },
  ]
}
