import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Cli, openCli, type Running } from '../cli/command.ts'
import { closeEngineFixture, makeFolder } from '../platform/embedded-postgres/engine-fixture.ts'
import { until } from '../world/test-app.ts'
import { isLong } from '../scale.ts'

/* What a start shows on a terminal; in a pipe it logs JSON. */

let cli: Cli
let running: Running | null = null

beforeAll(async () => {
  cli = await openCli()
})

afterEach(async () => {
  running?.kill('SIGKILL')
  await running?.outcome
  running = null
  await closeEngineFixture()
})

afterAll(() => cli.clear())

const shown = (pattern: RegExp) =>
  until(
    async () => pattern.exec(`${running?.soFar.out}${running?.soFar.err}`),
    (found) => found !== null,
  )

/** What a terminal shows as text: without colors, and with plain line ends. */
const plain = (text: string) => stripVTControlCharacters(text).replaceAll('\r', '')

test('on a terminal a start ends with its clients and the next step; a request is one short line', async () => {
  // For root a closed parent, so that PostgreSQL's user cannot reach the data folder.
  const dataDir = join(await makeFolder(0o700), 'data')
  running = cli.startInTerminal(['start'], { VIGENCIA_DATA_DIR: dataDir, VIGENCIA_PORT: '0' })
  await shown(/as the operator\.\r?\n/)
  const welcome = plain(running.soFar.out).split('\n')
  const url = /^Vigencia \(staging\) is listening on (http:\S+)$/.exec(welcome[0] ?? '')?.[1]
  expect(welcome.slice(-10)).toEqual([
    '',
    'Demo company   Padaria Aurora Ltda., CNPJ 11222333000181',
    expect.stringMatching(/^Demo partner {3}demo-partner {2}\S{43}$/),
    expect.stringMatching(/^Demo operator {2}demo-operator {2}\S{43}$/),
    `Start page     ${url}/`,
    `Console        ${url}/console/`,
    `API reference  ${url}/docs`,
    '',
    'Next: paste the three lines under "Try it" into another terminal, or open the start page, or sign in to the console as the operator.',
    '',
  ])
  const folder = /^PostgreSQL runs in ([^:\n]+)/.exec(welcome[1] ?? '')?.[1] ?? ''
  expect(await realpath(join(dataDir, 'postgres'))).toBe(join(await realpath(folder), 'postgres'))

  await fetch(`${url}/healthz`)
  await shown(/healthz.*ms/)
  await fetch(`${url}/v1/company/11222333000181`)
  await shown(/companyTaxId.*ms/)
  // Ctrl-C.
  running.type('\u0003')
  await shown(/Stopped\./)
  const lines = plain(running.soFar.out)
    .split('\n')
    .slice(welcome.length - 1)
  expect(lines.map((line) => line.replace(/^\d\d:\d\d:\d\d /, '- '))).toEqual([
    expect.stringMatching(/^- GET \/healthz 200 \d+ ms$/),
    expect.stringMatching(/^- GET \/v1\/company\/:companyTaxId 401 \d+ ms$/),
    // The terminal shows the key as ^C first.
    expect.stringMatching(/stopping signal=SIGINT$/),
    'Stopped.',
    '',
  ])
  expect((await running.outcome).code).toBe(0)
})

/** The first log line of a start that waits for its database. */
async function lineOfWaiting(start: 'start' | 'startInTerminal', more = {}) {
  running = cli[start](['start'], {
    VIGENCIA_DATABASE_URL: 'postgres://vigencia@127.0.0.1:1/vigencia',
    VIGENCIA_ENVIRONMENT: 'staging',
    VIGENCIA_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    ...more,
  })
  const [line = ''] = (await shown(/^.*waiting for it.*$/m)) ?? []
  return line.trimEnd()
}

const text = /^\d\d:\d\d:\d\d warn the database does not answer yet; waiting for it .*code=ECONNREFUSED .*$/

test.runIf(isLong)('the level has a color on a terminal, and none with NO_COLOR', async () => {
  const colored = await lineOfWaiting('startInTerminal')
  expect(colored).toContain('\u001B[33mwarn\u001B[39m')
  expect(plain(colored)).toMatch(text)
  running?.kill('SIGKILL')
  expect(await lineOfWaiting('startInTerminal', { NO_COLOR: '1' })).toMatch(text)
})

test('VIGENCIA_LOG_FORMAT asks for JSON on a terminal, or for text in a pipe', async () => {
  const json = await lineOfWaiting('startInTerminal', { VIGENCIA_LOG_FORMAT: 'json' })
  expect(JSON.parse(json)).toMatchObject({ level: 40, err: { code: 'ECONNREFUSED' } })
  running?.kill('SIGKILL')
  expect(await lineOfWaiting('start', { VIGENCIA_LOG_FORMAT: 'text' })).toMatch(text)
})

test.runIf(isLong)('in a pipe a start logs JSON', async () => {
  expect(JSON.parse(await lineOfWaiting('start'))).toMatchObject({ level: 40 })
})
