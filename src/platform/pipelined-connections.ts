import type { Socket } from 'node:net'
import pg from 'pg'
import type { Log } from './log.ts'

/** Short reads sent one behind the other on few connections, those of one turn of the event loop in one write. */
export interface Pipeline {
  /** The answer; null when the statement would have to wait behind others for long: ask it on a connection of its own then. */
  ask<Row extends object>(query: pg.QueryConfig): Promise<pg.QueryResult<Row>> | null
  close(): Promise<void>
}

interface Line {
  readonly client: pg.Client
  /** Starts of what is under way, oldest first, by `performance.now()`. */
  readonly startedAt: number[]
  isCorked: boolean
}

const lines = 2
/** Behind a read that takes long, at most so many others wait. */
const maxUnderWay = 16
/** A line whose oldest read takes longer is not joined. */
const longMs = 10
const againAfterMs = 1_000

/**
 * A point read takes PostgreSQL less time than the two writes that ask it: sent by themselves, reads cost a third more.
 * Nothing is connected before the first read; a line that breaks fails what is under way on it, for whoever asked to ask again,
 * and is replaced.
 */
export function openPipeline(settings: pg.ClientConfig, log: Log): Pipeline {
  const open = new Set<Line>()
  let connecting: Promise<void> | null = null
  let failedAt = -againAfterMs
  let isClosed = false

  const connect = async (): Promise<void> => {
    const client = new pg.Client({ ...settings, pipeline: true })
    const line: Line = { client, startedAt: [], isCorked: false }
    client.on('error', (error) => {
      open.delete(line)
      log.warn({ err: error }, 'database connection lost')
    })
    client.on('end', () => open.delete(line))
    try {
      await client.connect()
      // Asked by key, all of them: planned once, and a plan kept from when a table was small must not scan it when it is large.
      await client.query(
        `select set_config('enable_seqscan', 'off', false), set_config('plan_cache_mode', 'force_generic_plan', false)`,
      )
      if (isClosed) await client.end()
      else open.add(line)
    } catch (error) {
      failedAt = performance.now()
      log.warn({ err: error }, 'no connection for short reads')
      await client.end().catch(() => {})
    }
  }
  const grow = (): void => {
    if (connecting !== null || isClosed || performance.now() - failedAt < againAfterMs) return
    connecting = connect().finally(() => {
      connecting = null
    })
  }
  const leastBusy = (): Line | null => {
    const now = performance.now()
    let best: Line | null = null
    for (const line of open) {
      const { startedAt } = line
      if (startedAt.length >= maxUnderWay || now - (startedAt[0] ?? now) > longMs) continue
      if (best === null || startedAt.length < best.startedAt.length) best = line
    }
    return best
  }
  return {
    ask<Row extends object>(query: pg.QueryConfig) {
      if (open.size < lines) grow()
      const line = leastBusy()
      if (line === null) return null
      cork(line)
      line.startedAt.push(performance.now())
      // Answers come in the order of the questions.
      return line.client.query<Row>(query).finally(() => line.startedAt.shift())
    },
    async close() {
      isClosed = true
      await connecting
      await Promise.all([...open].map(({ client }) => client.end()))
    },
  }
}

/** Holds back what is written until the sockets that are readable now have been read: their questions go out together. */
function cork(line: Line): void {
  if (line.isCorked) return
  line.isCorked = true
  const { stream } = (line.client as unknown as { connection: { stream: Socket } }).connection
  stream.cork()
  setImmediate(() => {
    line.isCorked = false
    stream.uncork()
  })
}
