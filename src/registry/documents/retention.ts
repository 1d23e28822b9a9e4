import { CHUNK_SIZE } from '#platform/core/chunk.ts'
import type { Context } from '#platform/http/context.ts'
import { deleteOrphan } from './orphans.ts'
import { deleteNeverUsed, postponeOrphan, readDeletableOrphans } from './queries.ts'

/**
 * Deletes slots and documents that were not used within seven days, and orphaned files, also those that a crash has left. Several
 * processes may run it at once: each step is idempotent.
 */
export async function deleteUnusedDocuments(context: Context, signal: AbortSignal): Promise<void> {
  const { database } = context
  while (!signal.aborted && (await deleteNeverUsed(database, CHUNK_SIZE)) === CHUNK_SIZE);
  for (;;) {
    const keys = await readDeletableOrphans(database, CHUNK_SIZE)
    for (const key of keys) {
      if (signal.aborted) return
      if (!(await deleteOrphan(context, key))) await postponeOrphan(database, key)
    }
    if (keys.length < CHUNK_SIZE) return
  }
}
