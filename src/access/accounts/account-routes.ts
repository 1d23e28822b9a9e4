import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { type CheckPassword, NewPassword } from '../auth/check-password.ts'
import { credentialsBodyLimit } from '../auth/check-secret.ts'
import { ApiError, invalidBody } from '#platform/core/errors.ts'
import { json } from '#platform/http/bodies.ts'
import { type App, callerOf, type Context } from '#platform/http/context.ts'
import { sendJson } from '#platform/http/json-response.ts'
import { route } from '#platform/http/route.ts'
import { Closed, errorResponses, Name } from '#platform/http/schemas.ts'
import { makeChallenge } from '../passkeys/challenges.ts'
import { creationOptions, CredentialJson, credentialExample, OptionsResponse } from '../passkeys/credentials.ts'
import { listCredentials } from '../passkeys/queries.ts'
import { type RelyingParty, relyingPartyOf } from '../sessions/relying-party.ts'
import { addPasskey, changePassword, endOtherSessions, type OwnCall, removePasskey } from './account.ts'
import { findPerson, readAccount } from './queries.ts'
import { AccountResponse, CurrentPassword, PasskeyPath, PasskeyResponse } from './account-schema.ts'

const url = '/operator/v1/account'
const own = { api: 'operator', roles: ['analyst', 'finance', 'auditor'], isOfSession: true } as const
/** A credential has the keys twice, and RSA has long ones. */
const credentialBodyLimit = 16 * 1024

/** `/operator/v1/account`: the own account of whoever is signed in, also of the people of companies. */
export function accountRoutes(app: App, context: Context, checkPassword: CheckPassword): void {
  /** The person of the call, who sent the own password. @throws ApiError 400 for another one, 404 for a caller who is no person. */
  const confirmed = async (request: FastifyRequest, password: string) => {
    const person = await findPerson(context.database, callerOf(request).clientId)
    if (person === null) throw new ApiError('person-not-found')
    await checkPassword(person.email, password, request.clientAddress).catch((error: unknown) => {
      // 401 would say that the session has ended.
      if (!(error instanceof ApiError) || error.code !== 'wrong-password') throw error
      throw invalidBody([{ field: 'current-password', code: 'wrong-password' }])
    })
    return person
  }
  readRoute(app, context)
  passwordRoute(app, context, confirmed)
  sessionsRoute(app, context)
  optionsRoute(app, context, confirmed)
  passkeyRoutes(app, context)
}

type Confirmed = (
  request: FastifyRequest,
  password: string,
) => Promise<{ readonly id: string; readonly name: string; readonly email: string }>

const callOf = (request: FastifyRequest): OwnCall => ({ actor: callerOf(request), sessionId: request.sessionId })

function readRoute(app: App, context: Context): void {
  route(app, {
    method: 'GET',
    url,
    ...own,
    schema: {
      operationId: 'readAccount',
      'x-sdk': 'account.read',
      summary: 'The own account',
      description:
        'Of whoever is signed in: a person, or an operator without an e-mail address. With the passkeys and the sessions.',
      response: { 200: AccountResponse },
    },
    handler: async (request, reply) => {
      return sendJson(reply, await ownAccount(context, request))
    },
  })
}

async function ownAccount({ database, config }: Context, request: FastifyRequest): Promise<string> {
  const { clientId } = callerOf(request)
  return `{"result":${await readAccount(database, clientId, request.sessionId, config.sessionIdleMinutes)}}`
}

function passwordRoute(app: App, context: Context, confirmed: Confirmed): void {
  route(app, {
    method: 'PUT',
    url: `${url}/password`,
    ...own,
    schema: {
      operationId: 'changePassword',
      'x-sdk': 'account.changePassword',
      summary: 'Change the own password',
      description:
        'Ends the sessions in other browsers. Wrong passwords are limited as those of the sign-in. The body has at most 4 KiB.',
      response: {
        200: AccountResponse,
        ...errorResponses('person-not-found', 'too-many-attempts'),
      },
    },
    body: json(
      Closed(
        { 'current-password': CurrentPassword, password: NewPassword },
        { examples: [{ 'current-password': 'quatro palavras bem longas', password: 'outras palavras bem longas' }] },
      ),
      { limit: credentialsBodyLimit },
    ),
    handler: async (request, reply) => {
      await confirmed(request, request.body['current-password'])
      await changePassword(context, callOf(request), request.body.password)
      return sendJson(reply, await ownAccount(context, request))
    },
  })
}

function sessionsRoute(app: App, context: Context): void {
  route(app, {
    method: 'DELETE',
    url: `${url}/session`,
    ...own,
    schema: {
      operationId: 'endOtherSessions',
      'x-sdk': 'account.endOtherSessions',
      summary: 'Sign out in other browsers',
      description: 'Ends the sessions of the caller but the one of the call.',
      response: { 204: Type.Null({ description: 'Ended.' }) },
    },
    handler: async (request, reply) => {
      await endOtherSessions(context, callOf(request))
      return reply.status(204).send(null)
    },
  })
}

/** @throws ApiError 409 where browsers have no passkeys for the address. */
function partyOf(request: FastifyRequest, { config }: Context): RelyingParty {
  const party = relyingPartyOf(request, config)
  if (party === null) throw new ApiError('passkeys-unavailable')
  return party
}

function optionsRoute(app: App, context: Context, confirmed: Confirmed): void {
  route(app, {
    method: 'POST',
    url: `${url}/passkey/options`,
    ...own,
    schema: {
      operationId: 'readNewPasskeyOptions',
      'x-sdk': 'account.passkeyOptions',
      summary: 'Begin a new passkey',
      description:
        'What a browser needs for `navigator.credentials.create`. Asks for the password again: a stolen session makes no passkey. The ' +
        'body has at most 4 KiB.',
      response: {
        200: OptionsResponse,
        ...errorResponses('person-not-found', 'passkeys-unavailable', 'too-many-attempts'),
      },
    },
    body: json(
      Closed(
        { 'current-password': CurrentPassword },
        { examples: [{ 'current-password': 'quatro palavras bem longas' }] },
      ),
      { limit: credentialsBodyLimit },
    ),
    handler: async (request, reply) => {
      const party = partyOf(request, context)
      const person = await confirmed(request, request.body['current-password'])
      const challenge = await makeChallenge(context, `registration ${person.id}`)
      const existing = await listCredentials(context.database, person.id)
      void reply.header('cache-control', 'no-store')
      return { result: { ...creationOptions(party, challenge, person, existing) } }
    },
  })
}

function passkeyRoutes(app: App, context: Context): void {
  route(app, {
    method: 'POST',
    url: `${url}/passkey`,
    ...own,
    schema: {
      operationId: 'createPasskey',
      'x-sdk': 'account.addPasskey',
      summary: 'Add a passkey',
      description: 'With what the browser made of the options. A person has at most 20. The body has at most 16 KiB.',
      response: { 200: PasskeyResponse, ...errorResponses('passkeys-unavailable', 'too-many-passkeys') },
    },
    body: json(
      Closed(
        { name: Name, credential: CredentialJson },
        { examples: [{ name: 'Notebook', credential: credentialExample }] },
      ),
      { limit: credentialBodyLimit },
    ),
    handler: async (request, reply) =>
      sendJson(reply, await addPasskey(context, callerOf(request), partyOf(request, context), request.body)),
  })
  route(app, {
    method: 'DELETE',
    url: `${url}/passkey/:passkeyId`,
    ...own,
    schema: {
      operationId: 'deletePasskey',
      'x-sdk': 'account.removePasskey',
      summary: 'Remove a passkey',
      description: 'It signs in no more. Sessions that it started stay.',
      params: PasskeyPath,
      response: { 204: Type.Null({ description: 'Removed.' }), ...errorResponses('passkey-not-found') },
    },
    handler: async (request, reply) => {
      await removePasskey(context, callerOf(request), request.params.passkeyId)
      return reply.status(204).send(null)
    },
  })
}
