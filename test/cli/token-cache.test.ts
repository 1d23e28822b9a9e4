import { createHash } from 'node:crypto'
import { chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openStub, json, failure, type Stub } from '../sdk/stub.ts'
import { useTestApp } from '../world/test-app.ts'
import { anyClient, type Cli, openCli } from './command.ts'

const testApp = useTestApp({ VIGENCIA_RATE_LIMITS: '600/120/20' })
let cli: Cli
let stub: Stub

beforeEach(async () => {
  cli = await openCli()
  stub = await openStub()
})
afterEach(async () => {
  vi.useRealTimers()
  await cli.clear()
  await stub.close()
})

const folder = () => join(cli.folder, 'state', 'vigencia', 'tokens')
const list = () => cli.run(['product', 'list', '--json'])
const products = json(200, { result: [] })
const bearers = () => stub.calls.map(({ headers }) => headers.authorization)

test('26 commands in a minute take one token, and none waits', async () => {
  const partner = await testApp.partner((await testApp.company()).taxId)
  await cli.signIn(testApp.url, { partner })
  for (let index = 0; index < 26; index += 1) expect(await list()).toMatchObject({ code: 0, err: '' })
  const [file = '', ...others] = await readdir(folder())
  expect(others).toEqual([])
  const path = join(folder(), file)
  const stored = await readFile(path, 'utf8')
  expect([(await stat(path)).mode & 0o777, (await stat(folder())).mode & 0o777]).toEqual([0o600, 0o700])
  const hash = createHash('sha256').update(partner.clientSecret).digest('hex')
  for (const secret of [partner.clientSecret, hash]) expect(stored + file).not.toContain(secret)
})

test('a token is used until a minute before it expires, by commands of the environment too', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const environment = { VIGENCIA_URL: stub.url, VIGENCIA_CLIENT_ID: 'someone', VIGENCIA_CLIENT_SECRET: 'secret' }
  const run = () => cli.run(['product', 'list', '--json'], { environment })
  stub.replies.push(products, products, products)
  await run()
  vi.setSystemTime(Date.now() + 3_530_000)
  await run()
  vi.setSystemTime(Date.now() + 11_000)
  await run()
  expect(bearers()).toEqual(['Bearer token-1', 'Bearer token-1', 'Bearer token-2'])
})

test('a refused token is replaced, also the stored one', async () => {
  await cli.signIn(stub.url, { partner: anyClient })
  stub.replies.push(products, failure(401, 'token-invalid'), products, products)
  for (let index = 0; index < 3; index += 1) expect((await list()).code).toBe(0)
  expect(bearers()).toEqual(['Bearer token-1', 'Bearer token-1', 'Bearer token-2', 'Bearer token-2'])
})

test('another secret, another client and another service take a token of their own', async () => {
  stub.replies.push(products, products, products)
  for (const client of [anyClient, { ...anyClient, clientSecret: 'rotated' }, { ...anyClient, clientId: 'other' }]) {
    await cli.signIn(stub.url, { partner: client })
    await list()
  }
  await cli.signIn(`${stub.url}/base`, { partner: anyClient })
  // Nothing gives tokens there.
  expect((await list()).code).toBe(3)
  expect(bearers().slice(0, 3)).toEqual(['Bearer token-1', 'Bearer token-2', 'Bearer token-3'])
  expect(stub.tokens).toBe(3)
  // Two clients; the third has the place of the first.
  expect(await readdir(folder())).toHaveLength(2)
})

test('a file that others may read or that is damaged is not used, and replaced; a folder that cannot be made does not matter', async () => {
  await cli.signIn(stub.url, { partner: anyClient })
  stub.replies.push(products, products, products, products)
  await list()
  const path = join(folder(), (await readdir(folder()))[0] ?? '')
  await chmod(path, 0o644)
  await list()
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  await writeFile(path, '{')
  await list()
  expect(stub.tokens).toBe(3)
  await writeFile(join(cli.folder, 'a-file'), '')
  const environment = { XDG_STATE_HOME: join(cli.folder, 'a-file') }
  expect((await cli.run(['product', 'list'], { environment })).code).toBe(0)
})

test('login tries the secret although a token is stored, and logout deletes the token', async () => {
  await cli.signIn(stub.url, { partner: anyClient })
  stub.replies.push(products)
  await list()
  const words = ['login', '--url', stub.url, '--client-id', anyClient.clientId]
  expect((await cli.run(words, { stdin: anyClient.clientSecret })).code).toBe(0)
  expect(stub.tokens).toBe(2)
  expect((await cli.run(['logout'])).code).toBe(0)
  expect(await readdir(folder())).toEqual([])
})

test('commands that start together each get a whole token', async () => {
  await cli.signIn(stub.url, { partner: anyClient })
  stub.replies.push(...Array.from({ length: 4 }, () => products))
  const all = await Promise.all(Array.from({ length: 4 }, () => cli.spawn(['product', 'list', '--json'])))
  expect(all.map(({ code }) => code)).toEqual([0, 0, 0, 0])
  expect((await readdir(folder())).filter((name) => !name.endsWith('.json'))).toEqual([])
})

test('a wait of a second or more is told, with its reason', async () => {
  await cli.signIn(stub.url, { partner: anyClient })
  const limited = (response: ServerResponse) =>
    void response
      .writeHead(429, { 'content-type': 'application/json', 'retry-after': '1' })
      .end('{"error":"Too many requests","code":"rate-limited"}')
  stub.replies.push(limited, products)
  const outcome = await list()
  expect(outcome.code).toBe(0)
  expect(outcome.err).toBe('Waiting 2 s: the server limits how many calls it takes (429).\n')
})

test('the address of an API is refused with a sentence', async () => {
  const words = ['login', '--url', `${stub.url}/v1/`, '--client-id', 'x']
  const outcome = await cli.run(words, { stdin: 'secret' })
  expect(outcome.code).toBe(2)
  expect(outcome.err).toContain('Use that of the service, without /v1.')
})
