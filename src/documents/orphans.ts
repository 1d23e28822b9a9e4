import type { Context } from '../http/context.ts'
import { deleteOrphanRow } from './queries.ts'

/** Removes bytes that nothing refers to; what cannot be removed now is left to the sweep. */
export async function deleteOrphan(context: Pick<Context, 'database' | 'storage' | 'log'>, key: string): Promise<void> {
  try {
    await context.storage.remove(key)
    await deleteOrphanRow(context.database, key)
  } catch (error) {
    context.log.warn({ err: error }, 'unused bytes left to the sweep')
  }
}
