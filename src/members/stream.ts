import { Readable } from 'node:stream'
import Cursor from 'pg-cursor'
import type { Client } from 'pg'
import type { Database } from '../database.ts'
import { unavailable } from '../errors.ts'
import type { Log } from '../log.ts'
import type { ListStatement } from './queries.ts'

const batchRows = 250
const retryAfterSeconds = 5

export interface ListLimits {
  /** Lists under way at once in this process: each holds a connection outside the pool. */
  readonly atOnce: number
  /** A reader who takes nothing for so long is given up. */
  readonly stallMs: number
  /** The longest that a list may take as a whole. */
  readonly statementMs: number
}

/** Opens `{"result":[...]}` as a stream; null when the statement says that the caller's client is revoked. */
export type OpenList = (statement: ListStatement) => Promise<Readable | null>

/**
 * Streams lists of any length in flat memory, each from one statement, so from one snapshot. Failures before the first byte
 * reject; one in the middle destroys the stream, so that nobody takes half a list for a whole one.
 */
export function listStreams(database: Database, log: Log, limits: ListLimits): OpenList {
  let running = 0
  return async (statement) => {
    if (running >= limits.atOnce) throw unavailable('Too many lists at once', retryAfterSeconds)
    running += 1
    let client: Client | undefined
    let released: Promise<void> | undefined
    const release = () =>
      (released ??= (async () => {
        try {
          await client?.end()
        } finally {
          running -= 1
        }
      })())
    try {
      client = await database.connect()
      // Compiling the plan (jit) takes longer than the compiled plan saves.
      await client.query(`set statement_timeout = ${limits.statementMs}; set jit = off`)
      const cursor = client.query(new Cursor<Row>(statement.text, [...statement.values], { rowMode: 'array' }))
      const first = await cursor.read(batchRows)
      if (first.length > 0) return new ListStream(cursor, first, release, limits.stallMs, log)
    } catch (error) {
      await release().catch(() => {})
      throw error
    }
    await release()
    return null
  }
}

type Row = [string | null]

class ListStream extends Readable {
  readonly #cursor: Cursor<Row>
  readonly #release: () => Promise<void>
  readonly #stallMs: number
  readonly #log: Log
  #first: Row[] | null
  #itemsSent = false
  #stalled: NodeJS.Timeout | undefined

  constructor(cursor: Cursor<Row>, first: Row[], release: () => Promise<void>, stallMs: number, log: Log) {
    super()
    this.#cursor = cursor
    this.#first = first
    this.#release = release
    this.#stallMs = stallMs
    this.#log = log
    // However it ends: taken whole, broken off, or the reader gone.
    this.once('close', () => {
      clearTimeout(this.#stalled)
      void this.#release().catch(() => {})
    })
  }

  override _read(): void {
    clearTimeout(this.#stalled)
    this.#send().catch((error: unknown) => {
      if (this.destroyed) return
      this.#log.warn({ err: error }, 'a list broke off')
      this.destroy(error as Error)
    })
  }

  /** Sends one batch; asked again only once the reader has room for the next. */
  async #send(): Promise<void> {
    const begin = this.#first === null ? '' : '{"result":['
    const rows = this.#first ?? (await this.#cursor.read(batchRows))
    this.#first = null
    const isLast = rows.length < batchRows
    // The connection is given back before the reader takes the rest.
    if (isLast) await this.#release()
    if (this.destroyed) return
    this.#stalled = setTimeout(() => this.destroy(new Error('the reader stalled')), this.#stallMs)
    const items = rows.flatMap(([item]) => item ?? []).join(',')
    const separator = this.#itemsSent && items !== '' ? ',' : ''
    this.#itemsSent ||= items !== ''
    this.push(begin + separator + items + (isLast ? ']}' : ''))
    if (isLast) this.push(null)
  }
}
