import { openThreadSession, openThreads } from '#platform/core/threads.ts'
import { refusedTable, threadRefusal } from '#platform/http/table-types.ts'
import type { LayoutDefinition } from './definition.ts'
import type { ParseResponse, ParseTask } from './parse-thread.ts'
import type { ParsedFile } from './types.ts'

const threads = openThreads({
  file: new URL('./parse-thread.ts', import.meta.url),
  max: 2,
  maxMs: 30_000,
  maxWaiting: 32,
  // Several times the values of 100,000 lines.
  heapMiB: 512,
})

/** The lines of a carrier's file, read in a thread. @throws ApiError 400, 415, or 503 when too many wait. */
export async function parseInThread(definition: LayoutDefinition, bytes: Uint8Array): Promise<ParsedFile> {
  const session = openThreadSession<ParseTask, ParseResponse>(threads)
  try {
    const response = await session.request({ definition, bytes })
    if ('isUnsupported' in response) throw refusedTable(response)
    return response
  } catch (error) {
    throw threadRefusal(error)
  } finally {
    session.end()
  }
}
