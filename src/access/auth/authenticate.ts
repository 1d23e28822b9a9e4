import { route } from '#platform/http/route.ts'
import { type Body, takeBuffers } from '#platform/http/bodies.ts'
import type { FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import type { App, Context } from '#platform/http/context.ts'
import { applyRateLimit } from '#platform/http/limits/rate-limit.ts'
import { errorResponses, Named } from '#platform/http/schemas.ts'
import { validator } from '#platform/http/validation.ts'
import { type CheckSecret, Credentials, credentialsBodyLimit } from './check-secret.ts'
import { asGrantError, formType, RawForm, readGrant, TokenRequest } from './client-credentials-grant.ts'

const expiresIn = Type.Integer({ description: 'Seconds. There is no refresh token: call again.' })
const accessToken = Type.String({ description: 'A JWT; send it as `Authorization: Bearer <token>`.' })
const token = 'eyJhbGciOiJFUzI1NiIsInR5cCI6IkpXVCJ9.e30.c2ln'

const AccessToken = Named(
  'AccessToken',
  Type.Object(
    { 'access-token': accessToken, 'token-type': Type.Literal('Bearer'), 'expires-in': expiresIn },
    { examples: [{ 'access-token': token, 'token-type': 'Bearer', 'expires-in': 3600 }] },
  ),
)

/** As RFC 6749, 5.1, spells it. */
const OAuthAccessToken = Named(
  'OAuthAccessToken',
  Type.Object(
    { access_token: accessToken, token_type: Type.Literal('Bearer'), expires_in: expiresIn },
    { examples: [{ access_token: token, token_type: 'Bearer', expires_in: 3600 }] },
  ),
)

const TokenResponse = Type.Unsafe<Static<typeof AccessToken> | Static<typeof OAuthAccessToken>>({
  oneOf: [AccessToken, OAuthAccessToken],
  examples: [{ 'access-token': token, 'token-type': 'Bearer', 'expires-in': 3600 }],
})

const KeySet = Type.Object(
  { keys: Type.Array(Type.Record(Type.String(), Type.Unknown())) },
  {
    examples: [
      {
        keys: [
          {
            kty: 'EC',
            crv: 'P-256',
            x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
            y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
            kid: '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21',
            alg: 'ES256',
            use: 'sig',
          },
        ],
      },
    ],
  },
)

/** `POST /v1/authenticate`, for clients of both APIs, and the keys that verify what it issues. */
export async function authenticateRoutes(app: App, context: Context, checkSecret: CheckSecret): Promise<void> {
  tokenRoute(app, context, checkSecret)
  keySetRoute(app, context)
}

/** Checks the body, by its media type, in `credentialsOf`. */
const checkCredentials = validator(Credentials, 'body')

const credentialsBody: Body<unknown> = {
  schema: { content: { 'application/json': { schema: Credentials }, [formType]: { schema: TokenRequest } } },
  limit: credentialsBodyLimit,
  accept: (scope) => {
    takeBuffers(scope, [formType], (bytes) => new RawForm(bytes))
    scope.setErrorHandler(async (error, request) => {
      throw isForm(request) ? asGrantError(error) : error
    })
  },
  validate: (value) => ({ value }),
}

function tokenRoute(app: App, context: Context, checkSecret: CheckSecret): void {
  route(app, {
    method: 'POST',
    url: '/v1/authenticate',
    schema: {
      operationId: 'authenticate',
      tags: ['access'],
      summary: 'Get an access token',
      description:
        'For partners and operators alike: the token is for the API of its client. Wrong secrets for one client id from one address are ' +
        'refused with 429 from the eleventh in a minute on; a right secret always gets through. A partner’s right pairs are limited to ' +
        '20 a minute, unless configured otherwise. The body has at most 4 KiB. ' +
        'A form is the client credentials grant of OAuth 2.0 (RFC 6749, 4.4), with the credentials by HTTP Basic or in the body: the response ' +
        'then has `access_token`, `token_type` and `expires_in`, and `error` of a 400 or 401 is `invalid_request`, `invalid_client`, ' +
        '`unsupported_grant_type` or `invalid_scope`, with the sentence in `error_description`.',
      response: {
        200: TokenResponse,
        ...errorResponses(
          'wrong-secret',
          'client-revoked',
          'too-many-attempts',
          'rate-limited',
          'unavailable',
          'too-many-calls',
        ),
      },
    },
    body: credentialsBody,
    handler: async (request, reply) => {
      const { clientId, secret } = credentialsOf(request)
      const api = await checkSecret(clientId, secret, request.clientAddress)
      const limit = api === 'partner' ? await context.rateLimits?.take(clientId, 'authenticate') : undefined
      if (limit !== undefined) applyRateLimit(reply, limit)
      const { token, expiresInSeconds } = await context.tokens.issue(clientId, api)
      void reply.header('cache-control', 'no-store')
      if (!isForm(request)) {
        return { 'access-token': token, 'token-type': 'Bearer' as const, 'expires-in': expiresInSeconds }
      }
      // RFC 6749, 5.1
      void reply.header('pragma', 'no-cache')
      return { access_token: token, token_type: 'Bearer' as const, expires_in: expiresInSeconds }
    },
  })
}

const isForm = ({ headers }: FastifyRequest): boolean =>
  headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() === formType

/** @throws ApiError 400 for another body. */
function credentialsOf(request: FastifyRequest): { clientId: string; secret: string } {
  if (isForm(request)) return readGrant(request, (request.body as RawForm | undefined) ?? new RawForm(Buffer.alloc(0)))
  const outcome = checkCredentials(request.body)
  if ('error' in outcome) throw outcome.error
  const { 'client-id': clientId, 'client-secret': secret } = outcome.value as Static<typeof Credentials>
  return { clientId, secret }
}

function keySetRoute(app: App, context: Context): void {
  route(app, {
    method: 'GET',
    url: '/.well-known/jwks.json',
    schema: {
      operationId: 'readKeySet',
      'x-sdk': 'service.keySet',
      tags: ['access'],
      summary: 'The public keys of access tokens',
      description:
        'A JSON Web Key Set. A new key is published before it signs; an old one as long as its tokens are valid.',
      response: { 200: KeySet, ...errorResponses('unavailable') },
    },
    handler: async (_request, reply) => {
      const { keys } = await context.tokens.jwks()
      void reply.header('cache-control', 'public, max-age=60')
      return { keys: keys as Record<string, unknown>[] }
    },
  })
}
