import { execFile } from 'node:child_process'
import { readFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { useTestApp } from '../../test/world/test-app.ts'

/* A client that another generator than the SDK's makes of openapi.json. */

const testApp = useTestApp()
const root = fileURLToPath(new URL('../../', import.meta.url))
const generator = join(root, 'lint/node_modules/.bin/swagger-typescript-api')
const compiler = join(root, 'node_modules/.bin/tsc')
const run = promisify(execFile)
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vigencia-client-'))
})

afterAll(() => rm(folder, { recursive: true }))

const compilerOptions = {
  strict: true,
  noEmit: true,
  target: 'es2023',
  module: 'nodenext',
  lib: ['es2023', 'dom', 'dom.iterable'],
  types: [],
}

test('the client of swagger-typescript-api compiles without an error, and reads members', async () => {
  const generate = ['generate', '--path', join(root, 'openapi.json'), '--output', folder, '--name', 'client.ts']
  // It leaves a cache in the folder for temporary files.
  const env = { ...process.env, TMPDIR: folder }
  await run(generator, [...generate, '--silent'], { cwd: folder, env })
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['client.ts'] }))
  const { stdout } = await run(compiler, ['--project', folder]).catch((error: { stdout: string }) => error)
  expect(stdout).toBe('')

  const source = await readFile(join(folder, 'client.ts'), 'utf8')
  await writeFile(join(folder, 'client.js'), stripTypeScriptTypes(source, { mode: 'transform' }))
  const { Api } = await import(/* @vite-ignore */ pathToFileURL(join(folder, 'client.js')).href)
  const company = await testApp.company()
  const partner = await testApp.partner(company.taxId)
  const api = new Api({
    baseUrl: testApp.url,
    securityWorker: (token: string) => ({ headers: { Authorization: `Bearer ${token}` } }),
  })
  const credentials = { 'client-id': partner.clientId, 'client-secret': partner.clientSecret }
  const { data } = await api.v1.authenticate(credentials)
  api.setSecurityData(data['access-token'])
  const read = await api.v1.readCompany(company.taxId)
  expect([read.status, read.data.result['tax-id']]).toEqual([200, company.taxId])
  await expect(api.v1.readMember('no-id')).rejects.toMatchObject({ status: 400, error: { code: expect.any(String) } })
})
