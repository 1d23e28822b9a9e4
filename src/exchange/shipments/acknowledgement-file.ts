import { setImmediate } from 'node:timers/promises'
import { CHUNK_SIZE } from '#platform/core/chunk.ts'
import type { Context } from '#platform/http/context.ts'
import type { NotRead } from '#movements/decide/sent-lines.ts'
import { openLineThreads, readInThread } from '#movements/decide/workbook.ts'
import { type ReadLine, readLine } from './acknowledgement-line.ts'
import type { AcknowledgementTask } from './acknowledgement-thread.ts'

const threads = openLineThreads(new URL('./acknowledgement-thread.ts', import.meta.url))

/** The lines of a carrier's file. @throws ApiError 400, 413, 415, or 503 when too many files wait. */
export async function readAcknowledgement(
  context: Context,
  file: Omit<AcknowledgementTask, 'folder'>,
): Promise<NotRead & { readonly lines: readonly ReadLine[] }> {
  const { lines: sent, ...notRead } = await readInThread(threads, context, file)
  const lines: ReadLine[] = []
  for (const line of sent) {
    lines.push(readLine(line))
    // Other requests are served meanwhile.
    if (lines.length % CHUNK_SIZE === 0) await setImmediate()
  }
  return { lines, ...notRead }
}
