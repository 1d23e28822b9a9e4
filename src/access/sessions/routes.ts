import { route } from '#platform/http/route.ts'
import { type Body, json } from '#platform/http/bodies.ts'
import { type Static, Type } from 'typebox'
import { write } from '#platform/core/write.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { sendJson } from '#platform/http/json-response.ts'
import { errorResponses, Nullable, OneOf } from '#platform/http/schemas.ts'
import { ApiError, invalidCredentials } from '#platform/core/errors.ts'
import { type CheckPassword, passwordExample, PasswordCredentials } from '../auth/check-password.ts'
import { type CheckSecret, Credentials, credentialsBodyLimit, secretExample } from '../auth/check-secret.ts'
import { isObject } from '#kernel/fields.ts'
import { refuseCrossSite } from './same-origin.ts'
import { clearSessionCookie } from './cookie.ts'
import { deleteSession } from './queries.ts'
import { relyingPartyOf } from './relying-party.ts'
import { readSessionBody, sendNewSession, SessionResponse } from './session-response.ts'
import type { SignedIn } from './sessions.ts'

const SignInOptions = Type.Object({
  result: Type.Object({
    environment: OneOf(['staging', 'production']),
    passkeys: Type.Boolean({
      description: 'Whether browsers have passkeys for the address: https with a host name, or `localhost`.',
    }),
    'identity-provider': Nullable(
      Type.Object({ name: Type.String({ description: 'For the button that leads to it.' }) }),
    ),
  }),
})

const allRoles = ['analyst', 'finance', 'auditor'] as const

type SignIn = Static<typeof Credentials> | Static<typeof PasswordCredentials>

const [secretBody, passwordBody] = [json(Credentials), json(PasswordCredentials)]

/** The credentials of a person or of an operator with a secret: the errors are those of the one that was meant. */
const signInBody: Body<SignIn> = {
  schema: Type.Union([Credentials, PasswordCredentials], { examples: [secretExample, passwordExample] }),
  limit: credentialsBodyLimit,
  validate: (data) => (isObject(data) && 'email' in data ? passwordBody : secretBody).validate(data),
}

interface Checks {
  readonly checkSecret: CheckSecret
  readonly checkPassword: CheckPassword
}

/** `/operator/v1/session`: sign-in and sign-out in a browser. */
export function sessionRoutes(app: App, context: Context, checks: Checks): void {
  signInRoute(app, context, checks)
  readRoute(app, context)
  signOutRoute(app, context)
  optionsRoute(app, context)
}

function signInRoute(app: App, context: Context, { checkSecret, checkPassword }: Checks): void {
  const signedIn = async (body: SignIn, address: string): Promise<SignedIn> => {
    if ('email' in body) {
      return { ...(await checkPassword(body.email, body.password, address)), signedInWith: 'password' }
    }
    const { 'client-id': clientId, 'client-secret': secret } = body
    const api = await checkSecret(clientId, secret, address)
    if (api !== 'operator') throw invalidCredentials('wrong-api')
    return { clientId, api, signedInWith: 'secret' }
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
        'For people, by e-mail address and password, and for operators with a secret. Sets a cookie that authenticates the operator API in ' +
        'place of a token: `HttpOnly`, `SameSite=Strict`, and over https `Secure`, with the prefix `__Host-`. Calls with the cookie are accepted ' +
        'only from pages of the service itself. A session that the browser had ends. Wrong secrets are limited as those of ' +
        '`POST /v1/authenticate`; after the eleventh wrong password in a minute for one e-mail address from one address also a right one is ' +
        'refused until the minute is over. The body has at most 4 KiB.',
      response: {
        200: SessionResponse,
        ...errorResponses(
          'wrong-secret',
          'wrong-password',
          'wrong-api',
          'client-revoked',
          'cross-site-request',
          'too-many-attempts',
          'unavailable',
          'too-many-calls',
        ),
      },
    },
    body: signInBody,
    handler: async (request, reply) => {
      refuseCrossSite(request, context.config)
      return sendNewSession(context, request, reply, await signedIn(request.body, request.clientAddress))
    },
  })
}

function readRoute(app: App, context: Context): void {
  route(app, {
    method: 'GET',
    url: '/operator/v1/session',
    api: 'operator',
    roles: allRoles,
    isOfSession: true,
    schema: {
      operationId: 'readSession',
      'x-sdk': 'session.read',
      summary: 'The session of the caller',
      description: 'Who signed in, and when the session expires. 404 for a call with a token, which has no session.',
      response: { 200: SessionResponse, ...errorResponses('session-not-found') },
    },
    handler: async (request, reply) => {
      // A call with a token has none.
      if (request.sessionId === null) throw new ApiError('session-not-found')
      return sendJson(reply, await readSessionBody(context, request.sessionId))
    },
  })
}

function signOutRoute(app: App, context: Context): void {
  route(app, {
    method: 'DELETE',
    url: '/operator/v1/session',
    api: 'operator',
    roles: allRoles,
    isOfSession: true,
    schema: {
      operationId: 'endSession',
      summary: 'Sign out',
      description: 'Ends the session of the caller at once, and clears its cookie. 404 for a call with a token.',
      response: { 204: Type.Null({ description: 'Ended.' }), ...errorResponses('session-not-found') },
    },
    handler: async (request, reply) => {
      const { sessionId } = request
      if (sessionId === null) throw new ApiError('session-not-found')
      const caller = callerOf(request)
      await write(context, caller, { may: caller.kind === 'partner' ? 'partner' : allRoles }, async (sql) => {
        if (!(await deleteSession(sql, sessionId))) throw invalidCredentials('session-ended')
        sql.audit({ action: 'session.ended', target: sessionId, companyId: null })
      })
      clearSessionCookie(reply, context.config)
      return reply.status(204).send(null)
    },
  })
}

function optionsRoute(app: App, { config }: Context): void {
  const { environment, oidcIssuer, oidcName } = config
  const identityProvider = oidcIssuer === null ? null : { name: oidcName ?? new URL(oidcIssuer).hostname }
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
    handler: async (request, reply) => {
      void reply.header('cache-control', 'no-store')
      const passkeys = relyingPartyOf(request, config) !== null
      return { result: { environment, passkeys, 'identity-provider': identityProvider } }
    },
  })
}
