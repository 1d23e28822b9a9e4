import type { Database } from '../platform/database.ts'
import { deleteOldKeys } from '../http/idempotency/queries.ts'
import { deleteOldCounts } from '../http/limits/rate-limit-queries.ts'

const atOnce = 1_000

/** Deletes answers kept for longer than a day, and counts that nobody draws from. Several processes may do so at once. */
export async function deleteExpired(database: Database): Promise<void> {
  while ((await deleteOldKeys(database, atOnce)) > 0);
  await deleteOldCounts(database)
}
