import type { Sql } from '#platform/core/database.ts'
import type { PersonRole } from '#kernel/enums.ts'
import type { Api } from '#platform/http/caller.ts'
import { pages, readerOf } from '#platform/http/pages.ts'
import type { PageQuery } from '#platform/http/schemas.ts'
import { passkeyJson } from '../passkeys/queries.ts'
import { withNetwork } from '../sessions/queries.ts'

export interface StoredPerson {
  readonly name: string
  readonly role: PersonRole
  readonly api: Api
  readonly isBlocked: boolean
  readonly hasPassword: boolean
  readonly seesMoney: boolean
  readonly companyIds: readonly string[]
}

interface PersonRow {
  readonly id: string
  readonly api: Api
  readonly name: string
  /** null: `company-hr`. */
  readonly role: string | null
  readonly email: string
}

/** Inserts a person and its client. @returns false when the e-mail address is in use. */
export async function insertPerson(sql: Sql, { id, api, name, role, email }: PersonRow): Promise<boolean> {
  await sql.execute(
    'insert into client (id, api, name, role, created_at) values ($1, $2, $3, $4, statement_timestamp())',
    [id, api, name, role],
  )
  const inserted = await sql.execute(
    'insert into person (client_id, email) values ($1, $2) on conflict (email) do nothing',
    [id, email],
  )
  return inserted > 0
}

const roleOf = `coalesce(client.role, 'company-hr')`
const seesMoney = `exists (select 1 from entitlement where client_id = client.id and see_money) and client.api = 'partner'`

/**
 * Locks a person and its client until the transaction ends, by an update that changes nothing, as `lockClient`.
 * @returns null for an unknown id.
 */
export async function lockPerson(sql: Sql, id: string): Promise<StoredPerson | null> {
  await sql.execute('update client set name = name where id = $1', [id])
  const rows = await sql.query<StoredPerson>(
    `select client.name, ${roleOf} as role, client.api, client.revoked_at is not null as "isBlocked",
            person.password_hash is not null as "hasPassword", ${seesMoney} as "seesMoney",
            array(select company_id from entitlement where client_id = client.id) as "companyIds"
       from person join client on client.id = person.client_id where person.client_id = $1`,
    [id],
  )
  return rows[0] ?? null
}

/** Sets the name and, of an operator, the role. */
export async function updatePerson(sql: Sql, id: string, name: string, role: string | null): Promise<void> {
  await sql.execute('update client set name = $2, role = $3 where id = $1', [id, name, role])
}

/** Blocks a person, or ends that. A link that was not used ends. */
export async function updateBlocked(sql: Sql, id: string, blockedAt: Date | null): Promise<void> {
  await sql.execute('update person set link_hash = null, link_expires_at = null where client_id = $1', [id])
  await sql.execute('update client set revoked_at = $2, revoked_by_provider = false where id = $1', [id, blockedAt])
}

/** Sets whether a person sees the invoices of its companies. */
export async function updateSeesMoney(sql: Sql, id: string, value: boolean): Promise<void> {
  await sql.execute('update entitlement set see_money = $2 where client_id = $1', [id, value])
}

/** Gives a person a link, in place of one before. @returns when it expires. */
export async function updateLink(sql: Sql, id: string, hash: Buffer, hours: number): Promise<string> {
  const rows = await sql.query<{ at: Date }>(
    `update person set link_hash = $2, link_expires_at = statement_timestamp() + make_interval(hours => $3) where client_id = $1
     returning link_expires_at as at`,
    [id, hash, hours],
  )
  return rows[0]?.at.toISOString() ?? ''
}

interface LinkedPerson {
  readonly id: string
  readonly api: Api
  readonly name: string
  readonly email: string
  readonly hasPassword: boolean
  readonly expiresAt: string
}

/** The active person whose link has this hash and has not expired; null when there is none. */
export async function findLinkedPerson(sql: Sql, hash: Buffer): Promise<LinkedPerson | null> {
  const rows = await sql.query<LinkedPerson>(
    `select client.id, client.api, client.name, person.email, password_hash is not null as "hasPassword",
            iso(link_expires_at) as "expiresAt"
       from person join client on client.id = person.client_id
      where link_hash = $1 and link_expires_at > statement_timestamp() and client.revoked_at is null`,
    [hash],
  )
  return rows[0] ?? null
}

/** Sets the password of the person, whose link ends. The network is known from then on: the link came to the person. @returns false when the link was used or replaced meanwhile. */
export async function updatePassword(
  sql: Sql,
  id: string,
  linkHash: Buffer,
  { passwordHash, network }: { readonly passwordHash: string; readonly network: Buffer },
): Promise<boolean> {
  const updated = await sql.execute(
    `update person set password_hash = $3, link_hash = null, link_expires_at = null, ${withNetwork('$4')}
      where client_id = $1 and link_hash = $2 and link_expires_at > statement_timestamp()`,
    [id, linkHash, passwordHash, network],
  )
  return updated > 0
}

/** Sets the password of a person who knew the one before. A link that was not used ends. */
export async function replacePassword(sql: Sql, id: string, passwordHash: string): Promise<void> {
  await sql.execute(
    'update person set password_hash = $2, link_hash = null, link_expires_at = null where client_id = $1',
    [id, passwordHash],
  )
}

/** Name and e-mail address of a person; null for another client. */
export async function findPerson(sql: Sql, id: string): Promise<{ id: string; name: string; email: string } | null> {
  const rows = await sql.query<{ id: string; name: string; email: string }>(
    'select client.id, client.name, person.email from person join client on client.id = person.client_id where client_id = $1',
    [id],
  )
  return rows[0] ?? null
}

/** The role of a person; null for another client. */
export async function readPersonRole(sql: Sql, id: string): Promise<PersonRole | null> {
  const rows = await sql.query<{ role: PersonRole }>(
    `select ${roleOf} as role from person join client on client.id = person.client_id where client_id = $1`,
    [id],
  )
  return rows[0]?.role ?? null
}

/** An operator or a person as the account of the API, with the session of the call, if any; null for an unknown id. */
export async function readAccount(
  sql: Sql,
  id: string,
  sessionId: string | null,
  idleMinutes: number,
): Promise<string | null> {
  const rows = await sql.query<{ item: string }>(
    `select json_build_object(
              'client-id', client.id, 'name', client.name, 'role', ${roleOf}, 'email', person.email,
              'last-sign-in-at', iso(person.last_sign_in_at),
              'passkeys', (select coalesce(json_agg(${passkeyJson} order by passkey.created_at), '[]') from passkey where client_id = client.id),
              'sessions', (
                select coalesce(json_agg(json_build_object(
                         'created-at', iso(operator_session.created_at), 'last-used-at', iso(last_used_at),
                         'signed-in-with', signed_in_with, 'is-current', operator_session.id is not distinct from $2)
                         order by operator_session.created_at desc), '[]')
                  from operator_session
                 where client_id = client.id and expires_at > statement_timestamp()
                   and last_used_at > statement_timestamp() - make_interval(mins => $3)))::text as item
       from client left join person on person.client_id = client.id where client.id = $1`,
    [id, sessionId, idleMinutes],
  )
  return rows[0]?.item ?? null
}

const personJson = `json_build_object(
  'person-id', client.id, 'name', client.name, 'email', person.email, 'role', ${roleOf},
  'status', case when client.revoked_at is not null then 'blocked' when person.password_hash is null then 'invited' else 'active' end,
  'company-tax-ids', array(
    select company.tax_id from entitlement join company on company.id = entitlement.company_id
     where entitlement.client_id = client.id order by company.tax_id),
  'see-money', ${seesMoney},
  'passkeys', (select count(*) from passkey where client_id = client.id),
  'created-at', iso(client.created_at), 'last-sign-in-at', iso(person.last_sign_in_at),
  'link-expires-at', case when person.link_expires_at > statement_timestamp() then iso(person.link_expires_at) end)`

const people = 'person join client on client.id = person.client_id'

/** `{ "result": person }`; null for an unknown id. */
export const readPerson = readerOf({ from: people, item: personJson }, 'person.client_id')

/** A page of the people, also those who are blocked, by name. */
export const personPage = pages<PageQuery>({
  from: people,
  item: personJson,
  order: 'client.name, client.id',
  where: {},
})
