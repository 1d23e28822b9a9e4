import { Readable } from 'node:stream'
import Cursor from 'pg-cursor'
import type { Client } from 'pg'
import { isActiveClient } from '../http/active-client.ts'
import type { Caller } from '../http/caller.ts'
import type { Database } from '../platform/database.ts'
import { ConcurrencyLimit } from '../http/limits/concurrency-limit.ts'
import type { Log } from '../platform/log.ts'
import { type MemberSelection, wholeList } from './queries.ts'

/** Members a chunk: about 70 KB. */
const batchRows = 100
const retryAfterSeconds = 5

export interface ListLimits {
  /** Lists in progress at once in this process: each has a connection outside the pool. */
  readonly atOnce: number
  /** The longest that a list may take as a whole. */
  readonly statementMs: number
}

/** Opens `{"result":[...]}` of members as a stream; null when the caller's client is revoked. */
export type OpenList = (caller: Caller, selection: MemberSelection) => Promise<Readable | null>

interface Item {
  readonly item: string
}

/**
 * Streams lists of any length in flat memory, each from one snapshot. Errors before the first byte reject; a later one
 * destroys the stream, so that the response is cut off and nobody takes half a list for a whole one.
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
      if (await isActiveClient(database, caller)) {
        client = await database.connect()
        // The timeout counts from the first row to the last, with the time that the reader takes.
        await client.query(`set statement_timeout = ${limits.statementMs}`)
        const { text, values } = wholeList(caller, selection)
        const cursor = client.query(new Cursor<Item>(text, values))
        return streamOf(cursor, await cursor.read(batchRows), { release, log })
      }
    } catch (error) {
      await release()
      throw error
    }
    await release()
    return null
  }
}

interface StreamOptions {
  readonly release: () => Promise<void>
  readonly log: Log
}

function streamOf(cursor: Cursor<Item>, first: Item[], { release, log }: StreamOptions): Readable {
  let released: Promise<void> | undefined
  const releaseOnce = () => (released ??= release())
  // Strings, a batch at a time: the next batch is read while the reader takes this one, no further ahead.
  const stream = Readable.from(chunks(), { objectMode: true, highWaterMark: 1 })
  async function* chunks(): AsyncGenerator<string> {
    let separator = '{"result":['
    let rows = first
    while (rows.length > 0) {
      const next = cursor.read(batchRows)
      // Awaited below, unless the reader leaves before.
      next.catch(() => {})
      yield separator + rows.map(({ item }) => item).join(',')
      separator = ','
      rows = await next
    }
    // The connection is released before the reader takes the rest.
    await releaseOnce()
    yield separator === ',' ? ']}' : `${separator}]}`
  }
  stream.once('error', (error) => log.warn({ err: error }, 'member list aborted'))
  // However it ends: read to the end, failed, or the reader left.
  // A reader below the minimum speed is disconnected by the server.
  stream.once('close', () => void releaseOnce())
  return stream
}
