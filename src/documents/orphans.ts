import type { Context } from '../http/context.ts'
import { deleteOrphanRow } from './queries.ts'

/** Deletes an orphaned file; the retention job repeats it after an error. */
export async function deleteOrphan(context: Pick<Context, 'database' | 'storage' | 'log'>, key: string): Promise<void> {
  try {
    await context.storage.remove(key)
    await deleteOrphanRow(context.database, key)
  } catch (error) {
    context.log.warn({ err: error }, 'orphaned file could not be deleted, the retention job will retry')
  }
}
