import type { Sql } from '../../core/database.ts'
import { decryptResponse } from './encrypted-response.ts'
import { purposeOf, type ResponseStore } from './idempotency.ts'

const batch = 500

interface StoredRow {
  readonly clientId: string
  readonly keyHash: Buffer
  readonly companyIds: readonly string[]
  readonly encryptedResponse: Buffer
}

/**
 * Erases the stored responses that have one of the texts: the same call with its key is refused from then on, so that a program that repeats it does
 * not include an erased person again. They are encrypted, so each is decrypted; none is older than a day.
 * @param keptCompanyIds responses about them stay.
 */
export async function eraseResponses(
  { database, cipher }: ResponseStore,
  needles: readonly string[],
  keptCompanyIds: readonly string[],
): Promise<void> {
  let last: StoredRow | undefined
  for (;;) {
    const rows = await database.query<StoredRow>(
      `select client_id as "clientId", key_hash as "keyHash", company_ids as "companyIds", encrypted_response as "encryptedResponse"
       from idempotency_key
       where encrypted_response is not null and (client_id, key_hash) > ($1, $2) order by client_id, key_hash limit ${batch}`,
      [last?.clientId ?? '', last?.keyHash ?? Buffer.alloc(0)],
    )
    for (const row of rows) {
      if (row.companyIds.some((id) => keptCompanyIds.includes(id))) continue
      const { text } = await decryptResponse(cipher, purposeOf(row), row.encryptedResponse)
      if (needles.some((needle) => text.includes(needle))) await eraseResponse(database, row)
    }
    last = rows.at(-1)
    if (rows.length < batch) return
  }
}

/** The keyed hashes stay for the life of the key. */
async function eraseResponse(sql: Sql, { clientId, keyHash, encryptedResponse }: StoredRow): Promise<void> {
  await sql.execute(
    `with former as (
       select octet_length(encrypted_response) as bytes from idempotency_key
       where client_id = $1 and key_hash = $2 and encrypted_response = $3
     ), emptied as (
       update idempotency_key set encrypted_response = null from former
       where client_id = $1 and key_hash = $2 and encrypted_response = $3 returning former.bytes
     )
     update stored_response_usage set bytes = greatest(stored_response_usage.bytes - emptied.bytes, 0) from emptied
     where stored_response_usage.client_id = $1`,
    [clientId, keyHash, encryptedResponse],
  )
}
