import type { Service } from '../http/context.ts'
import { deleteLooseFile, deleteNeverUsed, putOffLooseFile, readRemovable } from './queries.ts'

const atOnce = 500

/**
 * Deletes slots and documents that were never used within seven days, and removes the bytes that nothing refers to: theirs,
 * and those that a crash left. Several processes may do so at once, and each step may be done twice.
 */
export async function sweepDocuments(service: Service, signal: AbortSignal): Promise<void> {
  const { database } = service
  while (!signal.aborted && (await deleteNeverUsed(database, atOnce)) === atOnce);
  for (;;) {
    const keys = await readRemovable(database, atOnce)
    for (const key of keys) {
      if (signal.aborted) return
      await removeBytes(service, key)
    }
    if (keys.length < atOnce) return
  }
}

async function removeBytes({ database, storage, log }: Service, key: string): Promise<void> {
  try {
    await storage.remove(key)
  } catch (error) {
    log.warn({ err: error }, 'unused bytes could not be removed, will be tried again')
    await putOffLooseFile(database, key)
    return
  }
  await deleteLooseFile(database, key)
}
