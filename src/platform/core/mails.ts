import { v7 as uuidv7 } from 'uuid'
import type { LinkMail } from '#kernel/mail.ts'
import type { Config } from './config.ts'
import type { Cipher } from './crypto/cipher.ts'
import type { Sql } from './database.ts'
import type { Tx } from './write.ts'

/* The outbox of e-mails: rows are written in the transaction of what they tell, and the workers send them (src/events/mail). */

/** What of a mail with a link is secret until it is sent. */
export interface MailSecret {
  readonly link: string
  /** null: that of the person. */
  readonly address: string | null
}

/** The invitation of an employee. */
interface Invitation {
  readonly companyId: string
  readonly invitationId: string
}

interface LinkMailInput {
  readonly kind: LinkMail
  /** A person of the service, or an employee whom a company invites. */
  readonly to: { readonly personId: string } | (Invitation & { readonly address: string })
  readonly link: string
  /** When the link ends: the mail is not sent later. */
  readonly expiresAt: Date
}

/** What the outbox needs. */
export interface MailContext {
  readonly config: Pick<Config, 'smtpUrl'>
  readonly cipher: Cipher
}

export const isMailOn = (config: Pick<Config, 'smtpUrl'>): boolean => config.smtpUrl !== null

/** The purpose that the ciphertext of a mail is bound to. */
export const mailPurpose = (id: string): string => `mail:${id}`

/**
 * Writes a mail with a link that works once into the outbox. Links of the same person that were not sent yet are no longer valid.
 * @returns false where mail is off: nothing is written.
 */
export async function queueLinkMail(
  { config, cipher }: MailContext,
  tx: Tx,
  { kind, to, link, expiresAt }: LinkMailInput,
): Promise<boolean> {
  if (!isMailOn(config)) return false
  const id = uuidv7()
  const person = 'personId' in to ? to.personId : null
  const invitation = 'personId' in to ? null : to
  const secret: MailSecret = { link, address: invitation?.address ?? null }
  if (person !== null) await cancelLinkMails(tx, person)
  await tx.execute(
    `insert into mail (id, kind, recipient_id, company_id, invitation_id, secret, status, next_attempt_at, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, 'queued', $7, $7, $8)`,
    [
      id,
      kind,
      person,
      invitation?.companyId ?? null,
      invitation?.invitationId ?? null,
      cipher.encrypt(mailPurpose(id), Buffer.from(JSON.stringify(secret))),
      tx.at(),
      expiresAt,
    ],
  )
  return true
}

/** Cancels what was not sent of the links of a person: they have ended. */
export async function cancelLinkMails(tx: Tx, personId: string): Promise<void> {
  await tx.execute(
    `update mail set status = 'cancelled', leased_until = null, finished_at = $2, secret = null
     where recipient_id = $1 and period is null and status in ('queued', 'sending', 'failed', 'doubtful')`,
    [personId, tx.at()],
  )
}

/** The same of invitations that have ended. */
export async function cancelInvitationMails(
  sql: Sql,
  companyId: string,
  ids: readonly string[],
  at: Date,
): Promise<void> {
  await sql.execute(
    `update mail set status = 'cancelled', leased_until = null, finished_at = $3, secret = null
     where company_id = $1 and invitation_id = any($2::uuid[]) and status in ('queued', 'sending', 'failed', 'doubtful')`,
    [companyId, ids, at],
  )
}

/** Deletes the mails of invitations of a person who is erased. */
export async function deleteInvitationMails(
  sql: Sql,
  companyId: string,
  invitations: readonly { readonly id: string }[],
): Promise<void> {
  const ids = invitations.map(({ id }) => id)
  await sql.execute('delete from mail where company_id = $1 and invitation_id = any($2::uuid[])', [companyId, ids])
}
