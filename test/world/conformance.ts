/*
 * Every response of the service is what openapi.json says: the status and the content type are declared, the headers of the
 * document are there where they are declared and only there, and a JSON body has the declared properties, no others.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { phone } from '#kernel/field-types.ts'
import { parseCns, parsePis } from '#kernel/registration-numbers.ts'
import { parseCnpj, parseCpf } from '#kernel/tax-id.ts'

interface Schema {
  readonly [key: string]: unknown
}

interface DeclaredResponse {
  /** The examples of an error are named by its codes. */
  readonly content?: Record<string, { readonly schema?: Schema; readonly examples?: Record<string, unknown> }>
  readonly headers?: Record<string, unknown>
}

interface Operation {
  readonly operationId: string
  readonly responses: Record<string, DeclaredResponse>
}

interface Document {
  readonly paths: Record<string, Record<string, Operation>>
  readonly components: { readonly schemas: Record<string, Schema>; readonly headers: Record<string, unknown> }
}

export interface ReceivedResponse {
  readonly status: number
  readonly headers: Headers
  /** A JSON response, parsed; undefined when it is not JSON. */
  readonly body: unknown
}

const written = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as Document
const document = closed(written) as Document

/** The schemas with every object that lists its properties refusing others. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed)
  if (typeof value !== 'object' || value === null) return value
  const { allOf } = value as { allOf?: Schema[] }
  if (allOf !== undefined) {
    return { allOf: allOf.map((part) => withClosedParts(referred(part))), unevaluatedProperties: false }
  }
  const copy = withClosedParts(value as Schema)
  const isObject = copy['type'] === 'object' && copy['properties'] !== undefined
  return isObject && copy['additionalProperties'] === undefined ? { ...copy, additionalProperties: false } : copy
}

function withClosedParts(schema: Schema): Schema {
  return Object.fromEntries(
    Object.entries(schema).map(([key, inner]) => [key, key.startsWith('example') ? inner : closed(inner)]),
  )
}

function referred(schema: Schema): Schema {
  const { $ref } = schema as { $ref?: string }
  return $ref === undefined ? schema : (written.components.schemas[$ref.split('/').at(-1) ?? ''] ?? {})
}

const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true })
formats.default(ajv)
ajv.addFormat('cpf', (value) => parseCpf(value) === value)
ajv.addFormat('cnpj', (value) => parseCnpj(value) === value)
ajv.addFormat('cns', (value) => parseCns(value) === value)
ajv.addFormat('pis', (value) => parsePis(value) === value)
ajv.addFormat('phone', (value) => phone.parse(value) === value)
ajv.addSchema(document, 'openapi.json')

const escaped = (key: string) => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))

const validators = new Map<string, ValidateFunction>()

/** The validator of a schema of the document, compiled once: those of most errors are one. @param pointer the keys that lead to it. */
function validatorAt(...pointer: string[]): ValidateFunction {
  const schema = pointer.reduce<unknown>((part, key) => (part as Schema)[key], document) as Schema
  const { $ref, ...others } = schema as { $ref?: string }
  const isReference = $ref !== undefined && Object.keys(others).length === 0
  const reference = `openapi.json${isReference ? $ref : `#/${pointer.map(escaped).join('/')}`}`
  let validator = validators.get(reference)
  if (validator === undefined) validators.set(reference, (validator = ajv.compile({ $ref: reference })))
  return validator
}

const templates = Object.keys(document.paths)
  .map((path) => ({ path, shape: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{[^}]+\}/g, '[^/]*')}$`) }))
  // The one with fewer parameters is meant where two match.
  .sort((a, b) => a.path.split('{').length - b.path.split('{').length)

const isMissingRoute = ({ status, body }: ReceivedResponse): boolean => {
  const { error } = (body ?? {}) as { error?: unknown }
  return (status === 404 && error === 'Not found') || (status === 405 && error === 'Method not allowed')
}

/** What the parser of HTTP or the router refuses, before there is an operation. */
const isRefusedAsHttp = (method: string, { status, body }: ReceivedResponse): boolean => {
  // A response to HEAD has no body, so no code.
  if (method === 'HEAD') return status === 431
  const { code } = (body ?? {}) as { code?: unknown }
  const codes: Record<number, readonly unknown[]> = { 400: ['bad-request', 'invalid-path'], 431: ['header-too-large'] }
  return codes[status]?.includes(code) === true
}

/** What is wrong with a response to a call; empty when the document describes it. */
export function responseErrors(method: string, url: string, response: ReceivedResponse): string[] {
  // As it was sent: `new URL` would resolve `..`.
  const pathname = url.replace(/^https?:\/\/[^/?#]*/, '').split(/[?#]/, 1)[0] ?? ''
  const verb = method === 'HEAD' ? 'get' : method.toLowerCase()
  const matching = templates.filter(({ shape }) => shape.test(pathname))
  const path = (matching.find((one) => document.paths[one.path]?.[verb] !== undefined) ?? matching[0])?.path ?? ''
  const operation = document.paths[path]?.[verb]
  // No operation: the body of every error, and that it names the request.
  if (operation === undefined || isMissingRoute(response) || isRefusedAsHttp(method, response)) {
    const isKnown = isMissingRoute(response) || isRefusedAsHttp(method, response) || method === 'HEAD'
    const wrong = isKnown ? [] : [`${response.status} of an unknown operation`]
    return [...wrong, ...bodyErrors(method, response, ['components', 'schemas', 'Error'])]
  }
  const status = String(response.status)
  const declared = operation.responses[status]
  if (declared === undefined) return [`status ${status} is not declared`]
  return [
    ...headerErrors(response, declared),
    ...contentErrors(method, response, declared, [path, verb, status]),
    ...codeErrors(method, response, declared),
  ]
}

function headerErrors({ status, headers }: ReceivedResponse, declared: DeclaredResponse): string[] {
  const names = new Set(Object.keys(declared.headers ?? {}))
  const always = ['X-Request-Id', ...(status === 401 ? ['WWW-Authenticate'] : [])]
  const mustHave = [...always, ...(status === 429 || status === 503 ? ['Retry-After'] : [])]
  const undeclared = Object.keys(document.components.headers).filter((name) => headers.has(name) && !names.has(name))
  const missing = mustHave.filter((name) => names.has(name) && !headers.has(name))
  const isHalf = headers.has('RateLimit') !== headers.has('RateLimit-Policy')
  const retryAfter = headers.get('Retry-After')
  return [
    ...undeclared.map((name) => `header ${name} is not declared`),
    ...missing.map((name) => `header ${name} is missing`),
    ...(isHalf ? ['only one of RateLimit and RateLimit-Policy'] : []),
    ...(retryAfter === null || /^\d+$/.test(retryAfter) ? [] : [`Retry-After is ${retryAfter}`]),
  ]
}

function contentErrors(
  method: string,
  response: ReceivedResponse,
  declared: DeclaredResponse,
  [path, verb, status]: [string, string, string],
): string[] {
  const type = mediaType(response)
  const content = Object.keys(declared.content ?? {})
  if (content.length === 0) return type === null ? [] : [`content type ${type} where none is declared`]
  if (type === null || (!content.includes(type) && !content.includes('*/*')))
    return [`content type ${type} is not declared`]
  // A file of any type is its own business.
  const pointer = ['paths', path, verb, 'responses', status, 'content', type, 'schema']
  return type === 'application/json' && content.includes(type) ? bodyErrors(method, response, pointer) : []
}

/** The operation declares every code that it responds with. */
function codeErrors(method: string, { status, body }: ReceivedResponse, declared: DeclaredResponse): string[] {
  if (status < 400 || method === 'HEAD') return []
  const { code } = (body ?? {}) as { code?: string }
  const isDeclared = code !== undefined && code in (declared.content?.['application/json']?.examples ?? {})
  return isDeclared ? [] : [`the code ${code} is not declared`]
}

/** Records the codes of an error and of the items of a result, for the check at the end of a whole run that tests have seen all of them. */
export function recordCode(body: unknown): void {
  const folder = process.env['VIGENCIA_TEST_CODES']
  if (folder === undefined || typeof body !== 'object' || body === null) return
  const { result } = body as { result?: unknown }
  for (const one of [body, ...(Array.isArray(result) ? (result as unknown[]) : [])]) {
    const { code } = (one ?? {}) as { code?: unknown }
    if (typeof code === 'string' && /^[a-z-]+$/.test(code)) writeFileSync(join(folder, code), '')
  }
}

function bodyErrors(method: string, response: ReceivedResponse, pointer: string[]): string[] {
  if (method === 'HEAD') return []
  if (mediaType(response) !== 'application/json') return [`content type ${mediaType(response)}`]
  const validate = validatorAt(...pointer)
  if (validate(response.body)) return []
  return (validate.errors ?? []).slice(0, 5).map(({ instancePath, message, params }) => {
    return `body ${instancePath} ${message} ${JSON.stringify(params)}`
  })
}

/** @throws when the document describes the body of a delivery otherwise. */
export function checkWebhook(body: unknown): void {
  const { type } = body as { type: string }
  const validate = validatorAt('webhooks', type, 'post', 'requestBody', 'content', 'application/json', 'schema')
  if (!validate(body)) throw new Error(`other than openapi.json says: ${JSON.stringify([body, validate.errors])}`)
}

function mediaType({ headers }: ReceivedResponse): string | null {
  return headers.get('content-type')?.split(';', 1)[0]?.trim() ?? null
}

/** @throws when the document does not describe the response. */
export function checkResponse(method: string, url: string, response: ReceivedResponse): void {
  const errors = responseErrors(method, url, response)
  if (errors.length === 0) return
  const text = JSON.stringify(response.body)?.slice(0, 600)
  throw new Error(
    `${method} ${url} got ${response.status}, other than openapi.json says: ${errors.join('; ')}\nbody: ${text}`,
  )
}
