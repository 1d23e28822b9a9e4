import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readPartnerDocument } from '../openapi.ts'

/* The samples of the SDK in the document of the partner API, `x-codeSamples`. */

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../', import.meta.url))
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vigencia-samples-'))
})

afterAll(() => rm(folder, { recursive: true }))

const compilerOptions = {
  strict: true,
  noEmit: true,
  target: 'es2023',
  module: 'nodenext',
  allowImportingTsExtensions: true,
  lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'],
  types: ['node'],
  typeRoots: [join(root, 'node_modules/@types')],
  paths: { '@vigencia/client': [join(root, 'sdk/src/index.ts')] },
}

interface Sample {
  readonly source: string
}

test('each sample compiles against the types of the SDK', async () => {
  const { paths } = await readPartnerDocument()
  const samples = Object.values(paths).flatMap((item) =>
    Object.values(item).flatMap((operation) => {
      const { 'x-codeSamples': own = [] } = operation as { readonly 'x-codeSamples'?: readonly Sample[] }
      return own.map(({ source }) => [operation.operationId, source] as const)
    }),
  )
  expect(samples.length).toBeGreaterThan(50)
  for (const [id, source] of samples) await writeFile(join(folder, `${id}.ts`), source)
  await writeFile(
    join(folder, 'given.d.ts'),
    'declare const url: string\ndeclare const clientId: string\ndeclare const clientSecret: string\n',
  )
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
  const { stdout } = await run(join(root, 'node_modules/.bin/tsc'), ['--project', folder]).catch(
    (error: { stdout: string }) => error,
  )
  expect(stdout).toBe('')
})
