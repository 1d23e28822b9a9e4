import { randomBytes } from 'node:crypto'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrations } from '#platform/core/migrate.ts'
import { type Json, openTestApp, useTestApp } from '../world/test-app.ts'
import { type Cli, openCli } from './command.ts'

const testApp = useTestApp()
let cli: Cli

beforeAll(async () => {
  cli = await openCli()
})
afterAll(async () => {
  await cli.clear()
})

const settings = () => ({
  VIGENCIA_DATABASE_URL: testApp.databaseUrl,
  VIGENCIA_MASTER_KEY: testApp.masterKey,
  VIGENCIA_ENVIRONMENT: 'staging',
  VIGENCIA_DATA_DIR: testApp.dataDir,
  VIGENCIA_PORT: new URL(testApp.url).port,
})
const lookAt = async (environment: Record<string, string>) => {
  const outcome = await cli.run(['doctor', '--json'], { environment })
  const findings = new Map<string, Json>(outcome.json.result.map((one: Json) => [one.check, one]))
  return { outcome, findings }
}

test('beside a service that runs everything is ok', async () => {
  const { outcome, findings } = await lookAt(settings())
  const states = [...findings].map(([check, { state }]) => [check, state])
  const checks = [
    'node',
    'settings',
    'data folder',
    'storage',
    'port',
    'engine',
    'database',
    'connections',
    'migrations',
    'clock',
    'master key',
    'worker',
  ]
  expect(states).toEqual(checks.map((check) => [check, 'ok']))
  expect(outcome.code).toBe(0)
  expect(findings.get('port').message).toContain('a service runs')
  const plain = await cli.run(['doctor'], { environment: settings() })
  expect(plain.out).toMatch(/^ok {7}node: v24\./)
  expect(plain.err).toBe('All checks passed.\n')
  expect(plain.out).not.toContain(testApp.masterKey)
})

test('says how many processes the connections of the server are enough for, and warns of fewer than three in production', async () => {
  const { findings } = await lookAt({ ...settings(), VIGENCIA_DATABASE_CONNECTIONS: '8' })
  expect(findings.get('connections').message).toMatch(
    /^a process opens at most 23; the server allows \d+, enough for \d+ processes$/,
  )
  const production = { VIGENCIA_ENVIRONMENT: 'production', VIGENCIA_DATABASE_CONNECTIONS: '100' }
  const few = (await lookAt({ ...settings(), ...production })).findings.get('connections')
  expect([few.state, few.next]).toEqual([
    'warning',
    'Raise max_connections of PostgreSQL, or lower VIGENCIA_DATABASE_CONNECTIONS.',
  ])
})

test('reports another master key, a port in use, and a readable folder and key file, each with what to do', async () => {
  const other = createServer((_request, response) => response.end('not ours'))
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const folder = join(cli.folder, 'open')
  await mkdir(folder)
  await chmod(folder, 0o777)
  const { outcome, findings } = await lookAt({
    ...settings(),
    VIGENCIA_MASTER_KEY: randomBytes(32).toString('base64'),
    VIGENCIA_DATA_DIR: folder,
    VIGENCIA_PORT: String((other.address() as AddressInfo).port),
  })
  other.close()
  expect(outcome.code).toBe(1)
  expect(findings.get('master key')).toMatchObject({ state: 'failed' })
  expect(findings.get('port')).toMatchObject({ state: 'failed', next: 'Set VIGENCIA_PORT to a free one.' })
  expect(findings.get('data folder')).toMatchObject({ state: 'warning', next: `chmod go-rw ${folder}` })
  await writeFile(join(folder, 'master.key'), `${testApp.masterKey}\n`, { mode: 0o644 })
  const open = await lookAt({ VIGENCIA_DATA_DIR: folder, VIGENCIA_PORT: '0' })
  expect(open.findings.get('key file')).toMatchObject({ state: 'failed' })
  expect(open.findings.get('engine')).toMatchObject({ state: 'warning' })
})

test('reports waiting work without a worker, a changed and a missing migration', async () => {
  const role = await openTestApp({ VIGENCIA_ROLE: 'api' })
  const environment = { ...settings(), VIGENCIA_DATABASE_URL: role.databaseUrl, VIGENCIA_MASTER_KEY: role.masterKey }
  expect((await lookAt(environment)).findings.get('worker')).toMatchObject({ state: 'warning' })
  const company = await role.company()
  await role.sql(
    `insert into work (id, kind, client_id, company_id, target_id, run_at, created_at)
     select gen_random_uuid(), 'inclusion', $1, $2, gen_random_uuid(), now() - interval '90 seconds', now()`,
    [role.operator.clientId, company.id],
  )
  const [first, last] = [migrations()[0]?.name, migrations().at(-1)?.name]
  await role.sql("update migration set digest = repeat('0', 64) where name = $1", [first])
  await role.sql('delete from migration where name = $1', [last])
  const { outcome, findings } = await lookAt(environment)
  expect(outcome.code).toBe(1)
  expect(findings.get('worker')).toMatchObject({ state: 'failed' })
  expect(findings.get('worker').message).toMatch(/1 waiting, the oldest for 9\d s/)
  expect(findings.get('migrations').message).toContain(first)
  const plan = await cli.run(['migrate', '--plan', '--json'], { environment })
  expect(plan).toMatchObject({ code: 0, json: { pending: [last] } })
  expect((await cli.run(['migrate', '--plan'], { environment })).out).toBe(`Would apply ${last}\n`)
  await role.close()
}, 120_000)

test('reports an unreachable database and an invalid setting', async () => {
  const away = await lookAt({ ...settings(), VIGENCIA_DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none' })
  expect(away.outcome.code).toBe(1)
  expect(away.findings.get('database')).toMatchObject({
    state: 'failed',
    message: 'it cannot be reached (ECONNREFUSED)',
  })
  const wrong = await lookAt({ ...settings(), VIGENCIA_PORT: 'http' })
  expect(wrong.findings.get('settings').message).toContain('VIGENCIA_PORT must be a whole number')
  expect(wrong.findings.has('database')).toBe(false)
  const { VIGENCIA_ENVIRONMENT: _environment, ...incomplete } = settings()
  const refused = await lookAt(incomplete)
  expect(refused.outcome.code).toBe(1)
  expect(refused.findings.get('settings').message).toContain(
    'VIGENCIA_ENVIRONMENT is required with VIGENCIA_DATABASE_URL',
  )
  expect(refused.findings.get('database')).toMatchObject({ state: 'ok' })
})

test('config shows what a start would use, and no secret', async () => {
  const key = await cli.file('key', testApp.masterKey)
  const { VIGENCIA_MASTER_KEY: _key, ...others } = settings()
  const environment = {
    ...others,
    VIGENCIA_MASTER_KEY_FILE: key,
    VIGENCIA_ENVIRONMENT: 'production',
    VIGENCIA_PUBLIC_URL: 'https://benefits.example',
  }
  const shown = await cli.run(['config', '--json'], { environment })
  expect(shown.code).toBe(0)
  const values = Object.fromEntries(shown.json.result.map((one: Json) => [one.name, [one.value, one.source]]))
  expect(values).toMatchObject({
    VIGENCIA_PORT: [new URL(testApp.url).port, 'environment'],
    VIGENCIA_ENVIRONMENT: ['production', 'environment'],
    VIGENCIA_DEMO: ['false', 'default'],
    VIGENCIA_MASTER_KEY: ['(hidden)', 'file'],
    VIGENCIA_DATABASE_URL: ['(hidden)', 'environment'],
    VIGENCIA_NAMED_STATEMENTS: ['on', 'default'],
  })
  expect(shown.out).not.toContain(testApp.masterKey)
  expect(shown.out).not.toContain(testApp.databaseUrl)
  const refused = await cli.run(['config'], { environment: { ...environment, VIGENCIA_DEMO: 'true' } })
  expect(refused.code).toBe(1)
  expect(refused.err).toContain('Production refuses demo data')
})

test('a misspelt command, an unknown option and a missing argument end with 2; help with 0', async () => {
  const misspelt = await cli.run(['inclued', 'x'])
  expect(misspelt).toMatchObject({ code: 2, out: '' })
  expect(misspelt.err).toContain('Did you mean include?')
  expect((await cli.run(['include'])).code).toBe(2)
  expect((await cli.run(['include', 'x', '--dryrun'])).err).toContain('--dry-run')
  const help = await cli.run(['help', 'include'])
  expect(help).toMatchObject({ code: 0, err: '' })
  expect(help.out).toContain('Examples:\n  vigencia include')
  expect((await cli.run(['request', 'watch', '--help'])).code).toBe(0)
})
