import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import { inheritedEnvironment } from '../environment.ts'
import { execWords, finalStage, imageVariables, instructions } from './image.ts'

/** The environment of the container: the variables of the image, the Node of this run as that of the image, no home. */
function containerEnvironment(dataDir: string): Record<string, string> {
  const { PATH = '', TMPDIR = '/tmp' } = inheritedEnvironment()
  return {
    ...imageVariables(),
    PATH: `${dirname(process.execPath)}:${PATH}`,
    TMPDIR,
    HOME: '/nonexistent',
    VIGENCIA_HOST: '127.0.0.1',
    VIGENCIA_PORT: '0',
    VIGENCIA_DATA_DIR: dataDir,
  }
}

const words = (keyword: string) => execWords(instructions(finalStage, keyword)[0])

function run(
  [file = '', ...given]: string[],
  cwd: string,
  env: Record<string, string>,
): Promise<{ code: number; err: string }> {
  return new Promise((resolve) => {
    execFile(file, given, { cwd, env }, (error, _out, err) => resolve({ code: Number(error?.code ?? 0), err }))
  })
}

/** Expects that a start without a database says what is missing. */
export async function expectNoEmbeddedPostgres(app: string, dataDir: string): Promise<void> {
  const { code, err } = await run([...words('ENTRYPOINT'), ...words('CMD')], app, containerEnvironment(dataDir))
  expect(err).toMatch(/^error: The PostgreSQL programs for this machine .* set VIGENCIA_DATABASE_URL to a PostgreSQL/)
  expect(code).toBe(1)
}

/** Those of an installation: its packages may be those of the repository, which other tests use at the same time. */
async function filesOf(app: string): Promise<string[]> {
  const folders = (await readdir(app)).filter((name) => name !== 'node_modules')
  const inside = folders.map((name) => readdir(join(app, name), { recursive: true }).catch(() => []))
  return [...folders, ...(await Promise.all(inside)).flat()]
}

/** Expects that the installation serves in production, is healthy, stops on SIGTERM and writes nothing into its own folder. */
export async function expectService(app: string, dataDir: string, databaseUrl: string): Promise<void> {
  const before = await filesOf(app)
  const env: Record<string, string> = {
    ...containerEnvironment(dataDir),
    VIGENCIA_ENVIRONMENT: 'production',
    VIGENCIA_PUBLIC_URL: 'https://benefits.example',
    VIGENCIA_DATABASE_URL: databaseUrl,
    VIGENCIA_MASTER_KEY: randomBytes(32).toString('base64'),
    // Loads the client of S3, without a call.
    VIGENCIA_STORAGE_URL: 's3://key:secret@127.0.0.1:1/bucket?protocol=http',
  }
  const [file = '', ...given] = [...words('ENTRYPOINT'), ...words('CMD')]
  const child = spawn(join(app, file), given, { cwd: app, env, stdio: ['ignore', 'pipe', 'pipe'] })
  try {
    const ended = once(child, 'exit')
    const url = await listening(child.stdout, child.stderr, ended)
    const health = { ...env, VIGENCIA_PORT: new URL(url).port }
    for (const path of ['/readyz', '/openapi.json', '/console/']) {
      const response = await fetch(`${url}${path}`)
      // To its end: the stop waits 20 seconds for a response that is not read.
      await response.arrayBuffer()
      expect([path, response.status]).toEqual([path, 200])
    }
    expect((await run(words('HEALTHCHECK'), app, health)).code).toBe(0)
    child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
    expect((await run(words('HEALTHCHECK'), app, health)).code).toBe(1)
  } finally {
    child.kill('SIGKILL')
  }
  expect(await filesOf(app)).toEqual(before)
}

async function listening(out: NodeJS.ReadableStream, err: NodeJS.ReadableStream, ended: Promise<unknown[]>) {
  let written = ''
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  for (const stream of [out, err]) {
    stream.on('data', (chunk: Buffer) => {
      written += chunk.toString()
      const url = /is listening on (http:\/\/\S+)/.exec(written)?.[1]
      if (url !== undefined) resolve(url)
    })
  }
  void ended.then(() => reject(new Error(`ended before it listened:\n${written}`)))
  return promise
}
