import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { closeEngineFixture, makeFolder } from '../platform/embedded-postgres/engine-fixture.ts'
import { expectOk, health, inProduct, primary, send, until } from '../world/test-app.ts'
import { copyRunning, makeRecovering, makeServer, stopServers } from '../crash/postgres-server.ts'
import { clearPrograms, startProgram } from '../crash/program.ts'
import { openTenant, type Tenant, variablesOn } from '../crash/tenant.ts'
import { runToEnd } from '../start/program.ts'

/* What docs/how-to/back-up-and-restore.md describes: a base backup, archived log, and a restore of an earlier moment on another server. */

afterAll(async () => {
  await clearPrograms()
  await stopServers()
  await closeEngineFixture()
})

/** Includes one member. @returns the request id. */
async function include(tenant: Tenant, url: string): Promise<string> {
  const members = [primary({ products: inProduct('health-insurance', health) })]
  const body = { 'company-tax-id': tenant.companyTaxId, members }
  const path = '/v1/enrollment/inclusion?resolution=approve'
  return expectOk(await send(url + path, 'POST', { token: tenant.token, body })).body['request-id']
}

test('a base backup and archived log are restored elsewhere as of a moment: what was accepted before is there, what came after is not', async () => {
  const archive = join(await makeFolder(), 'archive')
  await mkdir(archive)
  await chmod(archive, 0o777)
  const server = await makeServer({
    archive_mode: 'on',
    archive_command: `test ! -f ${archive}/%f && cp %p ${archive}/%f`,
  })
  await server.start()
  const variables = variablesOn(server.url)
  const program = await startProgram(variables)
  const tenant = await openTenant(program.url)
  const status = async (url: string, id: string) =>
    (await send(`${url}/v1/request/${id}`, 'GET', { token: tenant.token })).body.status

  const inBase = await include(tenant, program.url)
  const copy = await copyRunning(server)
  const inLog = await include(tenant, program.url)
  await until(
    () => status(program.url, inLog),
    (now) => now === 'completed',
  )
  const [moment] = await server.ask<{ time: string }>('select clock_timestamp()::text as time')
  const after = await include(tenant, program.url)
  // The archive gets a file of the log when it is complete.
  const [last] = await server.ask<{ file: string }>('select pg_walfile_name(pg_switch_wal()) as file')
  await until(
    () => server.ask<{ file: string }>('select last_archived_wal as file from pg_stat_archiver'),
    ([row]) => (row?.file ?? '') >= (last?.file ?? ''),
  )
  await program.kill()
  await server.kill()

  const restored = await makeRecovering(copy, {
    restore_command: `cp ${archive}/%f %p`,
    recovery_target_time: moment?.time ?? '',
    recovery_target_action: 'promote',
  })
  await restored.start()
  await until(
    () => restored.ask<{ recovering: boolean }>('select pg_is_in_recovery() as recovering'),
    ([row]) => row?.recovering === false,
  )
  const on = { ...variables, VIGENCIA_DATABASE_URL: restored.url }
  const second = await startProgram(on)
  for (const id of [inBase, inLog]) expect(await status(second.url, id)).toBe('completed')
  expect((await send(`${second.url}/v1/request/${after}`, 'GET', { token: tenant.token })).status).toBe(404)
  expectOk(await send(`${second.url}/v1/company`, 'GET', { token: tenant.token }))
  const settings = { DATABASE_URL: restored.url, MASTER_KEY: variables['VIGENCIA_MASTER_KEY'] ?? '' }
  expect(await runToEnd(['invariants'], settings)).toMatchObject({ code: 0 })
  expect(await runToEnd(['audit', 'verify'], settings)).toMatchObject({ code: 0 })
  expect(second.errorLines).toEqual([])
})
