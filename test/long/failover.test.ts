import { Pool } from 'pg'
import { afterAll, expect, test } from 'vitest'
import { closeEngineFixture } from '../platform/embedded-postgres/engine-fixture.ts'
import { expectOk, health, monday, send, until } from '../world/test-app.ts'
import { type Query, readOpenWork, readViolations } from '../crash/invariants.ts'
import { lostAndDoubled, startMovements } from '../crash/movement-load.ts'
import { makeServer, makeStandby, stopServers } from '../crash/postgres-server.ts'
import { clearPrograms, startProgram } from '../crash/program.ts'
import { openTenant, variablesOn } from '../crash/tenant.ts'
import { runToEnd } from '../start/program.ts'

/* A primary and its synchronous standby; two processes of the service, with a URL that names both servers. */

afterAll(async () => {
  await clearPrograms()
  await stopServers()
  await closeEngineFixture()
})

test('the primary is killed under load and the standby promoted: only 503 meanwhile, nothing lost or doubled, writes go on', async () => {
  const primary = await makeServer({
    synchronous_standby_names: 'standby',
    synchronous_commit: 'remote_apply',
  })
  const standby = await makeStandby(primary, 'standby')
  await Promise.all([primary.start(), standby.start()])
  await until(
    () => primary.ask<{ state: string }>('select sync_state as state from pg_stat_replication'),
    ([row]) => row?.state === 'sync',
  )
  const url = `postgres://vigencia@${primary.address},${standby.address}/vigencia?target_session_attrs=read-write`
  const variables = variablesOn(url)
  const programs = [await startProgram(variables), await startProgram(variables)]
  const urls = programs.map((program) => program.url)
  const tenant = await openTenant(urls[0] ?? '')
  const [product] = await primary.ask<{ id: string }>(`select id from product where name = '${health}'`)
  const load = startMovements(tenant, () => urls, product?.id ?? '', 6)
  await until(
    async () => load.writes,
    (writes) => writes > 300,
  )

  await primary.kill()
  const killedAt = performance.now()
  const before = load.writes
  await until(
    async () => load.responses.get(503) ?? 0,
    (count) => count > 20,
  )
  // Commits that reached the standby in the last moment were acknowledged before the kill.
  const away = load.writes
  await standby.ask('select pg_promote()')
  const promotedAt = performance.now()
  await until(
    async () => load.writes,
    (writes) => writes > away,
  )
  const writtenAfterMs = load.lastWriteAt - promotedAt
  await until(
    async () => load.writes,
    (writes) => writes > away + 300,
  )
  // The workers listen on the new primary.
  await until(
    () => standby.ask(`select from pg_stat_activity where query like 'listen vigencia_work%'`),
    (rows) => rows.length === 2,
  )
  await load.end()

  const pool = new Pool({ connectionString: standby.url, max: 2 })
  const ask: Query = async (text, values = []) => (await pool.query(text, values)).rows
  await until(
    () => readOpenWork(ask, monday),
    (open) => open === 0,
  )
  console.log(
    `failover: ${before} movements acknowledged before the kill, ${load.writes} at the end; responses ${JSON.stringify([...load.responses])}; ` +
      `first write ${Math.round(writtenAfterMs)} ms after the promotion; no write for ${Math.round(load.longestGapMs)} ms, ` +
      `${Math.round(promotedAt - killedAt)} ms of them until the promotion`,
  )
  expect(load.unexpected).toEqual([])
  expect(await lostAndDoubled(ask, load)).toEqual({ lost: 0, doubled: 0 })
  expect(await readViolations(ask)).toEqual({})
  await pool.end()
  expect(writtenAfterMs).toBeLessThan(15_000)
  expect(programs.flatMap(({ errorLines }) => errorLines)).toEqual([])

  // The commands use the same URL.
  const settings = { DATABASE_URL: url, MASTER_KEY: variables['VIGENCIA_MASTER_KEY'] ?? '', ENVIRONMENT: 'staging' }
  expect(await runToEnd(['migrate'], settings)).toMatchObject({ code: 0, out: 'Nothing to apply.\n' })
  expect(await runToEnd(['audit', 'verify'], settings)).toMatchObject({ code: 0 })
  await standby.kill()
  expectOk(await send(`${urls[0]}/healthz`, 'GET'))
  const doctor = await runToEnd(['doctor', '--json'], settings)
  expect(doctor.out).toContain(`no server of the database can be used: ${primary.address} (connect ECONNREFUSED`)
  expect(doctor.out).toContain(`; ${standby.address} (connect ECONNREFUSED`)
})
