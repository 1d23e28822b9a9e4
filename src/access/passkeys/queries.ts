import type { Sql } from '#platform/core/database.ts'
import type { Api } from '#platform/http/caller.ts'

interface NewPasskey {
  readonly id: string
  readonly clientId: string
  readonly credentialId: Buffer
  readonly publicKey: Buffer
  readonly signCount: number
  readonly transports: readonly string[]
  readonly name: string
}

/** Inserts a passkey. @returns false when its credential is one already. */
export async function insertPasskey(sql: Sql, passkey: NewPasskey): Promise<boolean> {
  const { id, clientId, credentialId, publicKey, signCount, transports, name } = passkey
  const inserted = await sql.execute(
    `insert into passkey (id, client_id, credential_id, public_key, sign_count, transports, name, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, statement_timestamp()) on conflict (credential_id) do nothing`,
    [id, clientId, credentialId, publicKey, signCount, transports, name],
  )
  return inserted > 0
}

interface FoundPasskey {
  readonly id: string
  readonly clientId: string
  readonly api: Api
  readonly isBlocked: boolean
  readonly publicKey: Buffer
}

/** The passkey of a credential, with its person; null when there is none. */
export async function findPasskey(sql: Sql, credentialId: Buffer): Promise<FoundPasskey | null> {
  const rows = await sql.query<FoundPasskey>(
    `select passkey.id, passkey.client_id as "clientId", client.api, client.revoked_at is not null as "isBlocked",
            public_key as "publicKey"
       from passkey join client on client.id = passkey.client_id where credential_id = $1`,
    [credentialId],
  )
  return rows[0] ?? null
}

/** Notes the use of a passkey. @returns false when its count of signatures does not grow, or it was removed meanwhile. */
export async function updateUse(sql: Sql, credentialId: Buffer, signCount: number): Promise<boolean> {
  const updated = await sql.execute(
    `update passkey set sign_count = $2, last_used_at = statement_timestamp()
      where credential_id = $1 and (sign_count < $2 or (sign_count = 0 and $2 = 0))`,
    [credentialId, signCount],
  )
  return updated > 0
}

export interface Credential {
  readonly id: string
  readonly transports: string[]
}

/** The credentials of a person, with ids in base64url. */
export async function listCredentials(sql: Sql, clientId: string): Promise<Credential[]> {
  const rows = await sql.query<{ credentialId: Buffer; transports: string[] }>(
    'select credential_id as "credentialId", transports from passkey where client_id = $1',
    [clientId],
  )
  return rows.map(({ credentialId, transports }) => ({ id: credentialId.toString('base64url'), transports }))
}

/** SQL for a passkey as JSON of the API. */
export const passkeyJson = `json_build_object(
  'passkey-id', passkey.id, 'name', passkey.name, 'created-at', iso(passkey.created_at), 'last-used-at', iso(passkey.last_used_at))`

/** A passkey as JSON of the API; null when the person has none with the id. */
export async function readPasskey(sql: Sql, clientId: string, id: string): Promise<string | null> {
  const rows = await sql.query<{ item: string }>(
    `select ${passkeyJson}::text as item from passkey where client_id = $1 and id = $2`,
    [clientId, id],
  )
  return rows[0]?.item ?? null
}

/** Removes a passkey. @returns false when the person has none with the id. */
export async function deletePasskey(sql: Sql, clientId: string, id: string): Promise<boolean> {
  return (await sql.execute('delete from passkey where client_id = $1 and id = $2', [clientId, id])) > 0
}

/** Removes all passkeys of a person. @returns their number. */
export async function deletePasskeysOf(sql: Sql, clientId: string): Promise<number> {
  return sql.execute('delete from passkey where client_id = $1', [clientId])
}
