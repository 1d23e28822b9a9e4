import { availableParallelism } from 'node:os'
import { Readable } from 'node:stream'
import Cursor from 'pg-cursor'
import type { Client } from 'pg'
import { openSemaphore } from '../platform/semaphore.ts'
import type { Caller } from '../http/caller.ts'
import type { Database } from '../platform/database.ts'
import { ConcurrencyLimit } from '../http/limits/concurrency-limit.ts'
import type { Log } from '../platform/log.ts'
import { type ListStatement, listSettings, memberStatements, scopeStatement } from './whole-list-queries.ts'
import { MemberJsonWriter, type MemberRow, type ProductRow, ProductJson } from './member-json.ts'
import type { MemberSelection } from './page-queries.ts'

/** Enough for the first packets; then more at once, but no more than a moment's work for the event loop. */
const firstRows = 50
const batchRows = 150
const retryAfterSeconds = 5
/** The transaction of a list is idle while its reader is slow; one below the minimum speed is ended before this. */
const idleTransactionMs = 120_000
/** A batch that takes longer holds up the others no more: its connection may be dead. */
const maxTurnMs = 1_000

export interface ListLimits {
  /** Lists under way at once in this process: each holds a connection outside the pool. */
  readonly atOnce: number
  /** The longest that a list may take as a whole. */
  readonly statementMs: number
}

/** Opens `{"result":[...]}` of members as a stream; null when the caller's client is revoked. */
export type OpenList = (caller: Caller, selection: MemberSelection) => Promise<Readable | null>

/**
 * Streams lists of any length in flat memory, each from one snapshot. Failures before the first byte reject; one in the middle
 * destroys the stream, so that nobody takes half a list for a whole one.
 */
export function listStreams(database: Database, log: Log, limits: ListLimits): OpenList {
  const lists = new ConcurrencyLimit({ max: limits.atOnce, retryAfterSeconds })
  // Each list would keep a processor of the database busy: together they leave one to everybody else.
  const turns = openSemaphore(Math.max(1, availableParallelism() - 1), Infinity)
  const inTurn = <T>(work: () => Promise<T>) =>
    new Promise<T>((resolve, reject) => {
      const take = async () => {
        const done = work()
        done.then(resolve, reject)
        let late: NodeJS.Timeout | undefined
        await Promise.race([done.catch(() => {}), new Promise((goOn) => (late = setTimeout(goOn, maxTurnMs)))])
        clearTimeout(late)
      }
      turns.pass(take).catch(reject)
    })
  return async (caller, selection) => {
    const permit = lists.acquire(caller.clientId)
    let client: Client | undefined
    let released: Promise<void> | undefined
    const release = () =>
      (released ??= (async () => {
        try {
          await client?.end()
        } finally {
          permit.release()
        }
      })())
    try {
      client = await database.connect()
      const rows = await openRows(client, caller, selection, limits, inTurn)
      if (rows !== null) {
        const people = new MemberJsonWriter(rows.products, selection.includeInactive)
        return new ListStream(rows, await rows.read(firstRows), people, { release, log })
      }
    } catch (error) {
      await release().catch(() => {})
      throw error
    }
    await release()
    return null
  }
}

/** Texts as PostgreSQL writes them: what a value is has been said by whoever put it there. */
const asText = { rowMode: 'array', types: { getTypeParser: () => (value: string) => value } } as const

type InTurn = <T>(work: () => Promise<T>) => Promise<T>

/** Begins the snapshot; null when the client is revoked. */
async function openRows(
  client: Client,
  caller: Caller,
  selection: MemberSelection,
  { statementMs }: ListLimits,
  inTurn: InTurn,
): Promise<Rows | null> {
  await client.query(`${listSettings}; set statement_timeout = ${statementMs};
    set idle_in_transaction_session_timeout = ${idleTransactionMs}; begin isolation level repeatable read, read only`)
  const { text, values } = scopeStatement(caller)
  const scope = await client.query<[companyId: string | null, ...ProductRow] | [string | null, ...null[]]>({
    ...asText,
    text,
    values: [...values],
  })
  if (scope.rows.length === 0) return null
  const products = new ProductJson()
  const companies = new Set<string>()
  for (const [companyId, ...product] of scope.rows) {
    if (companyId === null) continue
    companies.add(companyId)
    if (product[1] !== null) products.add(companyId, product as unknown as ProductRow)
  }
  return new Rows(client, memberStatements(caller, selection, [...companies]), products, inTurn)
}

/** The rows of some statements, one after the other. */
class Rows {
  readonly products: ProductJson
  readonly #client: Client
  readonly #statements: ListStatement[]
  readonly #inTurn: InTurn
  #cursor: Cursor<MemberRow> | undefined

  constructor(client: Client, statements: ListStatement[], products: ProductJson, inTurn: InTurn) {
    this.#client = client
    this.#statements = statements
    this.products = products
    this.#inTurn = inTurn
  }

  /** At most so many; none: that was all. */
  read(most: number): Promise<MemberRow[]> {
    return this.#inTurn(() => this.#read(most))
  }

  async #read(most: number): Promise<MemberRow[]> {
    for (;;) {
      if (this.#cursor === undefined) {
        const next = this.#statements.shift()
        if (next === undefined) return []
        this.#cursor = this.#client.query(new Cursor<MemberRow>(next.text, [...next.values], asText))
      }
      const rows = await this.#cursor.read(most)
      if (rows.length > 0) return rows
      await this.#cursor.close()
      this.#cursor = undefined
    }
  }
}

interface Ending {
  release(): Promise<void>
  readonly log: Log
}

class ListStream extends Readable {
  readonly #rows: Rows
  readonly #people: MemberJsonWriter
  readonly #ending: Ending
  #next: Promise<MemberRow[]>
  #begun = false
  #itemsSent = false

  constructor(rows: Rows, first: MemberRow[], people: MemberJsonWriter, ending: Ending) {
    // Texts as they are, a batch at a time: made into buffers they would pile up until the collector looks.
    super({ objectMode: true, highWaterMark: 1 })
    this.#rows = rows
    this.#people = people
    this.#ending = ending
    this.#next = Promise.resolve(first)
    // However it ends: taken whole, broken off, or the reader gone.
    this.once('close', () => {
      void ending.release().catch(() => {})
    })
  }

  override _read(): void {
    this.#send().catch((error: unknown) => {
      if (this.destroyed) return
      this.#ending.log.warn({ err: error }, 'a list broke off')
      this.destroy(error as Error)
    })
  }

  /** Sends one batch; asked again only once the reader has room for the next, which is on its way by then. */
  async #send(): Promise<void> {
    const rows = await this.#next
    const isLast = rows.length === 0
    // The connection is given back before the reader takes the rest.
    if (isLast) await this.#ending.release()
    if (this.destroyed) return
    if (!isLast) {
      this.#next = this.#rows.read(batchRows)
      // Whoever waits for it is told; nobody may, when the reader is gone.
      this.#next.catch(() => {})
    }
    const items = (isLast ? this.#people.last() : this.#people.take(rows)).join(',')
    const separator = this.#itemsSent && items !== '' ? ',' : ''
    const text = (this.#begun ? '' : '{"result":[') + separator + items + (isLast ? ']}' : '')
    if (text === '') return this.#send()
    this.#begun = true
    this.#itemsSent ||= items !== ''
    this.push(text)
    if (isLast) this.push(null)
  }
}
