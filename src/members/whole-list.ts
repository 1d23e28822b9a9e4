import { Readable } from 'node:stream'
import Cursor from 'pg-cursor'
import type { Client } from 'pg'
import { isActiveClient } from '../http/active-client.ts'
import type { Caller } from '../http/caller.ts'
import { invalidCredentials } from '../platform/errors.ts'
import type { Database } from '../platform/database.ts'
import { ConcurrencyLimit } from '../http/limits/concurrency-limit.ts'
import type { Log } from '../platform/log.ts'
import { type MemberSelection, wholeList } from './queries.ts'

/** Rows of a batch: about 70 KB. */
const batchRows = 100
const retryAfterSeconds = 5

export interface ListLimits {
  /** Lists read at once in this process: each has a connection outside of the pool. */
  readonly atOnce: number
  /** Timeout of a whole list. */
  readonly statementMs: number
}

/** Opens `{"result":[...]}` of members as a stream. Rejects with the ApiError 401 when the caller's client is revoked, 503 when too many lists are read. */
export type OpenList = (caller: Caller, selection: MemberSelection) => Promise<Readable>

interface Item {
  readonly item: string
}

/**
 * Streams lists of any length in constant memory, each from one snapshot. An error before the first byte rejects; a later one destroys the
 * stream, which aborts the response, so that the client does not mistake a part for the whole list.
 */
export function listStreams(database: Database, log: Log, limits: ListLimits): OpenList {
  const lists = new ConcurrencyLimit({ max: limits.atOnce, retryAfterSeconds })
  return async (caller, selection) => {
    const permit = lists.acquire(caller.clientId)
    let client: Client | undefined
    const release = async () => {
      await client?.end().catch(() => {})
      permit.release()
    }
    try {
      if (!(await isActiveClient(database, caller))) throw invalidCredentials('client-revoked')
      client = await database.connect()
      // The timeout covers the whole list, with the time that the client takes to read.
      await client.query(`set statement_timeout = ${limits.statementMs}`)
      const { text, values } = wholeList(caller, selection)
      const cursor = client.query(new Cursor<Item>(text, values))
      return streamOf(cursor, await cursor.read(batchRows), { release, log })
    } catch (error) {
      await release()
      throw error
    }
  }
}

interface StreamOptions {
  readonly release: () => Promise<void>
  readonly log: Log
}

function streamOf(cursor: Cursor<Item>, first: Item[], { release, log }: StreamOptions): Readable {
  let released: Promise<void> | undefined
  const releaseOnce = () => (released ??= release())
  // Reads one batch ahead: the next is read from the cursor while the client reads this one.
  const stream = Readable.from(chunks(), { objectMode: true, highWaterMark: 1 })
  async function* chunks(): AsyncGenerator<string> {
    let separator = '{"result":['
    let rows = first
    while (rows.length > 0) {
      const next = cursor.read(batchRows)
      // Awaited below, unless the client closes the connection before.
      next.catch(() => {})
      yield separator + rows.map(({ item }) => item).join(',')
      separator = ','
      rows = await next
    }
    // The database connection is released before the client reads the rest.
    await releaseOnce()
    yield separator === ',' ? ']}' : `${separator}]}`
  }
  stream.once('error', (error) => log.warn({ err: error }, 'member list aborted'))
  // At the end, after an error, or when the client disconnects. The server disconnects clients below the minimum speed.
  stream.once('close', () => void releaseOnce())
  return stream
}
