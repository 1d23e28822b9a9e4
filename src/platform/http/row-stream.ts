import { Readable } from 'node:stream'
import type { Client } from 'pg'
import Cursor from 'pg-cursor'
import type { FastifyReply } from 'fastify'
import type { Log } from '../core/log.ts'
import { callerOf, type Context } from './context.ts'
import { endUnread } from './limits/end-transfer.ts'

/** Rows of a batch: about 70 KB. */
const batchRows = 100

/** A statement whose rows have one column `item`, the text of an item. */
export interface ItemStatement {
  readonly text: string
  readonly values: readonly unknown[]
  /** Timeout of the whole list, with the time that the client takes to read. */
  readonly timeoutMs: number
}

/** How items become the body. */
export interface ItemFormat {
  readonly head: string
  readonly separator: string
  /** A function: called after the last item was encoded. */
  readonly tail: string | (() => string)
  readonly encode?: (item: string) => string
}

interface Item {
  readonly item: string
}

/**
 * Streams the rows of a statement in constant memory, from one snapshot, over a connection outside of the pool, of which all streams of the
 * process have one share. An error before the first byte rejects; a later one destroys the stream, which aborts the response, so that the
 * client does not mistake a part for the whole list.
 * @param statement or what makes it once it is the stream's turn.
 * @throws ApiError 503 after the longest wait.
 */
export async function openItemStream(
  { database, log, streams }: Pick<Context, 'database' | 'log' | 'streams'>,
  reply: FastifyReply,
  statement: ItemStatement | (() => Promise<ItemStatement>),
  format: ItemFormat,
): Promise<Readable> {
  let client: Client | undefined
  const permit = await streams.acquire(callerOf(reply.request).clientId, { end: () => endUnread(reply.raw) })
  const release = async () => {
    await client?.end().catch(() => {})
    permit.release()
  }
  try {
    const { text, values, timeoutMs } = typeof statement === 'function' ? await statement() : statement
    client = await database.connect()
    await client.query(`set statement_timeout = ${timeoutMs}`)
    const cursor = client.query(new Cursor<Item>(text, [...values]))
    return streamOf(cursor, await cursor.read(batchRows), format, { release, log })
  } catch (error) {
    await release()
    throw error
  }
}

function streamOf(
  cursor: Cursor<Item>,
  first: Item[],
  { head, separator, tail, encode = (item) => item }: ItemFormat,
  { release, log }: { readonly release: () => Promise<void>; readonly log: Log },
): Readable {
  let released: Promise<void> | undefined
  const releaseOnce = () => (released ??= release())
  // Reads one batch ahead: the next is read from the cursor while the client reads this one.
  const stream = Readable.from(chunks(), { objectMode: true, highWaterMark: 1 })
  async function* chunks(): AsyncGenerator<string> {
    let before = head
    let rows = first
    while (rows.length > 0) {
      const next = cursor.read(batchRows)
      // Awaited below, unless the client closes the connection before.
      next.catch(() => {})
      yield before + rows.map(({ item }) => encode(item)).join(separator)
      before = separator
      rows = await next
    }
    // The database connection is released before the client reads the rest.
    await releaseOnce()
    const last = typeof tail === 'string' ? tail : tail()
    const end = before === head ? head + last : last
    if (end !== '') yield end
  }
  stream.once('error', (error) => log.warn({ err: error }, 'list aborted'))
  // At the end, after an error, or when the client disconnects. The server disconnects clients below the minimum speed.
  stream.once('close', () => void releaseOnce())
  return stream
}
