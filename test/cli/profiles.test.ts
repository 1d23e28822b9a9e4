import { chmod, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Client, useTestApp } from '../world/test-app.ts'
import { type Cli, openCli } from './command.ts'

const testApp = useTestApp()
let partner: Client
let cli: Cli

beforeAll(async () => {
  partner = await testApp.partner((await testApp.company()).taxId)
})
beforeEach(async () => {
  cli = await openCli()
})
afterEach(() => cli.clear())

const profileFile = () => join(cli.folder, 'config', 'vigencia', 'profiles.json')
const loginAs = (client: Client, ...more: string[]) =>
  cli.run(['login', '--url', testApp.url, '--client-id', client.clientId, ...more], {
    stdin: `${client.clientSecret}\n`,
  })

test('login stores a partner and an operator in one profile, readable by this user only, and shows no secret', async () => {
  const first = await loginAs(partner)
  expect(first).toMatchObject({ code: 0, out: '' })
  expect(first.err).toContain('Signed in as partner')
  const second = await loginAs(testApp.operator, '--json')
  expect(second.code).toBe(0)
  expect(second.json).toMatchObject({ profile: 'default', kind: 'operator', 'client-id': testApp.operator.clientId })
  expect((await stat(profileFile())).mode & 0o777).toBe(0o600)
  expect((await stat(join(profileFile(), '..'))).mode & 0o077).toBe(0)

  const list = await cli.run(['profiles', '--json'])
  expect(list.json.result.map((one: { kind: string }) => one.kind).sort()).toEqual(['operator', 'partner'])
  for (const shown of [first, second, list, await cli.run(['profiles'])]) {
    expect(shown.out + shown.err).not.toContain(partner.clientSecret)
    expect(shown.out + shown.err).not.toContain(testApp.operator.clientSecret)
  }
  expect((await cli.run(['company', 'list', '--json'])).json.result).toHaveLength(1)
})

test('a wrong secret ends with 4, says what to do, and is not stored', async () => {
  const outcome = await loginAs({ ...partner, clientSecret: 'wrong-secret' })
  expect(outcome).toMatchObject({ code: 4, out: '' })
  expect(outcome.err).toContain('Invalid credentials')
  expect(outcome.err).toContain('vigencia login')
  expect((await cli.run(['profiles', '--json'])).json).toEqual({ result: [] })
})

test('profiles have names, and --profile before VIGENCIA_PROFILE chooses', async () => {
  await loginAs(testApp.operator, '--profile', 'acme')
  const without = await cli.run(['company', 'list'])
  expect(without.code).toBe(4)
  expect(without.err).toContain('Choose one with --profile: acme')
  expect((await cli.run(['company', 'list', '--profile', 'acme'])).code).toBe(0)
  const environment = { VIGENCIA_PROFILE: 'acme' }
  expect((await cli.run(['company', 'list'], { environment })).code).toBe(0)
  expect((await cli.run(['company', 'list', '--profile', 'other'], { environment })).code).toBe(4)
  expect((await cli.run(['logout', '--profile', 'acme'])).code).toBe(0)
  expect((await cli.run(['company', 'list'], { environment })).code).toBe(4)
})

test('a file of secrets that others may read is refused with how to close it', async () => {
  await loginAs(testApp.operator)
  await chmod(profileFile(), 0o644)
  const outcome = await cli.run(['company', 'list'])
  expect(outcome.code).toBe(2)
  expect(outcome.err).toContain(`chmod 600 ${profileFile()}`)
})

test('the secret may come from a file, and HOME is used where XDG_CONFIG_HOME is not set', async () => {
  const secret = await cli.file('secret', `${partner.clientSecret}\n`)
  const environment = { XDG_CONFIG_HOME: '', HOME: cli.folder }
  const words = ['login', '--url', testApp.url, '--client-id', partner.clientId, '--secret-file', secret]
  expect((await cli.run(words, { environment })).code).toBe(0)
  const saved = await readFile(join(cli.folder, '.config', 'vigencia', 'profiles.json'), 'utf8')
  expect(JSON.parse(saved).profiles.default.partner['client-id']).toBe(partner.clientId)
})

test('in a terminal it asks, and the secret is not on the screen', async () => {
  const answers = [
    ['Address of the service [http://127.0.0.1:3000]: ', testApp.url],
    ['Client id: ', partner.clientId],
    ['Client secret: ', partner.clientSecret],
  ] as const
  const outcome = await cli.inTerminal(['login'], { answers })
  expect(outcome.code).toBe(0)
  expect(outcome.out).toContain('Signed in as partner')
  expect(outcome.out).not.toContain(partner.clientSecret)
})

test('an absent service ends with 3, an address that is none with 2', async () => {
  await cli.signIn('http://127.0.0.1:9', { operator: testApp.operator })
  const away = await cli.run(['company', 'list', '--json'])
  expect(away.code).toBe(3)
  expect(away.json.error).toContain('does not answer')
  expect(away.err).toContain('npm start')
  expect((await cli.run(['login', '--url', 'benefits.example', '--client-id', 'x'])).code).toBe(2)
})

test('a variable that is no setting is refused here too', async () => {
  const outcome = await cli.run(['company', 'list'], { environment: { VIGENCIA_PROFIL: 'x' } })
  expect(outcome.code).toBe(1)
  expect(outcome.err).toContain('VIGENCIA_PROFIL is not a setting')
})
