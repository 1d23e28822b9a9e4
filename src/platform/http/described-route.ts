import type { FastifyContextConfig, FastifySchema } from 'fastify'
import { type TSchema, Type } from 'typebox'
import type { Detail } from '../core/errors.ts'
import { ROLES } from '#kernel/enums.ts'
import { englishOf } from '#kernel/texts/messages.ts'
import { type DeclaredError, withErrorResponses } from './error-examples.ts'
import { isKeyed as takesKey } from './idempotency/idempotency-key.ts'
import { errorResponses, meanings } from './schemas.ts'
import { takesBody, validator } from './validation.ts'

const credentialErrors = ['token-missing', 'token-expired', 'token-invalid', 'wrong-api', 'client-revoked'] as const
const sessionErrors = ['session-ended', 'cross-site-request'] as const
const keyErrors = ['idempotency-key-in-use', 'idempotency-key-reused', 'erased', 'too-many-stored-responses'] as const

/** Adds to the schema of a route its security, the tag of the operator API, and the responses that follow from its method and its API. */
export function describedRoute(
  schema: FastifySchema,
  url: string,
  methods: string[],
  config: FastifyContextConfig = {},
): FastifySchema {
  const { api, roles = [], isForPrograms = false, isOfSession = false } = config
  // Unknown parameters are refused everywhere; a body is read, and may be refused, also by a route without one.
  const ofMethod: DeclaredError[] = ['invalid-parameter', 'unknown-parameter']
  if (url.includes(':')) ofMethod.push('invalid-path')
  if (methods.some(takesBody)) ofMethod.push('invalid-body', 'body-too-large', 'unsupported-media-type')
  const response = (schema.response ?? {}) as Record<string, unknown>
  const own = withErrorResponses(response, invalidPathResponse(schema.params))
  if (api === undefined)
    return { ...schema, security: [], response: withErrorResponses(own, errorResponses(...ofMethod)) }
  const isKeyed = methods.some((method) => takesKey(config, method))
  const errors: DeclaredError[] = [
    ...ofMethod,
    ...credentialErrors,
    ...sessionErrors,
    'unavailable',
    'too-many-calls',
    ...(isForPrograms || (api === 'operator' && !isOfSession) ? (['role-not-allowed'] as const) : []),
    ...(api === 'partner' ? (['rate-limited'] as const) : []),
    ...(isKeyed ? keyErrors : []),
  ]
  const ofOperators = ROLES.filter((role) => role === 'admin' || roles.includes(role))
  return {
    ...schema,
    ...(api === 'operator'
      ? { tags: ['operator'], 'x-roles': isOfSession ? [...ofOperators, 'company-hr' as const] : ofOperators }
      : {}),
    ...(isKeyed ? { headers: withKey(schema.headers) } : {}),
    security: [{ [api]: [] }, ...(isForPrograms ? [] : [{ session: [] }])],
    response: withErrorResponses(own, errorResponses(...errors)),
  }
}

/** The 400 of each parameter of the path, with the sentence of its name, as the validation makes it. */
function invalidPathResponse(params: unknown): Record<string, TSchema> {
  const names = Object.keys((params as { properties?: object } | undefined)?.properties ?? {})
  if (names.length === 0) return {}
  const validated = validator(params as TSchema, 'params')(Object.fromEntries(names.map((name) => [name, '?'])))
  if (!('error' in validated)) return {}
  const { code, extra } = validated.error
  const details = extra['details'] as readonly Detail[]
  const examples = details.map(({ message, ...detail }) => [
    `invalid-${detail.field}`,
    {
      value: {
        error: `Invalid ${detail.field}`,
        code,
        details: [{ ...detail, ...(message !== undefined && { message: englishOf(message) }) }],
        'request-trace-id': '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21',
      },
    },
  ])
  const media = { schema: Type.Ref('Error'), examples: Object.fromEntries(examples) as object }
  return { 400: { description: meanings[400], content: { 'application/json': media } } }
}

/** Adds the header of calls that may be repeated. */
function withKey(headers: unknown): unknown {
  const { properties = {} } = (headers ?? {}) as { properties?: Record<string, unknown> }
  return {
    type: 'object',
    properties: {
      ...properties,
      'idempotency-key': {
        type: 'string',
        minLength: 1,
        maxLength: 255,
        description:
          'Makes a repetition safe, for 24 hours: with the same key, path, query and body the first response is returned again, with ' +
          '`Idempotency-Replayed: true`, and nothing is done twice. 1 to 255 printable characters, quoted or bare.',
        examples: ['8e03978e-40d5-43dd-bc93-6894a57f9324'],
      },
    },
  }
}
