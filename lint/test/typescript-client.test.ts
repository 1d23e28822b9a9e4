import { readFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { useTestApp } from '../../test/world/test-app.ts'
import { readPartnerDocument } from '../openapi.ts'
import { compile, root, run } from './compile.ts'

/* A client that another generator than the SDK's makes of the document of the partner API. */

const testApp = useTestApp()
const generator = join(root, 'lint/node_modules/.bin/swagger-typescript-api')
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vigencia-client-'))
})

afterAll(() => rm(folder, { recursive: true }))

test('the client of swagger-typescript-api compiles without an error, and reads members', async () => {
  const document = join(folder, 'openapi.json')
  await writeFile(document, JSON.stringify(await readPartnerDocument()))
  const generate = ['generate', '--path', document, '--output', folder, '--name', 'client.ts']
  // It leaves a cache in the folder for temporary files.
  const env = { ...process.env, TMPDIR: folder }
  await run(generator, [...generate, '--silent'], { cwd: folder, env })
  expect(await compile(folder)).toBe('')

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
