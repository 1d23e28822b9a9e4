import { createHash } from 'node:crypto'
import { makeSecret } from '../clients/secrets.ts'
import { type MailContext, queueLinkMail } from '#platform/core/mails.ts'
import type { Tx } from '#platform/core/write.ts'
import { updateLink } from './queries.ts'

const linkHours = 72

export interface NewLink {
  readonly 'person-id': string
  readonly link: string
  readonly 'expires-at': string
  /** Whether the person gets it by e-mail, too. */
  readonly mailed: boolean
}

/** Where a link is made. */
export interface LinkPlace extends MailContext {
  /** The origin of the console. */
  readonly origin: string
}

/** Without a key: 32 random bytes cannot be guessed. */
export const linkHash = (token: string): Buffer => createHash('sha256').update(token).digest()

/**
 * Makes the link with which a person sets a password: it works once, for 72 hours, and ends the one before. The token follows `#`, which
 * browsers do not send: no log has it.
 * Where mail is on, it is sent to the person.
 */
export async function makeLink(
  { origin, ...mailContext }: LinkPlace,
  tx: Tx,
  personId: string,
  kind: 'invitation' | 'password-link',
): Promise<NewLink> {
  const token = makeSecret()
  const expiresAt = await updateLink(tx, personId, linkHash(token), linkHours)
  tx.audit({ action: 'person.link-created', target: personId, companyId: null })
  const link = `${origin}/console/password#${token}`
  const mailed = await queueLinkMail(mailContext, tx, { kind, to: { personId }, link, expiresAt: new Date(expiresAt) })
  return { 'person-id': personId, link, 'expires-at': expiresAt, mailed }
}
