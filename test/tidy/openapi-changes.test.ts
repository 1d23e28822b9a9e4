import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { openapiFile } from '../../generate/openapi.ts'
import { breakingChanges, type OpenApi, type Schema } from '../../generate/openapi-changes.ts'
import { newestRelease, readRelease } from '../../generate/release.ts'

const today = '2026-11-23'

test('openapi.json breaks no caller of the last release', () => {
  const release = readRelease()
  expect(release?.name).toMatch(/^openapi-/)
  const now = JSON.parse(readFileSync(openapiFile, 'utf8')) as OpenApi
  expect(Object.keys(release?.document.paths ?? {}).length).toBeGreaterThan(20)
  const breaks = breakingChanges(release?.document ?? now, now, new Date().toISOString().slice(0, 10))
  expect(breaks, 'within /v1 only additions: see docs/reference/versions.md').toEqual([])
})

test('the newest release is told by its number, not by its name', () => {
  expect(newestRelease(['openapi-0.9.0.json', 'openapi-0.10.0.json', 'openapi-0.2.11.json', 'notes.md'])).toBe(
    'openapi-0.10.0.json',
  )
  expect(newestRelease([])).toBeNull()
})

const text: Schema = { type: 'string' }
const json = (schema: Schema) => ({ content: { 'application/json': { schema } } })
const object = (properties: Record<string, Schema>, required: string[] = [], more: object = {}): Schema => ({
  type: 'object',
  properties,
  required,
  ...more,
})

interface Parts {
  body?: Schema
  bodyRequired?: boolean
  response?: Schema
  parameters?: object[]
  operation?: object
  schemas?: Record<string, Schema>
}

function documentOf({ body, bodyRequired, response = object({}), parameters, operation, schemas }: Parts): OpenApi {
  const one = {
    parameters: parameters ?? [],
    ...(body === undefined ? {} : { requestBody: { required: bodyRequired ?? true, ...json(body) } }),
    responses: { 200: { headers: { 'X-Request-Id': {} }, ...json(response) }, 404: json(text) },
    ...operation,
  }
  return {
    paths: { '/v1/thing': { post: one, get: { responses: { 200: json(text) } } } },
    components: { schemas: schemas ?? {} },
  } as OpenApi
}

const breaks = (before: Parts, after: Parts) =>
  breakingChanges(documentOf(before), documentOf(after), today).map((line) => line.replace('POST /v1/thing: ', ''))

const query = (name: string, more: object = {}) => ({ in: 'query', name, schema: text, ...more })

describe('breaks a caller', () => {
  test.for<[string, Parts, Parts, string]>([
    ['an answer’s property that goes', { response: object({ a: text }) }, {}, 'answer 200.a is gone'],
    [
      'one inside a list',
      { response: object({ l: { type: 'array', items: object({ a: text }) } }) },
      { response: object({ l: { type: 'array', items: object({}) } }) },
      'answer 200.l[].a is gone',
    ],
    [
      'one that may be missing now',
      { response: object({ a: text }, ['a']) },
      { response: object({ a: text }) },
      'answer 200.a may be missing now',
    ],
    [
      'one that may be null now',
      { response: object({ a: text }) },
      { response: object({ a: { anyOf: [text, { type: 'null' }] } }) },
      'answer 200.a is null, was string',
    ],
    [
      'one of another type',
      { response: object({ a: text }) },
      { response: object({ a: { type: 'integer' } }) },
      'answer 200.a is integer, was string',
    ],
    [
      'an answer’s value that goes',
      { response: object({ a: { type: 'string', enum: ['x', 'y'] } }) },
      { response: object({ a: { type: 'string', enum: ['x'] } }) },
      'answer 200.a: value "y" is gone',
    ],
    [
      'a value that was the only one',
      { response: object({ a: { const: 'x', type: 'string' } }) },
      { response: object({ a: { const: 'y', type: 'string' } }) },
      'answer 200.a: value "x" is gone',
    ],
    [
      'a named schema that lost a property',
      { response: { $ref: '#/components/schemas/T' }, schemas: { T: object({ a: text }) } },
      { response: { $ref: '#/components/schemas/T' }, schemas: { T: object({}) } },
      'answer 200.a is gone',
    ],
    [
      'a value of a map',
      { response: object({}, [], { additionalProperties: object({ a: text }) }) },
      { response: object({}, [], { additionalProperties: object({}) }) },
      'answer 200.*.a is gone',
    ],
    [
      'a status that goes',
      {},
      { operation: { responses: { 200: { headers: { 'X-Request-Id': {} }, ...json(object({})) } } } },
      'answer 404 is gone',
    ],
    [
      'a header that goes',
      {},
      { operation: { responses: { 200: json(object({})), 404: json(text) } } },
      'answer 200: header X-Request-Id is gone',
    ],
    [
      'a field that is required now',
      { body: object({ a: text }) },
      { body: object({ a: text }, ['a']) },
      'body.a is required now',
    ],
    [
      'a new field that is required',
      { body: object({}) },
      { body: object({ b: text }, ['b']) },
      'body.b is required now',
    ],
    ['a field that is taken no more', { body: object({ a: text }) }, { body: object({}) }, 'body.a is gone'],
    [
      'a value that is taken no more',
      { body: object({ a: { type: 'string', enum: ['x', 'y'] } }) },
      { body: object({ a: { type: 'string', enum: ['x'] } }) },
      'body.a: value "y" is gone',
    ],
    [
      'a field of few values now',
      { body: object({ a: text }) },
      { body: object({ a: { type: 'string', enum: ['x'] } }) },
      'body.a takes only some values now',
    ],
    [
      'a tighter bound',
      { body: object({ a: { type: 'integer', maximum: 500 } }) },
      { body: object({ a: { type: 'integer', maximum: 100 } }) },
      'body.a: maximum is narrower',
    ],
    [
      'a bound where none was',
      { body: object({ a: text }) },
      { body: object({ a: { type: 'string', minLength: 1 } }) },
      'body.a: minLength is narrower',
    ],
    [
      'another pattern',
      { body: object({ a: text }) },
      { body: object({ a: { type: 'string', pattern: '^x' } }) },
      'body.a: pattern is narrower',
    ],
    [
      'null that is taken no more',
      { body: object({ a: { anyOf: [text, { type: 'null' }] } }) },
      { body: object({ a: text }) },
      'body.a is string, was null',
    ],
    [
      'unknown fields that are refused now',
      { body: object({}) },
      { body: object({}, [], { additionalProperties: false }) },
      'body: additionalProperties is narrower',
    ],
    [
      'a body that is required now',
      { body: object({}), bodyRequired: false },
      { body: object({}) },
      'a body is required now',
    ],
    ['a parameter that goes', { parameters: [query('q')] }, {}, 'query parameter q is gone'],
    [
      'a new parameter that is required',
      {},
      { parameters: [query('q', { required: true })] },
      'query parameter q is required now',
    ],
    [
      'a parameter with a tighter bound',
      { parameters: [query('q', { schema: { type: 'integer' } })] },
      { parameters: [query('q', { schema: { type: 'integer', minimum: 1 } })] },
      'query parameter q: minimum is narrower',
    ],
    ['a token where none was needed', {}, { operation: { security: [{ partner: [] }] } }, 'needs a token now'],
    [
      'the token of another door',
      { operation: { security: [{ partner: [] }] } },
      { operation: { security: [{ operator: [] }] } },
      'the token of a partner opens it no more',
    ],
  ])('%s', ([, before, after, line]) => {
    expect(breaks(before, after)).toEqual([line])
    expect(breaks(before, before)).toEqual([])
  })

  test('an operation or a path that goes', () => {
    const before = documentOf({})
    const { post } = before.paths['/v1/thing'] ?? {}
    expect(breakingChanges(before, { paths: { '/v1/thing': { post: post ?? {} } } }, today)).toEqual([
      'GET /v1/thing: is gone',
    ])
    expect(breakingChanges(before, { paths: {} }, today)).toHaveLength(2)
  })

  test('a deprecated operation that goes before its sunset, and not after it', () => {
    const before = { paths: { '/v1/old': { get: { deprecated: true, 'x-sunset': today } } } }
    expect(breakingChanges(before, { paths: {} }, '2026-11-22')).toEqual(['GET /v1/old: is gone'])
    expect(breakingChanges(before, { paths: {} }, today)).toEqual([])
  })
})

describe('breaks nobody', () => {
  test.for<[string, Parts, Parts]>([
    ['a new property of an answer', {}, { response: object({ a: text }, ['a']) }],
    [
      'a new value of an answer',
      { response: object({ a: { type: 'string', enum: ['x'] } }) },
      { response: object({ a: { type: 'string', enum: ['x', 'y'] } }) },
    ],
    [
      'a set that an answer keeps to now',
      { response: object({ a: text }) },
      { response: object({ a: { type: 'string', enum: ['x'] } }) },
    ],
    [
      'null that is answered no more',
      { response: object({ a: { anyOf: [text, { type: 'null' }] } }) },
      { response: object({ a: text }) },
    ],
    [
      'a property that is always there now',
      { response: object({ a: text }) },
      { response: object({ a: text }, ['a']) },
    ],
    ['a new field that is optional', { body: object({}) }, { body: object({ a: text }) }],
    ['a field that is no longer required', { body: object({ a: text }, ['a']) }, { body: object({ a: text }) }],
    [
      'a new value to send',
      { body: object({ a: { type: 'string', enum: ['x'] } }) },
      { body: object({ a: { type: 'string', enum: ['x', 'y'] } }) },
    ],
    [
      'a wider bound',
      { body: object({ a: { type: 'integer', maximum: 5 } }) },
      { body: object({ a: { type: 'integer' } }) },
    ],
    ['a new parameter that is optional', {}, { parameters: [query('q')] }],
    [
      'a new status',
      {},
      {
        operation: {
          responses: {
            200: { headers: { 'X-Request-Id': {} }, ...json(object({})) },
            404: json(text),
            409: json(text),
          },
        },
      },
    ],
    [
      'a schema that holds itself',
      { response: { $ref: '#/T' }, schemas: { T: object({ t: { $ref: '#/T' } }) } },
      { response: { $ref: '#/T' }, schemas: { T: object({ t: { $ref: '#/T' } }) } },
    ],
    ['other words', { operation: { summary: 'a' } }, { operation: { summary: 'b' } }],
  ])('%s', ([, before, after]) => {
    expect(breaks(before, after)).toEqual([])
  })
})
