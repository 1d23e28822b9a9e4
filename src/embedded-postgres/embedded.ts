import type { ChildProcess } from 'node:child_process'
import type { Client } from 'pg'
import { reattach } from './reattach.ts'
import { claim, connect } from './advisory-lock.ts'
import { findBinaries } from './binaries.ts'
import { prepareCluster } from './cluster.ts'
import { folderError } from './errors.ts'
import { FolderInUseError, lockFolder } from './folder-lock.ts'
import { findLocations, makeSocketFolder, prepareDataDir, removeSocketFolder, type Locations } from './locations.ts'
import { clusterNameOf, launch, serves, stopPostmaster } from './postmaster.ts'
import { urlOf } from './discover.ts'
import { markOf, serverParameters } from './server-parameters.ts'
import { waitFor } from './poll.ts'

export { FolderInUseError }

/** A PostgreSQL of our own on a unix socket, with its data in one folder. */
export interface EmbeddedEngine {
  /** A URL for `pg` and `psql`: the socket's folder percent-encoded in `?host=`, database `vigencia`. */
  readonly url: string
  /** True when a server left by a killed service was found running and taken over. */
  readonly adopted: boolean
  /** The number of the process now: another one after `revive`. */
  readonly pid: number
  /** Starts the server again after it ended by itself, under the same URL. Does nothing while it runs or once it was stopped. */
  revive(): Promise<void>
  /** Stops the server cleanly and frees the folder; safe to call twice. */
  stop(): Promise<void>
}

export interface EmbeddedOptions {
  dataDir: string
  /** PostgreSQL settings over the defaults, such as `{ shared_buffers: '1GB' }`. */
  settings?: Record<string, string>
  /** Called when the server has ended without `stop()`, or its folder was taken by another service, and again after a `revive`. */
  onUnexpectedExit?: (code: number | null, how: Loss) => void
}

/** How a server was lost: it ended, and may be started again, or another service has its folder. */
export type Loss = 'ended' | 'taken'

interface Server {
  readonly pid: number
  readonly socketFolder: string
  readonly place: Locations
  /** Absent when the server was adopted. */
  readonly child?: ChildProcess
  /** The session whose lock holds the folder. */
  client: Client
}

/** Starts PostgreSQL on the folder, or takes over the one that a killed service left there. */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedEngine> {
  try {
    const dataDir = await prepareDataDir(options.dataDir)
    const unlock = await lockFolder(dataDir)
    try {
      const start = (socketFolder?: string) => startServer(dataDir, options.settings ?? {}, socketFolder)
      return engineOf(await start(), start, unlock, options.onUnexpectedExit)
    } catch (error) {
      await unlock()
      throw error
    }
  } catch (error) {
    throw folderError(options.dataDir, error)
  }
}

async function startServer(
  dataDir: string,
  settings: Record<string, string>,
  formerSocketFolder?: string,
): Promise<Server> {
  const place = await findLocations(dataDir)
  const binaries = await findBinaries(place.account)
  await prepareCluster(place, binaries, formerSocketFolder === undefined)
  const mark = markOf(binaries, settings)
  const adopted = await reattach(place, mark)
  if (adopted) {
    await makeDatabase(adopted.client)
    return { ...adopted, place }
  }
  const socketFolder = await makeSocketFolder(place, formerSocketFolder)
  const clusterName = await clusterNameOf(place.cluster)
  const parameters = serverParameters({ place, socketFolder, clusterName, mark, settings })
  const { child, client } = await launch(place, binaries, parameters, socketFolder)
  const pid = child.pid ?? 0
  try {
    await claim(client, dataDir)
    await makeDatabase(client)
  } catch (error) {
    await stopPostmaster({ pid, socketFolder })
    throw error
  }
  // The service may end without it: the server then stays, and the next start adopts it.
  child.unref()
  return { pid, socketFolder, place, child, client }
}

async function makeDatabase(client: Client): Promise<void> {
  const { rows } = await client.query(`select from pg_database where datname = 'vigencia'`)
  if (rows.length === 0) await client.query('create database vigencia')
}

function engineOf(
  first: Server,
  start: (socketFolder: string) => Promise<Server>,
  unlock: () => Promise<void>,
  report?: (code: number | null, how: Loss) => void,
): EmbeddedEngine {
  let server = first
  let state: 'running' | 'stopped' | Loss = 'running'
  const watchOver = (watched: Server): void => {
    const isOurs = () => watched === server && state === 'running'
    watch(watched, isOurs, (how, code) => {
      if (!isOurs()) return
      state = how
      report?.(code, how)
    })
  }
  watchOver(first)

  const startAgain = async (): Promise<void> => {
    await server.client.end().catch(() => undefined)
    server = await start(server.socketFolder)
    if (state === 'ended') state = 'running'
    watchOver(server)
  }
  const stop = async (): Promise<void> => {
    const mayStop = state !== 'taken'
    state = 'stopped'
    await reviving?.catch(() => undefined)
    try {
      if (mayStop && (await serves(server.pid, server.place.cluster))) await stopPostmaster(server)
    } finally {
      await server.client.end().catch(() => undefined)
      if (mayStop) await removeSocketFolder(server.socketFolder, server.place.account)
      await unlock()
    }
  }
  let reviving: Promise<void> | undefined
  let stopped: Promise<void> | undefined
  return {
    url: urlOf(first.socketFolder),
    adopted: first.child === undefined,
    get pid() {
      return server.pid
    },
    async revive() {
      if (state !== 'ended') return
      reviving ??= startAgain().finally(() => {
        reviving = undefined
      })
      await reviving
    },
    stop: () => (stopped ??= stop()),
  }
}

/** Notices the end of the server, and that of the session whose lock holds the folder: the lock is then taken again. */
function watch(server: Server, isOurs: () => boolean, lose: (how: Loss, code: number | null) => void): void {
  server.child?.once('exit', (code) => lose('ended', code))
  const guard = (): void => {
    server.client.once('end', () => {
      if (isOurs()) void reguard()
    })
  }
  const reguard = async (): Promise<void> => {
    const outcome = await regain(server)
    if (outcome === 'regained') guard()
    // Our own child says itself with which code it ended.
    else if (outcome === 'taken' || !server.child) lose(outcome, null)
  }
  guard()
}

/**
 * The session of the lock is gone. PostgreSQL drops all sessions when one of its processes crashes, and then goes on:
 * the lock is taken again, unless the server has ended or another service has taken the folder.
 */
async function regain(server: Server): Promise<'regained' | 'ended' | 'taken'> {
  const outcome = await waitFor(30_000, async () => {
    if (!(await serves(server.pid, server.place.cluster))) return 'ended'
    try {
      const client = await connect(server.socketFolder)
      await claim(client, server.place.dataDir)
      server.client = client
      return 'regained'
    } catch (error) {
      return error instanceof FolderInUseError ? 'taken' : undefined
    }
  })
  return outcome ?? 'taken'
}
