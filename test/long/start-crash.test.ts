import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterEach, expect, test } from 'vitest'
import { identityOf } from '#platform/embedded-postgres/process-info.ts'
import { closeEngineFixture, clusterOf, makeData } from '../platform/embedded-postgres/engine-fixture.ts'
import { until } from '../world/test-app.ts'
import { demoClient, endPrograms, leftOf, postgresOf, startOn, tokenOf } from '../start/program.ts'

afterEach(async () => {
  await endPrograms()
  await closeEngineFixture()
})

const oneSentence = /^[^\n]+\n$/

/** A session of the test's own on the folder's engine. */
async function sessionOn(dataDir: string): Promise<Client> {
  const lines = (await readFile(join(await clusterOf(dataDir), 'postmaster.pid'), 'utf8')).split('\n')
  const client = new Client({ host: lines[4] ?? '', port: 5432, user: 'vigencia', database: 'vigencia', ssl: false })
  client.on('error', () => undefined)
  await client.connect()
  return client
}

test('a second service on the same folder is refused: exit code 1 and one sentence, and the first goes on', async () => {
  const dataDir = await makeData()
  const first = startOn(dataDir)
  const url = await first.url
  const second = startOn(dataDir)
  expect(await second.ended).toEqual({ code: 1, signal: null })
  expect(second.out).toBe('')
  expect(second.err).toMatch(oneSentence)
  expect(second.err).toContain(`is in use by another Vigencia, process ${first.pid}`)
  expect(second.err).toContain('VIGENCIA_DATA_DIR')
  expect((await fetch(`${url}/readyz`)).status).toBe(200)
})

test('a folder that cannot be used is told in one sentence', async () => {
  const dataDir = await makeData()
  await writeFile(join(await clusterOf(dataDir), 'PG_VERSION'), '9\n')
  const program = startOn(dataDir)
  expect(await program.ended).toEqual({ code: 1, signal: null })
  expect(program.err).toMatch(oneSentence)
  expect(program.err).toContain('was made by PostgreSQL 9')
})

test('after kill -9 of the service the next start ends its PostgreSQL and has the data', async () => {
  const dataDir = await makeData()
  const first = startOn(dataDir)
  await first.url
  const postgres = await postgresOf(dataDir)
  const session = await sessionOn(dataDir)
  await session.query('create table kept as select 1 as one')
  await session.end()
  first.kill('SIGKILL')
  await first.ended

  const second = startOn(dataDir)
  await second.url
  expect(await postgresOf(dataDir)).not.toBe(postgres)
  expect(demoClient(second, 'partner')).toEqual(demoClient(first, 'partner'))
  const other = await sessionOn(dataDir)
  expect((await other.query('select one from kept')).rows).toEqual([{ one: 1 }])
  await other.end()
  expect(await second.stop()).toEqual({ code: 0, signal: null })
  expect(await leftOf(dataDir, postgres)).toEqual([])
})

test('a port that is taken is told in one sentence, with the setting, and PostgreSQL is stopped again', async () => {
  const dataDir = await makeData()
  const other = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => other.once('listening', resolve))
  try {
    const { port } = other.address() as { port: number }
    const program = startOn(dataDir, { PORT: String(port) })
    expect(await program.ended).toEqual({ code: 1, signal: null })
    expect(program.err).toBe(
      `error: Port ${port} of 127.0.0.1 is taken by another program: set VIGENCIA_PORT to a free one (0 takes any).\n`,
    )
    expect(await leftOf(dataDir)).toEqual([])
  } finally {
    other.close()
  }
})

test('an address that is none of this machine is told in one sentence', async () => {
  const program = startOn(await makeData(), { HOST: '192.0.2.1' })
  expect(await program.ended).toEqual({ code: 1, signal: null })
  expect(program.err).toMatch(/^error: 192\.0\.2\.1 is no address of this machine: set VIGENCIA_HOST [^\n]+\n$/)
})

test('PostgreSQL killed with -9 under the service: 503 with Retry-After meanwhile, then it goes on by itself', async () => {
  const dataDir = await makeData()
  const program = startOn(dataDir)
  const url = await program.url
  const token = await tokenOf(url, demoClient(program, 'partner'))
  const read = () => fetch(`${url}/v1/company`, { headers: { authorization: `Bearer ${token}` } })
  const before = await (await read()).text()
  expect(before).toContain('Padaria Aurora')

  // A read that waits inside PostgreSQL when it dies.
  const session = await sessionOn(dataDir)
  await session.query('begin; lock table company in access exclusive mode')
  const waiting = read()
  await until(
    async () => (await session.query('select 1 from pg_locks where not granted')).rows.length,
    (count) => count > 0,
  )
  const postgres = await postgresOf(dataDir)
  process.kill(postgres, 'SIGKILL')
  const refused = await waiting
  expect(refused.status).toBe(503)
  expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
  expect(await refused.json()).toMatchObject({ error: 'Service temporarily unavailable' })

  const statuses = new Set<number>()
  const after = await until(read, (response) => {
    statuses.add(response.status)
    return response.status === 200
  })
  expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([])
  expect(await after.text()).toBe(before)
  expect(await postgresOf(dataDir)).not.toBe(postgres)
  await program.wrote('runs again')
  expect(await program.stop()).toEqual({ code: 0, signal: null })
  expect(await leftOf(dataDir, postgres)).toEqual([])
})

test('a PostgreSQL that does not come back ends the service with a sentence and exit code 1', async () => {
  const dataDir = await makeData()
  const program = startOn(dataDir)
  await program.url
  const postgres = await postgresOf(dataDir)
  await writeFile(join(await clusterOf(dataDir), 'PG_VERSION'), '9\n')
  process.kill(postgres, 'SIGKILL')
  expect(await program.ended).toEqual({ code: 1, signal: null })
  expect(program.err).toContain('was started again 5 times within 10 minutes and does not stay')
  expect(program.err).not.toMatch(/^\s+at /m)
  expect(await identityOf(postgres)).toBeUndefined()
})
