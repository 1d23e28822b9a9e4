import { randomBytes } from 'node:crypto'
import type { Sql } from '../database.ts'
import { InvariantError } from '../log.ts'
import type { Cipher } from './cipher.ts'

/**
 * The service key of this name: 32 random bytes, made once and stored encrypted. Processes that start at once get the same.
 * @throws StartError when it was encrypted under another master key.
 */
export async function storedKey(sql: Sql, cipher: Cipher, name: string): Promise<Buffer> {
  const stored = await readStoredKey(sql, cipher, name)
  if (stored !== null) return stored
  await sql.execute(
    'insert into encrypted_key (name, value, created_at) values ($1, $2, clock_timestamp()) on conflict (name) do nothing',
    [name, cipher.encrypt(serviceKeyPurpose(name), randomBytes(32))],
  )
  const made = await readStoredKey(sql, cipher, name)
  if (made === null) throw new InvariantError(`service key ${name} is not there after it was made`)
  return made
}

/**
 * The service key of this name, or null when it was not made yet; makes none.
 * @throws StartError when it was encrypted under another master key.
 */
export async function readStoredKey(sql: Sql, cipher: Cipher, name: string): Promise<Buffer | null> {
  const [row] = await sql.query<{ value: Buffer }>('select value from encrypted_key where name = $1', [name])
  return row === undefined ? null : cipher.decrypt(serviceKeyPurpose(name), row.value)
}

/** One of the service keys, as it is stored; null when there is none yet. */
export async function readEncrypted(sql: Sql): Promise<{ name: string; value: Buffer } | null> {
  const rows = await sql.query<{ name: string; value: Buffer }>(
    'select name, value from encrypted_key order by name limit 1',
  )
  return rows[0] ?? null
}

/** The purpose that the ciphertext of a service key is bound to. */
export const serviceKeyPurpose = (name: string) => `service-key:${name}`
