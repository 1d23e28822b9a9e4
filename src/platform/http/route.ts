import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema, RouteHandlerMethod } from 'fastify'
import { type Static, Type, type TSchema } from 'typebox'
import type { MovementKind, Role } from '#kernel/enums.ts'
import type { Body } from './bodies.ts'
import type { Api } from './caller.ts'
import type { App } from './context.ts'
import { writablePart } from './shown.ts'
import type { JsonLimits } from './strict-json.ts'
import { type HttpPart, takesBody, type Validator, validator } from './validation.ts'

interface Access {
  /** Whose tokens the route takes; absent: it needs none. */
  api?: Api
  /** For the operator API: the roles that may call it, beside `admin`. */
  roles?: readonly Role[]
  /** For the operator API: about the caller's own session, so that also the people of companies may call it. */
  isOfSession?: true
  /** For the partner API: not for the people of companies, who have no secret and receive no events. */
  isForPrograms?: true
  /** For a POST of the operator API: it takes an `Idempotency-Key`, as every POST of the partner API. */
  takesKey?: true
  /** The 403 of a partner's POST, for a replay to a caller who is not entitled any more; absent: that of a company. */
  notEntitled?: string
  /** The kind of movement that it requests, for the metrics. */
  movement?: MovementKind
}

declare module 'fastify' {
  /** What the steps of a request need to know of its route (src/platform/http/steps.ts). */
  interface FastifyContextConfig extends Access {
    /** The handler reads the body, under a limit of its own; none of it is buffered. */
    streamsBody?: boolean
    /** The limits of the JSON body; absent: `bodyLimits`. */
    jsonLimits?: JsonLimits
    /** The media types of its body, for those who send another. */
    accepts?: readonly string[]
    /** What validates path and query of a call with a body, before the body is parsed. */
    parameters?: Readonly<Record<'params' | 'query', Validator>>
    /** Whether a response of success has `details`, `offense-details` or `warnings`. */
    hasDetails?: () => boolean
  }
}

/** The value of a part of the request; `unknown` where the route has no schema of it. */
type Part<S, Name extends string> = S extends Readonly<Record<Name, infer P extends TSchema>> ? Static<P> : unknown
type Success<S> = S extends { response: { 200: infer R extends TSchema } } ? Static<R> : unknown

interface RouteRequest<S, B> {
  Params: Part<S, 'params'>
  Querystring: Part<S, 'querystring'>
  Body: B
}

export interface RouteOptions<S extends FastifySchema, B> extends Access {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly url: string
  /** `openapi.json`, path, query and responses. */
  readonly schema: S
  readonly body?: Body<B>
  /** The body may be what a GET of the thing answers, as every PUT of the operator API takes it. */
  readonly takesShown?: boolean
  /** Before the body is read. */
  readonly before?: (request: FastifyRequest<RouteRequest<S, unknown>>) => Promise<void>
  readonly handler: (
    request: FastifyRequest<RouteRequest<S, B>>,
    reply: FastifyReply,
  ) => Success<S> | FastifyReply | Promise<Success<S> | FastifyReply | void>
}

/** Whether a response schema has `details`, `offense-details` or `warnings`. */
export function hasDetails(schema: unknown): boolean {
  const text = JSON.stringify(schema ?? null)
  return ['"details"', '"offense-details"', '"warnings"'].some((key) => text.includes(key))
}

/** The media types that `openapi.json` names for a body; JSON where it names none. */
function acceptedTypes(schema: object | undefined): string[] {
  return schema === undefined ? [] : 'content' in schema ? Object.keys(schema.content as object) : ['application/json']
}

/** The query of a route that takes no parameters. */
const noParameters = Type.Object({}, { additionalProperties: false })

/** Adds an operation to the API. */
export function route<const S extends FastifySchema, B = unknown>(app: App, options: RouteOptions<S, B>): void {
  const { method, url, schema, body, before, handler, ...others } = options
  const { takesShown = method === 'PUT' && others.api === 'operator', ...access } = others
  const { limit, jsonLimits, isStream = false, accept, validate } = body ?? {}
  const responses = (schema.response ?? {}) as Readonly<Record<string, unknown>>
  let found: boolean | undefined
  const validateBody =
    validate && takesShown
      ? (data: unknown) => validate(writablePart(data, body?.schema ?? {}, responses[200]))
      : validate
  const { params, querystring } = schema as { params?: TSchema; querystring?: TSchema }
  const parameters = takesBody(method) && {
    params: validator(params ?? Type.Object({}), 'params'),
    query: validator(querystring ?? noParameters, 'querystring'),
  }
  const described: FastifySchema = {
    querystring: noParameters,
    ...schema,
    ...(body?.schema && { body: body.schema }),
    ...(body?.isOptional && { 'x-optional-body': true }),
  }
  const add = (scope: FastifyInstance) =>
    scope.route({
      method,
      url,
      config: {
        ...access,
        streamsBody: isStream,
        accepts: acceptedTypes(body?.schema),
        // Looked for when a response first needs it: in all schemas together it takes a quarter of the start.
        hasDetails: () => (found ??= hasDetails(responses[200])),
        ...(jsonLimits && { jsonLimits }),
        ...(parameters && { parameters }),
      },
      ...(limit !== undefined && { bodyLimit: limit }),
      schema: described,
      validatorCompiler: ({ schema: part, httpPart }) =>
        httpPart === 'body'
          ? (validateBody ?? validator(part as TSchema, 'body'))
          : parameters
            ? (value: unknown) => ({ value })
            : validator(part as TSchema, httpPart as HttpPart),
      ...(before && { onRequest: before as (request: FastifyRequest) => Promise<void> }),
      handler: handler as RouteHandlerMethod,
    })
  if (accept === undefined) return void add(app)
  // The parsers of media types belong to a scope.
  void addScope(app, `${method} ${url}`, async (scope) => {
    await accept(scope)
    add(scope)
  })
}

/** Adds routes in a scope. It has a name: of one without Fastify compares the modules that are loaded, all of them. */
export function addScope(app: App, name: string, add: (scope: App) => void | Promise<void>): PromiseLike<unknown> {
  const plugin = async (scope: FastifyInstance) => add(scope)
  return app.register(Object.assign(plugin, { [Symbol.for('fastify.display-name')]: name }))
}

/** Adds a page for browsers: `openapi.json` leaves it out, and a link to it may carry parameters of other programs. */
export function page(app: App, url: string, handler: (request: FastifyRequest, reply: FastifyReply) => unknown): void {
  app.route({ method: 'GET', url, schema: { hide: true }, handler })
}
