import type { Config } from '../platform/config.ts'
import { type Database, isDatabaseAway, openDatabase } from '../platform/database.ts'
import { type EmbeddedEngine, startEmbedded } from '../embedded-postgres/embedded.ts'
import { findDatabase } from '../embedded-postgres/postmaster.ts'
import { StartError } from '../platform/errors.ts'
import { type Log, openLog } from '../platform/log.ts'
import { waitForDatabase } from '../platform/wait-for-database.ts'
import { CommandError } from './errors.ts'
import type { CommandContext } from './context.ts'

/** Where a process finds its database: named in the configuration, else the embedded engine of `DATA_DIR`. */
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

export interface Opened {
  readonly log: Log
  readonly database: Database
}

/**
 * Runs `work` on the configured database without serving.
 * @param shared whether a service may be running on the embedded engine meanwhile: it is then visited instead of started.
 * @throws CommandError `unreachable` when the database does not answer.
 */
export async function withDatabase<T>(
  context: CommandContext,
  config: Config,
  how: { readonly shared: boolean },
  work: (opened: Opened) => Promise<T>,
): Promise<T> {
  const log = openLog(config.logLevel)
  const visited = how.shared && config.databaseUrl === null ? ((await findDatabase(config.dataDir))?.url ?? null) : null
  const ground =
    visited === null
      ? await openLocalDatabase(config, () => startEmbedded({ dataDir: config.dataDir }))
      : { url: visited, engine: null }
  const database = openDatabase(
    { url: ground.url, connections: 2, namedStatements: config.namedStatements, applicationName: 'vigencia command' },
    log,
  )
  try {
    await waitForDatabase(database, log, context.interruption).catch((error: unknown) => {
      if (!(error instanceof StartError)) throw error
      throw new CommandError('unreachable', error.message, { next: 'vigencia doctor says more.', cause: error })
    })
    return await work({ log, database })
  } catch (error) {
    // Whatever an interruption broke on its way.
    context.interruption.throwIfAborted()
    if (!isDatabaseAway(error)) throw error
    throw new CommandError('unreachable', 'The database broke off or is too busy.', {
      next: 'vigencia doctor says more.',
      cause: error,
    })
  } finally {
    await database.close()
    await ground.engine?.stop()
  }
}
