import { Type } from 'typebox'
import type { App, Context } from '../http/context.ts'
import { applyRateLimit } from '../http/limits/rate-limit.ts'
import { errorResponses } from '../http/schemas.ts'
import { type CheckSecret, Credentials, credentialsBodyLimit } from './check-secret.ts'

const AccessToken = Type.Object(
  {
    'access-token': Type.String({ description: 'A JWT; send it as `Authorization: Bearer <token>`.' }),
    'token-type': Type.Literal('Bearer'),
    'expires-in': Type.Integer({ description: 'Seconds. There is no refresh token: call again.' }),
  },
  {
    examples: [
      { 'access-token': 'eyJhbGciOiJFUzI1NiIsInR5cCI6IkpXVCJ9.e30.c2ln', 'token-type': 'Bearer', 'expires-in': 3600 },
    ],
  },
)

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
export function authenticateRoutes(app: App, context: Context, checkSecret: CheckSecret): void {
  app.route({
    method: 'POST',
    url: '/v1/authenticate',
    bodyLimit: credentialsBodyLimit,
    schema: {
      operationId: 'authenticate',
      tags: ['access'],
      summary: 'Get an access token',
      description:
        'For partners and operators alike: the token is for the API of its client. Wrong secrets for one client id from one address are ' +
        'refused with 429 from the eleventh in a minute on; a right secret always gets through. A partner’s right pairs are limited to ' +
        '20 a minute, unless configured otherwise. The body has at most 4 KiB.',
      body: Credentials,
      response: {
        200: AccessToken,
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
    handler: async (request, reply) => {
      const { 'client-id': clientId, 'client-secret': secret } = request.body
      const api = await checkSecret(clientId, secret, request.clientAddress)
      const limit = api === 'partner' ? await context.rateLimits?.take(clientId, 'authenticate') : undefined
      if (limit !== undefined) applyRateLimit(reply, limit)
      const { token, expiresInSeconds } = await context.tokens.issue(clientId, api)
      void reply.header('cache-control', 'no-store')
      return { 'access-token': token, 'token-type': 'Bearer' as const, 'expires-in': expiresInSeconds }
    },
  })
  app.route({
    method: 'GET',
    url: '/.well-known/jwks.json',
    schema: {
      operationId: 'readKeySet',
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
