import { setTimeout as pause } from 'node:timers/promises'
import { Pool } from 'pg'
import { afterAll, expect, test } from 'vitest'
import { closeEngineFixture } from '../platform/embedded-postgres/engine-fixture.ts'
import { health, monday, until } from '../world/test-app.ts'
import { type Query, readOpenWork, readViolations } from '../crash/invariants.ts'
import { lostAndDoubled, startMovements } from '../crash/movement-load.ts'
import { makeServer, stopServers } from '../crash/postgres-server.ts'
import { clearPrograms, startProgram } from '../crash/program.ts'
import { openTenant, variablesOn } from '../crash/tenant.ts'

afterAll(async () => {
  await clearPrograms()
  await stopServers()
  await closeEngineFixture()
})

const rounds = 30
const intervalMs = 10_000

test(`PostgreSQL is restarted every 10 seconds, ${rounds} times: clients get 2xx or 503 and nothing else, nothing is lost or doubled`, async () => {
  const server = await makeServer()
  await server.start()
  const program = await startProgram(variablesOn(server.url))
  const tenant = await openTenant(program.url)
  const [product] = await server.ask<{ id: string }>(`select id from product where name = '${health}'`)
  const load = startMovements(tenant, () => [program.url], product?.id ?? '', 6)
  for (let round = 1; round <= rounds; round += 1) {
    const begun = load.writes
    // The rate of the restarts is what is tested: no condition to wait for.
    await pause(intervalMs)
    expect(load.writes).toBeGreaterThan(begun)
    // By an administrator, and by a crash.
    await (round % 2 === 0 ? server.kill() : server.stop())
    await server.start()
  }
  await load.end()

  const pool = new Pool({ connectionString: server.url, max: 2 })
  const ask: Query = async (text, values = []) => (await pool.query(text, values)).rows
  await until(
    () => readOpenWork(ask, monday),
    (open) => open === 0,
  )
  console.log(
    `restarts: ${rounds}, ${load.writes} movements; responses ${JSON.stringify([...load.responses])}; ` +
      `no write for at most ${Math.round(load.longestGapMs)} ms`,
  )
  expect(load.unexpected).toEqual([])
  expect(load.responses.get(503)).toBeGreaterThan(0)
  expect(await lostAndDoubled(ask, load)).toEqual({ lost: 0, doubled: 0 })
  expect(await readViolations(ask)).toEqual({})
  expect(program.errorLines).toEqual([])
  await pool.end()
}, 900_000)
