import { finished } from 'node:stream/promises'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { columnTypes } from './column-types.ts'
import { ConnectionShares } from './connection-shares.ts'
import { DatabaseClock } from './database-clock.ts'
import { markError, marked, sqlState, statementName } from './database-errors.ts'
import { clientOf } from './database-servers.ts'
import { parseServers } from './database-url.ts'
import { unavailable } from './errors.ts'
import { spareConnections } from './limits.ts'
import type { Log } from './log.ts'
import { Records } from './records.ts'
import { transact } from './transaction.ts'

/** Runs single statements: in autocommit on the pool, or on the connection of a transaction. */
export interface Sql {
  /**
   * The rows of a statement, prepared once a connection where named statements are on. Dates come as `YYYY-MM-DD`, bigint as number
   * (cents stay below 2^53). A statement about more than 20 rows is planned for its values: a plan prepared on empty tables takes minutes at
   * 10,000 rows.
   * @param rows that it is about; absent: the length of its longest array or `Records`.
   */
  query<Row extends object>(text: string, values?: readonly unknown[], rows?: number): Promise<Row[]>
  /** The same, planned at every execution: for lists, whose best plan depends on the values and on the present size of the tables. */
  queryPlanned<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>
  /** The number of rows that a statement affected. */
  execute(text: string, values?: readonly unknown[]): Promise<number>
  /** The time by the clock of the database's server, which all processes share. */
  now(): Date
}

/** The connection of a transaction. */
export interface Transaction extends Sql {
  /** Runs a COPY FROM STDIN of these rows, in the format that the statement says. */
  copy(text: string, rows: Uint8Array): Promise<void>
}

export interface Database extends Sql {
  /**
   * Runs `work` in one transaction and commits; rolls back when it throws. Retries after a serialization failure and a deadlock, so
   * `work` must keep its effects inside the transaction.
   * @param retriesUniqueViolation for work that looks for a row first, inserts without `on conflict`, and reports the row when it finds it at
   * the second attempt.
   */
  [transact]<T>(
    work: (sql: Transaction) => Promise<T>,
    options?: { readonly retriesUniqueViolation?: boolean },
  ): Promise<T>
  /** Runs reads in one snapshot, read only and without a limit of time: the checks of everything that is stored. */
  snapshot<T>(work: (sql: Sql) => Promise<T>): Promise<T>
  /** Reads the clock of the server, for `now`. Until then `now` is the time of this machine. */
  readServer(): Promise<void>
  /** A connection of its own outside the pool (LISTEN, cursors, advisory locks); the caller ends it. */
  connect(): Promise<pg.Client>
  /** The connections of the pool now, and how many statements wait for one. */
  pool(): { readonly total: number; readonly idle: number; readonly waiting: number }
  close(): Promise<void>
}

/** Runs each statement in a span. */
interface StatementTracing {
  statement<T>(text: string, id: string, work: () => Promise<T>): Promise<T>
}

interface DatabaseOptions {
  readonly url: string
  readonly connections: number
  readonly namedStatements: boolean
  readonly applicationName: string
  readonly statementTimeoutMs?: number
  /** How long a statement waits for a connection that others use. */
  readonly maxWaitMs?: number
  readonly tracing?: StatementTracing | null
}

interface Executor {
  query<Row extends object>(config: TimedQuery): Promise<pg.QueryResult<Row>>
}
/** Runs work on a connection of the pool, which it releases. */
type Connected = <T>(work: (client: pg.PoolClient) => Promise<T>) => Promise<T>
/** `query_timeout`: in milliseconds; `pg` has it, its types do not. */
type TimedQuery = pg.QueryConfig & { query_timeout: number }

/** The search among several servers takes less than the pool waits. */
const [connectTimeoutMs, searchTimeoutMs] = [5_000, 4_000]
/** Opens a pool. It connects at the first statement, so that the start does not need the database. */
export function openDatabase(options: DatabaseOptions, log: Log): Database {
  const servers = parseServers(options.url)
  const settings: pg.ClientConfig = {
    connectionString: servers?.list[0]?.url ?? options.url,
    types: columnTypes,
    application_name: options.applicationName,
    keepAlive: true,
    // So that the loss of a silent host is noticed after 20 seconds, not after the two hours of the system.
    keepAliveInitialDelayMillis: 10_000,
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: options.statementTimeoutMs ?? 30_000,
    lock_timeout: 10_000,
    idle_in_transaction_session_timeout: 60_000,
  }
  const Client = servers === null ? pg.Client : clientOf(servers, settings, searchTimeoutMs, log)
  const shares = new ConnectionShares(options.connections, options.maxWaitMs, log)
  // Those within the shares are fewer; a call that has one and needs another waits for one of the spare ones.
  const max = options.connections + spareConnections
  const pool = new pg.Pool({ ...settings, Client, max, idleTimeoutMillis: 60_000 })
  // The pool replaces an idle connection that breaks; without a listener the error would end the process.
  pool.on('error', (error) => log.warn({ err: error }, 'idle database connection lost'))
  // Without a listener, a connection that breaks between its checkout and the first statement would end the process.
  pool.on('connect', (client) => client.on('error', () => {}))
  const tracing = options.tracing ?? null
  const clock = new DatabaseClock()
  const onPool = { query: <Row extends object>(config: TimedQuery) => shares.run(() => pool.query<Row>(config)) }
  const connected: Connected = (work) =>
    shares.run(async () => {
      const client = await marked(pool.connect())
      return shares.holding(() => work(client))
    })
  const on = (executor: Executor, query_timeout = maxTransactionMs): Sql => {
    const send = <Row extends object>(text: string, values: readonly unknown[], prepared: boolean) => {
      const config: TimedQuery = { text, values: values as unknown[], query_timeout }
      if (prepared && options.namedStatements) config.name = statementName(text)
      const work = () => executor.query<Row>(config)
      return marked(tracing === null ? work() : tracing.statement(text, statementName(text), work), text)
    }
    return {
      query: async <Row extends object>(
        text: string,
        values: readonly unknown[] = [],
        rows: number = longestArray(values),
      ) => (await send<Row>(text, values, rows <= fewRows)).rows,
      queryPlanned: async <Row extends object>(text: string, values: readonly unknown[] = []) =>
        (await send<Row>(text, values, false)).rows,
      execute: async (text, values = []) => (await send(text, values, true)).rowCount ?? 0,
      now: () => clock.now(),
    }
  }
  return {
    ...on(onPool),
    [transact]: (work, { retriesUniqueViolation = false } = {}) =>
      retrying(
        () => inTransaction(connected, on, work),
        retriesUniqueViolation ? [...transientErrors, uniqueViolation] : transientErrors,
      ),
    snapshot: (work) =>
      inTransaction(
        connected,
        on,
        async (sql) => {
          await sql.execute('set transaction isolation level repeatable read, read only')
          await sql.execute('set local statement_timeout = 0')
          return work(sql)
        },
        // The largest delay of a timer.
        2 ** 31 - 1,
      ),
    async readServer() {
      await clock.read(async () => {
        const text = 'select extract(epoch from clock_timestamp())::float8 * 1000 as ms'
        return (await on(onPool).query<{ ms: number }>(text))[0]?.ms ?? Date.now()
      })
    },
    async connect() {
      const client = new Client(settings)
      client.on('error', (error) => {
        markError(error)
        log.warn({ err: error }, 'database connection lost')
      })
      await marked(client.connect())
      return client
    },
    pool: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: shares.waiting }),
    close: () => {
      // Connections may still be closing when the server stops after this.
      pool.removeAllListeners('error').on('error', () => {})
      return pool.end()
    },
  }
}

/** Runs statements on a connection of `Database.connect`, not prepared. */
export function queriesOn(client: pg.Client): Pick<Sql, 'query'> {
  return {
    query: async <Row extends object>(text: string, values: readonly unknown[] = []) =>
      (await client.query<Row>(text, [...values])).rows,
  }
}

/** Up to so many rows planning takes longer than the difference between two plans. */
const fewRows = 20

function longestArray(values: readonly unknown[]): number {
  return Math.max(0, ...values.map((value) => (Array.isArray(value) || value instanceof Records ? value.length : 0)))
}

/**
 * A longer transaction is rolled back: its timestamps are from its beginning, and clients that read by `updated-since` overlap their calls by
 * 60 seconds, of which this leaves 15 for the commit and for clocks that differ. A statement without a response for this long is given up
 * with its connection: a server that lost its power, and a commit that waits for a standby, do not keep the statement timeout.
 */
const maxTransactionMs = 45_000

const timed = (text: string): TimedQuery => ({ text, query_timeout: maxTransactionMs })

function inTransaction<T>(
  connected: Connected,
  on: (executor: pg.PoolClient, query_timeout?: number) => Sql,
  work: (sql: Transaction) => Promise<T>,
  maxMs: number = maxTransactionMs,
): Promise<T> {
  return connected((client) => runTransaction(client, on, work, maxMs))
}

async function runTransaction<T>(
  client: pg.PoolClient,
  on: (executor: pg.PoolClient, query_timeout?: number) => Sql,
  work: (sql: Transaction) => Promise<T>,
  maxMs: number,
): Promise<T> {
  let broken: Error | undefined
  // The pool listens only to idle connections; without a listener an error now would end the process.
  const noteBreak = (error: Error) => {
    broken = error
  }
  client.on('error', noteBreak)
  try {
    await marked(client.query(timed('begin')))
    const sql = {
      ...on(client, maxMs),
      copy: (text: string, rows: Uint8Array) => marked(copyRows(client, text, rows), text),
    }
    const startedAt = performance.now()
    const result = await work(sql)
    if (performance.now() - startedAt > maxMs) throw unavailable()
    await marked(client.query(timed('commit')))
    return result
  } catch (error) {
    // A server that became read-only: the next connection finds the one that accepts writes. One that is silent: no rollback would end.
    if (sqlState(error) === readOnly || isSilence(error)) noteBreak(error as Error)
    else await client.query('rollback').catch(noteBreak)
    throw error
  } finally {
    client.off('error', noteBreak)
    client.release(broken)
  }
}

async function copyRows(client: pg.PoolClient, text: string, rows: Uint8Array): Promise<void> {
  const stream = client.query(copyFrom(text))
  stream.end(rows)
  await finished(stream)
}

const maxAttempts = 5
/** The longest pause before the second attempt; it doubles with each. */
const firstPauseMs = 10

/** Serialization failure and deadlock. */
const transientErrors = ['40001', '40P01']
const uniqueViolation = '23505'
const readOnly = '25006'

const isSilence = (error: unknown): boolean => error instanceof Error && error.message === 'Query read timeout'

/** Pauses are random, so that transactions that conflicted do not conflict again. */
async function retrying<T>(attempt: () => Promise<T>, codes: readonly string[]): Promise<T> {
  for (let made = 1; ; made += 1) {
    try {
      return await attempt()
    } catch (error) {
      if (!codes.includes(sqlState(error) ?? '') || made === maxAttempts) throw error
      await setTimeout(Math.random() * firstPauseMs * 2 ** (made - 1))
    }
  }
}
