import { type Config, readSettings } from '#platform/core/config.ts'
import { type Database, openDatabase } from '#platform/core/database.ts'
import { isDatabaseAway } from '#platform/core/database-errors.ts'
import { type EmbeddedEngine, type EmbeddedOptions, startEmbedded } from '#platform/embedded-postgres/embedded.ts'
import { findDatabase } from '#platform/embedded-postgres/postmaster.ts'
import { StartError } from '#platform/core/errors.ts'
import { openLog } from '#platform/core/log.ts'
import { waitForDatabase } from '#platform/core/wait-for-database.ts'
import { CommandError } from './errors.ts'
import { interruption } from './terminal.ts'

/**
 * The URL of the configured database: `DATABASE_URL`, else that of the embedded engine of `DATA_DIR`, which is started.
 * @param restart what the engine does when PostgreSQL ends.
 */
export async function openLocalDatabase(
  { databaseUrl, role, dataDir }: Config,
  restart?: EmbeddedOptions['restart'],
): Promise<{ url: string; engine: EmbeddedEngine | null }> {
  if (databaseUrl !== null) return { url: databaseUrl, engine: null }
  if (role !== 'all') {
    throw new StartError(
      'VIGENCIA_ROLE=api and =worker need VIGENCIA_DATABASE_URL: the embedded engine serves one process.',
    )
  }
  const engine = await startEmbedded({ dataDir, ...(restart === undefined ? {} : { restart }) })
  return { url: engine.url, engine }
}

/** @throws StartError when there is no database yet: for commands that must not make one. */
export async function requireDatabase({ databaseUrl, dataDir }: Config): Promise<void> {
  if (databaseUrl !== null || (await findDatabase(dataDir)) !== undefined) return
  throw new StartError(`There is no database in ${dataDir}: set VIGENCIA_DATA_DIR or VIGENCIA_DATABASE_URL.`)
}

const next = 'vigencia doctor says more.'

/**
 * Runs `work` on the configured database, without serving.
 * @param how `shared`: whether to use the embedded engine of a service that runs; it is started when none runs.
 * @throws CommandError `unreachable` when the database cannot be reached.
 */
export async function withDatabase<T>(
  how: { readonly shared: boolean },
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const config = readSettings(process.env)
  const log = openLog(config.logLevel, config.logFormat)
  const running = how.shared && config.databaseUrl === null ? (await findDatabase(config.dataDir))?.url : null
  const { url, engine } = running ? { url: running, engine: null } : await openLocalDatabase(config)
  const database = openDatabase(
    { url, connections: 2, namedStatements: config.namedStatements, applicationName: 'vigencia command' },
    log,
  )
  const signal = interruption()
  try {
    await waitForDatabase(database, log, signal).catch((cause: unknown) => {
      throw cause instanceof StartError ? new CommandError('unreachable', cause.message, next, { cause }) : cause
    })
    return await work(database)
  } catch (cause) {
    // After an interruption the error is only its consequence.
    signal.throwIfAborted()
    if (!isDatabaseAway(cause)) throw cause
    const message = 'The connection to the database broke, or the database is too busy.'
    throw new CommandError('unreachable', message, next, { cause })
  } finally {
    await database.close()
    await engine?.stop()
  }
}
