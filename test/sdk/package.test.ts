import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { build } from '../../sdk/build.ts'
import { isLong } from '../scale.ts'

const run = promisify(execFile)
/** TypeScript 5.9, which users have; in the everyday run the one of the repository, which takes a tenth of the CPU. */
const tsc = fileURLToPath(new URL(`../../${isLong ? 'lint/' : ''}node_modules/typescript/bin/tsc`, import.meta.url))

/** A project that has installed the package. */
let project: string
let installed: string

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'vigencia-package-'))
  installed = join(project, 'node_modules/@vigencia/client')
  await mkdir(installed, { recursive: true })
  await build(installed)
})

afterAll(() => rm(project, { recursive: true }))

test('a project imports the built package, both entries, without type stripping', async () => {
  await writeFile(
    join(project, 'use.mjs'),
    `import { InvalidMembersError, Vigencia, webhooks } from '@vigencia/client'
     import { VigenciaOperator } from '@vigencia/client/operator'
     console.log([Vigencia, VigenciaOperator, InvalidMembersError, webhooks.verify].map((one) => one.name).join())`,
  )
  const { stdout } = await run(process.execPath, ['--no-strip-types', 'use.mjs'], { cwd: project })
  expect(stdout.trim()).toBe('Vigencia,VigenciaOperator,InvalidMembersError,verify')
  const { exports, ...others } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'))
  for (const name of ['dependencies', 'private', 'scripts']) expect(Object.keys(others)).not.toContain(name)
  for (const { types, default: code } of Object.values<Record<string, string>>(exports)) {
    for (const path of [types, code]) expect(await readFile(join(installed, path ?? ''), 'utf8')).not.toBe('')
  }
})

test(`a project with ${isLong ? 'TypeScript 5.9' : 'TypeScript'} and the strictest settings compiles against the types, where wrong use does not`, async () => {
  await writeFile(
    join(project, 'use.ts'),
    `import { type ApiError, InvalidMembersError, Vigencia, type WebhookEvent } from '@vigencia/client'
     import { VigenciaOperator } from '@vigencia/client/operator'
     const vigencia = new Vigencia({ url: 'http://x', clientId: 'a', clientSecret: 'b', timeout: 5, fetch })
     export const operator = new VigenciaOperator({ url: 'http://x', token: async () => 'a' })
     export async function use(event: WebhookEvent, error: ApiError): Promise<string> {
       const accepted = await vigencia.inclusions.create({ 'company-tax-id': 'x', members: [] })
       const { 'request-id': id } = accepted
       const judged: true = (await vigencia.inclusions.create({ 'company-tax-id': 'x', members: [] }, { 'dry-run': true }))['dry-run']
       const status: 'processing' | 'completed' | 'partial-failure' | 'failed' = (await vigencia.requests.wait(id)).status
       await vigencia.requests.wait(accepted)
       await vigencia.requests.wait(await vigencia.alterations.create({ 'company-tax-id': 'x', members: [] }, { handling: 'lenient' }))
       await vigencia.requests.wait(await vigencia.alterations.ofMember('x', { 'alteration-data': {} }))
       // @ts-expect-error -- a dry run makes no request
       await vigencia.requests.wait(await vigencia.inclusions.create({ 'company-tax-id': 'x', members: [] }, { 'dry-run': true }))
       for await (const member of vigencia.members.list({ filter: 'x' })) id.concat(member.profile.name)
       if (error instanceof InvalidMembersError) for (const { offenses } of error) id.concat(...offenses)
       const saved: number = (await vigencia.invoices.download('x', { to: 'y' })).bytes
       const text: string = await (await vigencia.invoices.download('x')).text()
       if (event.type === 'benefit.activated') return event.data['member-id']
       // @ts-expect-error -- of another event
       event.data['member-id']
       // @ts-expect-error -- no such field
       await vigencia.inclusions.create({ 'company-tax-id': 'x', members: [], reference: 'r', company: 'y' })
       // @ts-expect-error -- no such parameter
       vigencia.members.list({ companyTaxId: 'x' })
       // @ts-expect-error -- no such status
       await operator.enrollments.transition('x', { status: 'done' })
       // @ts-expect-error -- neither a secret nor a token
       new Vigencia({ url: 'http://x' })
       return status + saved + text
     }`,
  )
  const options = ['--strict', '--noEmit', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess']
  const target = ['--module', 'nodenext', '--target', 'es2022', '--lib', 'es2022,dom,dom.iterable']
  const { stdout } = await run(process.execPath, [tsc, ...options, ...target, 'use.ts'], { cwd: project }).catch(
    (error: { stdout: string }) => error,
  )
  expect(stdout).toBe('')
})

test('no public type is any', async () => {
  const files = (await readdir(installed, { recursive: true })).filter((name) => name.endsWith('.d.ts'))
  expect(files.length).toBeGreaterThan(15)
  for (const name of files) {
    const code = (await readFile(join(installed, name), 'utf8')).replaceAll(/\/\*[^]*?\*\/|\/\/.*|"[^"\n]*"/g, '')
    expect([name, code.match(/\bany\b/g)]).toEqual([name, null])
  }
})

test('both entries together are at most 18.5 kB, minified and compressed', async () => {
  await writeFile(
    join(project, 'all.js'),
    `export * from '@vigencia/client'; export * from '@vigencia/client/operator'`,
  )
  const bundle = await rolldown({ input: join(project, 'all.js'), platform: 'browser', logLevel: 'silent' })
  const { output } = await bundle.generate({ format: 'esm', minify: true })
  await bundle.close()
  const [{ code }] = output
  expect(output).toHaveLength(1)
  const bytes = gzipSync(code, { level: 9 }).length
  console.log(`SDK: ${bytes} bytes`)
  expect(bytes).toBeLessThanOrEqual(18_500)
})
