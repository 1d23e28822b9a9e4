import { refusedTable, threadRefusal } from '#platform/http/table-types.ts'
import { openThreadSession, openThreads } from '#platform/core/threads.ts'
import type { JudgedChunk, NextChunk, ReaderResponse, ReaderRequest, ReaderTask } from './reader-thread.ts'

/** A file that is read and judged in a worker thread. */
export interface Reader {
  /** Reads the next chunk. @throws ApiError 400 for a file that cannot be used, 415 for one of another type. */
  next(): Promise<NextChunk>
  /** Judges the chunk that was read last; called again when its facts have changed. */
  judge(facts: string): Promise<JudgedChunk>
  close(): void
}

const threads = openThreads({
  file: new URL('./reader-thread.ts', import.meta.url),
  // Their number is limited where imports begin.
  max: Number.MAX_SAFE_INTEGER,
  // The time of one chunk.
  maxMs: 60_000,
  // Several times the size of a chunk and its facts; a smaller limit makes garbage collection start earlier.
  heapMiB: 128,
})

export function openReader(task: ReaderTask): Reader {
  const session = openThreadSession<ReaderRequest, ReaderResponse>(threads)
  return {
    async next() {
      const response = await session.request({ next: task }).catch((error: unknown) => {
        throw threadRefusal(error)
      })
      if ('refused' in response) throw refusedTable(response)
      return response as NextChunk
    },
    async judge(facts) {
      const judged = await session.request({ facts }).catch((error: unknown) => {
        throw threadRefusal(error)
      })
      return judged as JudgedChunk
    },
    close: () => session.end(),
  }
}
