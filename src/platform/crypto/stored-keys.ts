import { randomBytes } from 'node:crypto'
import type { Sql } from '../database.ts'
import { InvariantError } from '../log.ts'
import type { Cipher } from './cipher.ts'

/**
 * The 32 random bytes that the service keeps under `name`, made once and sealed. Processes that start at once agree.
 * @throws StartError when the master key is not the one under which it was sealed.
 */
export async function storedKey(sql: Sql, cipher: Cipher, name: string): Promise<Buffer> {
  const purpose = `service-key:${name}`
  const kept = await readServiceKey(sql, name)
  if (kept !== null) return cipher.open(purpose, kept)
  await sql.run(
    'insert into encrypted_key (name, value, created_at) values ($1, $2, clock_timestamp()) on conflict (name) do nothing',
    [name, cipher.seal(purpose, randomBytes(32))],
  )
  const made = await readServiceKey(sql, name)
  if (made === null) throw new InvariantError(`service key ${name} is not there after it was made`)
  return cipher.open(purpose, made)
}

/**
 * The bytes that are kept under `name`, or null when there are none yet; makes none.
 * @throws StartError when the master key is not the one under which they were sealed.
 */
export async function readStoredKey(sql: Sql, cipher: Cipher, name: string): Promise<Buffer | null> {
  const kept = await readServiceKey(sql, name)
  return kept === null ? null : cipher.open(`service-key:${name}`, kept)
}

async function readServiceKey(sql: Sql, name: string): Promise<Buffer | null> {
  const rows = await sql.rows<{ value: Buffer }>('select value from encrypted_key where name = $1', [name])
  return rows[0]?.value ?? null
}
