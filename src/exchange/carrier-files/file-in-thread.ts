import { openThreadSession, openThreads } from '#platform/core/threads.ts'
import { refusedTable, threadRefusal } from '#platform/http/table-types.ts'
import type { CarrierFileTask, ReadCarrierFile } from './carrier-file.ts'
import type { ReadRequest, ReadResponse } from './file-thread.ts'

const threads = openThreads({
  file: new URL('./file-thread.ts', import.meta.url),
  // Two that the workers read, and one that is sent: a file takes a part of the memory that a process has.
  max: 3,
  maxMs: 60_000,
  maxWaiting: 16,
  heapMiB: 512,
})

/** A file that a thread has read. */
export interface OpenCarrierFile {
  readonly file: ReadCarrierFile
  /** The rows of its lines, for `copyLines`. */
  rows(companyId: string, fileId: string): AsyncGenerator<Uint8Array>
}

/**
 * Reads a file in a thread, which it keeps until `work` ends.
 * @param signal ends the thread.
 * @throws ApiError 400 or 415 for a file that cannot be used, 503 when too many wait.
 */
export async function withCarrierFile<T>(
  task: CarrierFileTask,
  bytes: Uint8Array,
  signal: AbortSignal | undefined,
  work: (file: OpenCarrierFile) => Promise<T>,
): Promise<T> {
  const session = openThreadSession<ReadRequest, ReadResponse>(threads, signal)
  try {
    const response = await session.request({ task, bytes })
    if ('isUnsupported' in response) throw refusedTable(response)
    if (!('file' in response)) throw new Error('a file failed in its thread')
    const { file } = response
    return await work({
      file,
      async *rows(companyId, fileId) {
        for (;;) {
          const part = await session.request({ companyId, fileId })
          if (!('rows' in part) || part.rows === null) return
          yield part.rows
        }
      },
    })
  } catch (error) {
    throw threadRefusal(error)
  } finally {
    session.end()
  }
}
