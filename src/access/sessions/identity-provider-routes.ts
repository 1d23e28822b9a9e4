import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type App, type Context, requestOrigin } from '#platform/http/context.ts'
import { page } from '#platform/http/route.ts'
import { toApiError } from '#platform/core/database-errors.ts'
import {
  type IdentityProvider,
  openIdentityProvider,
  SignInError,
  type SignInTransaction,
} from './identity-provider.ts'
import { endIdentity, saveIdentity } from './provider-operators.ts'
import { cookieAttributes, readCookie, signInCookieName } from './cookie.ts'
import { insertCompletedSignIn } from './queries.ts'
import { originOf } from './same-origin.ts'
import { startSession } from './sessions.ts'

const transactionSeconds = 600
const transactionPurpose = 'identity-provider-sign-in'

/**
 * `/operator/v1/session/identity-provider` and `/operator/v1/session/callback`: the sign-in at an OpenID Connect provider, where one is
 * configured. A browser navigates to them, so `openapi.json` leaves them out, and an error leads back to the sign-in page of the console.
 */
export function identityProviderRoutes(app: App, context: Context): void {
  const provider = openIdentityProvider(context.config)
  if (provider === null) return
  const step = (url: string, handler: (request: FastifyRequest, reply: FastifyReply) => Promise<string>) =>
    page(app, url, async (request, reply) => {
      void reply.header('cache-control', 'no-store')
      const address = await handler(request, reply).catch((error: unknown) => signInPage(context, error))
      return reply.redirect(address, 303)
    })
  step('/operator/v1/session/identity-provider', (request, reply) => begin(context, provider, request, reply))
  step('/operator/v1/session/callback', (request, reply) => complete(context, provider, request, reply))
}

/** The address of the sign-in page for an error. Logs it. */
function signInPage({ config, log }: Context, error: unknown): string {
  const { code } = error instanceof SignInError ? error : toApiError(error, log)
  const cause = ((error as Error).cause ?? {}) as Partial<Record<'name' | 'code' | 'error', string>>
  // `error` is a code of OAuth, such as `invalid_client`; a callback may have any text there.
  const reason = [cause.error, cause.code, cause.name].find((text) => text !== undefined && /^\w{1,60}$/.test(text))
  log.warn({ code, reason }, 'a sign-in at the identity provider failed')
  return `${config.publicUrl ?? ''}/console/sign-in?error=${code}`
}

/** The address that the provider sends the browser back to; without a public URL at the host of this request: the provider accepts only a registered one. */
function callbackOf({ config }: Context, request: FastifyRequest): string {
  return `${originOf(request, config)}/operator/v1/session/callback`
}

interface StoredTransaction extends SignInTransaction {
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}

async function begin(
  context: Context,
  provider: IdentityProvider,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<string> {
  const { config, cipher } = context
  const { url, transaction } = await provider.begin(callbackOf(context, request))
  const stored: StoredTransaction = { ...transaction, expiresAt: Date.now() + transactionSeconds * 1_000 }
  const value = cipher.encrypt(transactionPurpose, Buffer.from(JSON.stringify(stored))).toString('base64url')
  // Lax: the navigation back comes from the site of the provider.
  reply.setCookie(signInCookieName(config), value, {
    ...cookieAttributes(config, 'lax'),
    maxAge: transactionSeconds,
  })
  return url
}

async function complete(
  context: Context,
  provider: IdentityProvider,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<string> {
  const { config } = context
  const transaction = readTransaction(context, request)
  reply.clearCookie(signInCookieName(config), cookieAttributes(config, 'lax'))
  const query = (request.raw.url ?? '').split('?', 2)[1] ?? ''
  // Also after a sign-in that was begun later in another window of the browser.
  if (transaction === null || new URLSearchParams(query).get('state') !== transaction.state) {
    throw new SignInError('sign-in-expired')
  }
  // The browser may keep the cookie: the state counts once.
  const stateHash = createHash('sha256').update(transaction.state).digest()
  const isFirst = await insertCompletedSignIn(context.database, stateHash, new Date(transaction.expiresAt))
  if (!isFirst) throw new SignInError('sign-in-expired')
  const identity = await provider.complete(new URL(`${callbackOf(context, request)}?${query}`), transaction)
  const { role } = identity
  if (role === null) {
    await endIdentity(context, requestOrigin(request), identity)
    throw new SignInError('sign-in-without-role')
  }
  const clientId = await saveIdentity(context, requestOrigin(request), { ...identity, role })
  await startSession(context, request, reply, { clientId, api: 'operator', signedInWith: 'identity-provider' })
  return `${config.publicUrl ?? ''}/console/`
}

/** null when there is none, or when it is too old. */
function readTransaction({ config, cipher }: Context, request: FastifyRequest): StoredTransaction | null {
  const value = readCookie(request, signInCookieName(config))
  if (value === undefined) return null
  try {
    const text = cipher.decrypt(transactionPurpose, Buffer.from(value, 'base64url')).toString()
    const stored = JSON.parse(text) as StoredTransaction
    return stored.expiresAt > Date.now() ? stored : null
  } catch {
    return null
  }
}
