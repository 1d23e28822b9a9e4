import { createHash, randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { Type } from 'typebox'
import { ApiError, invalidCredentials } from '../platform/errors.ts'
import type { App, Context } from '../http/context.ts'
import { errorResponses } from '../http/schemas.ts'
import { countFailure, readCredentials } from './client-queries.ts'
import { applyRateLimit, type RateLimitResult } from '../http/limits/rate-limit.ts'
import type { Api } from '../http/caller.ts'

const Credentials = Type.Object(
  {
    'client-id': Type.String({ minLength: 1 }),
    'client-secret': Type.String({ minLength: 1 }),
  },
  {
    additionalProperties: false,
    examples: [
      {
        'client-id': '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21',
        'client-secret': 'q3Jv0Z8mT1sYw5nB7kRxLdE2uHfGcPaVoI9yQ4tWzXM',
      },
    ],
  },
)

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

/** Small, since no token is needed to send it. */
const credentialsBodyLimit = 4 * 1024

/** `POST /v1/authenticate`, for clients of both APIs, and the keys that verify what it issues. */
export async function authenticateRoutes(app: App, context: Context): Promise<void> {
  const authenticate = openAuthentication(context)
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
      const { api, limit } = await authenticate(clientId, secret, request.clientAddress)
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

/**
 * Resolves with the API of the client; throws 401 for a wrong secret, 429 for a client id and address that failed too often. The secret
 * is verified first: a right one passes however many wrong ones were sent, and only right ones count against the client's limit.
 */
function openAuthentication({ database, rateLimits, secrets }: Context) {
  const delayFailure = failureDelay()
  return async (
    clientId: string,
    secret: string,
    address: string,
  ): Promise<{ api: Api; limit?: RateLimitResult | undefined }> => {
    const bucket = failureBucket(clientId, address)
    const { api, isRevoked, hashes, blockedForSeconds } = await readCredentials(database, clientId, bucket)
    const isRight = await secrets.verify(clientId, hashes, secret)
    const isActive = isRight && !isRevoked
    if (isActive && api === 'operator') return { api }
    if (isActive && api !== null) {
      return { api, limit: await rateLimits?.take(clientId, 'authenticate') }
    }
    const waitSeconds = blockedForSeconds ?? (await countFailure(database, bucket))
    await delayFailure(address)
    if (waitSeconds === null) throw invalidCredentials(isRight ? 'client-revoked' : 'wrong-secret')
    throw new ApiError('too-many-attempts', {}, { headers: { 'retry-after': String(waitSeconds) } })
  }
}

const promptFailures = 50
const failureDelayMs = { min: 250, max: 1_000 }
const windowMs = 60_000
const maxAddresses = 10_000

/**
 * Delays the response to a wrong secret when its address had many of them in the last minute, so that a flood of guesses does not take
 * the processor from other clients. The delay is random: many connections do not return at the same moment. A right secret is never
 * delayed.
 */
function failureDelay(): (address: string) => Promise<void> {
  let failures = new Map<string, number>()
  let since = Date.now()
  return async (address) => {
    if (Date.now() - since > windowMs || failures.size > maxAddresses) {
      failures = new Map()
      since = Date.now()
    }
    const count = (failures.get(address) ?? 0) + 1
    failures.set(address, count)
    if (count > promptFailures) await pause(randomInt(failureDelayMs.min, failureDelayMs.max))
  }
}

/** One of 2^20 counters of failures, so that their number is bounded. */
function failureBucket(clientId: string, address: string): number {
  const digest = createHash('sha256')
    .update(JSON.stringify([clientId, address]))
    .digest()
  return digest.readUInt32BE() >>> 12
}
