import { randomBytes } from 'node:crypto'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createConnection, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterEach, expect, inject, test } from 'vitest'
import { runProcess } from '#apps/bootstrap.ts'
import { readConfig } from '#platform/core/config.ts'
import { openDatabase } from '#platform/core/database.ts'
import { openLog } from '#platform/core/log.ts'
import { waitForDatabase } from '#platform/core/wait-for-database.ts'
import { closeEngineFixture, makeDemoData, makeFolder } from '../platform/embedded-postgres/engine-fixture.ts'
import { databaseOn } from '../world/engine.ts'
import { endPrograms, type Program, run, runToEnd, startOn } from './program.ts'

const databases: string[] = []

afterEach(async () => {
  await endPrograms()
  await closeEngineFixture()
  for (const name of databases.splice(0)) await onEngine(`drop database ${name} with (force)`)
})

async function onEngine(statement: string, url = inject('engineUrl')): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(statement)).rows as Record<string, unknown>[]
  } finally {
    await client.end()
  }
}

/** A database of its own on the run's engine: an empty one, or one that is migrated. */
async function makeDatabase(template: 'template0' | 'vigencia_template' = 'vigencia_template'): Promise<string> {
  const name = `start_${randomBytes(6).toString('hex')}`
  await onEngine(`create database ${name} template ${template}`)
  databases.push(name)
  return databaseOn(inject('engineUrl'), name)
}

const production = { ENVIRONMENT: 'production', PUBLIC_URL: 'https://benefits.example' }
const key = () => randomBytes(32).toString('base64')

/** How a start that is refused ends: exit code 1, and on standard error that sentence alone. */
const refusedWith = (sentence: RegExp) => ({
  code: 1,
  signal: null,
  out: '',
  err: expect.stringMatching(new RegExp(`^error: (?=${sentence.source})[^\\n]+\\n$`)),
})

async function endOf(program: Program) {
  const { code, signal } = await program.ended
  return { code, signal, out: program.out, err: program.err }
}

/** A start that succeeds and is stopped, in the process of the test. */
async function startOnce(settings: Record<string, string>): Promise<void> {
  const variables = Object.entries({ PORT: '0', LOG_LEVEL: 'error', ...settings })
  const config = readConfig(Object.fromEntries(variables.map(([name, value]) => [`VIGENCIA_${name}`, value])))
  const running = await runProcess(config, config.databaseUrl ?? '', config.masterKey, openLog(config.logLevel))
  await running.close()
}

test('a setting that nobody knows is refused at start, by its name', async () => {
  expect(await runToEnd(['start'], { DATA_DIRECTORY: 'data' })).toEqual(
    refusedWith(/VIGENCIA_DATA_DIRECTORY is not a setting of this service\. .*docs\/reference\/configuration\.md/),
  )
})

test('a database without a master key is refused before it is spoken to', async () => {
  const settings = { DATABASE_URL: 'postgres://localhost/nowhere', ENVIRONMENT: 'staging' }
  expect(await runToEnd(['start'], settings)).toEqual(
    refusedWith(/VIGENCIA_MASTER_KEY is required with VIGENCIA_DATABASE_URL: .*openssl rand -base64 32/),
  )
})

test('a database of one’s own without an environment is refused: nobody gets staging unasked', async () => {
  expect(await runToEnd(['start'], { DATABASE_URL: 'postgres://localhost/nowhere', MASTER_KEY: key() })).toEqual(
    refusedWith(/VIGENCIA_ENVIRONMENT is required with VIGENCIA_DATABASE_URL: set it to production, or to staging/),
  )
})

test('production without the address that callers use is refused', async () => {
  const settings = { DATABASE_URL: 'postgres://localhost/nowhere', MASTER_KEY: key(), ENVIRONMENT: 'production' }
  expect(await runToEnd(['start'], settings)).toEqual(
    refusedWith(/Production needs VIGENCIA_PUBLIC_URL: set it to the address that callers use/),
  )
})

test('migrate, which serves nobody, needs the database alone', async () => {
  const { code, out } = await runToEnd(['migrate'], { DATABASE_URL: await makeDatabase('template0') })
  expect(code).toBe(0)
  expect(out).toContain('Applied 0001_company.sql')
})

test('a start that is refused for its missing master key makes none', async () => {
  const dataDir = await makeDemoData()
  const path = join(dataDir, 'master.key')
  const right = await readFile(path)
  await rm(path)
  const { code, err } = await endOf(startOn(dataDir))
  expect([code, err]).toEqual([1, expect.stringContaining(`${path} is not there: put the master key of this database`)])
  expect(await readdir(dataDir)).not.toContain('master.key')
  await writeFile(path, right, { mode: 0o600 })
  const again = startOn(dataDir)
  await again.url
  expect(await again.stop()).toEqual({ code: 0, signal: null })
})

test('production refuses a database that was ever started with demo data', async () => {
  const settings = { DATABASE_URL: await makeDatabase(), MASTER_KEY: key() }
  await startOnce({ ...settings, ENVIRONMENT: 'staging', DEMO: 'true' })
  expect(await endOf(run(['start'], { ...settings, ...production }))).toEqual(
    refusedWith(/Production refuses demo data, and this database holds it: use a database of its own for production\./),
  )
})

test('another master key than the one that the database was made with is refused, and changes nothing', async () => {
  const DATABASE_URL = await makeDatabase()
  const MASTER_KEY = key()
  const operator = { OPERATOR_CLIENT_ID: 'op', OPERATOR_CLIENT_SECRET: 'a-long-enough-secret-4711' }
  const ENVIRONMENT = 'staging'
  await startOnce({ DATABASE_URL, MASTER_KEY, ENVIRONMENT, ...operator })
  expect(await endOf(run(['start'], { DATABASE_URL, MASTER_KEY: key(), ENVIRONMENT }))).toEqual(
    refusedWith(/The master key does not decrypt what this database stores .*: set VIGENCIA_MASTER_KEY/),
  )
  await startOnce({ DATABASE_URL, MASTER_KEY, ENVIRONMENT })
})

test('secrets come from files too, and neither they nor the address are ever shown', async () => {
  const folder = await makeFolder()
  const secrets = {
    MASTER_KEY: key(),
    OPERATOR_CLIENT_SECRET: 'a-secret-in-a-file-4711',
    DATABASE_URL: await makeDatabase(),
  }
  const files = Object.entries(secrets).map(([name, value]) => ({ name, value, path: join(folder, name) }))
  for (const { path, value } of files) await writeFile(path, `${value}\n`)
  const settings = Object.fromEntries(files.map(({ name, path }) => [`${name}_FILE`, path]))
  const program = run(['start'], {
    ...settings,
    OPERATOR_CLIENT_ID: 'op',
    ...production,
    LOG_LEVEL: 'debug',
  })
  const response = await fetch(`${await program.url}/v1/authenticate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ 'client-id': 'op', 'client-secret': secrets.OPERATOR_CLIENT_SECRET }),
  })
  expect(response.status).toBe(200)
  await program.stop()
  for (const value of Object.values(secrets)) expect(program.out + program.err).not.toContain(value)
})

test('a database that does not exist is told at once', async () => {
  expect(
    await endOf(
      run(['start'], {
        DATABASE_URL: databaseOn(inject('engineUrl'), 'nobody_made_this'),
        MASTER_KEY: key(),
        ENVIRONMENT: 'staging',
      }),
    ),
  ).toEqual(refusedWith(/The database that VIGENCIA_DATABASE_URL names does not exist on that server: create it/))
})

test('a user who may not make tables is told so', async () => {
  const url = await makeDatabase('template0')
  await onEngine('alter schema public owner to pg_monitor', url)
  await onEngine('revoke create on schema public from public', url)
  const role = `limited_${randomBytes(4).toString('hex')}`
  await onEngine(`create role ${role}`)
  try {
    // The session becomes another user, as the engine lets in only its own.
    const as = `${url}&options=${encodeURIComponent(`-c role=${role}`)}`
    expect(await endOf(run(['start'], { DATABASE_URL: as, MASTER_KEY: key(), ENVIRONMENT: 'staging' }))).toEqual(
      refusedWith(/The user of VIGENCIA_DATABASE_URL may not make tables/),
    )
  } finally {
    await onEngine(`drop role ${role}`)
  }
})

/** Passes connections on to the run's engine, which has a socket or, when it was given to the run, an address. */
function forwardTo(url: string): { server: Server; close(): void } {
  const { hostname, port, searchParams } = new URL(url)
  const folder = searchParams.get('host')
  const target =
    folder === null ? { host: hostname, port: Number(port || 5432) } : { path: join(folder, '.s.PGSQL.5432') }
  const open = new Set<Socket>()
  const server = createServer((near) => {
    const far = createConnection(target)
    for (const one of [near, far]) {
      open.add(one)
      one.on('error', () => undefined)
      one.on('close', () => [near, far].forEach((end) => end.destroy()))
    }
    near.pipe(far).pipe(near)
  })
  return {
    server,
    close() {
      server.close()
      for (const one of open) one.destroy()
    },
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

test('a database that is not there yet is waited for', async () => {
  const url = await makeDatabase()
  const port = await freePort()
  const forwarded = new URL(url)
  forwarded.searchParams.delete('host')
  forwarded.host = `127.0.0.1:${port}`
  const settings = { DATABASE_URL: forwarded.href, MASTER_KEY: key(), ENVIRONMENT: 'staging', DEMO: 'true' }
  const program = run(['start'], settings)
  await program.wrote('the database does not answer yet')
  const proxy = forwardTo(url)
  proxy.server.listen(port, '127.0.0.1')
  try {
    expect((await fetch(`${await program.url}/readyz`)).status).toBe(200)
    expect(await program.stop()).toEqual({ code: 0, signal: null })
  } finally {
    proxy.close()
  }
})

test('SIGTERM while it waits for a database ends it, exit code 0', async () => {
  const program = run(['start'], {
    DATABASE_URL: `postgres://nobody@127.0.0.1:${await freePort()}/none`,
    MASTER_KEY: key(),
    ENVIRONMENT: 'staging',
  })
  await program.wrote('the database does not answer yet')
  expect(await program.stop()).toEqual({ code: 0, signal: null })
  expect(program.err).not.toMatch(/^\s+at /m)
})

test('a database that stays away is told in a sentence', async () => {
  const log = openLog('silent')
  const url = 'postgres://vigencia@127.0.0.1:1/vigencia'
  const database = openDatabase({ url, connections: 1, namedStatements: true, applicationName: 'test' }, log)
  await expect(waitForDatabase(database, log, new AbortController().signal, 0)).rejects.toThrow(
    /^The database did not answer within 0 seconds: .*VIGENCIA_DATABASE_URL/,
  )
  await database.close()
})
