/* Runs a page as its reader does: the service of `npm start` on a fresh database, and a shell in the clone. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { writeDemoProfile } from '#apps/demo/profile.ts'
import { businessDate } from '#kernel/calendar.ts'
import { inheritedEnvironment } from '../environment.ts'
import { openTestApp, type TestApp } from '../world/test-app.ts'
import { isLong } from '../scale.ts'
import { jsonDifference, textDifference } from './compare.ts'
import { type Page, root, type Sample } from './pages.ts'
import { openShell, type Ran, type Shell } from './shell.ts'

/** The address of `npm start`, as the pages show it. */
const shownUrl = 'http://127.0.0.1:3000'

/** `npx vigencia` is the command itself in the everyday run: npx takes half a second of CPU. */
const prelude = `
npm() { echo 'npm is not run by the samples: mark the block with a comment, not run'; return 1; }
${isLong ? '' : `npx() { case $1 in vigencia) shift; '${root}bin/vigencia' "$@";; *) command npx "$@";; esac; }`}
vigencia() { '${root}bin/vigencia' "$@"; }
`

/** The service of `npm start` with these variables, on a fresh database. */
export function openPageApp(settings: Page['settings']): Promise<TestApp> {
  const asStart = { VIGENCIA_DEMO: 'true', VIGENCIA_BUSINESS_DATE: '', VIGENCIA_RATE_LIMITS: '' }
  return openTestApp({ ...asStart, ...settings })
}

/** What goes wrong when the samples of the page are run in order, up to the first; each with page and line. */
export async function runPage(page: Page): Promise<string[]> {
  const app = await openPageApp(page.settings)
  try {
    return await runSamples(app, page)
  } finally {
    await app.close()
  }
}

/** The same with a service that runs. */
export async function runSamples(app: TestApp, { path, samples, settings }: Page): Promise<string[]> {
  const folder = makeClone(app.dataDir)
  let shell: Shell | null = null
  try {
    shell = await openShell(folder, environmentOf(app, folder), prelude)
    const todays = [todayOf(settings)]
    for (const sample of samples) {
      const errors = await runSample(shell, sample, { app, folder, todays: [...todays, todayOf(settings)] })
      if (errors.length > 0) return errors.map(({ line, error }) => `${path}:${line}: ${error}`)
    }
    return []
  } finally {
    await shell?.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

const todayOf = (settings: Page['settings']) => settings['VIGENCIA_BUSINESS_DATE'] ?? businessDate(new Date())

/** A folder with all that a clone has, in which samples may write; `.data` is the data folder of the service. */
function makeClone(dataDir: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'vigencia-page-'))
  for (const name of readdirSync(root)) {
    if (!/^\.(data|git)$/.test(name)) symlinkSync(join(root, name), join(folder, name))
  }
  mkdirSync(join(folder, '.home'))
  symlinkSync(dataDir, join(folder, '.data'))
  return folder
}

function environmentOf(app: TestApp, folder: string): Record<string, string> {
  const { demo } = app
  if (demo?.partner == null || demo.operator === null) throw new Error('the service has no demo')
  writeDemoProfile(app.dataDir, app.url, demo)
  const { PATH = '', ...inherited } = inheritedEnvironment()
  return {
    ...inherited,
    PATH: `${dirname(process.execPath)}:${PATH}`,
    HOME: join(folder, '.home'),
    XDG_CONFIG_HOME: join(folder, '.home'),
    PARTNER_SECRET: demo.partner.clientSecret,
    OPERATOR_SECRET: demo.operator.clientSecret,
    VIGENCIA_DATABASE_URL: app.databaseUrl,
    VIGENCIA_MASTER_KEY: app.masterKey,
    NODE_NO_WARNINGS: '1',
  }
}

interface Surroundings {
  readonly app: TestApp
  readonly folder: string
  readonly todays: readonly string[]
}

async function runSample(shell: Shell, sample: Sample, { app, folder, todays }: Surroundings) {
  const { expected, line, language } = sample
  const text = sample.text
    .replaceAll(shownUrl, app.url)
    .replaceAll(/^(?:export )?(?:PARTNER|OPERATOR)_SECRET='…'.*$/gm, '')
    .replaceAll("VIGENCIA_CLIENT_SECRET='…'", 'VIGENCIA_CLIENT_SECRET=$PARTNER_SECRET')
  const file = join(folder, `sample-${line}.ts`)
  if (language === 'ts') writeFileSync(file, text)
  let ran: Ran
  try {
    ran = await shell.run(language === 'ts' ? `node ${file}\n` : text)
  } catch (error) {
    return [{ line, error: (error as Error).message }]
  }
  const output = ran.output.replaceAll(app.url, shownUrl).replaceAll(`${folder}/`, '')
  if (sample.exitCode !== 0) {
    if (ran.exitCode !== sample.exitCode)
      return [{ line, error: `its exit code is ${ran.exitCode}; it prints\n${output}` }]
  } else if (ran.failed !== null) {
    const at = language === 'ts' ? line : line + ran.failed.line
    return [{ line: at, error: `the exit code is ${ran.failed.exitCode}; it prints\n${output}` }]
  }
  if (expected === null) {
    const isError = /"request-trace-id":/.test(output)
    return isError ? [{ line, error: `the page shows no output, and it prints an error\n${output}` }] : []
  }
  const compare = expected.language === 'json' ? jsonDifference : textDifference
  const difference = compare(expected.text, output, todays)
  return difference === null ? [] : [{ line: expected.line, error: difference }]
}
