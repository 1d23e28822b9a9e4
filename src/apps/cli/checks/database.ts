import { openCipher } from '#platform/core/crypto/cipher.ts'
import { existingMasterKey } from '#platform/core/crypto/master-key.ts'
import { readEncrypted, serviceKeyPurpose } from '#platform/core/crypto/stored-keys.ts'
import type { Config } from '#platform/core/config.ts'
import { maxConnections } from '#platform/core/limits.ts'
import { type Database, openDatabase, type Sql } from '#platform/core/database.ts'
import { NoServerError } from '#platform/core/database-servers.ts'
import { findDatabase } from '#platform/embedded-postgres/postmaster.ts'
import { StartError } from '#platform/core/errors.ts'
import { openLog } from '#platform/core/log.ts'
import { changedMigrations, pendingMigrations } from '#platform/core/migrate.ts'
import { connectionErrorOf } from '#platform/core/wait-for-database.ts'
import { type Finding, findingsOf } from './finding.ts'

/** The engine, the database behind it, and the work in it. */
export async function* databaseChecks(config: Config): AsyncGenerator<Finding> {
  const { ok, warning } = findingsOf('engine')
  const { dataDir, databaseUrl, namedStatements } = config
  const url = databaseUrl ?? (await findDatabase(dataDir))?.url ?? null
  if (url === null) {
    const message = `the PostgreSQL of ${dataDir} does not run, so its database was not checked`
    yield warning(message, 'Start the service in another terminal (npm start) and run this again.')
    return
  }
  yield ok(databaseUrl === null ? `the embedded PostgreSQL of ${dataDir} runs` : 'VIGENCIA_DATABASE_URL')
  const applicationName = 'vigencia doctor'
  const options = { url, connections: 2, namedStatements, applicationName, statementTimeoutMs: 10_000 }
  // The findings say what it would log.
  const database = openDatabase(options, openLog('silent'))
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
  yield await connectionsOf(config, database)
  yield await migrationsOf(database)
  yield await clockOf(database)
  // Before the first start there is nothing else to check.
  const { wasStarted } = await readServer(database)
  if (!wasStarted) return
  yield await masterKeyOf(config, database)
  yield await workerOf(database)
}

async function serverOf(database: Database): Promise<Finding> {
  const { ok, failed } = findingsOf('database')
  try {
    const { version, name } = await readServer(database)
    if (version >= 150_000) return ok(`PostgreSQL ${name}`)
    return failed(`PostgreSQL ${name} is too old`, 'Use PostgreSQL 15 or later.')
  } catch (error) {
    const refused = connectionErrorOf(error)
    if (refused instanceof StartError) return failed(refused.message)
    const { code } = error as NodeJS.ErrnoException
    const next = 'Check that it runs, that this machine reaches it, and that VIGENCIA_DATABASE_URL is its address.'
    if (error instanceof NoServerError) return failed(error.message, next)
    return failed(`it cannot be reached (${code ?? 'timeout'})`, next)
  }
}

/** Two `api` and a `worker`, as the manifests have them. */
const usualProcesses = 3

async function connectionsOf(config: Config, database: Database): Promise<Finding> {
  const { ok, warning, failed } = findingsOf('connections')
  const [row] = await database.query<{ allowed: number }>(
    `select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
              - coalesce(current_setting('reserved_connections', true), '0')::int as allowed`,
  )
  const allowed = row?.allowed ?? 0
  const each = maxConnections(config.databaseConnections, config.limits)
  const processes = Math.floor(allowed / each)
  const message = `a process opens at most ${each}; the server allows ${allowed}, enough for ${processes} processes`
  const next = 'Raise max_connections of PostgreSQL, or lower VIGENCIA_DATABASE_CONNECTIONS.'
  if (processes === 0) return failed(message, next)
  return processes < usualProcesses && config.environment === 'production' ? warning(message, next) : ok(message)
}

async function migrationsOf(database: Database): Promise<Finding> {
  const { ok, warning, failed } = findingsOf('migrations')
  const pending = await pendingMigrations(database)
  const changed = await changedMigrations(database)
  if (changed.length > 0) {
    return failed(
      `${changed.join(', ')} differs from when it was applied, or is unknown to this version`,
      'Migrations are forward-only: put the file back as it was, or install the version that belongs to this database.',
    )
  }
  if (pending.length === 0) return ok('all applied')
  const next = 'The next start applies them, or vigencia migrate; take a backup first.'
  return warning(`${pending.length} to apply`, next)
}

const maxSkewMs = 2_000

async function clockOf(database: Database): Promise<Finding> {
  const { ok, failed } = findingsOf('clock')
  const before = Date.now()
  const databaseTime = await readClock(database)
  // The error of the comparison is up to half of the round trip.
  const slack = (Date.now() - before) / 2
  const skew = Math.round(Math.abs(databaseTime - (before + slack)))
  if (skew <= maxSkewMs + slack) return ok(`${skew} ms apart from that of the database`)
  const next = 'Set both by NTP: tokens, scheduled days and retries go by the clock.'
  return failed(`${(skew / 1_000).toFixed(1)} s apart from that of the database`, next)
}

async function masterKeyOf(config: Config, database: Database): Promise<Finding> {
  const { ok, failed } = findingsOf('master key')
  try {
    const cipher = openCipher(existingMasterKey(config))
    const encrypted = await readEncrypted(database)
    if (encrypted === null) return ok('nothing is encrypted under it yet')
    cipher.decrypt(serviceKeyPurpose(encrypted.name), encrypted.value)
    return ok('decrypts what the database stores')
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    return failed(error.message)
  }
}

const longWaitSeconds = 60

async function workerOf(database: Database): Promise<Finding> {
  const { ok, warning, failed } = findingsOf('worker')
  const { workers, waiting, seconds } = await readWorkers(database)
  const work = waiting === 0 ? 'nothing waits' : `${waiting} waiting, the oldest for ${seconds} s`
  const next = 'Start one: npm start, or VIGENCIA_ROLE=worker npm start.'
  if (workers === 0) return waiting > 0 ? failed(`none runs; ${work}`, next) : warning(`none runs; ${work}`, next)
  if (seconds <= longWaitSeconds) return ok(`runs; ${work}`)
  return warning(`runs; ${work}`, 'See its log for steps that fail, and docs/how-to/runbook.md.')
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

/** The number of sessions of workers, the number of due rows of work, and how long the oldest has been due. */
async function readWorkers(sql: Sql): Promise<{ workers: number; waiting: number; seconds: number }> {
  const [row] = await sql.query<{ workers: number; waiting: number; seconds: number }>(
    `select (select count(*)::int from pg_stat_activity
         where datname = current_database() and application_name in ('vigencia all', 'vigencia worker')) as workers,
       count(*)::int as waiting, coalesce(extract(epoch from clock_timestamp() - min(run_at)), 0)::int as seconds
     from work where run_at <= clock_timestamp()`,
  )
  return row ?? { workers: 0, waiting: 0, seconds: 0 }
}
