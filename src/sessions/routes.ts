import { route } from '../http/route.ts'
import { json } from '../http/bodies.ts'
import { Type } from 'typebox'
import { write } from '../core/write.ts'
import { ROLES } from '../domain/enums.ts'
import { type App, callerOf, type Context } from '../http/context.ts'
import { sendJson } from '../http/json-response.ts'
import { errorResponses, Named, Nullable, OneOf, Text, Timestamp } from '../http/schemas.ts'
import { ApiError, invalidCredentials } from '../core/errors.ts'
import { type CheckSecret, Credentials, credentialsBodyLimit } from '../auth/check-secret.ts'
import { refuseCrossSite } from './same-origin.ts'
import { clearSessionCookie } from './cookie.ts'
import { deleteSession, readSessionItem, SIGN_IN_METHODS } from './queries.ts'
import { startSession } from './sessions.ts'

const Session = Named(
  'Session',
  Type.Object({
    'client-id': Type.String(),
    name: Text,
    role: OneOf(ROLES),
    'created-at': Timestamp,
    'idle-expires-at': Type.String({
      ...Timestamp,
      description: 'When the session expires without a further call. Each call delays it, to the minute.',
    }),
    'expires-at': Type.String({ ...Timestamp, description: 'When the session expires, whatever its use.' }),
    'signed-in-with': OneOf(SIGN_IN_METHODS),
  }),
)

const SessionResponse = Type.Object(
  { result: Session },
  {
    description: 'The session.',
    examples: [
      {
        result: {
          'client-id': '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21',
          name: 'Movements desk',
          role: 'analyst',
          'created-at': '2026-11-21T13:05:09.120Z',
          'idle-expires-at': '2026-11-21T13:35:09.120Z',
          'expires-at': '2026-11-22T01:05:09.120Z',
          'signed-in-with': 'secret',
        },
      },
    ],
  },
)

const SignInOptions = Type.Object(
  {
    result: Type.Object({
      environment: OneOf(['staging', 'production']),
      'identity-provider': Nullable(
        Type.Object({ name: Type.String({ description: 'For the button that leads to it.' }) }),
      ),
    }),
  },
  {
    examples: [{ result: { environment: 'production', 'identity-provider': { name: 'Aurora Single Sign-On' } } }],
  },
)

const allRoles = ['analyst', 'finance', 'auditor'] as const

/** `/operator/v1/session`: sign-in and sign-out of an operator in a browser. */
export function sessionRoutes(app: App, context: Context, checkSecret: CheckSecret): void {
  const { config, database } = context
  const { environment, oidcIssuer, oidcName } = config
  const identityProvider = oidcIssuer === null ? null : { name: oidcName ?? new URL(oidcIssuer).hostname }
  /** Of a call that was made with the cookie. */
  const sessionItem = async (sessionId: string | undefined) => {
    if (sessionId === undefined) throw new ApiError('session-not-found')
    const item = await readSessionItem(database, sessionId, config.sessionIdleMinutes)
    // It was ended meanwhile.
    if (item === null) throw invalidCredentials('session-ended')
    return `{"result":${item}}`
  }
  route(app, {
    method: 'POST',
    url: '/operator/v1/session',
    schema: {
      operationId: 'createSession',
      'x-sdk': 'session.create',
      tags: ['operator'],
      summary: 'Sign in with a browser',
      description:
        'For operators only. Sets a cookie that authenticates the operator API in place of a token: `HttpOnly`, `SameSite=Strict`, and over ' +
        'https `Secure`, with the prefix `__Host-`. Calls with the cookie are accepted only from pages of the service itself. A session that ' +
        'the browser had ends. Wrong secrets are limited as those of `POST /v1/authenticate`. The body has at most 4 KiB.',
      response: {
        200: SessionResponse,
        ...errorResponses(
          'wrong-secret',
          'wrong-api',
          'client-revoked',
          'cross-site-request',
          'too-many-attempts',
          'unavailable',
          'too-many-calls',
        ),
      },
    },
    body: json(Credentials, { limit: credentialsBodyLimit }),
    handler: async (request, reply) => {
      refuseCrossSite(request, config)
      const { 'client-id': clientId, 'client-secret': secret } = request.body
      const api = await checkSecret(clientId, secret, request.clientAddress)
      if (api !== 'operator') throw invalidCredentials('wrong-api')
      const id = await startSession(context, request, reply, { clientId, signedInWith: 'secret' })
      void reply.header('cache-control', 'no-store')
      return sendJson(reply, await sessionItem(id))
    },
  })
  route(app, {
    method: 'GET',
    url: '/operator/v1/session',
    api: 'operator',
    roles: allRoles,
    schema: {
      operationId: 'readSession',
      'x-sdk': 'session.read',
      summary: 'The session of the caller',
      description: 'The operator, and when the session expires. 404 for a call with a token, which has no session.',
      response: { 200: SessionResponse, ...errorResponses('session-not-found') },
    },
    handler: async (request, reply) => sendJson(reply, await sessionItem(request.sessionId ?? undefined)),
  })
  route(app, {
    method: 'DELETE',
    url: '/operator/v1/session',
    api: 'operator',
    roles: allRoles,
    schema: {
      operationId: 'endSession',
      summary: 'Sign out',
      description: 'Ends the session of the caller at once, and clears its cookie. 404 for a call with a token.',
      response: { 204: Type.Null({ description: 'Ended.' }), ...errorResponses('session-not-found') },
    },
    handler: async (request, reply) => {
      const { sessionId } = request
      if (sessionId === null) throw new ApiError('session-not-found')
      await write(context, callerOf(request), { may: allRoles }, async (sql) => {
        if (!(await deleteSession(sql, sessionId))) throw invalidCredentials('session-ended')
        sql.audit({ action: 'session.ended', target: sessionId, companyId: null })
      })
      clearSessionCookie(reply, config)
      return reply.status(204).send(null)
    },
  })
  route(app, {
    method: 'GET',
    url: '/operator/v1/session/options',
    schema: {
      operationId: 'readSignInOptions',
      'x-sdk': 'session.options',
      tags: ['operator'],
      summary: 'How operators may sign in',
      description:
        'The environment, and the identity provider where one is configured: a browser signs in there by a navigation to ' +
        '`/operator/v1/session/identity-provider`.',
      response: { 200: SignInOptions },
    },
    handler: async (_request, reply) => {
      void reply.header('cache-control', 'no-store')
      return { result: { environment, 'identity-provider': identityProvider } }
    },
  })
}
