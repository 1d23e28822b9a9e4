import { createHash } from 'node:crypto'
import { Type } from 'typebox'
import { ApiError, invalidCredentials } from '../errors.ts'
import type { App, Service } from '../service.ts'
import { errorAnswers } from '../wire.ts'
import { openGate } from './gate.ts'
import { countFailure, forgetFailures, readCredentials } from './queries.ts'
import { type Permit, tellLimit, tooManyRequests } from './rate-limit.ts'
import type { Door } from './scope.ts'
import { verifyAgainst } from './secret.ts'

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

/** Anybody may send such a body. */
const credentialsBodyLimit = 4 * 1024

/** `POST /v1/authenticate`, for clients of both doors, and the keys that verify what it issues. */
export async function authenticateRoutes(app: App, service: Service): Promise<void> {
  const authenticate = openAuthentication(service)
  app.route({
    method: 'POST',
    url: '/v1/authenticate',
    bodyLimit: credentialsBodyLimit,
    schema: {
      operationId: 'authenticate',
      tags: ['access'],
      summary: 'Get an access token',
      description:
        'For partners and operators alike: the token opens the door of its client. Ten wrong pairs in a minute from one address, ' +
        'and that client id is refused from there with 429 until the minute is over, with the right secret too. A partner’s right ' +
        'pairs are limited to 20 a minute, unless configured otherwise. The body has at most 4 KiB.',
      body: Credentials,
      response: { 200: AccessToken, ...errorAnswers(400, 401, 413, 415, 429, 503) },
    },
    handler: async (request, reply) => {
      const { 'client-id': clientId, 'client-secret': secret } = request.body
      const { door, permit } = await authenticate(clientId, secret, request.ip)
      if (permit !== undefined) tellLimit(reply, permit)
      const { token, expiresInSeconds } = await service.tokens.issue(clientId, door)
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
      description: 'A JSON Web Key Set. A new key stands here before it signs; an old one as long as its tokens live.',
      response: { 200: KeySet, ...errorAnswers(503) },
    },
    handler: async (_request, reply) => {
      const { keys } = await service.tokens.jwks()
      void reply.header('cache-control', 'public, max-age=60')
      return { keys: keys as Record<string, unknown>[] }
    },
  })
}

/** Two of libuv's four threads hash at most: files and names keep the others, and parallel guesses take turns being counted. */
const hashingAtOnce = 2
const mostWaiting = 256
const forgetEvery = 100

type Authenticate = (
  clientId: string,
  secret: string,
  address: string,
) => Promise<{ door: Door; permit?: Permit | undefined }>

/**
 * The door of the client whose secret it is; throws 401, or 429 for a pair that guessed too often. Only right secrets count
 * against a client's limit: nobody else can use it up, and ids that nobody has are not remembered.
 */
function openAuthentication({ database, rateLimits }: Service): Authenticate {
  const gate = openGate(hashingAtOnce, mostWaiting)
  let failures = 0
  return async (clientId, secret, address) =>
    gate.pass(async () => {
      const pair = createHash('sha256')
        .update(JSON.stringify([clientId, address]))
        .digest('hex')
      const { door, hashes, blockedForSeconds } = await readCredentials(database, clientId, pair)
      if (blockedForSeconds !== null) {
        throw new ApiError(429, 'Too many attempts', {}, { 'retry-after': String(blockedForSeconds) })
      }
      const refusal = door === 'partner' ? rateLimits?.refusal(clientId, 'authenticate') : null
      if (refusal) throw tooManyRequests(refusal)
      const isRight = await verifyAgainst(hashes, secret)
      if (isRight && door === 'operator') return { door }
      if (isRight && door !== null) return { door, permit: await rateLimits?.take(clientId, 'authenticate') }
      await countFailure(database, pair)
      failures += 1
      if (failures % forgetEvery === 0) await forgetFailures(database)
      throw invalidCredentials()
    })
}
