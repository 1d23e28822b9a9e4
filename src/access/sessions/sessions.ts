import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { v7 as uuidv7 } from 'uuid'
import { signInNetwork } from '../auth/failures.ts'
import { write } from '#platform/core/write.ts'
import { ROLES } from '#kernel/enums.ts'
import type { Api } from '#platform/http/caller.ts'
import { type Context, requestOrigin } from '#platform/http/context.ts'
import { invalidCredentials } from '#platform/core/errors.ts'
import { makeSecret } from '../clients/secrets.ts'
import { readCookie, sessionCookieName, setSessionCookie } from './cookie.ts'
import {
  deleteSessionOf,
  findSession,
  insertSession,
  type NewSession,
  type SignInMethod,
  writeLastSignIn,
  writeLastUse,
} from './queries.ts'

export interface SignedIn {
  readonly clientId: string
  readonly api: Api
  readonly signedInWith: SignInMethod
}

/** Without a key: 32 random bytes cannot be guessed. */
const hashOf = (token: string) => createHash('sha256').update(token).digest()

/**
 * Starts a session of an operator or a person and sets its cookie. The value is always a new one; the session of the request's cookie ends, whose ever
 * it is.
 * @returns the id of the session.
 * @throws ApiError 401 when the client was removed.
 */
export async function startSession(
  { config, database, failureKey }: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  { clientId, api, signedInWith }: SignedIn,
): Promise<string> {
  const token = makeSecret()
  const { sessionHours: hours } = config
  const session: NewSession = { id: uuidv7(), tokenHash: hashOf(token), clientId, signedInWith, hours }
  const network = signInNetwork(failureKey, clientId, request.clientAddress)
  const earlier = readCookie(request, sessionCookieName(config))
  const actor = { kind: api, clientId, origin: requestOrigin(request) } as const
  await write({ database }, actor, { may: api === 'operator' ? ROLES : 'partner' }, async (sql) => {
    const ended = earlier === undefined ? null : await deleteSessionOf(sql, hashOf(earlier))
    await insertSession(sql, session)
    await writeLastSignIn(sql, clientId, network)
    if (ended !== null) {
      const former = { ...actor, kind: ended.api, clientId: ended.clientId }
      sql.as(former).audit({ action: 'session.ended', target: ended.id, companyId: null })
    }
    sql.audit({ action: 'session.created', target: session.id, companyId: null })
  })
  setSessionCookie(reply, config, token)
  return session.id
}

/**
 * The session with this value of the cookie; its use delays its end, but not a request that a page makes by itself. @throws ApiError 401 when it is unknown, expired or was
 * ended.
 */
export async function resumeSession(
  { config, database }: Context,
  token: string,
  { isBackground }: { readonly isBackground: boolean },
): Promise<{ readonly sessionId: string; readonly clientId: string; readonly api: Api }> {
  const session = await findSession(database, hashOf(token), config.sessionIdleMinutes)
  if (session === null) throw invalidCredentials('session-ended')
  if (session.isUseDue && !isBackground) await writeLastUse(database, session.id)
  return { sessionId: session.id, clientId: session.clientId, api: session.api }
}
