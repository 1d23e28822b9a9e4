import { createHash } from 'node:crypto'
import pg from 'pg'
import { ApiError, unavailable } from './errors.ts'
import type { Log } from './log.ts'
import { openPipeline } from './pipelined-connections.ts'

/** Runs one statement. Inside a transaction it is the transaction's own connection. */
export interface Sql {
  /** Every row of the answer. Dates come as `YYYY-MM-DD`, bigint as number (cents stay below 2^53). */
  rows<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>
  /** The same for a read of few rows by key, asked often: it may share a connection with others that are under way. */
  point<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>
  /**
   * The same for a statement whose best plan depends on how much the tables hold now (batches, joins over whole companies):
   * planned anew each time. A plan kept from when the tables were empty costs minutes at 10,000 rows.
   */
  planned<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>
  /**
   * The same for a look-up of at most some thousand keys: planned once, on a connection that never scans a table for want of better,
   * which it may share with others; planned anew where there is none.
   */
  keyed<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>
  /** The number of rows that the statement touched. */
  run(text: string, values?: readonly unknown[]): Promise<number>
}

export interface Database extends Sql {
  /**
   * Runs `work` in one transaction and commits; rolls back when it throws.
   * A serialization failure, a deadlock and a unique constraint that somebody else was faster to meet are tried again, so `work` must keep its effects inside the transaction.
   */
  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T>
  /** The same for work that is one statement, a transaction by itself: it saves the ways of begin and commit. */
  alone<T>(work: (sql: Sql) => Promise<T>): Promise<T>
  /** A connection of its own outside the pool (LISTEN, cursors, the engine's arbiter); the caller ends it. */
  connect(): Promise<pg.Client>
  /** The connections of the pool now, and how many statements wait for one. */
  pool(): { readonly total: number; readonly idle: number; readonly waiting: number }
  close(): Promise<void>
}

/** Runs a statement in a span. */
export interface StatementTracing {
  statement<T>(text: string, id: string, work: () => Promise<T>): Promise<T>
}

export interface DatabaseOptions {
  readonly url: string
  readonly connections: number
  readonly namedStatements: boolean
  readonly applicationName: string
  readonly statementTimeoutMs?: number
  readonly tracing?: StatementTracing | null
}

type Executor = pg.Pool | pg.PoolClient

const { INT8, DATE } = pg.types.builtins

const types: pg.CustomTypesConfig = {
  getTypeParser(id, format) {
    if (id === DATE) return (value: string) => value
    if (id === INT8) return Number
    return pg.types.getTypeParser(id, format)
  },
}

/** Opens a pool. Nothing is connected before the first statement, so a database that is away does not stop the start. */
export function openDatabase(options: DatabaseOptions, log: Log): Database {
  const settings: pg.ClientConfig = {
    connectionString: options.url,
    types,
    application_name: options.applicationName,
    keepAlive: true,
    connectionTimeoutMillis: 5_000,
    statement_timeout: options.statementTimeoutMs ?? 30_000,
    lock_timeout: 10_000,
    idle_in_transaction_session_timeout: 60_000,
  }
  const pool = new pg.Pool({ ...settings, max: options.connections, idleTimeoutMillis: 60_000 })
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on('error', (error) => log.warn({ err: error }, 'idle database connection lost'))
  // Nobody listens from when the pool hands a connection over until whoever waits for it runs; it may break just then.
  pool.on('connect', (client) => client.on('error', () => {}))
  const name = options.namedStatements ? statementName : () => undefined
  // A proxy that hands connections on between transactions (no names then) is not asked several things at once.
  const pipeline = options.namedStatements ? openPipeline(settings, log) : null
  const tracing = options.tracing ?? null
  const traced = <Answer>(text: string, work: () => Promise<Answer>): Promise<Answer> =>
    marked(tracing === null ? work() : tracing.statement(text, statementName(text), work), text)
  const ask = <Row extends object>(executor: Executor, text: string, values: readonly unknown[], named: boolean) =>
    traced(text, () => executor.query<Row>(queryOf(text, values, named ? name(text) : undefined)))
  /** @param kept whether its plan is kept as well on a connection of the pool. */
  const askShortly = async <Row extends object>(text: string, values: readonly unknown[], kept: boolean) => {
    const query = queryOf(text, values, name(text))
    const asked = pipeline?.ask<Row>(query)
    try {
      if (asked) return await asked
    } catch (error) {
      // A read may be asked again: its line broke under it.
      if (!isConnectionBroken(error)) throw error
    }
    return pool.query<Row>(kept ? query : queryOf(text, values, undefined))
  }
  const short =
    (executor: Executor, kept: boolean) =>
    async <Row extends object>(text: string, values: readonly unknown[] = []) => {
      const asked =
        executor === pool
          ? traced(text, () => askShortly<Row>(text, values, kept))
          : ask<Row>(executor, text, values, kept)
      return (await asked).rows
    }
  const on = (executor: Executor): Sql => ({
    rows: async <Row extends object>(text: string, values: readonly unknown[] = []) =>
      (await ask<Row>(executor, text, values, true)).rows,
    point: short(executor, true),
    planned: async <Row extends object>(text: string, values: readonly unknown[] = []) =>
      (await ask<Row>(executor, text, values, false)).rows,
    keyed: short(executor, false),
    run: async (text, values = []) => (await ask(executor, text, values, true)).rowCount ?? 0,
  })
  return {
    ...on(pool),
    transaction: (work) => retrying(() => inTransaction(pool, on, work)),
    alone: (work) => retrying(() => work(on(pool))),
    async connect() {
      const client = new pg.Client(settings)
      client.on('error', (error) => {
        databaseErrors.add(error)
        log.warn({ err: error }, 'database connection lost')
      })
      await marked(client.connect())
      return client
    },
    pool: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    async close() {
      await pipeline?.close()
      await pool.end()
    },
  }
}

const afterwards = new WeakMap<Sql, (() => void)[]>()

/** Does something once the transaction is committed, and never when it is rolled back; at once outside of one. */
export function afterCommit(sql: Sql, act: () => void): void {
  const acts = afterwards.get(sql)
  if (acts === undefined) act()
  else acts.push(act)
}

async function inTransaction<T>(
  pool: pg.Pool,
  on: (executor: pg.PoolClient) => Sql,
  work: (sql: Sql) => Promise<T>,
): Promise<T> {
  const client = await marked(pool.connect())
  let broken: Error | undefined
  // The pool listens only while it holds the connection itself; one that breaks now would end the process.
  const noteBreak = (error: Error) => {
    broken = error
  }
  client.on('error', noteBreak)
  try {
    await marked(client.query('begin'))
    const sql = on(client)
    const acts: (() => void)[] = []
    afterwards.set(sql, acts)
    const result = await work(sql)
    await marked(client.query('commit'))
    for (const act of acts) act()
    return result
  } catch (error) {
    await client.query('rollback').catch(noteBreak)
    throw error
  } finally {
    client.off('error', noteBreak)
    client.release(broken)
  }
}

const attemptsAtConflict = 5

// 23505: somebody else made the row first. Tried again, the work finds it and says so in its own words.
const conflicts = new Set(['40001', '40P01', '23505'])

async function retrying<T>(attempt: () => Promise<T>): Promise<T> {
  for (let made = 1; ; made += 1) {
    try {
      return await attempt()
    } catch (error) {
      const code = sqlState(error)
      if (!conflicts.has(code ?? '') || made === attemptsAtConflict) throw error
    }
  }
}

function queryOf(text: string, values: readonly unknown[], name: string | undefined): pg.QueryConfig {
  return name === undefined ? { text, values: [...values] } : { name, text, values: [...values] }
}

const names = new Map<string, string>()

function statementName(text: string): string {
  let name = names.get(text)
  if (name === undefined) {
    name = createHash('sha256').update(text).digest('base64url').slice(0, 20)
    names.set(text, name)
  }
  return name
}

/** The five characters of PostgreSQL's error code, or null. */
export function sqlState(error: unknown): string | null {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : null
}

const awayCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])
const diskFull = '53100'
const awayMessages =
  /timeout exceeded when trying to connect|connection terminated|client has encountered a connection error|cannot use a pool after|connection ended/i

/** What statements and connections threw: sockets of clients and stores break with the same codes. */
const databaseErrors = new WeakSet<Error>()

/** Marks what the work on the database throws, and notes the name of its statement for the log. */
async function marked<T>(work: Promise<T>, text?: string): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof Error) {
      databaseErrors.add(error)
      if (text !== undefined) Object.assign(error, { statement: statementName(text) })
    }
    throw error
  }
}

function isConnectionBroken(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = String((error as { code?: unknown }).code)
  return awayCodes.has(code) || code.startsWith('57P0') || awayMessages.test(error.message)
}

/** Whether the database could not be reached, or broke off: the caller gets 503 and may repeat. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code } = error as { code?: unknown }
  if (typeof code === 'string' && awayCodes.has(code)) return databaseErrors.has(error)
  const state = sqlState(error)
  // 08 connection, 57P0x shutdown, 53 resources, 55P03 and 57014 lock and statement timeouts, 25006 a standby, 40 conflicts.
  if (state !== null) return /^(08|53|40)|^(57P0[1-5]|55P03|57014|25006|25P03)$/.test(state)
  return awayMessages.test(error.message)
}

/** The answer for whatever a statement threw; logs what is not the database being away. */
export function answerFor(error: unknown, log: Log): ApiError {
  if (error instanceof ApiError) return error
  if (isDatabaseAway(error)) {
    if (sqlState(error) === diskFull) log.error({ err: error }, 'the disk of the database is full')
    else log.warn({ err: error }, 'database away')
    return unavailable()
  }
  log.error({ err: error }, 'unexpected error')
  return new ApiError(500, 'Internal error')
}
