import type { Database, Sql } from '#platform/core/database.ts'
import type { MailCount, MailKind } from '#kernel/mail.ts'
import type { Language } from '#kernel/texts/texts.ts'
import { write } from '#platform/core/write.ts'
import type { SmtpOutcome } from './smtp.ts'

/** A mail that this process sends. */
export interface ClaimedMail {
  readonly id: string
  readonly kind: MailKind
  readonly secret: Buffer | null
  readonly counts: Partial<Record<MailCount, number>> | null
  readonly attempts: number
  readonly expiresAt: Date
  readonly createdAt: Date
  readonly language: Language
  /** null: an employee whom a company invited. */
  readonly person: {
    readonly id: string
    readonly email: string
    readonly api: 'operator' | 'partner'
    readonly isBlocked: boolean
  } | null
}

/** How long a mail may be sent: longer than a message takes. What is not recorded by then is doubtful. */
const leaseSeconds = 300

const service = { kind: 'service' } as const

/** What was sent when its process died is doubtful, and what was not sent in time has failed. */
export async function endOverdue(database: Database): Promise<void> {
  await write({ database }, service, { may: 'service' }, async (tx) => {
    await tx.execute(
      `update mail set status = 'doubtful', error = 'interrupted', leased_until = null, finished_at = now()
       where status = 'sending' and leased_until <= now()`,
    )
    await tx.execute(
      `update mail set status = 'failed', error = coalesce(error, 'expired'), secret = null, finished_at = now()
       where status = 'queued' and next_attempt_at <= now() and expires_at <= now()`,
    )
  })
}

/** How many are due, up to a limit. */
export async function countDue(sql: Sql, limit: number): Promise<number> {
  const [row] = await sql.query<{ count: number }>(
    `select count(*) as count from (select from mail where status = 'queued' and next_attempt_at <= now() limit $1) due`,
    [limit],
  )
  return row?.count ?? 0
}

/** Claims the mail that is due the longest; null: there is none. */
export async function claimMail(database: Database): Promise<ClaimedMail | null> {
  return write({ database }, service, { may: 'service' }, async (tx) => {
    const [claimed] = await tx.query<ClaimedMail & { recipientId: string | null }>(
      `update mail set status = 'sending', attempts = attempts + 1, leased_until = now() + make_interval(secs => $1)
       where id = (select id from mail where status = 'queued' and next_attempt_at <= now() order by next_attempt_at, id limit 1
         for update skip locked)
       returning id, kind, secret, counts, attempts, expires_at as "expiresAt", created_at as "createdAt", recipient_id as "recipientId"`,
      [leaseSeconds],
    )
    if (claimed === undefined) return null
    const [reader] = await tx.query<{ person: ClaimedMail['person']; language: Language }>(
      `select json_build_object('id', client.id, 'email', person.email, 'api', client.api, 'isBlocked', client.revoked_at is not null) as person,
         coalesce(mail_preference.language, 'pt-BR') as language
       from person join client on client.id = person.client_id left join mail_preference on mail_preference.client_id = person.client_id
       where person.client_id = $1`,
      [claimed.recipientId],
    )
    return { ...claimed, person: reader?.person ?? null, language: reader?.language ?? 'pt-BR' }
  })
}

const [minute, hour] = [60, 3_600]
/** Seconds from an attempt that the server put off to the next one; the last of them again and again, until the mail expires. */
const retrySeconds = [minute, 5 * minute, 15 * minute, hour, 4 * hour] as const

/** What an attempt came to: `cancelled`, the person may not sign in any more. */
type Result = Omit<SmtpOutcome, 'status'> & { readonly status: SmtpOutcome['status'] | 'cancelled' }

const finalStatus = { sent: 'sent', refused: 'failed', doubtful: 'doubtful', cancelled: 'cancelled' } as const

/** Records an attempt. One that was found doubtful meanwhile is known now, and one that was cancelled too late was sent. */
export async function saveResult(
  database: Database,
  { id, attempts }: Pick<ClaimedMail, 'id' | 'attempts'>,
  { status, error }: Result,
): Promise<void> {
  const ofAttempt = `id = $1 and attempts = $2 and status in ('sending', 'doubtful')`
  await write({ database }, service, { may: 'service' }, async (tx) => {
    if (status === 'later' || status === 'not-connected') {
      // The connection says nothing about the mail: it is no attempt, and the same mail is tried again soon.
      const isAttempt = status === 'later'
      await tx.execute(
        `update mail set status = 'queued', error = $3, leased_until = null, finished_at = null,
           next_attempt_at = now() + make_interval(secs => $4) where ${ofAttempt}`,
        [id, attempts, error, isAttempt ? (retrySeconds[attempts - 1] ?? 4 * hour) : minute],
      )
      return
    }
    await tx.execute(
      `update mail set status = $3, error = $4, leased_until = null, finished_at = now(),
         secret = case when $3 in ('sent', 'cancelled') then null else secret end where id = $1 and attempts = $2
           and (status in ('sending', 'doubtful') or (status = 'cancelled' and $3 = 'sent'))`,
      [id, attempts, finalStatus[status], error],
    )
  })
}

const retentionDays = 90

/** Deletes the mails of more than 90 days ago, and the secrets that have ended. */
export async function deleteOldMails(database: Database): Promise<void> {
  await write({ database }, service, { may: 'service' }, async (tx) => {
    await tx.execute(
      `delete from mail where created_at < now() - make_interval(days => $1) and finished_at is not null`,
      [retentionDays],
    )
    await tx.execute(
      'update mail set secret = null where secret is not null and finished_at is not null and expires_at <= now()',
    )
  })
}
