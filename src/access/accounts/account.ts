import { v7 as uuidv7 } from 'uuid'
import { refuseCommon } from '../auth/common-passwords.ts'
import { hashPassword } from '../auth/passwords.ts'
import type { ClientActor } from '#platform/core/actor.ts'
import { ApiError, invalidBody } from '#platform/core/errors.ts'
import { type Tx, write } from '#platform/core/write.ts'
import { ROLES } from '#kernel/enums.ts'
import type { Context } from '#platform/http/context.ts'
import { isValidChallenge, useChallenge } from '../passkeys/challenges.ts'
import { verifyNewCredential } from '../passkeys/credentials.ts'
import { deletePasskey, insertPasskey, listCredentials, readPasskey } from '../passkeys/queries.ts'
import { deleteOtherSessions } from '../sessions/queries.ts'
import type { RelyingParty } from '../sessions/relying-party.ts'
import { lockPerson, replacePassword } from './queries.ts'

const maxPasskeys = 20

/** A call that a person makes about the own account. */
export interface OwnCall {
  readonly actor: ClientActor
  /** null: with a token. */
  readonly sessionId: string | null
}

/** Whoever is signed in may write about the own account. */
const mayOwn = ({ kind }: ClientActor) => ({ may: kind === 'partner' ? ('partner' as const) : ROLES })

const lockOwn = ({ clientId }: ClientActor) => ({ lock: (tx: Tx) => lockPerson(tx, clientId) })

/** Replaces the password of the caller, who knew the one before. The other sessions end. */
export async function changePassword(context: Context, { actor, sessionId }: OwnCall, password: string): Promise<void> {
  await refuseCommon(password)
  const hash = await hashPassword(password, actor.clientId)
  await write(context, actor, { ...mayOwn(actor), ...lockOwn(actor) }, async (tx) => {
    await replacePassword(tx, actor.clientId, hash)
    tx.audit({ action: 'person.password-set', target: actor.clientId, companyId: null })
    await deleteOthers(tx, actor.clientId, sessionId)
  })
}

/** Ends the sessions of the caller in other browsers. @returns their number. */
export async function endOtherSessions(context: Context, { actor, sessionId }: OwnCall): Promise<number> {
  return write(context, actor, mayOwn(actor), (tx) => deleteOthers(tx, actor.clientId, sessionId))
}

async function deleteOthers(tx: Tx, clientId: string, sessionId: string | null): Promise<number> {
  const ended = await deleteOtherSessions(tx, clientId, sessionId)
  if (ended > 0) tx.audit({ action: 'person.sessions-ended', target: clientId, companyId: null })
  return ended
}

/** Adds a passkey of the caller, who got the challenge for the password. @returns it as JSON. */
export async function addPasskey(
  context: Context,
  actor: ClientActor,
  party: RelyingParty,
  { name, credential }: { readonly name: string; readonly credential: object },
): Promise<string> {
  const { clientId } = actor
  const invalid = invalidBody([{ field: 'credential', code: 'invalid' }])
  const verified = await verifyNewCredential(party, credential)
  if (verified === null) throw invalid
  if (!(await isValidChallenge(context, `registration ${clientId}`, verified.challenge))) throw invalid
  const id = uuidv7()
  return write(context, actor, { ...mayOwn(actor), ...lockOwn(actor) }, async (tx) => {
    if (!(await useChallenge(tx, verified.challenge))) throw invalid
    if ((await listCredentials(tx, clientId)).length >= maxPasskeys) throw new ApiError('too-many-passkeys')
    if (!(await insertPasskey(tx, { ...verified, id, clientId, name: name.trim() }))) throw invalid
    tx.audit({ action: 'person.passkey-added', target: clientId, companyId: null })
    return `{"result":${await readPasskey(tx, clientId, id)}}`
  })
}

/** Removes a passkey of the caller. @throws ApiError 404 for one that the caller does not have. */
export async function removePasskey(context: Context, actor: ClientActor, id: string): Promise<void> {
  await write(context, actor, mayOwn(actor), async (tx) => {
    if (!(await deletePasskey(tx, actor.clientId, id))) throw new ApiError('passkey-not-found')
    tx.audit({ action: 'person.passkey-removed', target: actor.clientId, companyId: null })
  })
}
