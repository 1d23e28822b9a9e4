import type { Context } from '#platform/http/context.ts'
import { type FileKind, storageUnavailable } from '#platform/http/download.ts'
import { ApiError } from '#platform/core/errors.ts'
import { newKey } from '#platform/core/storage/storage.ts'
import { deleteOrphanRow, insertOrphan } from './queries.ts'

/**
 * Writes the chunks to a new file: an orphan until a row refers to its key.
 * @param check called with the size after the last chunk; may throw.
 * @throws ApiError of the chunks or the check, or 503; the file is deleted then.
 */
export async function storeFile(
  context: Context,
  kind: FileKind,
  chunks: AsyncIterable<Buffer>,
  check: (size: number) => void | Promise<void>,
): Promise<{ readonly key: string; readonly size: number }> {
  const key = newKey(kind)
  await insertOrphan(context.database, key)
  try {
    const { size } = await context.storage.write(key, chunks)
    await check(size)
    return { key, size }
  } catch (error) {
    await deleteOrphan(context, key)
    throw error instanceof ApiError ? error : storageUnavailable(context, kind, key, error)
  }
}

/** Deletes an orphaned file. @returns false after an error, which is logged: the retention job repeats it. */
export async function deleteOrphan(
  { database, storage, log }: Pick<Context, 'database' | 'storage' | 'log'>,
  key: string,
): Promise<boolean> {
  try {
    await storage.remove(key)
    await deleteOrphanRow(database, key)
    return true
  } catch (error) {
    log.warn({ err: error }, 'orphaned file could not be deleted, will retry')
    return false
  }
}
