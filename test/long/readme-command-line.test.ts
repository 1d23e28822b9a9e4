import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { closeEngineFixture, makeData } from '../platform/embedded-postgres/engine-fixture.ts'
import { inheritedEnvironment } from '../environment.ts'
import { demoClient, endPrograms, root, run, startOn, tokenOf } from '../start/program.ts'

afterEach(async () => {
  await endPrograms()
  await closeEngineFixture()
})

/** The lines to type under "From the command line". */
function linesOfReadme(): string {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const lines = /\n## From the command line\n[^]*?```sh\n([^]*?)```/.exec(readme)?.[1]
  if (lines === undefined) throw new Error('the README has no such lines')
  return lines
}

/** What a shell writes when these lines are typed in the clone, after `npm start` on that data folder. */
async function typed(lines: string, dataDir: string): Promise<{ code: number | null; out: string; err: string }> {
  const environment = {
    ...inheritedEnvironment(),
    VIGENCIA_DATA_DIR: dataDir,
    XDG_CONFIG_HOME: join(dataDir, 'no-profiles'),
  }
  const child = spawn('sh', ['-e'], { cwd: root, env: environment, stdio: ['pipe', 'pipe', 'pipe'] })
  const written = { out: '', err: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (written.out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (written.err += text))
  child.stdin.end(lines)
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, ...written })))
}

test('the lines of the README include the payroll in the demo, without a secret typed', async () => {
  const dataDir = await makeData()
  const program = startOn(dataDir)
  const url = await program.url
  const lines = linesOfReadme()
  expect(lines.match(/^npx vigencia /gm)).toHaveLength(4)
  const shown = await typed(lines, dataDir)
  expect(shown.err).toContain('1858 of 1858 members would be taken')
  expect(shown.err).toContain('1858 of 1858 members taken.')
  expect(shown.out).toMatch(/\n3029\/3029 completed\nRequest \S+ completed; enrollments: 3029 created\.\n$/)
  expect(shown.code).toBe(0)
  const partner = demoClient(program, 'partner')
  expect(shown.out + shown.err).not.toContain(partner.secret)

  const id = /request-id (\S+)/.exec(shown.out)?.[1] ?? ''
  const headers = { authorization: `Bearer ${await tokenOf(url, partner)}` }
  const request = (await (await fetch(`${url}/v1/request/${id}`, { headers })).json()) as Record<string, object>
  expect(Object.keys(request['status-by-tax-id'] ?? {})).toHaveLength(1_858)

  expect((await program.stop()).code).toBe(0)
  const after = run(['company', 'list'], { DATA_DIR: dataDir, PROFILE: 'demo' })
  expect((await after.ended).code).toBe(4)
  expect(after.err).toContain('npm start')
}, 180_000)
