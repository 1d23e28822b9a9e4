import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { afterEach, expect, test } from 'vitest'
import { closeEngineFixture, makeData } from '../platform/embedded-postgres/engine-fixture.ts'
import { until } from '../world/test-app.ts'
import { demoClient, endPrograms, type Program, root, runToEnd, startOn, tokenOf } from './program.ts'
import { isLong } from '../scale.ts'

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

test('the three lines of the welcome, pasted into a shell, end with the family active in the member list, at the next start too', async () => {
  const dataDir = await makeData()
  const program = startOn(dataDir)
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
  const saved = await membersOf(program)
  expect((await program.stop()).code).toBe(0)

  const second = startOn(dataDir)
  await second.url
  for (const kind of ['partner', 'operator'] as const)
    expect(demoClient(second, kind)).toEqual(demoClient(program, kind))
  expect(second.out).toContain('PostgreSQL runs in')
  expect(await membersOf(second)).toEqual(saved)
  await second.stop()
})

/** `. examples/session.sh` in a shell, and the header that it sets. */
function session(dataDir: string): { code: number | null; out: string; err: string } {
  const script = '. examples/session.sh && printf %s "$PARTNER"'
  const env = { ...process.env, VIGENCIA_DATA_DIR: dataDir }
  const { status, stdout, stderr } = spawnSync('sh', ['-c', script], { cwd: root, env, encoding: 'utf8' })
  return { code: status, out: stdout, err: stderr }
}

test.runIf(isLong).each(['partner', 'operator'] as const)(
  'a demo whose %s has another secret says so in doctor and in the session, and the next start makes a new one',
  async (kind) => {
    const dataDir = await makeData()
    const first = startOn(dataDir)
    const url = await first.url
    const [former, admin] = [demoClient(first, kind), demoClient(first, 'operator')]
    expect(session(dataDir)).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Authorization: Bearer ey/),
      err: '',
    })
    const doctor = () => runToEnd(['doctor'], { DATA_DIR: dataDir })
    expect((await doctor()).out).toContain(`${url} accepts that of demo-${kind} (profile demo)`)
    const authorization = `Bearer ${await tokenOf(url, admin)}`
    let mine = ''
    for (let turn = 0; turn < 2; turn += 1) {
      const path = `/operator/v1/${kind === 'partner' ? 'client' : 'operator'}/demo-${kind}/rotate-secret`
      const rotated = await fetch(`${url}${path}`, { method: 'POST', headers: { authorization } })
      expect(rotated.status).toBe(200)
      mine = ((await rotated.json()) as { 'client-secret': string })['client-secret']
    }
    await expect(tokenOf(url, former)).rejects.toThrow('401')
    const refused = session(dataDir)
    expect(refused).toMatchObject({ code: 1, out: '' })
    expect(refused.err).toContain(`no token for demo-${kind} from ${url}: {"error":`)
    const looked = await doctor()
    expect(looked.code).toBe(1)
    expect(looked.out).toContain(`${url} refuses that of demo-${kind} (profile demo)`)
    expect(looked.out).toContain('Stop the service and start it again (npm start)')
    if (kind === 'partner') expect((await fetch(`${url}/docs/demo-client`)).status).toBe(204)
    await first.stop()

    const second = startOn(dataDir)
    const later = await second.url
    const made = demoClient(second, kind)
    expect(made.secret).not.toBe(former.secret)
    await tokenOf(later, made)
    await tokenOf(later, { id: made.id, secret: mine })
    expect(session(dataDir).code).toBe(0)
    await second.stop()
  },
)
