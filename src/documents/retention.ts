import type { Context } from '../http/context.ts'
import { deleteOrphanRow, deleteNeverUsed, postponeOrphan, readDeletableOrphans } from './queries.ts'

const atOnce = 500

/**
 * Deletes slots and documents that were never used within seven days, and removes the bytes that nothing refers to: theirs,
 * and those that a crash left. Several processes may do so at once, and each step may be done twice.
 */
export async function deleteUnusedDocuments(context: Context, signal: AbortSignal): Promise<void> {
  const { database } = context
  while (!signal.aborted && (await deleteNeverUsed(database, atOnce)) === atOnce);
  for (;;) {
    const keys = await readDeletableOrphans(database, atOnce)
    for (const key of keys) {
      if (signal.aborted) return
      await removeBytes(context, key)
    }
    if (keys.length < atOnce) return
  }
}

async function removeBytes({ database, storage, log }: Context, key: string): Promise<void> {
  try {
    await storage.remove(key)
  } catch (error) {
    log.warn({ err: error }, 'unused bytes could not be removed, will be tried again')
    await postponeOrphan(database, key)
    return
  }
  await deleteOrphanRow(database, key)
}
