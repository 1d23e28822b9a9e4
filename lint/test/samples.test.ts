import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readPartnerDocument } from '../openapi.ts'
import { compile, root } from './compile.ts'

/* The samples of the SDK in the document of the partner API, `x-codeSamples`. */

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vigencia-samples-'))
})

afterAll(() => rm(folder, { recursive: true }))

const options = {
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
  expect(await compile(folder, options)).toBe('')
})
