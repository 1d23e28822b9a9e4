import type { Database } from '../platform/database.ts'
import { deleteOldKeys } from '../http/idempotency/queries.ts'
import { deleteOldCounts } from '../http/limits/rate-limit-queries.ts'

const batchSize = 1_000

/** Deletes stored responses after a day, and old counts of rate limits. Several processes may do so at once. */
export async function deleteExpired(database: Database): Promise<void> {
  while ((await deleteOldKeys(database, batchSize)) > 0);
  await deleteOldCounts(database)
}
