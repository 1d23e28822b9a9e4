import type { Origin } from '#platform/core/actor.ts'
import { type Tx, write } from '#platform/core/write.ts'
import type { AuditAction } from '#kernel/audit-actions.ts'
import type { Role } from '#kernel/enums.ts'
import { fitsNames } from '#kernel/name.ts'
import type { Context } from '#platform/http/context.ts'
import { hmacSha256 } from '#platform/core/crypto/hmac.ts'
import { storedKey } from '#platform/core/crypto/stored-keys.ts'
import type { Sql } from '#platform/core/database.ts'
import { invalidCredentials } from '#platform/core/errors.ts'
import {
  insertOperator,
  isAnotherAdminActive,
  lockAdmins,
  type ProviderOperator,
  readProviderOperator,
  revokeByProvider,
  updateOperator,
} from '../clients/queries.ts'
import type { Identity } from './identity-provider.ts'
import { deleteSessionsOfOperator } from './queries.ts'

const maxNameLength = 200

/**
 * Creates the operator at the first sign-in, and brings name and role up to date at later ones. The last admin keeps its role whatever the
 * provider says: an operator must be able to make another one.
 * @returns its id.
 * @throws ApiError 401 when an admin of the service removed it.
 */
export async function saveIdentity(
  context: Context,
  origin: Origin,
  identity: Identity & { readonly role: Role },
): Promise<string> {
  const id = await operatorIdOf(context, identity)
  const name = fitName(identity.name) ?? id
  const actor = { kind: 'service', origin } as const
  await write(context, actor, { may: 'service' }, async (sql) => {
    await lockAdmins(sql)
    if (await insertOperator(sql, id, name, identity.role)) return audit(sql, id, ['operator.created'])
    const current = await readProviderOperator(sql, id)
    if (current === null || current.status === 'removed') throw invalidCredentials('client-revoked')
    const keepsAdmin = identity.role !== 'admin' && (await isLastAdmin(sql, id, current))
    const role = keepsAdmin ? 'admin' : identity.role
    if (keepsAdmin) context.log.warn({ 'client-id': id, role: identity.role }, lastAdminWarning)
    const isNewRole = current.role !== role || current.status === 'revoked-by-provider'
    if (isNewRole || current.name !== name) await updateOperator(sql, id, name, role)
    audit(sql, id, [
      ...(current.name === name ? [] : ['operator.updated' as const]),
      ...(isNewRole ? (['operator.role-changed', `operator.became-${role}`] as const) : []),
      ...(keepsAdmin ? ['operator.stayed-admin' as const] : []),
    ])
  })
  return id
}

/**
 * After a sign-in without a role: ends the sessions of the person's operator, and the operator until a sign-in with a role. The last
 * admin stays an admin, without a session.
 */
export async function endIdentity(context: Context, origin: Origin, identity: Identity): Promise<void> {
  const id = await operatorIdOf(context, identity)
  const actor = { kind: 'service', origin } as const
  await write(context, actor, { may: 'service' }, async (sql) => {
    await lockAdmins(sql)
    const current = await readProviderOperator(sql, id)
    if (current?.status !== 'active') return
    const staysAdmin = await isLastAdmin(sql, id, current)
    if (staysAdmin) context.log.warn({ 'client-id': id, role: null }, lastAdminWarning)
    else await revokeByProvider(sql, id)
    const ended = await deleteSessionsOfOperator(sql, id)
    audit(sql, id, [
      staysAdmin ? 'operator.stayed-admin' : 'operator.role-ended',
      ...(ended === 0 ? [] : ['operator.sessions-ended' as const]),
    ])
  })
}

const lastAdminWarning = 'the identity provider names another role or none for the last admin, which stays an admin'

/** The admins must be locked. */
async function isLastAdmin(sql: Sql, id: string, { role, status }: ProviderOperator): Promise<boolean> {
  return role === 'admin' && status === 'active' && !(await isAnotherAdminActive(sql, id))
}

function audit(tx: Tx, target: string, actions: readonly AuditAction[]): void {
  tx.audit(actions.map((action) => ({ action, target, companyId: null })))
}

/** An HMAC, since the subject may be an e-mail address. */
async function operatorIdOf({ cipher, database }: Context, { issuer, subject }: Identity): Promise<string> {
  const key = await storedKey(database, cipher, 'identity-provider')
  const digest = hmacSha256(key)
    .update(JSON.stringify([issuer, subject]))
    .digest()
  return `oidc-${digest.subarray(0, 16).toString('base64url')}`
}

/** The name, if an operator could have been created with it. */
function fitName(name: string | null): string | null {
  const trimmed = name?.trim().slice(0, maxNameLength) ?? ''
  return trimmed !== '' && fitsNames(trimmed) ? trimmed : null
}
