import { execFileSync, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { closeEngineFixture, makeData } from '../embedded-postgres/engine-fixture.ts'
import { until } from '../http/test-app.ts'
import { demoClient, endPrograms, type Program, startOn, tokenOf } from './program.ts'

afterEach(async () => {
  await endPrograms()
  await closeEngineFixture()
})

/** The lines of the welcome to paste. */
function linesToPaste(program: Program): string {
  const lines = /^# 1\. [\s\S]*?\n# 3\. .*\n.+/m.exec(program.out)?.[0]
  if (lines === undefined) throw new Error(`nothing to paste in:\n${program.out}`)
  return `${lines}\n`
}

/** A shell into which lines are pasted; `seen` is what it has shown. */
function openShell() {
  try {
    execFileSync('curl', ['--version'], { stdio: 'ignore' })
  } catch {
    throw new Error('this test needs curl: apt-get install --yes curl')
  }
  const child = spawn('sh', [], { stdio: ['pipe', 'pipe', 'pipe'] })
  const shown = { out: '', err: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (shown.out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (shown.err += text))
  const ended = new Promise((resolve) => child.once('close', resolve))
  return {
    shown,
    paste: (lines: string) => child.stdin.write(lines),
    async close() {
      child.stdin.end()
      await ended
    },
  }
}

interface Listed {
  result: { profile: { 'tax-id': string }; benefits: { status: string; type: string }[] }[]
}

async function membersOf(program: Program): Promise<Listed['result']> {
  const url = await program.url
  const token = await tokenOf(url, demoClient(program, 'partner'))
  const response = await fetch(`${url}/v1/member`, { headers: { authorization: `Bearer ${token}` } })
  return ((await response.json()) as Listed).result
}

test('the three lines of the welcome, pasted into a shell, end with the family active in the member list', async () => {
  const program = startOn(await makeData())
  await program.url
  expect(program.out).toContain('Padaria Aurora Ltda., CNPJ 11222333000181')
  const lines = linesToPaste(program)
  expect(lines.match(/^[^#\n].*curl|^curl/gm)).toHaveLength(3)
  const family = [...lines.matchAll(/"tax-id":"(\d{11})"/g)].map((found) => found[1] ?? '')
  expect(family).toHaveLength(2)

  const shell = openShell()
  const lists = () =>
    shell.shown.out
      .split('\n')
      .filter((line) => line.startsWith('{"result"'))
      .map((line) => JSON.parse(line) as Listed)
  shell.paste(lines)
  let expectedLists = 1
  const last = await until(
    async () => {
      // As the welcome says: again, when the list is still empty.
      if (lists().length === expectedLists && lists().at(-1)?.result.length !== 2) {
        shell.paste(lines.slice(lines.indexOf('# 3.')))
        expectedLists += 1
      }
      return lists().at(-1)
    },
    (list) => list?.result.length === 2,
  )
  await shell.close()
  expect(shell.shown.out).toContain('"request-id"')
  expect(shell.shown.err).toBe('')
  expect(last?.result.map((item) => item.profile['tax-id']).sort()).toEqual(family.sort())
  expect(last?.result.flatMap((item) => item.benefits.map(({ status }) => status))).toEqual(['active', 'active'])
  expect(last?.result.flatMap((item) => item.benefits.map(({ type }) => type)).sort()).toEqual(['dependent', 'primary'])
  expect((await program.stop()).code).toBe(0)
})

test('a second start prints the same credentials and has the same data; credentials differ between folders', async () => {
  const dataDir = await makeData()
  const first = startOn(dataDir)
  await first.url
  const clients = [demoClient(first, 'partner'), demoClient(first, 'operator')]
  const shell = openShell()
  shell.paste(linesToPaste(first))
  await shell.close()
  const family = await until(
    () => membersOf(first),
    (members) => members.length === 2,
  )
  await first.stop()

  const second = startOn(dataDir)
  await second.url
  expect([demoClient(second, 'partner'), demoClient(second, 'operator')]).toEqual(clients)
  expect(second.out).toContain('PostgreSQL runs in')
  expect(await membersOf(second)).toEqual(family)
  await second.stop()

  const other = startOn(await makeData())
  await other.url
  expect(demoClient(other, 'partner').secret).not.toBe(clients[0]?.secret)
})

test('after the demo partner was revoked a start says so, and how to make another, and prints no secret of it', async () => {
  const dataDir = await makeData()
  const first = startOn(dataDir)
  const url = await first.url
  const { secret } = demoClient(first, 'partner')
  const operator = demoClient(first, 'operator')
  const authorization = `Bearer ${await tokenOf(url, operator)}`
  const revoked = await fetch(`${url}/operator/v1/client/demo-partner`, {
    method: 'DELETE',
    headers: { authorization },
  })
  expect(revoked.status).toBe(204)
  await first.stop()

  const second = startOn(dataDir)
  await second.url
  expect(second.out).not.toContain(secret)
  expect(second.out).toContain(
    'Demo partner   demo-partner is revoked. Make another: npx vigencia client create "Demo partner" --company 11222333000181\n' +
      '               Or start over: stop the service, npx vigencia demo reset, npm start\n',
  )
  expect(demoClient(second, 'operator')).toEqual(operator)
  const profile = JSON.parse(await readFile(join(dataDir, 'demo-profile.json'), 'utf8')) as object
  expect(Object.keys(profile)).toEqual(['operator'])
})

test('without demo data the first operator is shown once, at the first start', async () => {
  const dataDir = await makeData()
  const first = startOn(dataDir, { DEMO: 'false' })
  const url = await first.url
  expect(first.out).not.toContain('Demo')
  const shown = /client-id\s+(\S+)\n\s+client-secret\s+(\S+)/.exec(first.out)
  const response = await fetch(`${url}/v1/authenticate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ 'client-id': shown?.[1], 'client-secret': shown?.[2] }),
  })
  expect(response.status).toBe(200)
  expect(first.err).not.toContain(shown?.[2])
  await first.stop()

  const second = startOn(dataDir, { DEMO: 'false' })
  await second.url
  expect(second.out).not.toMatch(/operator|client-secret/i)
  await second.stop()
})

test('the first operator is shown even when the start fails after making it', async () => {
  const dataDir = await makeData()
  const holder = startOn(await makeData())
  const port = new URL(await holder.url).port
  const failed = startOn(dataDir, { DEMO: 'false', PORT: port })
  expect((await failed.ended).code).toBe(1)
  expect(failed.out).toMatch(/client-secret\s+\S{20,}/)
})
