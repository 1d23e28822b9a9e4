import { openCipher } from '../../platform/crypto/cipher.ts'
import { readEncrypted } from '../../backup/queries.ts'
import type { Config } from '../../platform/config.ts'
import { type Database, openDatabase, type Sql } from '../../platform/database.ts'
import { findDatabase } from '../../embedded-postgres/postmaster.ts'
import { StartError } from '../../platform/errors.ts'
import { openLog } from '../../platform/log.ts'
import { changedMigrations, pendingMigrations } from '../../platform/migrate.ts'
import { connectionErrorOf } from '../../platform/wait-for-database.ts'
import type { Finding } from './finding.ts'
import { masterKeyThere } from './machine.ts'

/** The engine, the database behind it, and the work in it. */
export async function* databaseChecks(config: Config): AsyncGenerator<Finding> {
  const isOwn = config.databaseUrl !== null
  const url = config.databaseUrl ?? (await findDatabase(config.dataDir))?.url ?? null
  if (url === null) {
    const message = `the PostgreSQL of ${config.dataDir} does not run, so its database was not checked`
    yield {
      check: 'engine',
      state: 'warning',
      message,
      next: 'Start the service in another terminal (npm start) and run this again.',
    }
    return
  }
  yield {
    check: 'engine',
    state: 'ok',
    message: isOwn ? 'VIGENCIA_DATABASE_URL' : `the embedded PostgreSQL of ${config.dataDir} runs`,
  }
  // The findings say what it would log.
  const database = openDatabase(
    {
      url,
      connections: 2,
      namedStatements: config.namedStatements,
      applicationName: 'vigencia doctor',
      statementTimeoutMs: 10_000,
    },
    openLog('silent'),
  )
  try {
    yield* openDatabaseChecks(config, database)
  } finally {
    await database.close()
  }
}

async function* openDatabaseChecks(config: Config, database: Database): AsyncGenerator<Finding> {
  const server = await serverOf(database)
  yield server
  if (server.state === 'failed') return
  const pending = await pendingMigrations(database)
  yield await migrationsOf(database, pending)
  yield await clockOf(database)
  // Before the first start there is nothing else to check.
  const { wasStarted } = await readServer(database)
  if (!wasStarted) return
  yield await masterKeyOf(config, database)
  yield await workerOf(database)
}

async function serverOf(database: Database): Promise<Finding> {
  const check = 'database'
  try {
    const { version, name } = await readServer(database)
    if (version >= 150_000) return { check, state: 'ok', message: `PostgreSQL ${name}` }
    return { check, state: 'failed', message: `PostgreSQL ${name} is too old`, next: 'Use PostgreSQL 15 or later.' }
  } catch (error) {
    const refused = connectionErrorOf(error)
    if (refused instanceof StartError) return { check, state: 'failed', message: refused.message }
    const { code } = error as NodeJS.ErrnoException
    const next = 'Check that it runs, that this machine reaches it, and that VIGENCIA_DATABASE_URL is its address.'
    return { check, state: 'failed', message: `it cannot be reached (${code ?? 'timeout'})`, next }
  }
}

async function migrationsOf(database: Database, pending: readonly string[]): Promise<Finding> {
  const check = 'migrations'
  const changed = await changedMigrations(database)
  if (changed.length > 0) {
    const next =
      'Migrations are forward-only: put the file back as it was, or install the version that belongs to this database.'
    return {
      check,
      state: 'failed',
      message: `${changed.join(', ')} differs from when it was applied, or is unknown to this version`,
      next,
    }
  }
  if (pending.length === 0) return { check, state: 'ok', message: 'all applied' }
  return {
    check,
    state: 'warning',
    message: `${pending.length} to apply`,
    next: 'The next start applies them, or vigencia migrate; take a backup first.',
  }
}

const maxSkewMs = 2_000

async function clockOf(database: Database): Promise<Finding> {
  const check = 'clock'
  const before = Date.now()
  const databaseTime = await readClock(database)
  // The error of the comparison is up to half of the round trip.
  const slack = (Date.now() - before) / 2
  const skew = Math.round(Math.abs(databaseTime - (before + slack)))
  if (skew <= maxSkewMs + slack) return { check, state: 'ok', message: `${skew} ms apart from that of the database` }
  const next = 'Set both by NTP: tokens, scheduled days and retries go by the clock.'
  return { check, state: 'failed', message: `${(skew / 1_000).toFixed(1)} s apart from that of the database`, next }
}

async function masterKeyOf(config: Config, database: Database): Promise<Finding> {
  const check = 'master key'
  const key = await masterKeyThere(config)
  const encrypted = await readEncrypted(database)
  if (key === null)
    return {
      check,
      state: 'failed',
      message: 'there is none',
      next: 'Put the key of this database back as DATA_DIR/master.key, or set VIGENCIA_MASTER_KEY.',
    }
  if (encrypted === null) return { check, state: 'ok', message: 'nothing is encrypted under it yet' }
  try {
    openCipher(key).decrypt(`service-key:${encrypted.name}`, encrypted.value)
    return { check, state: 'ok', message: 'decrypts what the database stores' }
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    return { check, state: 'failed', message: error.message }
  }
}

const longWaitSeconds = 60

async function workerOf(database: Database): Promise<Finding> {
  const check = 'worker'
  const workers = await readActivity(database)
  const { waiting, seconds } = await readOldestWork(database)
  const work = waiting === 0 ? 'nothing waits' : `${waiting} waiting, the oldest for ${seconds} s`
  const next = 'Start one: npm start, or VIGENCIA_ROLE=worker npm start.'
  if (workers === 0 && waiting > 0) return { check, state: 'failed', message: `none runs; ${work}`, next }
  if (workers === 0) return { check, state: 'warning', message: `none runs; ${work}`, next }
  if (seconds > longWaitSeconds) {
    return {
      check,
      state: 'warning',
      message: `runs; ${work}`,
      next: 'See its log for steps that fail, and docs/operating.md.',
    }
  }
  return { check, state: 'ok', message: `runs; ${work}` }
}

/** The server's version as a number and as written, and whether the service was ever started on this database. */
async function readServer(sql: Sql): Promise<{ version: number; name: string; wasStarted: boolean }> {
  const [row] = await sql.query<{ version: number; name: string; wasStarted: boolean }>(
    `select current_setting('server_version_num')::int as version, current_setting('server_version') as name,
       to_regclass('public.encrypted_key') is not null as "wasStarted"`,
  )
  return row as { version: number; name: string; wasStarted: boolean }
}

/** The database's clock, in milliseconds. */
async function readClock(sql: Sql): Promise<number> {
  const [row] = await sql.query<{ now: number }>('select (extract(epoch from clock_timestamp()) * 1000)::float8 as now')
  return row?.now ?? 0
}

/** The number of sessions of processes that run a worker. */
async function readActivity(sql: Sql): Promise<number> {
  const [row] = await sql.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
     where datname = current_database() and application_name in ('vigencia all', 'vigencia worker')`,
  )
  return row?.count ?? 0
}

/** The number of due rows of work, and how long the oldest has been due. */
async function readOldestWork(sql: Sql): Promise<{ waiting: number; seconds: number }> {
  const [row] = await sql.query<{ waiting: number; seconds: number }>(
    `select count(*)::int as waiting, coalesce(extract(epoch from clock_timestamp() - min(run_at)), 0)::int as seconds
     from work where run_at <= clock_timestamp()`,
  )
  return row ?? { waiting: 0, seconds: 0 }
}
