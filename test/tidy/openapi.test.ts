import { Validator } from '@seriousme/openapi-schema-validator'
import { readFileSync } from 'node:fs'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { describe, expect, test } from 'vitest'
import { EVENT_TYPES } from '#kernel/events.ts'
import { partnerDocument } from '#platform/http/partner-document.ts'
import { openapiFile, openapiText, rolesFile, rolesText } from '../../generate/openapi.ts'

interface Schema {
  $ref?: string
  allOf?: Schema[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
}

interface Media {
  schema?: Schema
  example?: unknown
  examples?: Record<string, unknown>
}

interface Parameter {
  in: string
  name: string
  description?: string
  required?: boolean
  schema?: { default?: unknown }
}

interface Operation {
  operationId?: string
  summary?: string
  description?: string
  tags?: string[]
  security?: Record<string, string[]>[]
  parameters?: Parameter[]
  requestBody?: { content: Record<string, Media> }
  responses: Record<string, { description?: string; content?: Record<string, Media> }>
}

interface Document {
  servers?: { url: string }[]
  tags: { name: string; description?: string }[]
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, { post: Operation }>
  components: {
    schemas: Record<string, Schema>
    examples: Record<string, Schema>
    securitySchemes: Record<string, unknown>
  }
}

const text = await openapiText()
const document = JSON.parse(text) as Document

const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({
    ...operation,
    path,
    name: `${method.toUpperCase()} ${path}`,
    api: isOpen(path, method) ? null : path.startsWith('/operator/') ? 'operator' : 'partner',
  })),
)

/** Paths without authentication. */
function isOpen(path: string, method: string): boolean {
  const isSignIn =
    /^\/operator\/v1\/session\/(options|link|password|passkey|passkey\/options)$/.test(path) ||
    (path === '/operator/v1/session' && method === 'post')
  const isBrand = /^\/operator\/v1\/brand(\/logo)?$/.test(path)
  return (
    isSignIn ||
    isBrand ||
    !/^\/(operator\/)?v1\//.test(path) ||
    ['/v1/authenticate', '/v1/health', '/v1/openapi.json'].includes(path)
  )
}

/** The names of the operations for which the rule does not hold. */
function failing(holds: (operation: (typeof operations)[number]) => boolean): string[] {
  return operations.filter((operation) => !holds(operation)).map((operation) => operation.name)
}

const webhooks = Object.entries(document.webhooks).map(([type, { post }]) => ({ ...post, name: `webhook ${type}` }))

/** The contents of the request and of the responses: media type, content, where it is. */
const mediaOf = (operation: Operation) => [
  ...Object.entries(operation.requestBody?.content ?? {}).map(([type, one]) => [type, one, `body ${type}`] as const),
  ...Object.entries(operation.responses).flatMap(([status, response]) =>
    Object.entries(response.content ?? {}).map(([type, one]) => [type, one, status] as const),
  ),
]

const isJson = (type: string) => type.startsWith('application/json')
const hasExample = (media: Media) => media.example !== undefined || Object.keys(media.examples ?? {}).length > 0
const kebab = /^[a-z0-9]+(-[a-z0-9]+)*$/

test('openapi.json is what the routes say: otherwise run `npm run openapi`', () => {
  expect(readFileSync(openapiFile, 'utf8') === text, 'openapi.json is stale: run `npm run openapi` and commit it').toBe(
    true,
  )
  expect(readFileSync(rolesFile, 'utf8')).toBe(rolesText(text))
})

test('the document is valid OpenAPI 3.1', async () => {
  const outcome = await new Validator().validate(structuredClone(document) as never)
  expect(outcome.errors ?? []).toEqual([])
  expect(outcome.valid).toBe(true)
})

describe('every operation', () => {
  test('has an operationId of its own, in camel case', () => {
    const ids = operations.map(({ operationId }) => operationId)
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
    expect(failing(({ operationId }) => /^[a-z][A-Za-z]+$/.test(operationId ?? ''))).toEqual([])
  })

  test('has one tag that the document explains, and no tag is without operations', () => {
    const known = document.tags.filter(({ description }) => description).map(({ name }) => name)
    expect(failing(({ tags }) => tags?.length === 1 && known.includes(tags[0] ?? ''))).toEqual([])
    const used = new Set(operations.flatMap(({ tags }) => tags ?? []))
    expect(document.tags.map(({ name }) => name).filter((name) => !used.has(name))).toEqual([])
  })

  test('has a summary of one line without a full stop, and a description', () => {
    expect(failing(({ summary }) => /^[^\n]{5,80}[^\n.]$/.test(summary ?? ''))).toEqual([])
    expect(failing(({ description }) => (description ?? '').length > 10)).toEqual([])
  })

  test('has an example of every JSON request body and of every JSON response, whatever its status', () => {
    const missing = [...operations, ...webhooks].flatMap((operation) =>
      mediaOf(operation)
        .filter(([type, media]) => isJson(type) && !hasExample(media))
        .map(([, , where]) => `${operation.name} ${where}`),
    )
    expect(missing).toEqual([])
  })

  test('shows examples that its own schemas accept', () => {
    const shown = ({ example, examples = {} }: Media) => [
      ...(example === undefined ? [] : [example]),
      ...Object.values(examples).map((one) => (resolved(one) as { value: unknown }).value),
    ]
    const problems = [...operations, ...webhooks].flatMap((operation) =>
      mediaOf(operation).flatMap(([, one, where]) => {
        if (one.schema === undefined) return []
        const compiled = Compile(resolved(one.schema) as TSchema)
        return shown(one).flatMap((value) =>
          compiled
            .Errors(value)
            .map((problem) => `${operation.name} ${where}: ${problem.instancePath} ${problem.message}`),
        )
      }),
    )
    expect(problems).toEqual([])
  })

  test('describes each of its responses', () => {
    const described = (operation: Operation) =>
      Object.values(operation.responses).map(({ description }) => description ?? '')
    expect(
      failing((operation) => described(operation).every((words) => words !== '' && words !== 'Default Response')),
    ).toEqual([])
  })

  test('has the error body, with or without additions, for every status that is neither 2xx nor 304', () => {
    const errors = (operation: Operation) =>
      Object.entries(operation.responses).filter(([status]) => !status.startsWith('2') && status !== '304')
    const isError = (media?: Media) => media !== undefined && holdsError(media.schema ?? {})
    expect(
      failing((operation) =>
        errors(operation).every(([, response]) => isError(response.content?.['application/json'])),
      ),
    ).toEqual([])
  })

  test('with a door names it and says 401 and 503; without one needs no token', () => {
    expect(
      failing(({ api, security }) =>
        api === null ? security?.length === 0 : Object.keys(security?.[0] ?? {}).join() === api,
      ),
    ).toEqual([])
    expect(failing(({ api, responses }) => api === null || ('401' in responses && '503' in responses))).toEqual([])
    const isAlsoOpenToSessions = ({ security = [] }: Operation) => security.slice(1).some((one) => 'session' in one)
    // People of companies use the partner API, but for what only programs do.
    const isForPrograms = /\/v1\/(webhook-|client\/rotate-secret|sandbox\/)/
    const takesSessions = ({ api, name }: (typeof operations)[number]) =>
      api === 'operator' || (api === 'partner' && !isForPrograms.test(name))
    expect(failing((one) => isAlsoOpenToSessions(one) === takesSessions(one))).toEqual([])
    expect(Object.keys(document.components.securitySchemes).sort()).toEqual(['operator', 'partner', 'session'])
  })

  test('that deletes says 204, every other one 200 or 202 with a body', () => {
    expect(failing(({ name, responses }) => name.startsWith('DELETE ') === '204' in responses)).toEqual([])
  })

  test('says 400; one that reads a body, wanted or not, says 413 and 415 too', () => {
    expect(failing(({ responses }) => '400' in responses)).toEqual([])
    expect(
      failing(({ name, responses }) => name.startsWith('GET ') || ['413', '415'].every((one) => one in responses)),
    ).toEqual([])
  })

  test('documents every parameter, and names them in kebab case', () => {
    const problems = operations.flatMap(({ name, parameters = [] }) =>
      parameters
        .filter((one) => !kebab.test(one.name) || (one.description ?? '') === '')
        .map((one) => `${name}: ${one.in} ${one.name}`),
    )
    expect(problems).toEqual([])
  })

  test('of a partner declares 429 and its limit; a POST also Idempotency-Key, 409 and 422', () => {
    const partners = operations.filter(({ api }) => api === 'partner')
    const described = ({ responses }: Operation, ...wanted: string[]) => wanted.every((status) => status in responses)
    const limited = (operation: Operation) =>
      described(operation, '429') && 'RateLimit' in ((operation.responses['429'] as { headers?: object }).headers ?? {})
    const keyed = (operation: Operation) =>
      described(operation, '400', '409', '422') && operation.parameters?.some(({ name }) => name === 'idempotency-key')
    const posts = partners.filter(({ name }) => name.startsWith('POST '))
    expect(partners.filter((one) => !limited(one)).map(({ name }) => name)).toEqual([])
    expect(posts.filter((one) => !keyed(one)).map(({ name }) => name)).toEqual([])
    expect(posts.length).toBeGreaterThan(5)
  })

  test('has exactly the path parameters that its path names', () => {
    const named = (path: string) => [...path.matchAll(/\{([^}]+)\}/g)].map((found) => found[1] ?? '').sort()
    const documented = (parameters: Parameter[] = []) =>
      parameters.filter((one) => one.in === 'path').map((one) => one.name)
    expect(failing(({ path, parameters }) => named(path).join() === documented(parameters).sort().join())).toEqual([])
  })

  test('asks for no parameter that has a default', () => {
    const asks = (parameters: Parameter[] = []) =>
      parameters.filter((one) => one.required === true && one.schema?.default !== undefined)
    expect(failing(({ parameters }) => asks(parameters).length === 0)).toEqual([])
  })
})

test('every type of event is a webhook, with an example of that type', () => {
  const { 'shipment.connector': _, ...events } = document.webhooks
  const shown = Object.entries(events).map(([type, { post }]) => {
    const { examples = {} } = post.requestBody?.content['application/json'] ?? {}
    const types = Object.values(examples).map((one) => (one as { value: { type: string } }).value.type)
    return [type, types]
  })
  expect(shown).toEqual(EVENT_TYPES.map((type) => [type, [type]]))
})

test('path segments are singular kebab case; plural are the contract’s own `invoices`, the options of the sign-in and the settings', () => {
  const segments = operations
    .filter(({ path }) => /^\/(operator\/)?v1\//.test(path))
    .flatMap(({ path }) => path.split('/').filter((part) => part !== '' && !part.startsWith('{')))
    .filter((part) => part !== 'openapi.json')
  expect([...new Set(segments)].filter((part) => !kebab.test(part))).toEqual([])
  const plural = (part: string) =>
    /[^s]s$/.test(part) && !['status', 'statistics', 'invoices', 'options', 'settings'].includes(part)
  expect([...new Set(segments)].filter(plural)).toEqual([])
})

test('every property has a type, and no pattern needs a flag or a class that Python does not have', () => {
  const untyped: string[] = []
  const patterns = new Set<string>()
  const walk = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [key, inner] of Object.entries(value)) {
      if (key === 'example' || key === 'examples') continue
      if (key === 'pattern' && typeof inner === 'string') patterns.add(inner)
      if (key === 'properties') {
        for (const [name, schema] of Object.entries(inner as Record<string, object>)) {
          const says = ['type', '$ref', 'anyOf', 'oneOf', 'allOf', 'enum', 'const'].some((word) => word in schema)
          if (!says) untyped.push(`${path} ${name}`)
        }
      }
      walk(inner, `${path}/${key}`)
    }
  }
  walk(document, '')
  expect(untyped).toEqual([])
  expect([...patterns].filter((pattern) => pattern.includes(String.raw`\p`))).toEqual([])
  for (const pattern of patterns) expect(() => new RegExp(pattern)).not.toThrow()
})

test('property names are kebab case, everywhere', () => {
  // These are of OAuth 2.0, at `POST /v1/authenticate`.
  const oauth = ['grant_type', 'client_id', 'client_secret', 'access_token', 'token_type', 'expires_in']
  const foreign = new Set(oauth)
  const odd = new Set<string>()
  const look = (schema: Schema | boolean | undefined): void => {
    if (schema === undefined || typeof schema === 'boolean') return
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      if (!kebab.test(name) && !foreign.has(name)) odd.add(name)
      look(property)
    }
    for (const part of [...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) look(part)
    look(schema.items)
    look(schema.additionalProperties)
  }
  for (const schema of Object.values(document.components.schemas)) look(schema)
  for (const operation of operations) {
    for (const media of Object.values(operation.requestBody?.content ?? {})) look(media.schema)
    for (const response of Object.values(operation.responses)) {
      for (const media of Object.values(response.content ?? {})) look(media.schema)
    }
  }
  expect([...odd]).toEqual([])
})

/** Schemas of properties, items and parameters that say nothing of their type, by where they are. */
function untyped(part: unknown, where = ''): string[] {
  if (typeof part !== 'object' || part === null) return []
  const says = ['type', 'enum', 'const', 'oneOf', 'anyOf', 'allOf', '$ref']
  const hasType = (schema: object) => says.some((name) => name in schema)
  return Object.entries(part).flatMap(([key, inner]: [string, unknown]) => {
    const place = `${where}/${key}`
    if (key === 'example' || key === 'examples' || typeof inner !== 'object' || inner === null) return []
    const schemas =
      key === 'properties' && !where.endsWith('/properties')
        ? Object.entries(inner).map(([name, schema]) => [`${place}/${name}`, schema as object] as const)
        : ['items', 'schema'].includes(key) && !where.endsWith('/properties')
          ? [[place, inner] as const]
          : []
    return [...schemas.flatMap(([at, schema]) => (hasType(schema) ? [] : [at])), ...untyped(inner, place)]
  })
}

test('every property, item and parameter has a type, but a value as it was sent, which is any JSON', () => {
  const asSent = (name: string, property: string) => `/components/schemas/${name}/properties/${property}/anyOf/4/items`
  expect(untyped(document)).toEqual([
    asSent('RejectedMember', 'beneficiary-type'),
    asSent('RejectedMember', 'name'),
    asSent('RejectedMember', 'tax-id'),
    asSent('RejectedExclusion', 'tax-id'),
    asSent('RejectedAlteration', 'tax-id'),
  ])
  // There they share one schema.
  const ofPartners = untyped(partnerDocument(document as never))
  expect(ofPartners).toEqual([expect.stringMatching(/^\/components\/schemas\/BeneficiaryType\d*\/anyOf\/4\/items$/)])
})

test('says where the service is', () => {
  expect(document.servers).toEqual([{ url: '/' }])
})

/** The schema with what it refers to in place. */
function resolved<T>(part: T): T {
  if (Array.isArray(part)) return part.map(resolved) as T
  if (typeof part !== 'object' || part === null) return part
  const { $ref } = part as Schema
  const [, , kind, name = ''] = $ref?.split('/') ?? []
  if ($ref !== undefined) return resolved(document.components[kind as 'schemas' | 'examples'][name]) as T
  return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, resolved(value)])) as T
}

/** Whether a schema is the error body, or has all of its fields. */
function holdsError(schema: Schema): boolean {
  if (schema.$ref === '#/components/schemas/Error') return true
  if ([...(schema.allOf ?? [])].some(holdsError)) return true
  const either = schema.anyOf ?? schema.oneOf
  if (either !== undefined) return either.every(holdsError)
  return ['error', 'request-trace-id'].every((name) => (schema.required ?? []).includes(name))
}
