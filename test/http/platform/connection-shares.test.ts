import { Client as Database } from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  type ApiResponse,
  type Client,
  type Company,
  openTestApp,
  send,
  type TestApp,
  until,
} from '../../world/test-app.ts'

/** The shares of four connections to the database: a client that is alone has two, another one the third, operators and sign-in the fourth. */
const ofOneClient = 2
/** It locks a whole reference table: writes of other clients wait, as docs/how-to/run-on-citus.md says. */
const isCitus = process.env['VIGENCIA_TEST_CITUS'] === '1'

let testApp: TestApp
let company: Company
let greedy: Client
let other: Client
let holder: Database

async function open(maxWaitMs: number): Promise<void> {
  testApp = await openTestApp(
    { VIGENCIA_ROLE: 'api', VIGENCIA_DATABASE_CONNECTIONS: '4', VIGENCIA_WEBHOOK_ALLOW_PRIVATE: 'true' },
    { limits: { maxWaitMs } },
  )
  company = await testApp.company()
  greedy = await testApp.partner(company.taxId)
  other = await testApp.partner(company.taxId)
  holder = new Database({ connectionString: testApp.databaseUrl })
  await holder.connect()
}

afterEach(async () => {
  await holder.end()
  await testApp.close()
})

/** On Citus the coordinator waits for the server that has the row. */
const lockedStatements = async () => {
  const [row] = await testApp.sql<{ n: number }>(
    `select count(*)::int as n from pg_stat_activity
     where datname = current_database() and state = 'active' and wait_event_type in ('Lock', 'Extension')`,
  )
  return row?.n
}

const untilLocked = (count: number) => until(lockedStatements, (n) => n === count, 8_000)

/** A write of a client: a transaction that locks the client. */
const write = (client: Client, n: number) =>
  client.post('/v1/webhook-endpoint', { url: `http://127.0.0.1:9009/hook/${n}` })

const companyOf = (client: Client) => client.get(`/v1/company/${company.taxId}`)
const ready = () => send(`${testApp.url}/readyz`, 'GET')
const statusesOf = (responses: readonly ApiResponse[]) => responses.map(({ status }) => status)

describe('while all the connections that one client gets wait for a lock, and more of its calls for a connection', () => {
  beforeEach(() => open(30_000))

  test('others are served: a read, a write, an operator, a sign-in, readiness; then its own calls are', async () => {
    await holder.query('begin')
    await holder.query('select from client where id = $1 for update', [greedy.clientId])
    const calls = Array.from({ length: 12 }, (_, n) => write(greedy, n))
    const read = companyOf(greedy)
    await untilLocked(ofOneClient)
    for (let n = 0; n < 5; n += 1) {
      const served = [
        await companyOf(other),
        ...(isCitus ? [] : [await write(other, n)]),
        await testApp.operator.get('/operator/v1/enrollment'),
        await testApp.call('POST', '/v1/authenticate', {
          body: { 'client-id': other.clientId, 'client-secret': other.clientSecret },
        }),
        await ready(),
      ]
      expect(statusesOf(served)).toEqual(served.map(() => 200))
    }
    expect(await lockedStatements()).toBe(ofOneClient)
    await holder.query('commit')
    expect(statusesOf(await Promise.all(calls))).toEqual(calls.map(() => 200))
    expect((await read).status).toBe(200)
  })

  test('a connection that another client gives back goes to a third one, not to its further calls', async () => {
    const third = await testApp.partner(company.taxId)
    await holder.query('begin; lock table onboarding_invitation in access exclusive mode')
    const calls = Array.from({ length: 6 }, () => greedy.get('/v1/onboarding-invitation'))
    await untilLocked(ofOneClient)
    const second = new Database({ connectionString: testApp.databaseUrl })
    await second.connect()
    try {
      await second.query('begin; lock table roster_sync in access exclusive mode')
      const rosters = other.get('/v1/roster-sync')
      await untilLocked(ofOneClient + 1)
      const read = companyOf(third)
      await until(
        async () => (await send(`${testApp.url}/metrics`, 'GET')).text,
        (text) => Number(/^vigencia_database_connections_awaited (\d+)$/m.exec(text)?.[1]) >= 5,
      )
      await second.query('commit')
      expect([(await rosters).status, (await read).status]).toEqual([200, 200])
      expect(await lockedStatements()).toBe(ofOneClient)
    } finally {
      await second.end()
    }
    await holder.query('commit')
    expect(statusesOf(await Promise.all(calls))).toEqual(calls.map(() => 200))
  })
})

describe('when no connection becomes free in time', () => {
  beforeEach(() => open(600))

  test('503 Too many calls at once with Retry-After; /readyz says busy, and 200 afterwards', async () => {
    await holder.query('begin; lock table client in access exclusive mode')
    const reads = [companyOf(greedy), companyOf(greedy)]
    await untilLocked(2)
    reads.push(companyOf(other))
    await untilLocked(3)
    reads.push(testApp.operator.get('/operator/v1/client'))
    await untilLocked(4)
    const refused = await companyOf(greedy)
    expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([
      503,
      'too-many-calls',
      '2',
    ])
    const busy = await ready()
    expect([busy.status, busy.body.code, busy.headers.get('retry-after')]).toEqual([503, 'busy', '2'])
    await holder.query('commit')
    expect(statusesOf(await Promise.all(reads))).toEqual([200, 200, 200, 200])
    expect([(await ready()).status, (await companyOf(greedy)).status]).toEqual([200, 200])
  })
})
