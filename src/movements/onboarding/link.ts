import { timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { type Failures, tooManyAttempts } from '#access/auth/failures.ts'
import { makeSecret } from '#access/clients/secrets.ts'
import { ApiError, invalidCredentials } from '#platform/core/errors.ts'
import { type Tx, write } from '#platform/core/write.ts'
import { MAX_ATTEMPTS } from '../rules/onboarding.ts'
import { type Context, requestOrigin } from '#platform/http/context.ts'
import { refuseCrossSite } from '#access/sessions/same-origin.ts'
import { hashOf, requireOnboarding } from './invitations.ts'
import { findByToken, type Invitation, lockInvitation } from './queries.ts'
import { countAttempt, openInvitation } from './rows.ts'

/* Who has a link: the page sends its token in a header, which no log and no trace has, and for the second factor it gets a session. */

const tokenHeader = 'onboarding-token'
const sessionHeader = 'onboarding-session'

const sessionMs = 2 * 60 * 60 * 1_000
const secretPattern = /^[A-Za-z0-9_-]{43}$/

/** 32 random bytes of a header; null where it has none. */
function secretOf(request: FastifyRequest, name: string): string | null {
  const value = request.headers[name]
  return typeof value === 'string' && secretPattern.test(value) ? value : null
}

/** What ends a link for its employee; null: it works. */
function refusalOf(invitation: Invitation | null): ApiError | null {
  if (invitation === null || invitation.isOver) return new ApiError('link-expired')
  const { status, attempts } = invitation
  switch (status) {
    case 'approved':
    case 'expired':
    case 'revoked':
      return new ApiError('link-expired')
    case 'sent':
    case 'opened':
    case 'submitted':
    case 'returned':
    case 'blocked':
      return attempts >= MAX_ATTEMPTS ? new ApiError('link-blocked') : null
    default:
      return status satisfies never
  }
}

/** @throws ApiError unless the session is that of the invitation, and open. */
function requireSession(
  invitation: Invitation | null,
  session: string | null,
): asserts invitation is Invitation & { sessionHash: string } {
  const refusal = refusalOf(invitation)
  if (refusal !== null) throw refusal
  const { sessionHash = null, isSessionOpen = false } = invitation ?? {}
  const isRight =
    sessionHash !== null && session !== null && timingSafeEqual(hashOf(session), Buffer.from(sessionHash, 'hex'))
  if (!isRight || !isSessionOpen) throw invalidCredentials('session-ended')
}

/** Before a call of the page is read. @throws ApiError 403 from another site, 404 while the setting is off. */
export async function refusePublicCall(context: Context, request: FastifyRequest): Promise<void> {
  requireOnboarding(context)
  refuseCrossSite(request, context.config)
}

/** The invitation of a call of the page. @throws ApiError 401, 403, 404, 410, 429. */
export async function openLink(context: Context, request: FastifyRequest): Promise<Invitation> {
  await refusePublicCall(context, request)
  const token = secretOf(request, tokenHeader)
  const invitation = token === null ? null : await findByToken(context.database, hashOf(token))
  requireSession(invitation, secretOf(request, sessionHeader))
  request.databaseClient.id = invitation.id
  // A link has the calls of a client's writes.
  const result = await context.rateLimits?.take(`onboarding ${invitation.id}`, 'writes')
  if (result?.ok === false) throw tooManyAttempts(result.resetSeconds)
  return invitation
}

/** Writes in the name of the employee, who is no client: with the invitation locked and its session checked again. */
export async function writeAsEmployee<T>(
  context: Context,
  request: FastifyRequest,
  opened: Invitation,
  work: (tx: Tx, invitation: Invitation) => Promise<T>,
): Promise<T> {
  const service = { kind: 'service', origin: requestOrigin(request) } as const
  const lock = (tx: Tx) => lockInvitation(tx, opened)
  return write(context, service, { may: 'service', lock }, async (tx, invitation) => {
    requireSession(invitation, secretOf(request, sessionHeader))
    return work(tx, invitation)
  })
}

interface SecondFactor {
  readonly 'tax-id-ending': string
  readonly 'date-of-birth': string
}

/**
 * Checks the second factor of a link. Five wrong ones since the last right one block it; the row is locked, so that concurrent calls are counted
 * one by one.
 * @returns the session.
 * @throws ApiError 401, 403, 404, 410; 429 for an address or a link that failed too often.
 */
export async function startLinkSession(
  context: Context,
  request: FastifyRequest,
  failures: Failures,
  factor: SecondFactor,
): Promise<{ readonly session: string; readonly 'expires-at': string }> {
  await refusePublicCall(context, request)
  const { clientAddress: address } = request
  const waitSeconds = failures.waitOf(address)
  if (waitSeconds !== null) throw tooManyAttempts(waitSeconds)
  const token = secretOf(request, tokenHeader)
  const found = token === null ? null : await findByToken(context.database, hashOf(token))
  const outcome = found === null ? new ApiError('link-expired') : await checkFactor(context, request, found, factor)
  if (!(outcome instanceof ApiError)) return outcome
  const bucket = failures.bucketOf(`onboarding ${found?.id ?? ''}`, address)
  throw await failures.count({ bucket, address, blockedForSeconds: null, error: outcome })
}

async function checkFactor(
  context: Context,
  request: FastifyRequest,
  found: Invitation,
  factor: SecondFactor,
): Promise<ApiError | { readonly session: string; readonly 'expires-at': string }> {
  const service = { kind: 'service', origin: requestOrigin(request) } as const
  const lock = (tx: Tx) => lockInvitation(tx, found)
  return write(context, service, { may: 'service', lock }, async (tx, invitation) => {
    const refusal = refusalOf(invitation)
    if (refusal !== null || invitation === null) return refusal ?? new ApiError('link-expired')
    const { companyId, id } = invitation
    const audit = (action: 'onboarding.opened' | 'onboarding.denied' | 'onboarding.blocked') =>
      tx.audit({ action, target: id, companyId })
    if (!isRight(invitation, factor)) {
      audit('onboarding.denied')
      const status = await countAttempt(tx, invitation, tx.at())
      if (status === 'blocked') audit('onboarding.blocked')
      const left = MAX_ATTEMPTS - invitation.attempts - 1
      return left === 0
        ? new ApiError('link-blocked')
        : invalidCredentials('wrong-second-factor', { 'attempts-left': left })
    }
    const session = makeSecret()
    const expiresAt = new Date(tx.at().getTime() + sessionMs)
    await openInvitation(tx, invitation, { hash: hashOf(session), expiresAt }, tx.at())
    audit('onboarding.opened')
    return { session, 'expires-at': expiresAt.toISOString() }
  })
}

/** In constant time, both parts at once. */
function isRight({ taxId, dateOfBirth }: Invitation, factor: SecondFactor): boolean {
  const sent = `${factor['tax-id-ending']} ${factor['date-of-birth']}`
  return timingSafeEqual(hashOf(sent), hashOf(`${taxId.slice(-5)} ${dateOfBirth}`))
}
