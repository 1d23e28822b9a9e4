import { Client } from 'pg'
import { afterEach, expect, test } from 'vitest'
import { startEmbedded } from '#platform/embedded-postgres/embedded.ts'
import { invariants } from '#apps/invariants/check.ts'
import {
  closeEngineFixture,
  stopAtEnd,
  makeDemoData,
  makeFolder,
} from '../platform/embedded-postgres/engine-fixture.ts'
import { addDays } from '#kernel/calendar.ts'
import { expectOk, openTestApp, primary, until } from '../world/test-app.ts'
import { endPrograms, runToEnd, startOn } from './program.ts'

afterEach(async () => {
  await endPrograms()
  await closeEngineFixture()
})

const check = (settings: Record<string, string>, ...words: string[]) => runToEnd(['invariants', ...words], settings)

const allHold = `All ${invariants.length} rules hold.\n`

test('the rules are checked on a data folder while the demo runs, after it stopped, and broken', async () => {
  const dataDir = await makeDemoData()
  const settings = { DATA_DIR: dataDir }
  const program = startOn(dataDir)
  await program.url
  // The worker sends the events of the demo's invoices for a moment after the service listens.
  const running = await until(
    () => check(settings),
    ({ code }) => code === 0,
  )
  expect(running.err).toBe(allHold)
  await program.stop()
  const stopped = await check(settings)
  expect(stopped).toMatchObject({ code: 0, err: allHold })
  expect(stopped.out.split('\n')).toContain('one-benefit-in-force\t0\t')

  const engine = await stopAtEnd(startEmbedded({ dataDir }))
  const client = new Client({ connectionString: engine.url })
  await client.connect()
  await client.query(`delete from client_secret where client_id = 'demo-partner'`)
  await client.end()
  const found = await check(settings)
  expect([found.code, found.err]).toEqual([1, `1 of ${invariants.length} rules are broken.\n`])
  expect(found.out.split('\n')).toContain('client-secret\t1\tdemo-partner')
  expect(found.out).toContain(
    'client-secret: A client that is not revoked has a secret without an end, unless it is a person or signs in at the identity provider.',
  )
  const json = await check(settings, '--json')
  expect(json.code).toBe(1)
  expect(JSON.parse(json.out).result.filter((one: { violations: number }) => one.violations > 0)).toEqual([
    { rule: 'client-secret', description: expect.any(String), violations: 1, ids: ['demo-partner'] },
  ])
  await engine.stop()
})

test('the rules are checked on a PostgreSQL of one’s own; what waits is stuck after the minutes given', async () => {
  const testApp = await openTestApp({ VIGENCIA_ROLE: 'api' })
  try {
    const settings = { DATABASE_URL: testApp.databaseUrl, MASTER_KEY: testApp.masterKey, ENVIRONMENT: 'staging' }
    await testApp.company()
    expect(await check(settings)).toMatchObject({ code: 0, err: allHold })
    // No worker seals the audit.
    const stuck = await check(settings, '--stuck-after', '0')
    expect([stuck.code, stuck.out]).toEqual([1, expect.stringMatching(/^audit-waiting\t[1-9]/m)])
  } finally {
    await testApp.close()
  }
})

test('the rules follow a clock that was moved: what has ended by its day is no violation', async () => {
  const testApp = await openTestApp()
  try {
    const company = await testApp.company()
    const partner = await testApp.partner(company.taxId)
    const member = primary()
    await testApp.include(partner, company, [member], '?resolution=approve')
    const now = expectOk(await testApp.operator.get('/operator/v1/clock')).body.result['business-date']
    const [end, after] = [addDays(now, 40), addDays(now, 50)]
    const path = `/v1/enrollment/exclusion/${member['tax-id']}/company/${company.taxId}?resolution=approve`
    const details = { 'end-date': end, 'exclusion-reason': 'dismissal' }
    expectOk(await partner.post(path, { 'exclusion-details': details }))
    expectOk(await testApp.operator.post('/operator/v1/clock', { 'business-date': after }))
    const [benefit] = expectOk(await partner.get(`/v1/benefit?member-tax-id=${member['tax-id']}&include-inactive=true`))
      .body.result
    expect(benefit).toMatchObject({ 'end-date': end, status: 'inactive' })
    const settings = { DATABASE_URL: testApp.databaseUrl, MASTER_KEY: testApp.masterKey, ENVIRONMENT: 'staging' }
    expect(await check(settings)).toMatchObject({ code: 0, err: allHold })
  } finally {
    await testApp.close()
  }
})

test('without a database none is made, and the command says so', async () => {
  const dataDir = `${await makeFolder()}/nothing`
  const none = await check({ DATA_DIR: dataDir }, '--json')
  expect(none.code).toBe(1)
  expect(JSON.parse(none.out).error).toContain('There is no database in')
  expect((await check({ DATA_DIR: dataDir })).err).toContain('There is no database in')
  expect((await check({ DATA_DIR: dataDir }, '--stuck-after', 'soon')).code).toBe(2)
})
