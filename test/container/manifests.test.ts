import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { readConfig } from '#platform/core/config.ts'
import { prefix, settings } from '#platform/core/settings.ts'
import { openStorage } from '#platform/core/storage/open-storage.ts'
import type { Json } from '../world/test-app.ts'
import { finalStage, imageVariables, instructions, read, root } from './image.ts'

/* compose.yaml and deploy/kubernetes.yaml, as far as they can be checked without Docker and a cluster. */

const compose = parse(read('compose.yaml'), { merge: true })
// Kubernetes reads YAML 1.1: 0440 is octal.
const documents = parseAllDocuments(read('deploy/kubernetes.yaml'), { version: '1.1' })
const objects = documents.map((document) => document.toJS())
const byKind = (kind: string): Json[] => objects.filter((one) => one.kind === kind)
const pods: Json[] = [...byKind('Job'), ...byKind('Deployment')].map(({ spec }) => spec.template.spec)
const containers: Json[] = pods.flatMap((pod) => pod.containers)

const known = Object.values(settings).flatMap(({ name, secret }) =>
  secret ? [prefix + name, `${prefix}${name}_FILE`] : [prefix + name],
)

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vigencia-compose-'))
})

afterAll(() => rm(folder, { recursive: true }))

/** The environment of a service of compose.yaml, with its secrets in another folder than /run/secrets. */
function variablesOf(environment: Record<string, string>, secrets: string): Record<string, string> {
  const all = { ...imageVariables(), ...environment }
  return Object.fromEntries(Object.entries(all).map(([name, value]) => [name, value.replace('/run/secrets', secrets)]))
}

/** The commands of a page's block that has this text. */
function block(page: string, text: string): string {
  const blocks = [...read(page).matchAll(/^```sh\n([^]*?)^```/gm)].map((found) => found[1] ?? '')
  return blocks.find((one) => one.includes(text)) ?? ''
}

test('the secrets that the page makes are those of compose.yaml, and the service starts with them', async () => {
  execFileSync('sh', ['-e', '-c', block('docs/how-to/run-in-containers.md', 'mkdir -m 700 secrets')], { cwd: folder })
  const files = Object.values(compose.secrets as Record<string, { file: string }>).map(({ file }) => file)
  expect(files.filter((file) => !existsSync(join(folder, file)))).toEqual([])
  const secrets = join(folder, 'secrets')
  for (const role of ['api', 'worker']) {
    const config = readConfig(variablesOf(compose.services[role].environment, secrets))
    expect(config).toMatchObject({ role, environment: 'production', host: '0.0.0.0', port: 3000 })
    expect(new URL(config.databaseUrl ?? '')).toMatchObject({ hostname: 'postgres', username: 'vigencia' })
    const storage = await openStorage(config)
    storage.close()
  }
  const url = await readFile(join(secrets, 'storage-url'), 'utf8')
  expect(url).toContain('@store:7070/vigencia?')
  expect(compose.services.store.command[0]).toMatch(/mkdir -p \/data\/vigencia;.* --port :7070 /)
})

test('every service of compose.yaml has a health check, its secrets and its volumes; ours are read-only', () => {
  const services = Object.entries(compose.services as Record<string, Json>)
  expect(services.map(([name]) => name)).toEqual(['api', 'worker', 'postgres', 'store'])
  for (const [name, service] of services) {
    expect(Object.keys(compose.secrets)).toEqual(expect.arrayContaining(service.secrets))
    const isOurs = service.image === 'vigencia'
    expect([name, isOurs || service.healthcheck !== undefined]).toEqual([name, true])
    if (isOurs) expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], build: '.' })
    for (const volume of service.volumes ?? []) expect(Object.keys(compose.volumes)).toContain(volume.split(':')[0])
    for (const on of Object.keys(service.depends_on ?? {})) expect(services.map(([other]) => other)).toContain(on)
  }
  expect(instructions(finalStage, 'HEALTHCHECK')).toHaveLength(1)
})

test('deploy/kubernetes.yaml parses, and its containers are not root, read-only and limited', () => {
  expect(documents.flatMap(({ errors, warnings }) => [...errors, ...warnings])).toEqual([])
  expect(containers.map(({ name }) => name)).toEqual(['migrate', 'api', 'worker'])
  for (const pod of pods) {
    // Else a Service named vigencia sets VIGENCIA_PORT.
    expect(pod).toMatchObject({ enableServiceLinks: false, automountServiceAccountToken: false })
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 })
    const volumes = pod.volumes.map(({ name }: Json) => name)
    for (const { securityContext, resources, volumeMounts } of pod.containers) {
      expect(securityContext).toMatchObject({ readOnlyRootFilesystem: true, allowPrivilegeEscalation: false })
      expect(resources).toMatchObject({ requests: { cpu: expect.anything() }, limits: { memory: expect.anything() } })
      expect(volumes).toEqual(expect.arrayContaining(volumeMounts.map(({ name }: Json) => name)))
      expect(volumeMounts.map(({ mountPath }: Json) => mountPath)).toContain(imageVariables()['VIGENCIA_DATA_DIR'])
    }
  }
})

test('its settings exist, and name the keys of the secret that the page makes', () => {
  const [{ data, metadata }] = byKind('ConfigMap') as [Json]
  const names = [...Object.keys(data), ...containers.flatMap(({ env = [] }) => env.map(({ name }: Json) => name))]
  expect(names.filter((name) => !known.includes(name))).toEqual([])
  const page = block('docs/how-to/run-on-kubernetes.md', 'create secret')
  const keys = [...page.matchAll(/--from-literal=([\w-]+)=/g)].map((found) => found[1])
  const [
    {
      volumeMounts: [mount],
    },
  ] = containers as [Json]
  const files = Object.entries(data as Record<string, string>).filter(([name]) => name.endsWith('_FILE'))
  expect(files.map(([, path]) => path).sort()).toEqual(keys.map((key) => `${mount.mountPath}/${key}`).sort())
  const secret = /create secret generic (\S+)/.exec(page)?.[1]
  for (const { volumes } of pods)
    expect(volumes[0]).toMatchObject({ secret: { secretName: secret, defaultMode: 0o440 } })
  for (const { envFrom } of containers) expect(envFrom).toEqual([{ configMapRef: { name: metadata.name } }])
})

test('its probes call the health paths of the service, on the port of the image', () => {
  const { paths } = JSON.parse(read('openapi.json'))
  for (const { ports, startupProbe, livenessProbe, readinessProbe } of containers.slice(1)) {
    expect(ports).toEqual([{ name: 'http', containerPort: Number(imageVariables()['VIGENCIA_PORT']) }])
    const probed = [startupProbe, livenessProbe, readinessProbe].map(({ httpGet }) => httpGet)
    expect(probed).toEqual(['/healthz', '/healthz', '/readyz'].map((path) => ({ path, port: 'http' })))
    expect(probed.filter(({ path }) => paths[path] === undefined)).toEqual([])
  }
  const [{ spec }] = byKind('Service') as [Json]
  const api = byKind('Deployment').find((one) => one.metadata.name === 'vigencia-api')
  expect(api.spec.template.metadata.labels).toEqual(spec.selector)
  for (const deployment of byKind('Deployment')) {
    expect(deployment.spec.selector.matchLabels).toEqual(deployment.spec.template.metadata.labels)
  }
})

test('the paths that the pages name exist', () => {
  for (const page of ['run-in-containers', 'run-on-kubernetes']) {
    const named = [...read(`docs/how-to/${page}.md`).matchAll(/`((?:deploy\/)?[\w.]+\.yaml|Dockerfile)`/g)]
    expect(named.map((found) => found[1] ?? '').filter((path) => !existsSync(join(root, path)))).toEqual([])
  }
})
