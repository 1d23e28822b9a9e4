import type { FastifyRequest } from 'fastify'
import { parse as parsePairs } from 'node:querystring'
import { Compile } from 'typebox/compile'
import Format from 'typebox/format'
import { Settings } from 'typebox/system'
import { type TSchema, Type } from 'typebox'
import { type ApiError, type Detail, invalidBody, invalidParameter, maxDetails } from '../platform/errors.ts'
import { isLocalDate } from '../domain/calendar.ts'
import { parseCnpj, parseCpf } from '../domain/tax-id.ts'

// TypeBox's own `date` also takes what is no day of the calendar in our reading (years before 0001, other separators).
Format.Set('date', (value) => isLocalDate(value))
Format.Set('cpf', (value) => parseCpf(value) !== null)
Format.Set('cnpj', (value) => parseCnpj(value) !== null)

// TypeBox stops at 8 by default.
Settings.Set({ maxErrors: maxDetails })

/** A JSON body before it is parsed: media type and length are judged first, then the parameters, then the body. */
export class RawJson {
  readonly bytes: Buffer

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }
}

type Outcome = { value: unknown } | { error: ApiError }
type HttpPart = 'body' | 'querystring' | 'params' | 'headers'

/** Fastify's validator: strict everywhere (nothing coerced, nothing removed), with `details` that name each fault. */
export function validator(schema: TSchema, part: HttpPart): (data: unknown) => Outcome {
  if (part === 'querystring') return queryValidator(schema)
  const compiled = Compile(schema)
  const known = new Set(propertyNames(schema))
  return (data) => {
    const unfit = part === 'params' ? Object.entries(data as object).find(([, value]) => !isText(value)) : undefined
    if (unfit !== undefined) return { error: invalidParameter([], `Invalid ${kebab(unfit[0])}`) }
    if (compiled.Check(data)) return { value: data }
    const details = detailsOf(compiled.Errors(withFewUnknown(data, known, { left: maxDetails })) as SchemaError[])
    if (part === 'params') {
      const name = kebab(details[0]?.field ?? 'path')
      return { error: invalidParameter([], `Invalid ${name}`) }
    }
    return { error: invalidBody(details) }
  }
}

/**
 * For a route whose body has messages of its own for what is wrong inside: anything but a JSON object is refused here, the
 * rest by the handler. Give it as the route's `validatorCompiler`.
 */
export function looseBodyValidator({ schema, httpPart }: { schema: unknown; httpPart?: string }) {
  if (httpPart !== 'body') return validator(schema as TSchema, httpPart as HttpPart)
  return (data: unknown): Outcome =>
    typeof data === 'object' && data !== null && !Array.isArray(data) ? { value: data } : { error: invalidBody() }
}

/**
 * Query parameters arrive as text: whole numbers and booleans are read here, exactly (`1e2` and `TRUE` are neither).
 * An unknown or repeated one is an error: a misspelt filter must not answer with the whole book.
 */
function queryValidator(schema: TSchema): (data: unknown) => Outcome {
  const properties = (schema as { properties?: Record<string, { type?: string; default?: unknown }> }).properties ?? {}
  const compiled = Compile(schema)
  return (data) => {
    const faults: Detail[] = []
    const value: Record<string, unknown> = {}
    for (const [name, raw] of Object.entries((data ?? {}) as Record<string, unknown>)) {
      if (!Object.hasOwn(properties, name)) faults.push({ field: name.slice(0, 100).toWellFormed(), code: 'unknown' })
      else if (typeof raw !== 'string') faults.push({ field: name, code: 'repeated' })
      else if (!isText(raw)) faults.push({ field: name, code: 'invalid' })
      else value[name] = readText(raw, properties[name]?.type)
    }
    for (const [name, property] of Object.entries(properties)) {
      if (property.default !== undefined && !(name in value)) value[name] = property.default
    }
    if (faults.length === 0 && compiled.Check(value)) return { value }
    if (faults.length === 0) faults.push(...detailsOf(compiled.Errors(value) as SchemaError[]))
    return { error: invalidParameter(faults) }
  }
}

/** The query schema of a route that takes no parameters. */
export const noParameters = Type.Object({}, { additionalProperties: false })

/** A query string as names and values; repeated ones as an array. What is no percent-encoded UTF-8 becomes a lone surrogate. */
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

/** Judges the parameters of a call, which Fastify would judge after the body. @throws ApiError 400 */
export function judgeParameters(request: FastifyRequest): void {
  for (const part of ['params', 'query'] as const) {
    const outcome = request.getValidationFunction(part)?.(request[part]) as unknown as Outcome | undefined
    if (outcome !== undefined && 'error' in outcome) throw outcome.error
  }
}

/** Whether PostgreSQL and UTF-8 can hold it: no NUL, no lone surrogate. */
function isText(value: unknown): boolean {
  return typeof value !== 'string' || (!value.includes('\0') && value.isWellFormed())
}

function readText(raw: string, type: string | undefined): unknown {
  if (type === 'integer' && /^-?\d{1,16}$/.test(raw) && Number.isSafeInteger(Number(raw))) return Number(raw)
  if (type === 'boolean' && (raw === 'true' || raw === 'false')) return raw === 'true'
  return raw
}

interface SchemaError {
  readonly keyword: string
  readonly instancePath: string
  readonly params: { requiredProperties?: string[]; additionalProperties?: string[] }
}

/** The names of all properties of a schema and its parts. */
function propertyNames(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([key, part]: [string, unknown]) => [
    ...(key === 'properties' ? Object.keys(part as object) : []),
    ...propertyNames(part),
  ])
}

/** A body with all known keys and the first few unknown ones: TypeBox goes through every key, also past its last error. */
function withFewUnknown(value: unknown, known: ReadonlySet<string>, unknown: { left: number }): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => withFewUnknown(item, known, unknown))
  const kept: Record<string, unknown> = {}
  for (const key in value) {
    if (!known.has(key) && unknown.left-- <= 0) continue
    kept[key] = withFewUnknown((value as Record<string, unknown>)[key], known, unknown)
  }
  return kept
}

function detailsOf(faults: readonly SchemaError[]): Detail[] {
  const found = new Map<string, string>()
  const note = (field: string, code: string) => {
    if (!found.has(field) && found.size < maxDetails) found.set(field, code)
  }
  for (const fault of faults) {
    const path = fieldOf(fault.instancePath)
    if (fault.keyword === 'required') {
      for (const name of fault.params.requiredProperties ?? []) note(path === '' ? name : `${path}.${name}`, 'missing')
    } else if (fault.keyword === 'boolean') {
      note(path, 'unknown')
    } else if (fault.keyword === 'not') {
      // Only names have it.
      note(path, 'invalid-name')
    } else if (fault.keyword !== 'additionalProperties') {
      note(path, 'invalid')
    }
  }
  found.delete('')
  return [...found].map(([field, code]) => ({ field, code }))
}

/** `/members/3/name` as `members[3].name`. */
function fieldOf(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~').slice(0, 100))
    .reduce((path, step) => (/^\d+$/.test(step) ? `${path}[${step}]` : path === '' ? step : `${path}.${step}`), '')
}

/** Path parameters are `requestId` to the router, whose names end at a hyphen, and `request-id` to the caller. */
export function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** Whether a body is read of such a call. That of a GET is passed over. */
export function takesBody(method: string): boolean {
  return method !== 'GET' && method !== 'HEAD'
}
