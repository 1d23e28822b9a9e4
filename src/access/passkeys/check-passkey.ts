import type { Failures } from '../auth/failures.ts'
import { blockedSeconds } from '../clients/queries.ts'
import type { CodeOf } from '#kernel/error-codes.ts'
import { invalidCredentials } from '#platform/core/errors.ts'
import type { Api } from '#platform/http/caller.ts'
import type { Context } from '#platform/http/context.ts'
import type { RelyingParty } from '../sessions/relying-party.ts'
import { isValidChallenge, useChallenge } from './challenges.ts'
import { credentialIdOf, isOf, verifySignature } from './credentials.ts'
import { findPasskey, updateUse } from './queries.ts'

interface SignedInPerson {
  readonly clientId: string
  readonly api: Api
}

/**
 * Resolves with the client of the active person whose passkey made the credential.
 * @throws ApiError 401 for a wrong one and for a person who is blocked, 429 for an address that failed too often.
 */
export type CheckPasskey = (
  party: RelyingParty,
  credential: Readonly<Record<string, unknown>>,
  address: string,
) => Promise<SignedInPerson>

/** Opens the check of passkeys. A signature cannot be guessed: a right one passes however many wrong ones were sent, as a right secret does. */
export function openPasskeyCheck(context: Context, failures: Failures): CheckPasskey {
  const { database } = context
  return async (party, credential, address) => {
    const result = await check(context, party, credential)
    if (typeof result !== 'string') return result
    const bucket = failures.bucketOf('passkey', address)
    const [row] = await database.query<{ seconds: number | null }>(`select ${blockedSeconds('$1')} as seconds`, [
      bucket,
    ])
    const error = invalidCredentials(result)
    throw await failures.count({ bucket, address, blockedForSeconds: row?.seconds ?? null, error })
  }
}

async function check(
  context: Context,
  party: RelyingParty,
  credential: Readonly<Record<string, unknown>>,
): Promise<SignedInPerson | CodeOf<401>> {
  const { database, log } = context
  const credentialId = credentialIdOf(credential)
  const passkey = await findPasskey(database, credentialId)
  if (passkey === null || !isOf(passkey.clientId, credential)) return 'wrong-passkey'
  const verified = await verifySignature(party, passkey.publicKey, credential)
  if (verified === null || !(await isValidChallenge(context, 'sign-in', verified.challenge))) return 'wrong-passkey'
  if (!(await useChallenge(database, verified.challenge))) return 'wrong-passkey'
  const { clientId, api, isBlocked, id } = passkey
  // As a password: only the admins know who is blocked.
  if (isBlocked) return 'wrong-passkey'
  if (!(await updateUse(database, credentialId, verified.signCount))) {
    // The key may have been copied from the authenticator.
    log.warn({ 'client-id': clientId, 'passkey-id': id }, 'a passkey was refused: its count of signatures did not grow')
    return 'wrong-passkey'
  }
  return { clientId, api }
}
