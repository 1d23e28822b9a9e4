import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readPartnerDocument } from '../openapi.ts'
import { compile, root, run } from './compile.ts'

/*
 * The clients that generators make of the document of the partner API; that of swagger-typescript-api is called too, in typescript-client.test.ts.
 * Those for Java and other languages are programs that npm does not have (OpenAPI Generator is a .jar of Maven).
 */

let folder: string
let document: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vigencia-generators-'))
  document = join(folder, 'openapi.json')
  await writeFile(document, JSON.stringify(await readPartnerDocument()))
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
})

afterAll(() => rm(folder, { recursive: true }))

/** Runs a program of the packages. */
async function generate(program: string, ...words: string[]): Promise<void> {
  // Some leave a cache in the folder for temporary files.
  const env = { ...process.env, TMPDIR: folder, DO_NOT_TRACK: '1' }
  await run(join(root, 'lint/node_modules/.bin', program), words, { cwd: folder, env })
}

const generators: Readonly<Record<string, (target: string) => Promise<void>>> = {
  'openapi-typescript': (target) => generate('openapi-typescript', document, '--output', join(target, 'schema.ts')),
  '@hey-api/openapi-ts': (target) =>
    generate(
      'openapi-ts',
      '--input',
      document,
      '--output',
      target,
      '--client',
      '@hey-api/client-fetch',
      '--no-log-file',
    ),
  orval: (target) => generate('orval', '--input', document, '--output', join(target, 'client.ts'), '--client', 'fetch'),
  kubb: async (target) => {
    // A process of its own: it writes into the current folder.
    await writeFile(join(folder, 'kubb.js'), kubbProgram(target))
    await run(process.execPath, ['kubb.js'], { cwd: folder })
  },
}

const kubbProgram = (target: string) => `
import { build } from '${import.meta.resolve('@kubb/core')}'
import { pluginClient } from '${import.meta.resolve('@kubb/plugin-client')}'
import { pluginOas } from '${import.meta.resolve('@kubb/plugin-oas')}'
import { pluginTs } from '${import.meta.resolve('@kubb/plugin-ts')}'
await build({
  config: {
    root: ${JSON.stringify(folder)},
    input: { path: ${JSON.stringify(document)} },
    output: { path: ${JSON.stringify(target)}, format: false, lint: false },
    plugins: [
      pluginOas({ generators: [], validate: false }),
      pluginTs(),
      pluginClient({ client: 'fetch', bundle: true }),
    ],
  },
})
`

const options = { module: 'esnext', moduleResolution: 'bundler' }

test.for(Object.entries(generators))('the client of %s compiles without an error', async ([name, write]) => {
  const target = join(folder, name.replaceAll(/\W/g, '-'))
  await write(target)
  const sources = await Promise.all(
    (await readdir(target, { recursive: true }))
      .filter((name) => name.endsWith('.ts'))
      .map((name) => readFile(join(target, name), 'utf8')),
  )
  expect(sources.join('')).toContain('/v1/enrollment/inclusion')
  expect(await compile(target, options)).toBe('')
})
