import { expect, test } from 'vitest'
import { expectOk, type Json, useTestApp } from '../../world/test-app.ts'

/* `GET /v1/openapi.json`: the document of the partner API. */

const testApp = useTestApp({ VIGENCIA_PUBLIC_URL: 'https://beneficios.example' })
const read = (path: string) => testApp.call('GET', path)
const documents = async (): Promise<readonly [partner: Json, whole: Json]> => [
  expectOk(await read('/v1/openapi.json')).body,
  expectOk(await read('/openapi.json')).body,
]
const operationsOf = ({ paths }: Json): Json[] =>
  Object.values<Json>(paths).flatMap((item) => Object.values<Json>(item))
const referencesOf = (value: unknown): string[] =>
  [...JSON.stringify(value).matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference = '']) => reference)

test('has every operation of partners and no other, in at most 450 kB', async () => {
  const [partner, whole] = await documents()
  const isOfPartners = (path: string) => /^\/(v1|upload|\.well-known)\//.test(path)
  expect(Object.keys(partner['paths'])).toEqual(Object.keys(whole['paths']).filter(isOfPartners))
  expect(Buffer.byteLength(JSON.stringify(partner))).toBeLessThanOrEqual(450_000)
  expect(partner['servers']).toEqual([{ url: 'https://beneficios.example' }])
  expect(Object.keys(partner['webhooks'])).toContain('request.completed')
  expect(Object.keys(partner['webhooks'])).not.toContain('shipment.connector')
})

test('has every component that it refers to, and no other', async () => {
  const [partner] = await documents()
  const references = new Set(referencesOf(partner))
  const components = Object.entries<Json>(partner['components']).flatMap(([kind, named]) =>
    kind === 'securitySchemes' ? [] : Object.keys(named).map((name) => `#/components/${kind}/${name}`),
  )
  expect([...references].toSorted()).toEqual(components.toSorted())
})

test('errors are components that operations share', async () => {
  const [partner] = await documents()
  const inline = operationsOf(partner).flatMap(({ operationId, responses }) =>
    Object.entries<Json>(responses).flatMap(([status, response]) =>
      /^[45]/.test(status) && response['$ref'] === undefined ? [`${operationId} ${status}`] : [],
    ),
  )
  // Those that one operation alone has.
  expect(inline.length).toBeLessThan(10)
})

test('each operation that the SDK has a method for has a sample of it', async () => {
  const [partner, whole] = await documents()
  const samples = new Map(operationsOf(partner).map((one) => [one['operationId'], one['x-codeSamples']]))
  const methods = operationsOf(whole).filter((one) => samples.has(one['operationId']) && one['x-sdk']?.includes('.'))
  for (const { operationId, 'x-sdk': method } of methods) {
    expect(samples.get(operationId)?.[0].source).toContain(`vigencia.${method}(`)
  }
})

test.each(['/v1/openapi.json', '/openapi.json'])('%s is not sent again to a client that has it', async (path) => {
  const first = await read(path)
  const etag = expectOk(first).headers.get('etag') ?? ''
  expect([etag !== '', first.headers.get('cache-control')]).toEqual([true, 'no-cache'])
  const again = await testApp.call('GET', path, { headers: { 'if-none-match': etag } })
  expect([again.status, again.headers.get('etag')]).toEqual([304, etag])
  const other = await testApp.call('GET', path, { headers: { 'if-none-match': '"other"' } })
  expect(other.status).toBe(200)
})
