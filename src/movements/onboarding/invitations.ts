import { createHash } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import { makeSecret } from '#access/clients/secrets.ts'
import { CHUNK_SIZE } from '#platform/core/chunk.ts'
import type { Actor, ClientActor } from '#platform/core/actor.ts'
import { ApiError, type Detail, invalidBody, notEntitled } from '#platform/core/errors.ts'
import { required } from '#platform/core/log.ts'
import { isMailOn, queueLinkMail } from '#platform/core/mails.ts'
import { type SaveResponse, type Tx, write } from '#platform/core/write.ts'
import * as types from '#kernel/field-types.ts'
import { KEPT_DAYS } from '../rules/onboarding.ts'
import { retentionDays } from '#kernel/retention-days.ts'
import type { Context } from '#platform/http/context.ts'
import { findInvitation, type Invitation, readDeletable, readExpired, readInvitation, readOffer } from './queries.ts'
import type { NewInvitationBody } from './schema.ts'
import { deleteInvitations, endInvitations, insertInvitation, type NewInvitation, returnInvitation } from './rows.ts'

const dayMs = 24 * 60 * 60 * 1_000

/** Without a key: 32 random bytes cannot be guessed. */
export const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()

/** @throws ApiError 404 while the setting is off. */
export function requireOnboarding({ config }: Pick<Context, 'config'>): void {
  if (!config.onboarding) throw new ApiError('onboarding-off')
}

/** The caller must be entitled to the company of an invitation. */
export const ofCompany = (companyId: string) =>
  ({ ids: [companyId], entitled: 'all', error: () => notEntitled('company') }) as const

/**
 * Invites an employee. The token follows `#` in the link, which browsers do not send: no log has it.
 * @param origin where browsers find the service.
 * @throws ApiError 400, 403; 409 when the person has an open invitation in the company.
 */
export async function invite(
  context: Context,
  actor: ClientActor,
  body: NewInvitationBody,
  { origin, saveResponse }: { readonly origin: string; readonly saveResponse: SaveResponse },
): Promise<object> {
  const offer = await readOffer(context.database, actor, body['company-tax-id'])
  if (offer === null) throw notEntitled('company')
  const { companyId } = offer
  const details = errorsOf(body, offer.products, context.today())
  const address = body.email === undefined ? null : (types.email.parse(body.email) ?? null)
  if (body.email !== undefined && address === null) details.push({ field: 'email', code: 'invalid' })
  else if (address !== null && !isMailOn(context.config)) details.push({ field: 'email', code: 'not-applicable' })
  if (details.length > 0) throw invalidBody(details)
  const token = makeSecret()
  return write(context, actor, { may: 'partner', companies: ofCompany(companyId), saveResponse }, async (tx) => {
    const row = rowOf(body, { id: uuidv7(), createdBy: actor.clientId, token, at: tx.at() })
    if (
      !(await insertInvitation(tx, companyId, row, {
        at: tx.at(),
        days: retentionDays(context.config.retention, 'draft'),
      }))
    )
      throw new ApiError('onboarding-invitation-exists')
    tx.audit({ action: 'onboarding.created', target: row.id, companyId })
    const link = `${origin}/onboarding#${token}`
    const { id: invitationId, expiresAt } = row
    const to = address === null ? null : { companyId, invitationId, address }
    const mailed = to !== null && (await queueLinkMail(context, tx, { kind: 'onboarding-link', to, link, expiresAt }))
    const response = { result: { 'invitation-id': row.id, link, 'expires-at': expiresAt.toISOString(), mailed } }
    tx.respond(response, [companyId])
    return response
  })
}

function errorsOf(
  body: NewInvitationBody,
  products: readonly { readonly id: string; readonly allowedStartOptions: readonly string[] }[],
  today: string,
): Detail[] {
  const details: Detail[] = []
  if (types.cpf.parse(body['tax-id']) == null) details.push({ field: 'tax-id', code: 'invalid' })
  if (types.date.parse(body['date-of-birth']) == null || body['date-of-birth'] > today) {
    details.push({ field: 'date-of-birth', code: 'invalid' })
  }
  const seen = new Set<string>()
  for (const [index, { 'product-id': id, 'start-option': option }] of body.products.entries()) {
    const product = products.find((product) => product.id === id)
    const field = `products[${index}].product-id`
    if (product === undefined) details.push({ field, code: 'unknown' })
    else if (!product.allowedStartOptions.includes(option)) {
      details.push({ field: `products[${index}].start-option`, code: 'not-applicable' })
    }
    if (seen.has(id)) details.push({ field, code: 'repeated' })
    seen.add(id)
    if (option === 'on-admission-date' && body['admission-date'] === undefined) {
      details.push({ field: 'admission-date', code: 'missing' })
    }
  }
  return details
}

function rowOf(
  body: NewInvitationBody,
  { id, createdBy, token, at }: { id: string; createdBy: string; token: string; at: Date },
): NewInvitation {
  return {
    id,
    createdBy,
    tokenHash: hashOf(token),
    name: body.name.trim(),
    taxId: types.cpf.parse(body['tax-id']) ?? '',
    dateOfBirth: body['date-of-birth'],
    admissionDate: body['admission-date'] ?? null,
    employeeId: body['employee-id']?.trim() ?? null,
    costCenter: body['cost-center']?.trim() ?? null,
    jobTitle: body['job-title']?.trim() ?? null,
    products: body.products,
    expiresAt: new Date(at.getTime() + (body['expires-in-days'] ?? KEPT_DAYS / 2) * dayMs),
  }
}

/** An invitation of one of the caller's companies. @throws ApiError 404. */
export async function requireInvitation(context: Context, actor: ClientActor, id: string): Promise<Invitation> {
  const invitation = await findInvitation(context.database, actor, id)
  if (invitation === null) throw new ApiError('onboarding-invitation-not-found')
  return invitation
}

/** Changes an invitation and responds with it. @param change whether it did. @throws ApiError 404, 409. */
async function change(
  context: Context,
  actor: ClientActor,
  id: string,
  saveResponse: SaveResponse,
  change: (tx: Tx, invitation: Invitation) => Promise<boolean>,
): Promise<string> {
  const invitation = await requireInvitation(context, actor, id)
  const companies = ofCompany(invitation.companyId)
  return write(context, actor, { may: 'partner', companies, saveResponse }, async (tx) => {
    if (!(await change(tx, invitation))) throw new ApiError('onboarding-status')
    const response = `{"result":${required(await readInvitation(tx, actor, id), 'invitation')}}`
    tx.respond(response, [invitation.companyId])
    return response
  })
}

/** Ends an invitation: its link works no more. @returns the response. @throws ApiError 404, 409. */
export async function revokeInvitation(
  context: Context,
  actor: ClientActor,
  id: string,
  saveResponse: SaveResponse,
): Promise<string> {
  return change(context, actor, id, saveResponse, async (tx, { companyId }) => {
    const ended = await endInvitations(tx, companyId, [id], 'revoked', tx.at())
    tx.audit(ended.map((target) => ({ action: 'onboarding.revoked', target, companyId })))
    return ended.length > 0
  })
}

/** Returns a submission to the employee. @returns the response. @throws ApiError 404, 409. */
export async function returnSubmission(
  context: Context,
  actor: ClientActor,
  id: string,
  { message, saveResponse }: { readonly message: string; readonly saveResponse: SaveResponse },
): Promise<string> {
  return change(context, actor, id, saveResponse, async (tx, invitation) => {
    tx.audit({ action: 'onboarding.returned', target: id, companyId: invitation.companyId })
    return returnInvitation(tx, invitation, message, tx.at())
  })
}

const clock: Actor = { kind: 'clock' }

/** Ends invitations whose time is over, and deletes those that came to nothing with all data of the person. */
export async function expireInvitations(context: Context, signal: AbortSignal): Promise<void> {
  await inCompanies(readExpired, 'onboarding.expired', (tx, companyId, ids) =>
    endInvitations(tx, companyId, ids, 'expired', tx.at()),
  )
  await inCompanies(readDeletable, 'onboarding.deleted', deleteInvitations)

  async function inCompanies(
    read: typeof readExpired,
    action: 'onboarding.expired' | 'onboarding.deleted',
    act: (tx: Tx, companyId: string, ids: readonly string[]) => Promise<readonly string[]>,
  ): Promise<void> {
    while (!signal.aborted) {
      const rows = await read(context.database, CHUNK_SIZE)
      for (const [companyId, group] of Map.groupBy(rows, (row) => row.companyId)) {
        const ids = group.map(({ id }) => id)
        await write(context, clock, { may: 'service' }, async (tx) => {
          const done = await act(tx, companyId, ids)
          tx.audit(done.map((target) => ({ action, target, companyId })))
        })
      }
      if (rows.length < CHUNK_SIZE) return
    }
  }
}
