import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { ConcurrencyLimit } from '#platform/core/concurrency-limit.ts'
import type { Database } from '#platform/core/database.ts'
import { openThreadSession, openThreads } from '#platform/core/threads.ts'
import type { Context } from '#platform/http/context.ts'
import { refusedTable, threadRefusal } from '#platform/http/table-types.ts'
import { productsOfPrimaries } from './table-queries.ts'
import { openUnlinked } from './spool.ts'
import type { TableResult, TableTask } from './table-thread.ts'

/** A larger file is not shown before it is sent. */
export const maxTableBytes = 16 * 1024 * 1024

const threads = openThreads({
  file: new URL('./table-thread.ts', import.meta.url),
  max: 2,
  maxMs: 30_000,
  maxWaiting: 32,
  // Several times the largest text of a file.
  heapMiB: 512,
})

/** Opens a function that reads tables, of each client a limited number at once: a response counts until it is sent. */
export function openTableReader({ config, database }: Context) {
  const { downloads: max, maxWaitMs } = config.limits
  const responses = new ConcurrencyLimit({ max, maxWaitMs })
  const folder = join(config.dataDir, 'imports')
  /** What a thread makes of a table, from a file that is deleted when it is sent. @throws ApiError 400, 415, or 503 when too many wait. */
  return async (clientId: string, task: Omit<TableTask, 'file'>): Promise<Readable> => {
    const permit = await responses.acquire(clientId)
    try {
      const handle = await openUnlinked(folder)
      try {
        await readInThread({ ...task, file: handle.fd }, database)
      } catch (error) {
        await handle.close()
        throw error
      }
      return handle.createReadStream({ start: 0 }).once('close', () => permit.release())
    } catch (error) {
      permit.release()
      throw error
    }
  }
}

async function readInThread(task: TableTask, database: Database): Promise<void> {
  const session = openThreadSession<TableTask, TableResult>(threads)
  try {
    let response = await session.request(task)
    if (response !== 'written' && 'primaries' in response) {
      const productsOf = await productsOfPrimaries(database, task.company?.taxId ?? '', response.primaries)
      response = await session.request({ ...task, productsOf })
    }
    if (response !== 'written') {
      if ('primaries' in response) throw new Error('a table asks twice for the products of its people')
      throw refusedTable(response)
    }
  } catch (error) {
    throw threadRefusal(error)
  } finally {
    session.end()
  }
}
