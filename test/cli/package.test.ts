import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { version } from '#platform/core/version.ts'
import { build, pack } from '../../cli/build.ts'
import { type Client, type Company, primary, useTestApp } from '../world/test-app.ts'
import { type Cli, openCli } from './command.ts'

const run = promisify(execFile)
const testApp = useTestApp()
let folder: string
let cli: Cli
let company: Company
let partner: Client

beforeAll(async () => {
  cli = await openCli()
  company = await testApp.company()
  partner = await testApp.partner(company.taxId)
  folder = await mkdtemp(join(tmpdir(), 'vigencia-cli-'))
  await build(join(folder, 'dist'))
  await pack(join(folder, 'dist'), folder)
  const tarball = join(folder, 'vigencia-cli.tgz')
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', '--prefix', join(folder, 'home'), tarball])
})
afterAll(async () => {
  await cli.clear()
  await rm(folder, { recursive: true })
})

const vigencia = async (...words: string[]) => {
  const command = join(folder, 'home/node_modules/.bin/vigencia')
  const options = { env: { ...cli.environment }, cwd: folder }
  return run(command, words, options).then(
    ({ stdout, stderr }) => ({ code: 0, out: stdout, err: stderr }),
    ({ code, stdout, stderr }) => ({ code, out: stdout, err: stderr }),
  )
}

test('the package installs alone: no other package, and the licenses of what it holds', async () => {
  expect((await readdir(join(folder, 'home/node_modules'))).filter((name) => !name.startsWith('.'))).toEqual([
    '@vigencia',
  ])
  const licenses = await readFile(join(folder, 'home/node_modules/@vigencia/cli/THIRD-PARTY-LICENSES'), 'utf8')
  for (const name of ['commander', 'saxes', 'yauzl']) expect(licenses).toMatch(new RegExp(`^${name} \\(`, 'm'))
})

test('it has the commands that call a service, and not those that run one', async () => {
  expect(await vigencia('--version')).toEqual({ code: 0, out: `${version}\n`, err: '' })
  const { out } = await vigencia('help')
  for (const name of ['include', 'request', 'webhook', 'login', 'api', 'audit']) expect(out).toMatch(` ${name} `)
  expect(out).not.toMatch(/^ {2}(start|migrate|doctor|demo|invariants) /m)
})

test('it reads files of all kinds and calls the service, in Portuguese too', async () => {
  await cli.signIn(testApp.url, { partner })
  const who = await vigencia('whoami', '--json')
  expect(JSON.parse(who.out).result).toMatchObject({ 'client-id': partner.clientId, companies: 1 })
  const template = join(folder, 'members.xlsx')
  expect(await vigencia('include', 'template', '--output', template)).toMatchObject({ code: 0 })
  const empty = await vigencia('include', template, '--language', 'pt-BR')
  expect(empty).toMatchObject({ code: 2 })
  expect(empty.err).toMatch(/^erro: .*members\.xlsx não /)
  const batch = { 'company-tax-id': company.taxId, members: [primary()] }
  const file = await cli.file('family.json', JSON.stringify(batch))
  const included = await vigencia('include', file, '--resolution', 'approve', '--watch')
  expect(included).toMatchObject({ code: 0 })
  expect(included.out).toContain('completed; enrollments: 1 completed.')
  expect((await vigencia('layout', 'check', file)).code).toBe(1)
  expect((await vigencia('product', 'show', 'none')).code).not.toBe(70)
})
