import { join } from 'node:path'
import { mkdir } from 'node:fs/promises'
import { openThreadSession, openThreads, type Threads } from '#platform/core/threads.ts'
import type { Context } from '#platform/http/context.ts'
import { refusedTable, threadRefusal } from '#platform/http/table-types.ts'
import type { SheetTask } from '#platform/tables/xlsx/sheet.ts'
import { type FileLines, type LinesResponse, type SentLine, tooManyLines } from './sent-lines.ts'

/** Threads that read the lines of files with this module. */
export function openLineThreads(file: URL): Threads {
  return openThreads({
    file,
    max: 2,
    maxMs: 30_000,
    maxWaiting: 32,
    // Several times the largest text of a file.
    heapMiB: 256,
  })
}

/**
 * The lines of a file, read in a thread.
 * @throws ApiError 400, 413, 415, or 503 when too many wait.
 */
export async function readInThread<Task extends Omit<SheetTask, 'folder'>>(
  threads: Threads,
  { config }: Context,
  task: Task,
): Promise<FileLines> {
  const folder = join(config.dataDir, 'imports')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const session = openThreadSession<Task & { readonly folder: string }, LinesResponse>(threads)
  try {
    const response = await session.request({ ...task, folder })
    if (response === 'too-many') throw tooManyLines()
    if ('refused' in response) throw refusedTable(response)
    return response
  } catch (error) {
    throw threadRefusal(error)
  } finally {
    session.end()
  }
}

const threads = openLineThreads(new URL('./workbook-thread.ts', import.meta.url))

/** The lines of a workbook of decisions. @throws as `readInThread`. */
export async function readWorkbook(
  context: Context,
  bytes: Buffer,
  sheet: string | undefined,
): Promise<readonly SentLine[]> {
  return (await readInThread(threads, context, { bytes, sheet })).lines
}
