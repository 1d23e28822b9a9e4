import { unavailable } from '../core/errors.ts'
import { NoThreadError, openThreadSession, openThreads } from '../core/threads.ts'
import { refusedTable } from '../http/table-types.ts'
import { workbookOf } from '../tables/xlsx/zip-writer.ts'
import type { ReadTable } from './table-read.ts'
import type { TableResult, TableTask } from './table-thread.ts'

/** A larger file is not shown before it is sent. */
export const maxTableBytes = 16 * 1024 * 1024

const threads = openThreads({
  file: new URL('./table-thread.ts', import.meta.url),
  max: 2,
  maxWaiting: 32,
  // Several times the largest text of a file.
  heapMiB: 512,
})

/** What a thread makes of a table: a text, or its rows. @throws ApiError 400, 415, or 503 when too many wait. */
export async function readTableInThread(task: TableTask): Promise<string | ReadTable> {
  const session = openThreadSession<TableTask, TableResult>(threads)
  try {
    const response = await session.request(task)
    if (typeof response !== 'string' && 'refused' in response) throw refusedTable(response)
    return response
  } catch (error) {
    throw error instanceof NoThreadError ? unavailable() : error
  } finally {
    session.end()
  }
}

/** The rows as a workbook. */
export function workbookOfTable({ content, dates }: ReadTable): ReturnType<typeof workbookOf> {
  const columns = content.columns.map(({ heading }, index) => ({ header: heading, isDate: dates[index] === true }))
  return workbookOf('table', columns, [content.rows.map(({ cells }) => cells)])
}
