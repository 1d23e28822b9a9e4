import { join } from 'node:path'
import { mkdir } from 'node:fs/promises'
import { NoThreadError, openThreadSession, openThreads } from '../../core/threads.ts'
import { unavailable } from '../../core/errors.ts'
import type { Context } from '../../http/context.ts'
import { refusedTable } from '../../http/table-types.ts'
import type { SheetTask } from '../../tables/xlsx/sheet.ts'
import { type SentLine, tooManyLines } from './file.ts'
import type { WorkbookResponse } from './workbook-thread.ts'

const threads = openThreads({
  file: new URL('./workbook-thread.ts', import.meta.url),
  max: 2,
  maxWaiting: 32,
  // Several times the largest text of a file.
  heapMiB: 256,
})

/**
 * The lines of a workbook, read in a thread.
 * @throws ApiError 400, 413, 415, or 503 when too many wait.
 */
export async function readWorkbook(
  { config }: Context,
  bytes: Buffer,
  sheet: string | undefined,
): Promise<readonly SentLine[]> {
  const folder = join(config.dataDir, 'imports')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const session = openThreadSession<SheetTask, WorkbookResponse>(threads)
  try {
    const response = await session.request({ bytes, sheet, folder })
    if (response === 'too-many') throw tooManyLines()
    if ('refused' in response) throw refusedTable(response)
    return response
  } catch (error) {
    throw error instanceof NoThreadError ? unavailable() : error
  } finally {
    session.end()
  }
}
