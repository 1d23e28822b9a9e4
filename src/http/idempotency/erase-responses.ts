import type { Sql } from '../../core/database.ts'
import { decryptResponse } from './encrypted-response.ts'
import { purposeOf, type ResponseStore } from './idempotency.ts'

const batch = 500

interface StoredRow {
  readonly clientId: string
  readonly keyHash: Buffer
  readonly encryptedResponse: Buffer
}

/**
 * Deletes the stored responses whose text satisfies the condition: the call may be made again. They are encrypted, so each is decrypted; none is
 * older than a day.
 */
export async function eraseResponses(
  { database, cipher }: ResponseStore,
  hasPerson: (text: string) => boolean,
): Promise<void> {
  let last: StoredRow | undefined
  for (;;) {
    const rows = await database.query<StoredRow>(
      `select client_id as "clientId", key_hash as "keyHash", encrypted_response as "encryptedResponse" from idempotency_key
       where encrypted_response is not null and (client_id, key_hash) > ($1, $2) order by client_id, key_hash limit ${batch}`,
      [last?.clientId ?? '', last?.keyHash ?? Buffer.alloc(0)],
    )
    for (const row of rows) {
      const { text } = await decryptResponse(cipher, purposeOf(row), row.encryptedResponse)
      if (hasPerson(text)) await deleteResponse(database, row)
    }
    last = rows.at(-1)
    if (rows.length < batch) return
  }
}

async function deleteResponse(sql: Sql, { clientId, keyHash, encryptedResponse }: StoredRow): Promise<void> {
  await sql.execute(
    `with deleted as (
       delete from idempotency_key where client_id = $1 and key_hash = $2 and encrypted_response = $3
       returning octet_length(encrypted_response) as bytes
     )
     update stored_response_usage set bytes = stored_response_usage.bytes - deleted.bytes from deleted
     where stored_response_usage.client_id = $1`,
    [clientId, keyHash, encryptedResponse],
  )
}
