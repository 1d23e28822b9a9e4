import type { FastifyRequest } from 'fastify'
import { parse as parsePairs } from 'node:querystring'
import Format from 'typebox/format'
import { Compile } from 'typebox/schema'
import { Settings } from 'typebox/system'
import type { TSchema } from 'typebox'
import { type ApiError, type Detail, invalidBody, invalidParameter, maxDetails } from '../core/errors.ts'
import { isLocalDate } from '#kernel/calendar.ts'
import { MAX_KEY_LENGTH, phone } from '#kernel/field-types.ts'
import type { Message } from '#kernel/messages.ts'
import { nearestSpelling } from '#kernel/nearest.ts'
import { parseCns, parsePis } from '#kernel/registration-numbers.ts'
import { parseCnpj, parseCpf } from '#kernel/tax-id.ts'
import { isStorable } from '#kernel/stored-text.ts'
import { parseTimestamp } from '#kernel/timestamp.ts'
import { normalizerOf } from './normalize.ts'
import { detailsOf, type SchemaError } from './schema-errors.ts'

// The `date` of TypeBox also accepts other separators and years before 0001.
Format.Set('date', (value) => isLocalDate(value))
Format.Set('date-time', (value) => parseTimestamp(value) !== null)
Format.Set('cpf', (value) => parseCpf(value) !== null)
Format.Set('cnpj', (value) => parseCnpj(value) !== null)
Format.Set('cns', (value) => parseCns(value) !== null)
Format.Set('pis', (value) => parsePis(value) !== null)
Format.Set('phone', (value) => typeof phone.parse(value) === 'string')

// TypeBox stops at 8 by default.
Settings.Set({ maxErrors: maxDetails })

/** A JSON body that is not parsed yet: media type and length are checked first, then the parameters, then the body. */
export class RawJson {
  readonly bytes: Buffer

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }
}

/** What a query parameter is in its schema. */
interface QueryProperty {
  readonly type?: string
  readonly format?: string
  readonly default?: unknown
  /** One value or a list: the parameter takes several. */
  readonly anyOf?: readonly { readonly type?: string }[]
}

const listOf = ({ anyOf = [] }: QueryProperty) => anyOf.find(({ type }) => type === 'array')

type Validated = { value: unknown } | { error: ApiError }
export type Validator = (data: unknown) => Validated
export type HttpPart = 'body' | 'querystring' | 'params' | 'headers'

/** Compiled when a call first needs it: all of them together take a tenth of a second of each start. */
function compiledOf(schema: TSchema): () => ReturnType<typeof Compile> {
  let compiled: ReturnType<typeof Compile> | undefined
  return () => (compiled ??= Compile(schema))
}

/** Fastify's validator: nothing is coerced or removed; `details` name each invalid field. */
export function validator(schema: TSchema, part: HttpPart): Validator {
  if (part === 'querystring') return queryValidator(schema)
  const compiled = compiledOf(schema)
  const normalize = normalizerOf(schema)
  return (data) => {
    const notText = part === 'params' ? Object.entries(data as object).find(([, value]) => !isText(value)) : undefined
    if (notText !== undefined) {
      const field = kebab(notText[0])
      return { error: invalidParameter([{ field, code: 'invalid' }], `Invalid ${field}`) }
    }
    if (compiled().Check(data)) return { value: normalize(data) }
    const known = new Set(propertyNames(schema))
    const [, errors] = compiled().Errors(withFewUnknown(data, known, { left: maxDetails }))
    const details = detailsOf(errors as SchemaError[], data, 'body')
    if (part === 'params') {
      const named = details.map((detail) => ({ ...detail, field: kebab(detail.field) }))
      return { error: invalidParameter(named, `Invalid ${named[0]?.field ?? 'path'}`) }
    }
    return { error: invalidBody(details) }
  }
}

/**
 * Query parameters are text: integers and booleans are parsed here, strictly (`1e2` and `TRUE` are neither).
 * Several values have commas between them, and become a list, as one does. An unknown or repeated parameter is an error: a misspelt filter must
 * not return an unfiltered list.
 */
function queryValidator(schema: TSchema): Validator {
  const properties = (schema as { properties?: Record<string, QueryProperty> }).properties ?? {}
  const parsed = Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, listOf(one) ?? one]))
  const compiled = compiledOf({ ...schema, properties: parsed })
  const normalize = normalizerOf(schema)
  return (data) => {
    const details: Detail[] = []
    const value: Record<string, unknown> = {}
    for (const [name, raw] of Object.entries((data ?? {}) as Record<string, unknown>)) {
      if (!Object.hasOwn(properties, name)) {
        details.push(unknownParameter(name, Object.keys(properties)))
      } else if (typeof raw !== 'string') details.push({ field: name, code: 'repeated' })
      else if (!isText(raw)) details.push({ field: name, code: 'invalid' })
      else value[name] = parseText(raw, properties[name])
    }
    for (const [name, property] of Object.entries(properties)) {
      if (property.default !== undefined && !(name in value)) value[name] = property.default
    }
    if (details.length === 0 && compiled().Check(value)) return { value: normalize(value) }
    if (details.length === 0) {
      const [, errors] = compiled().Errors(value)
      details.push(...detailsOf(errors as SchemaError[], value, 'querystring'))
    }
    return { error: invalidParameter(details) }
  }
}

function unknownParameter(name: string, allowed: readonly string[]): Detail {
  const field = name.slice(0, MAX_KEY_LENGTH).toWellFormed()
  const list: Message = allowed.length === 0 ? { key: 'no-query-parameters' } : { key: 'one-of', values: allowed }
  const meant = nearestSpelling(field, allowed)
  const message: Message = meant === null ? list : { key: 'did-you-mean', name: meant }
  return { field, code: 'unknown', message, allowed }
}

/** A query string as names and values; repeated ones as an array. Invalid percent-encoded UTF-8 becomes a lone surrogate. */
export function parseQuery(text: string): Record<string, unknown> {
  return parsePairs(text, '&', '=', { maxKeys: 0, decodeURIComponent: decoded })
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return '\ud800'
  }
}

/** Validates and normalizes path and query, which Fastify does after the body otherwise. @throws ApiError 400 */
export function validateParameters(request: FastifyRequest): void {
  const { parameters } = request.routeOptions.config
  if (parameters === undefined) return
  for (const part of ['params', 'query'] as const) {
    const validated = parameters[part](request[part])
    if ('error' in validated) throw validated.error
    request[part] = validated.value
  }
}

/** Whether PostgreSQL can store the value: no NUL, no lone surrogate. */
function isText(value: unknown): boolean {
  return typeof value !== 'string' || isStorable(value)
}

function parseText(raw: string, property: QueryProperty = {}): unknown {
  const { type, format } = property
  if (listOf(property) !== undefined) return raw.split(',')
  if (format === 'date-time') return parseTimestamp(raw) ?? raw
  if (type === 'integer' && /^-?\d{1,16}$/.test(raw) && Number.isSafeInteger(Number(raw))) return Number(raw)
  if (type === 'boolean' && (raw === 'true' || raw === 'false')) return raw === 'true'
  return raw
}

/** The names of all properties of a schema and its parts. */
function propertyNames(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([key, part]: [string, unknown]) => [
    ...(key === 'properties' ? Object.keys(part as object) : []),
    ...propertyNames(part),
  ])
}

/** A body with all known keys and the first few unknown ones: TypeBox visits every key, also after its last error. */
function withFewUnknown(value: unknown, known: ReadonlySet<string>, unknown: { left: number }): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => withFewUnknown(item, known, unknown))
  const copy: Record<string, unknown> = {}
  for (const key in value) {
    if (!known.has(key) && unknown.left-- <= 0) continue
    copy[key] = withFewUnknown((value as Record<string, unknown>)[key], known, unknown)
  }
  return copy
}

/** A path parameter is `requestId` in the router, where a hyphen ends a name, and `request-id` in the document. */
export function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** Whether requests of the method have a body. The body of a GET is ignored. */
export function takesBody(method: string): boolean {
  return method !== 'GET' && method !== 'HEAD'
}
