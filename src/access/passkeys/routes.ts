import { credentialsBodyLimit } from '../auth/check-secret.ts'
import { ApiError } from '#platform/core/errors.ts'
import { json } from '#platform/http/bodies.ts'
import type { App, Context } from '#platform/http/context.ts'
import { route } from '#platform/http/route.ts'
import { Closed, errorResponses } from '#platform/http/schemas.ts'
import { relyingPartyOf } from '../sessions/relying-party.ts'
import { refuseCrossSite } from '../sessions/same-origin.ts'
import { sendNewSession, SessionResponse } from '../sessions/session-response.ts'
import { makeChallenge } from './challenges.ts'
import type { CheckPasskey } from './check-passkey.ts'
import { CredentialJson, credentialExample, OptionsResponse, requestOptions } from './credentials.ts'

/** `/operator/v1/session/passkey`: the sign-in with a passkey. */
export function passkeyRoutes(app: App, context: Context, checkPasskey: CheckPasskey): void {
  const { config } = context
  route(app, {
    method: 'POST',
    url: '/operator/v1/session/passkey/options',
    schema: {
      operationId: 'readPasskeyOptions',
      'x-sdk': 'session.passkeyOptions',
      tags: ['operator'],
      summary: 'Begin a sign-in with a passkey',
      description:
        'What a browser needs for `navigator.credentials.get`. 409 where browsers have no passkeys for the address of the service.',
      response: {
        200: OptionsResponse,
        ...errorResponses('passkeys-unavailable', 'cross-site-request', 'unavailable'),
      },
    },
    handler: async (request, reply) => {
      refuseCrossSite(request, config)
      const party = relyingPartyOf(request, config)
      if (party === null) throw new ApiError('passkeys-unavailable')
      void reply.header('cache-control', 'no-store')
      return { result: requestOptions(party, await makeChallenge(context, 'sign-in')) }
    },
  })
  route(app, {
    method: 'POST',
    url: '/operator/v1/session/passkey',
    schema: {
      operationId: 'createSessionByPasskey',
      'x-sdk': 'session.createByPasskey',
      tags: ['operator'],
      summary: 'Sign in with a passkey',
      description:
        'Sets the cookie of a session, as `POST /operator/v1/session`. The authenticator must have verified the person, by a PIN or a fingerprint. After ' +
        'the eleventh wrong passkey in a minute from one address the response is 429; a right one is always accepted. The body has at most 4 KiB.',
      response: {
        200: SessionResponse,
        ...errorResponses(
          'wrong-passkey',
          'client-revoked',
          'passkeys-unavailable',
          'cross-site-request',
          'too-many-attempts',
          'unavailable',
          'too-many-calls',
        ),
      },
    },
    body: json(Closed({ credential: CredentialJson }, { examples: [{ credential: credentialExample }] }), {
      limit: credentialsBodyLimit,
    }),
    handler: async (request, reply) => {
      refuseCrossSite(request, config)
      const party = relyingPartyOf(request, config)
      if (party === null) throw new ApiError('passkeys-unavailable')
      const person = await checkPasskey(party, request.body.credential, request.clientAddress)
      return sendNewSession(context, request, reply, { ...person, signedInWith: 'passkey' })
    },
  })
}
