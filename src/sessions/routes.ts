import { route } from '../http/route.ts'
import { type Body, json } from '../http/bodies.ts'
import { type Static, Type } from 'typebox'
import { write } from '../core/write.ts'
import { PERSON_ROLES } from '../domain/enums.ts'
import { type App, callerOf, type Context } from '../http/context.ts'
import { sendJson } from '../http/json-response.ts'
import { errorResponses, Named, Nullable, OneOf, Text, Timestamp } from '../http/schemas.ts'
import { ApiError, invalidCredentials } from '../core/errors.ts'
import { type CheckPassword, passwordExample, PasswordCredentials } from '../auth/check-password.ts'
import { type CheckSecret, Credentials, credentialsBodyLimit, secretExample } from '../auth/check-secret.ts'
import { isObject } from '../domain/field-types.ts'
import { refuseCrossSite } from './same-origin.ts'
import { clearSessionCookie } from './cookie.ts'
import { deleteSession, readSessionItem, SIGN_IN_METHODS } from './queries.ts'
import { type SignedIn, startSession } from './sessions.ts'

const Session = Named(
  'Session',
  Type.Object({
    'client-id': Type.String({ description: 'Of a person its `person-id`.' }),
    name: Text,
    role: OneOf(PERSON_ROLES),
    'created-at': Timestamp,
    'idle-expires-at': Type.String({
      ...Timestamp,
      description: 'When the session expires without a further call. Each call delays it, to the minute.',
    }),
    'expires-at': Type.String({ ...Timestamp, description: 'When the session expires, whatever its use.' }),
    'signed-in-with': OneOf(SIGN_IN_METHODS),
    'see-money': Type.Optional(
      Type.Boolean({ description: 'Of `company-hr`: whether the person sees the invoices of the companies.' }),
    ),
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

type SignIn = Static<typeof Credentials> | Static<typeof PasswordCredentials>

const [secretBody, passwordBody] = [json(Credentials), json(PasswordCredentials)]

/** The credentials of a person or of an operator with a secret: the errors are those of the one that was meant. */
const signInBody: Body<SignIn> = {
  schema: Type.Union([Credentials, PasswordCredentials], { examples: [secretExample, passwordExample] }),
  limit: credentialsBodyLimit,
  validate: (data) => (isObject(data) && 'email' in data ? passwordBody : secretBody).validate(data),
}

/** `/operator/v1/session`: sign-in and sign-out in a browser. */
export function sessionRoutes(
  app: App,
  context: Context,
  { checkSecret, checkPassword }: { readonly checkSecret: CheckSecret; readonly checkPassword: CheckPassword },
): void {
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
      refuseCrossSite(request, config)
      const id = await startSession(context, request, reply, await signedIn(request.body, request.clientAddress))
      void reply.header('cache-control', 'no-store')
      return sendJson(reply, await sessionItem(id))
    },
  })
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
    handler: async (request, reply) => sendJson(reply, await sessionItem(request.sessionId ?? undefined)),
  })
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
