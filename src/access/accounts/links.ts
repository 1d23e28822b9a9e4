import { createHash } from 'node:crypto'
import { makeSecret } from '../clients/secrets.ts'
import type { Tx } from '#platform/core/write.ts'
import { updateLink } from './queries.ts'

const linkHours = 72

export interface NewLink {
  readonly 'person-id': string
  readonly link: string
  readonly 'expires-at': string
}

/** Without a key: 32 random bytes cannot be guessed. */
export const linkHash = (token: string): Buffer => createHash('sha256').update(token).digest()

/**
 * Makes the link with which a person sets a password: it works once, for 72 hours, and ends the one before. The token follows `#`, which
 * browsers do not send: no log has it.
 * @param origin of the console.
 */
export async function makeLink(tx: Tx, personId: string, origin: string): Promise<NewLink> {
  const token = makeSecret()
  const expiresAt = await updateLink(tx, personId, linkHash(token), linkHours)
  tx.audit({ action: 'person.link-created', target: personId, companyId: null })
  return { 'person-id': personId, link: `${origin}/console/password#${token}`, 'expires-at': expiresAt }
}
