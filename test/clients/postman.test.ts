import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type Collection, type Item, postmanCollection, requestsOf } from '../../generate/postman.ts'
import { readRelease } from '../../generate/release.ts'

const methods = ['get', 'put', 'post', 'patch', 'delete', 'head']

/** `GET /v1/member/:` for each operation of a document: its parameters have no names here. */
function operationsOf({ paths }: { paths: object }): string[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations as object)
      .filter((method) => methods.includes(method))
      .map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{[^}]+\}/g, ':')}`),
  )
}

function callOf({ request }: Item): string {
  const parts = request?.url.path.map((part) => (part.startsWith(':') ? ':' : part)) ?? []
  return `${request?.method} /${parts.join('/')}`
}

const callsOf = (collection: Collection) => requestsOf(collection).map(callOf).sort()

test('the Postman collection has every operation of openapi.json, and stores the token of authenticate', async () => {
  const text = readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')
  const collection = await postmanCollection(text)
  expect(callsOf(collection)).toEqual(operationsOf(JSON.parse(text) as { paths: object }).sort())
  const scripts = requestsOf(collection).filter(({ event = [] }) => event.length > 0)
  expect(scripts.map(callOf)).toEqual(['POST /v1/authenticate'])
  expect(scripts[0]?.request?.body?.raw).toBe('{"client-id":"{{clientId}}","client-secret":"{{clientSecret}}"}')
})

test('the newest release has its collection', () => {
  const release = readRelease()
  const file = new URL(`../../releases/${release?.name.replace('openapi', 'postman')}`, import.meta.url)
  const collection = JSON.parse(readFileSync(file, 'utf8')) as Collection
  expect(callsOf(collection)).toEqual(operationsOf(release?.document as { paths: object }).sort())
})
