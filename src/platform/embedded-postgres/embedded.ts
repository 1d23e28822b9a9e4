import type { ChildProcess } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { StartError } from '../core/errors.ts'
import type { Log } from '../core/log.ts'
import { findBinaries } from './binaries.ts'
import { prepareCluster } from './cluster.ts'
import { folderError } from './errors.ts'
import { lockFolder } from './folder-lock.ts'
import { findLocations, makeSocketFolder, prepareDataDir, type Locations } from './locations.ts'
import { endLeftovers, hasExited, startPostmaster, stopPostmaster, urlOf } from './postmaster.ts'

/** A PostgreSQL on a unix socket, with its data in one folder. */
export interface EmbeddedEngine {
  /** A URL for `pg` and `psql`; the same after a restart. */
  readonly url: string
  /** Where the database is when it is not in the data folder: root's, which PostgreSQL's user cannot reach; else null. */
  readonly otherFolder: string | null
  /** The pid of the server now. */
  readonly pid: number
  /** Stops the server and unlocks the folder; safe to call twice. */
  stop(): Promise<void>
}

export interface EmbeddedOptions {
  readonly dataDir: string
  /** Server parameters over the defaults, such as `{ shared_buffers: '1GB' }`. */
  readonly settings?: Record<string, string>
  /** Starts the server again whenever it ends unexpectedly. */
  readonly restart?: {
    readonly log: Log
    /** Called once, with a sentence, after too many restarts: the server then stays down. */
    readonly onLost: (reason: string) => void
  }
}

const maxRestarts = 5
const restartWindowMs = 10 * 60_000
const restartPauseMs = 1_000

/**
 * Starts PostgreSQL on the folder, and ends first what a killed service left there.
 * @throws FolderInUseError when another service uses the folder; StartError with a sentence that says what to do.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedEngine> {
  try {
    const dataDir = await prepareDataDir(options.dataDir)
    const unlock = await lockFolder(dataDir)
    try {
      return await openEngine(dataDir, options, unlock)
    } catch (error) {
      await unlock()
      throw error
    }
  } catch (error) {
    throw folderError(options.dataDir, error)
  }
}

interface Server {
  readonly locations: Locations
  readonly child: ChildProcess
}

async function startServer(dataDir: string, settings: Record<string, string>, mayInit: boolean): Promise<Server> {
  const locations = await findLocations(dataDir)
  const binaries = await findBinaries(locations)
  await prepareCluster(locations, binaries, mayInit)
  await endLeftovers(locations, binaries)
  await makeSocketFolder(locations)
  return { locations, child: await startPostmaster(locations, binaries, settings) }
}

async function openEngine(
  dataDir: string,
  { settings = {}, restart }: EmbeddedOptions,
  unlock: () => Promise<void>,
): Promise<EmbeddedEngine> {
  let server = await startServer(dataDir, settings, true)
  const stopping = new AbortController()
  let restarting: Promise<void> = Promise.resolve()
  let restarts: number[] = []

  const startAgain = async ({ log, onLost }: NonNullable<EmbeddedOptions['restart']>): Promise<void> => {
    while (!stopping.signal.aborted) {
      const now = performance.now()
      restarts = restarts.filter((at) => now - at < restartWindowMs)
      if (restarts.length === maxRestarts) {
        onLost(
          `PostgreSQL in ${dataDir} was started again ${maxRestarts} times within ${restartWindowMs / 60_000} minutes and does not stay. ` +
            'The last lines of postgres.log there tell why.',
        )
        return
      }
      restarts.push(now)
      log.error('the embedded PostgreSQL ended by itself and is started again')
      try {
        server = await startServer(dataDir, settings, false)
        log.info('the embedded PostgreSQL runs again')
        watch()
        return
      } catch (error) {
        const why = error instanceof StartError ? { why: error.message } : {}
        log.error({ err: error, ...why }, 'the embedded PostgreSQL could not be started again')
        await pause(restartPauseMs, undefined, { ref: false })
      }
    }
  }
  const watch = (): void => {
    const { child } = server
    const onExit = () => {
      if (!stopping.signal.aborted && restart) restarting = startAgain(restart)
    }
    if (hasExited(child)) onExit()
    else child.once('exit', onExit)
  }
  const stop = async (): Promise<void> => {
    stopping.abort()
    await restarting
    try {
      if (server.child.pid !== undefined && !hasExited(server.child)) await stopPostmaster(server.child.pid)
    } finally {
      await rm(server.locations.socketFolder, { recursive: true, force: true })
      await unlock()
    }
  }
  watch()
  let stopped: Promise<void> | undefined
  return {
    url: urlOf(server.locations.socketFolder),
    otherFolder: server.locations.base === server.locations.dataDir ? null : server.locations.base,
    get pid() {
      return server.child.pid ?? 0
    },
    stop: () => (stopped ??= stop()),
  }
}
