import { pages, readerOf } from '#platform/http/pages.ts'
import { equals } from '#platform/core/parameters.ts'
import type { Sql } from '#platform/core/database.ts'
import type { Tx } from '#platform/core/write.ts'
import { DEFAULT_FREQUENCIES, DIGESTS, type Digest, type MailFrequency, type MailStatus } from '#kernel/mail.ts'
import type { Language } from '#kernel/texts/texts.ts'
import type { MailQuery } from './schema.ts'

const from = 'mail left join person on person.client_id = mail.recipient_id'
const item = `json_build_object('mail-id', mail.id, 'kind', mail.kind, 'person-id', mail.recipient_id, 'email', person.email,
  'status', mail.status, 'attempts', mail.attempts, 'error', mail.error, 'created-at', iso(mail.created_at),
  'next-attempt-at', case when mail.status = 'queued' then iso(mail.next_attempt_at) end, 'expires-at', iso(mail.expires_at),
  'finished-at', iso(mail.finished_at))`

/** A page of the mails, the newest first. */
export const mailPage = pages<MailQuery>({
  from,
  item,
  order: 'mail.created_at desc, mail.id desc',
  where: { kind: equals('mail.kind'), status: equals('mail.status') },
})

/** `{ "result": mail }`; null for an unknown id. */
export const readMail = readerOf({ from, item }, 'mail.id')

interface LockedMail {
  readonly status: MailStatus
  readonly isExpired: boolean
}

/** Locks a mail until the transaction ends; null: there is none. */
export async function lockMail(tx: Tx, id: string): Promise<LockedMail | null> {
  const rows = await tx.query<LockedMail>(
    'select status, expires_at <= now() as "isExpired" from mail where id = $1 for update',
    [id],
  )
  return rows[0] ?? null
}

export async function queueAgain(tx: Tx, id: string): Promise<void> {
  await tx.execute(
    `update mail set status = 'queued', error = null, next_attempt_at = now(), finished_at = null where id = $1`,
    [id],
  )
}

export async function setCancelled(tx: Tx, id: string): Promise<void> {
  await tx.execute(`update mail set status = 'cancelled', secret = null, finished_at = now() where id = $1`, [id])
}

export interface StoredPreferences {
  readonly language: Language
  readonly frequencies: Partial<Record<Digest, MailFrequency>>
}

/** What a person has chosen. */
export async function readPreferences(sql: Sql, personId: string): Promise<StoredPreferences> {
  const rows = await sql.query<StoredPreferences>(
    'select language, frequencies from mail_preference where client_id = $1',
    [personId],
  )
  return rows[0] ?? { language: 'pt-BR', frequencies: {} }
}

/** Stores what a person has chosen. Digests of kinds that the person wants no more, and that wait, are cancelled. */
export async function putPreferences(
  tx: Tx,
  personId: string,
  { language, frequencies }: StoredPreferences,
): Promise<void> {
  await tx.execute(
    `insert into mail_preference (client_id, language, frequencies, updated_at) values ($1, $2, $3, $4)
     on conflict (client_id) do update set language = excluded.language, frequencies = excluded.frequencies, updated_at = excluded.updated_at`,
    [personId, language, JSON.stringify(frequencies), tx.at()],
  )
  await cancelWaiting(
    tx,
    personId,
    DIGESTS.filter((kind) => (frequencies[kind] ?? DEFAULT_FREQUENCIES[kind]) === 'never'),
  )
}

/** Ends a kind for a person, whatever else was chosen. */
export async function stopKind(tx: Tx, personId: string, kind: Digest): Promise<void> {
  await tx.execute(
    `insert into mail_preference (client_id, language, frequencies, updated_at) values ($1, 'pt-BR', jsonb_build_object($2::text, 'never'), $3)
     on conflict (client_id) do update set frequencies = mail_preference.frequencies || excluded.frequencies, updated_at = excluded.updated_at`,
    [personId, kind, tx.at()],
  )
  await cancelWaiting(tx, personId, [kind])
}

async function cancelWaiting(tx: Tx, personId: string, kinds: readonly Digest[]): Promise<void> {
  await tx.execute(
    `update mail set status = 'cancelled', finished_at = $3 where recipient_id = $1 and kind = any($2) and status = 'queued'`,
    [personId, kinds, tx.at()],
  )
}

/** A person of whom a link says that it ends a kind; null: there is none. */
export async function readReader(
  sql: Sql,
  personId: string,
): Promise<{ readonly api: 'operator' | 'partner'; readonly language: Language } | null> {
  const rows = await sql.query<{ api: 'operator' | 'partner'; language: Language }>(
    `select client.api, coalesce(mail_preference.language, 'pt-BR') as language from person join client on client.id = person.client_id
     left join mail_preference on mail_preference.client_id = person.client_id
     where person.client_id = $1 and client.revoked_at is null`,
    [personId],
  )
  return rows[0] ?? null
}
