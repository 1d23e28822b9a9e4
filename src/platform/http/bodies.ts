import type { FastifyRequest } from 'fastify'
import type { Static, TSchema } from 'typebox'
import { ApiError, type ApiError as Refusal, invalidBody } from '../core/errors.ts'
import { isObject, type ParsedBody } from '#kernel/fields.ts'
import type { App } from './context.ts'
import type { JsonLimits } from './strict-json.ts'
import { RawJson, validator } from './validation.ts'

/** The body of a route: what `openapi.json` says of it, how it is read, and what the handler gets as `request.body`. */
export interface Body<T> {
  /** For `openapi.json`; absent: the route takes no body. */
  readonly schema?: object
  /** A call may have no body. */
  readonly isOptional?: true
  /** In bytes; absent: 1 MiB. */
  readonly limit?: number
  readonly jsonLimits?: JsonLimits
  /** The handler reads the stream. */
  readonly isStream?: true
  /** Sets the parsers of the media types; absent: JSON. */
  readonly accept?: (scope: App) => Promise<void> | void
  readonly validate: (data: unknown) => { value: T } | { error: Refusal }
}

interface JsonOptions {
  readonly limit?: number
  readonly jsonLimits?: JsonLimits
}

/** JSON of a schema. */
export function json<S extends TSchema>(schema: S, options: JsonOptions = {}): Body<Static<S>> {
  return { schema, ...options, validate: validator(schema, 'body') as Body<Static<S>>['validate'] }
}

/** JSON of a schema, or no body, which counts as `{}`. */
export function optionalJson<S extends TSchema>(schema: S): Body<Static<S>> {
  const { validate, ...body } = json(schema)
  return { ...body, isOptional: true, validate: (data) => validate(data ?? {}) }
}

/**
 * JSON whose errors have messages of their own: the parser, which is made of the same table of fields as the schema, refuses the body or
 * returns what the handler gets.
 */
export function parsedJson<T>(
  schema: TSchema,
  parse: (body: Readonly<Record<string, unknown>>) => ParsedBody<T>,
): Body<T> {
  return {
    schema,
    validate: (data) => {
      if (!isObject(data)) return { error: invalidBody() }
      const parsed = parse(data)
      return parsed.ok ? { value: parsed.value } : { error: invalidBody(parsed.details, parsed.code) }
    },
  }
}

/** The bytes of JSON, which the handler parses and validates. */
export function jsonBytes(schema: TSchema, limit: number): Body<unknown> {
  return {
    schema,
    limit,
    accept: (scope) => takeBuffers(scope, ['application/json'], (bytes) => bytes),
    validate: valid,
  }
}

/** The lines of a file, whole, with their format. */
export interface Lines<Format extends string> {
  readonly format: Format
  readonly bytes: Buffer
}

/** A file of lines in one of several formats by media type; without a body `undefined`. */
export function lines<Format extends string>(
  content: Record<string, object>,
  formats: Readonly<Record<string, Format>>,
  limit: number,
): Body<Lines<Format> | undefined> {
  return {
    schema: { content },
    limit,
    accept: (scope) => {
      scope.removeAllContentTypeParsers()
      for (const [type, format] of Object.entries(formats)) takeBuffers(scope, [type], (bytes) => ({ format, bytes }))
      // Browsers of computers with Excel send CSV so; a workbook of that type is refused as it is read.
      const { 'text/csv': csv } = formats
      if (csv !== undefined) takeBuffers(scope, ['application/vnd.ms-excel'], (bytes) => ({ format: csv, bytes }))
    },
    validate: valid,
  }
}

/** A body that the handler reads as a stream, of any media type. @param acceptMore adds a parser of its own, as that of forms. */
export function stream(
  content: Record<string, object>,
  acceptMore: (scope: App) => Promise<void> = async () => {},
): Body<undefined> {
  return {
    schema: { content },
    isStream: true,
    accept: async (scope) => {
      scope.removeAllContentTypeParsers()
      scope.addContentTypeParser('*', async () => undefined)
      await acceptMore(scope)
    },
    validate: valid,
  }
}

/** No body, but any media type: many clients send one, `curl -d ''` that of a form. */
export const empty: Body<undefined> = {
  accept: (scope) => {
    takeBuffers(scope, ['application/json'], (bytes) => (bytes.length === 0 ? undefined : new RawJson(bytes)))
    takeBuffers(scope, ['*'], (bytes) => {
      if (bytes.length > 0) throw new ApiError('unsupported-media-type')
    })
  },
  validate: valid,
}

/** For `accept`: what the handler gets of the bytes of a media type. */
export function takeBuffers(scope: App, types: string[], parse: (bytes: Buffer) => unknown): void {
  for (const type of types) {
    if (scope.hasContentTypeParser(type)) scope.removeContentTypeParser(type)
    scope.addContentTypeParser(type, { parseAs: 'buffer' }, async (_request: FastifyRequest, bytes: Buffer) =>
      parse(bytes),
    )
  }
}

/** The handler validates. */
function valid<T>(value: unknown): { value: T } {
  return { value: value as T }
}
