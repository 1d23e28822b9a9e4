import type { Config } from '../platform/config.ts'
import { type Database, isDatabaseAway, openDatabase } from '../platform/database.ts'
import { type EmbeddedEngine, startEmbedded } from '../embedded-postgres/embedded.ts'
import { findDatabase } from '../embedded-postgres/postmaster.ts'
import { StartError } from '../platform/errors.ts'
import { type Log, openLog } from '../platform/log.ts'
import { waitForDatabase } from '../platform/wait-for-database.ts'
import { CommandError } from './errors.ts'
import type { CommandContext } from './context.ts'

/** The URL of the configured database: `DATABASE_URL`, else the embedded engine of `DATA_DIR`, which `startEngine` starts. */
export async function openLocalDatabase(
  config: Config,
  startEngine: () => Promise<EmbeddedEngine>,
): Promise<{ url: string; engine: EmbeddedEngine | null }> {
  if (config.databaseUrl !== null) return { url: config.databaseUrl, engine: null }
  if (config.role !== 'all') {
    throw new StartError(
      'VIGENCIA_ROLE=api and =worker need VIGENCIA_DATABASE_URL: the embedded engine serves one process.',
    )
  }
  const engine = await startEngine()
  return { url: engine.url, engine }
}

/** @throws StartError when there is no database yet: for commands that must not make one. */
export async function requireDatabase({ databaseUrl, dataDir }: Config): Promise<void> {
  if (databaseUrl !== null || (await findDatabase(dataDir)) !== undefined) return
  throw new StartError(`There is no database in ${dataDir}: set VIGENCIA_DATA_DIR or VIGENCIA_DATABASE_URL.`)
}

export interface OpenedDatabase {
  readonly log: Log
  readonly database: Database
}

/**
 * Runs `work` on the configured database, without serving.
 * @param how `shared`: whether to use the embedded engine of a service that runs; it is started when none runs.
 * @throws CommandError `unreachable` when the database cannot be reached.
 */
export async function withDatabase<T>(
  context: CommandContext,
  config: Config,
  how: { readonly shared: boolean },
  work: (opened: OpenedDatabase) => Promise<T>,
): Promise<T> {
  const log = openLog(config.logLevel)
  const running = how.shared && config.databaseUrl === null ? ((await findDatabase(config.dataDir))?.url ?? null) : null
  const { url, engine } =
    running === null
      ? await openLocalDatabase(config, () => startEmbedded({ dataDir: config.dataDir }))
      : { url: running, engine: null }
  const database = openDatabase(
    { url, connections: 2, namedStatements: config.namedStatements, applicationName: 'vigencia command' },
    log,
  )
  try {
    await waitForDatabase(database, log, context.interruption).catch((error: unknown) => {
      if (!(error instanceof StartError)) throw error
      throw new CommandError('unreachable', error.message, { next: 'vigencia doctor says more.', cause: error })
    })
    return await work({ log, database })
  } catch (error) {
    // After an interruption the error is only its consequence.
    context.interruption.throwIfAborted()
    if (!isDatabaseAway(error)) throw error
    throw new CommandError('unreachable', 'The connection to the database broke, or the database is too busy.', {
      next: 'vigencia doctor says more.',
      cause: error,
    })
  } finally {
    await database.close()
    await engine?.stop()
  }
}
