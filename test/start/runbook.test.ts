// What the runbook (docs/how-to/runbook-*.md) says that callers and operators see.
import { Client } from 'pg'
import { afterEach, expect, test } from 'vitest'
import { isDatabaseAway } from '#platform/core/database-errors.ts'
import {
  type Client as Caller,
  type Company,
  expectOk,
  type TestApp,
  openTestApp,
  primary,
  send,
  until,
} from '../world/test-app.ts'
import { endPrograms, run, runToEnd } from './program.ts'
import { isLong } from '../scale.ts'

let testApp: TestApp | undefined
afterEach(async () => {
  await endPrograms()
  await testApp?.close()
  testApp = undefined
})

async function open(
  environment: Record<string, string> = {},
): Promise<{ testApp: TestApp; company: Company; partner: Caller }> {
  testApp = await openTestApp(environment)
  const company = await testApp.company()
  return { testApp, company, partner: await testApp.partner(company.taxId) }
}

async function figures(url: string): Promise<(name: string) => number> {
  const { text } = expectOk(await send(`${url}/metrics`, 'GET'))
  return (name) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
}

test('no worker runs: accepted inclusions wait, the figures say so, and a worker takes them up', async () => {
  const { testApp: open1, company, partner } = await open({ VIGENCIA_ROLE: 'api' })
  const body = { 'company-tax-id': company.taxId, members: [primary()] }
  const id = expectOk(await partner.post('/v1/enrollment/inclusion', body)).body['request-id']
  expect(expectOk(await partner.get(`/v1/request/${id}`)).body.status).toBe('processing')
  const before = await figures(open1.url)
  expect(before('vigencia_work_waiting')).toBe(1)
  expect(before('vigencia_audit_pending_rows')).toBeGreaterThan(0)
  const after = await until(
    () => figures(open1.url),
    (now) => now('vigencia_work_oldest_seconds') > before('vigencia_work_oldest_seconds'),
  )
  expect(after('vigencia_audit_pending_oldest_seconds')).toBeGreaterThan(
    before('vigencia_audit_pending_oldest_seconds'),
  )

  run(['start'], {
    ROLE: 'worker',
    DATABASE_URL: open1.databaseUrl,
    MASTER_KEY: open1.masterKey,
    ENVIRONMENT: 'staging',
    BUSINESS_DATE: '2026-11-23',
  })
  expect((await open1.finished(partner, id)).status).toBe('completed')
  await until(
    () => figures(open1.url),
    (now) => now('vigencia_work_waiting') === 0 && now('vigencia_audit_pending_rows') === 0,
  )
})

test.runIf(isLong)(
  'a stuck lock: calls get 503, health and readiness go on, the pool shows who waits, and all is well when it is let go',
  async () => {
    const { testApp: open1, partner } = await open()
    const holder = new Client({ connectionString: open1.databaseUrl })
    await holder.connect()
    try {
      await holder.query('begin; lock table product in access exclusive mode')
      const calls = Array.from({ length: 8 }, () => partner.get('/v1/company'))
      await until(
        () => figures(open1.url),
        (now) => now('vigencia_database_connections_awaited') > 0 && now('vigencia_database_up') === 1,
      )
      for (const path of ['/v1/health', '/readyz']) expect((await open1.call('GET', path)).status).toBe(200)
      const responses = await Promise.all(calls)
      expect(responses.map(({ status }) => status)).toEqual(Array(8).fill(503))
      for (const { headers, body } of responses) {
        expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
        expect(body.error).toBe('Service temporarily unavailable')
      }
    } finally {
      await holder.end()
    }
    expect((await partner.get('/v1/company')).status).toBe(200)
  },
)

test('ending a session of the service: its call gets 503 and leaves nothing behind', async () => {
  const { testApp: open1, company } = await open()
  const holder = new Client({ connectionString: open1.databaseUrl })
  await holder.connect()
  try {
    await holder.query('begin; lock table audit in share mode')
    const path = `/operator/v1/company/${company.taxId}`
    const call = open1.operator.put(path, { name: 'Outro nome', products: [] })
    const waiting = () =>
      open1.sql<{ pid: number }>(
        `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and application_name = 'vigencia all'`,
      )
    const [session] = await until(waiting, (rows) => rows.length === 1)
    await open1.sql('select pg_terminate_backend($1)', [session?.pid])
    expect((await call).status).toBe(503)
    await holder.query('commit')
    expect((await open1.operator.get(path)).body.result.name).not.toBe('Outro nome')
  } finally {
    await holder.end()
  }
})

test('a changed head of the audit chain is logged when a worker continues the chain', async () => {
  const { testApp: open1 } = await open()
  await until(
    () => open1.sql<{ waiting: number }>('select count(*)::int as waiting from audit_pending'),
    ([row]) => row?.waiting === 0,
  )
  await open1.restart({ VIGENCIA_ROLE: 'api' })
  await open1.sql(`update audit_head set mac = '\\x00'`)
  await open1.company()
  const key = { DATABASE_URL: open1.databaseUrl, MASTER_KEY: open1.masterKey }
  const worker = run(['start'], { ...key, ROLE: 'worker', ENVIRONMENT: 'staging' })
  await worker.wrote('the head of the audit chain was changed; run: vigencia audit verify')
  const verify = await runToEnd(['audit', 'verify'], key)
  expect(verify.code).toBe(1)
  expect(verify.out).toMatch(/removed {4}blocks \d+ to \d+/)
})

test.each([
  ['a full disk', '53100'],
  ['a standby that is read-only', '25006'],
  ['a session that was ended', '57P01'],
  ['a statement that took too long', '57014'],
  ['a lock that was not had in time', '55P03'],
])('%s counts as the database being away', (_what, code) => {
  expect(isDatabaseAway(Object.assign(new Error('quoting nobody'), { code }))).toBe(true)
})
