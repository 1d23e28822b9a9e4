import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { Vigencia, type CallInfo, type ClientOptions } from '@vigencia/client'
import { VigenciaOperator } from '@vigencia/client/operator'

interface Operation {
  readonly operationId: string
  readonly parameters?: readonly { readonly name: string; readonly in: string }[]
}

const document = JSON.parse(await readFile(new URL('../../openapi.json', import.meta.url), 'utf8')) as {
  paths: Record<string, Record<string, Operation>>
}

/** The operations of the document, as `METHOD path` by their ids. */
const documented = new Map(
  Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(
      ([method, { operationId }]) => [operationId, `${method.toUpperCase()} ${path}`] as const,
    ),
  ),
)

const queryNames = new Map(
  Object.values(document.paths)
    .flatMap((operations) => Object.values(operations))
    .map(({ operationId, parameters = [] }) => [
      operationId,
      parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name),
    ]),
)

/** The same address as PUT /upload, which the SDK uses; and what the page of an onboarding link calls. */
const notMethods = [
  'uploadDocumentByPost',
  'startOnboardingSession',
  'readOwnOnboarding',
  'calculateOnboardingPrice',
  'uploadOnboardingDocument',
  'deleteOnboardingDocument',
  'submitOnboarding',
]

test('every operation of openapi.json is a method, with its method and path', async () => {
  const called = new Map<string, string>()
  const urls: string[] = []
  const undeclared: string[] = []
  let last = ''
  const options: ClientOptions = {
    url: 'http://127.0.0.1:9/base/',
    clientId: 'id',
    clientSecret: 'secret',
    maxRetries: 0,
    onRequest: ({ operationId, method, path }: CallInfo) => {
      last = operationId
      called.set(operationId, `${method} ${path}`)
    },
    fetch: (input, init) => {
      const url = input as string
      urls.push(`${init?.method} ${url}`)
      for (const name of new URL(url).searchParams.keys()) {
        if (!queryNames.get(last)?.includes(name)) undeclared.push(`${last} ${name}`)
      }
      const answer = url.includes('/roster-sync') ? { ...body, result: compared } : body
      return Promise.resolve(Response.json(url.endsWith('authenticate') ? token : answer))
    },
  }
  const token = { 'access-token': 'token', 'token-type': 'Bearer', 'expires-in': 3600 }
  const compared = { 'roster-sync-id': 'id', status: 'compared', 'finished-at': '2026-11-23', 'draft-id': null }
  const body = { result: [], status: 'completed', 'document-id': 'id', 'upload-url': 'http://127.0.0.1:9/upload/id' }
  await callEverything(new Vigencia(options))
  await callEverything(new VigenciaOperator(options))
  const expected = new Map([...documented].filter(([id]) => !notMethods.includes(id)))
  expect(Object.fromEntries([...called].sort())).toEqual(Object.fromEntries([...expected].sort()))
  // Such as the parameters of a page, which only some lists have. (Digits: the letters of the text that is given as a query.)
  expect(undeclared.filter((one) => !/ \d$/.test(one))).toEqual([])
  // The address itself: the base, the path with its values encoded.
  expect(urls).toContain('POST http://127.0.0.1:9/base/v1/enrollment/exclusion/a%2Fb/product/a%2Fb')
  expect(urls.filter((url) => url.includes('{'))).toEqual([])
})

/** Calls each method of each noun with text for every parameter. */
async function callEverything(client: Vigencia | VigenciaOperator): Promise<void> {
  const { operations: _byId, ...nouns } = client
  for (const noun of Object.values(nouns) as object[]) {
    for (const name of methodNamesOf(noun)) {
      const method = Reflect.get(noun, name) as (...values: unknown[]) => unknown
      if (typeof method !== 'function' || noun.constructor === Object) continue
      const called = method.apply(noun, valuesOf(name, method.length))
      if (isIterable(called) && !('then' in called))
        await called[Symbol.asyncIterator]()
          .next()
          .catch(() => {})
      else await called
    }
  }
}

/** The methods of its class and of those that it extends. */
function methodNamesOf(noun: object): string[] {
  const prototype: unknown = Object.getPrototypeOf(noun)
  if (typeof prototype !== 'object' || prototype === null || prototype === Object.prototype) return []
  const own = Object.getOwnPropertyNames(prototype).filter((name) => name !== 'constructor')
  return [...own, ...methodNamesOf(prototype)]
}

/** Path parameters and a body: what a method takes before its options. */
function valuesOf(name: string, count: number): unknown[] {
  if (['upload', 'create', 'decide', 'putFile'].includes(name)) {
    return name === 'putFile' ? ['a/b', 'a/b', new Blob(['x']), {}] : [new Blob(['x']), {}]
  }
  if (name === 'sync') return [new Blob(['x']), {}]
  if (['read', 'workbook', 'table', 'tableAsCsv'].includes(name)) return [new Blob(['x']), {}, {}]
  if (name === 'acknowledge') return ['a/b', new Blob(['x'])]
  return Array.from({ length: Math.max(count, 2) }, () => 'a/b')
}

function isIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}
