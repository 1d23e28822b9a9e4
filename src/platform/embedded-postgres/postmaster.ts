import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:fs'
import { open, readFile, realpath, rename, rm, stat, type FileHandle } from 'node:fs/promises'
import { connect } from 'node:net'
import { basename, join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { StartError } from '../core/errors.ts'
import type { Binaries } from './binaries.ts'
import { asUser, databaseUser, spawnError } from './cluster.ts'
import { codeOf, FolderInUseError } from './errors.ts'
import { clusterIn, shortHash, socketName, type Locations } from './locations.ts'
import { commandOf, identityOf, isAnyEnding, processesTitled, signal } from './process-info.ts'
import { serverParameters } from './server-parameters.ts'

const databaseName = 'vigencia'
const startLimitMs = 30_000
const recoveryLimitMs = 300_000
// A fast shutdown during crash recovery can hang in PostgreSQL 18: after this time the shutdown is immediate.
const fastShutdownLimitMs = 5_000
/** The children of a killed postmaster end within this time. */
const orphanLimitMs = 5_000
const pollMs = 20
const maxLogBytes = 10_000_000

/** The URL of the service's database behind a socket, for `pg` and `psql`. */
export function urlOf(socketFolder: string, database = databaseName): string {
  return `postgres://${databaseUser}@localhost:5432/${database}?host=${encodeURIComponent(socketFolder)}&sslmode=disable`
}

/** Reads `postmaster.pid`; undefined when there is none or it is incomplete. */
export async function readPostmasterFile(cluster: string): Promise<{ pid: number; socketFolder: string } | undefined> {
  const lines = (await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')
  const pid = Number(lines[0])
  return Number.isInteger(pid) && pid > 0 ? { pid, socketFolder: lines[4] ?? '' } : undefined
}

/** Whether this process is the PostgreSQL of this cluster, and not a later process with its pid. */
export async function serves(pid: number, cluster: string): Promise<boolean> {
  if ((await identityOf(pid)) === undefined) return false
  const command = `${await commandOf(pid)} `
  return /\bpostgres\b/.test(command) && command.includes(` -D ${cluster} `)
}

/** The name in the titles of all processes of this cluster. */
export async function clusterNameOf(cluster: string): Promise<string> {
  const { dev, ino } = await stat(cluster)
  return `vigencia-${shortHash(`${cluster}:${dev}:${ino}`)}`
}

/**
 * The database of a data folder, without locking it: `url` is null when no PostgreSQL serves it.
 * @returns undefined when there is no database.
 */
export async function findDatabase(dataDir: string): Promise<{ readonly url: string | null } | undefined> {
  const folder = await realpath(resolve(dataDir)).catch(() => undefined)
  if (folder === undefined) return undefined
  const cluster = await clusterIn(folder)
  const file = await readPostmasterFile(cluster)
  if (file !== undefined && (await serves(file.pid, cluster))) return { url: urlOf(file.socketFolder) }
  return (await stat(join(cluster, 'PG_VERSION')).catch(() => undefined)) ? { url: null } : undefined
}

/**
 * Ends what a killed service or a killed PostgreSQL left behind; two servers on one cluster would destroy it.
 * @throws FolderInUseError for the server of a service that runs; StartError for one that was started by hand.
 */
export async function endLeftovers(locations: Locations, binaries: Binaries): Promise<void> {
  const file = await readPostmasterFile(locations.cluster)
  if (file && (await serves(file.pid, locations.cluster))) {
    const service = /vigencia\.service=(\d+)\/(\S+)/.exec(await commandOf(file.pid))
    if (!service) {
      throw new StartError(
        `A PostgreSQL that was started by hand, process ${file.pid}, serves ${locations.cluster}. Stop it first: kill -INT ${file.pid}`,
      )
    }
    const [pid, identity] = [Number(service[1]), decodeURIComponent(service[2] ?? '')]
    if ((await identityOf(pid)) === identity) throw new FolderInUseError(locations.dataDir, pid)
    await stopPostmaster(file.pid)
  } else if (file) {
    // The pid may be of another container that shares the folder. A child that a killed postmaster had just forked listens until it ends.
    const isFree = await waitFor(orphanLimitMs, async () => !(await isListening(locations.socketFolder)))
    if (!isFree) throw new FolderInUseError(locations.dataDir)
  }
  await endOrphans(locations, binaries)
  // PostgreSQL itself removes the file of a pid that does not exist, but takes any other process for a server, a zombie too.
  if (file && isKnownPid(file.pid)) await rm(join(locations.cluster, 'postmaster.pid'), { force: true })
}

/** Starts the server and waits until its database is ready. */
export async function startPostmaster(
  locations: Locations,
  binaries: Binaries,
  settings: Record<string, string>,
): Promise<ChildProcess> {
  const service = `${process.pid}/${encodeURIComponent((await identityOf(process.pid)) ?? '')}`
  const own = { clusterName: await clusterNameOf(locations.cluster), service }
  const parameters = serverParameters(locations, own, settings)
  const log = await openLog(locations)
  // In a process group of its own: Ctrl-C in the terminal must not end it before the service has sent its responses.
  const child = spawn(binaries.postgres, parameters, {
    ...asUser(locations.user),
    stdio: ['ignore', log.fd, log.fd],
    detached: true,
  })
  try {
    await once(child, 'spawn')
  } catch (error) {
    throw spawnError(binaries.postgres, error)
  } finally {
    await log.close()
  }
  try {
    await waitUntilReady(child, locations)
  } catch (error) {
    if (child.pid !== undefined && !hasExited(child)) await stopPostmaster(child.pid)
    throw error
  }
  // A process that ends without stopping the server must not wait for it.
  child.unref()
  return child
}

/** Stops the server by a fast shutdown, or an immediate one when that takes too long: the next start then recovers. */
export async function stopPostmaster(pid: number): Promise<void> {
  const identity = await identityOf(pid)
  const hasEnded = async () => (await identityOf(pid)) !== identity
  if (identity === undefined) return
  signal(pid, 'SIGINT')
  if (await waitFor(fastShutdownLimitMs, hasEnded)) return
  signal(pid, 'SIGQUIT')
  if (await waitFor(10_000, hasEnded)) return
  throw new StartError(
    `PostgreSQL, process ${pid}, does not stop. Look at what holds it (a disk that does not answer?) and end it: kill -9 ${pid}`,
  )
}

export function hasExited(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

/**
 * Ends the processes of a postmaster that was killed. One that it had just forked has its command line still, and no title yet. PostgreSQL
 * does not start while one that is ending is attached to the shared memory.
 */
async function endOrphans({ cluster }: Locations, { postgres }: Binaries): Promise<void> {
  const title = `postgres: ${await clusterNameOf(cluster)}: `
  const orphans = async () => [
    ...(await processesTitled(title)),
    ...(await processesTitled(`${postgres} -D ${cluster} `)),
  ]
  const haveEnded = async () => (await orphans()).length === 0 && !(await isAnyEnding(basename(postgres)))
  for (const name of ['SIGQUIT', 'SIGKILL'] as const) {
    for (const pid of await orphans()) signal(pid, name)
    if (await waitFor(orphanLimitMs, haveEnded)) return
  }
}

async function isListening(socketFolder: string): Promise<boolean> {
  const socket = connect(join(socketFolder, socketName))
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

function isKnownPid(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

/** Waits for the first session, longer while the server replays its log after a crash, and makes the database. */
async function waitUntilReady(child: ChildProcess, locations: Locations): Promise<void> {
  const begin = performance.now()
  for (;;) {
    if (hasExited(child))
      throw await startError(locations, `ended at once (${child.signalCode ?? `code ${child.exitCode}`})`)
    try {
      return await makeDatabase(locations.socketFolder)
    } catch (error) {
      const code = codeOf(error)
      const isRecovering = code === '57P03'
      const mayRetry = isRecovering || code === undefined || (/^E[A-Z]+$/.test(code) && code !== 'EACCES')
      if (!mayRetry) throw error
      if (performance.now() - begin > (isRecovering ? recoveryLimitMs : startLimitMs))
        throw await startError(locations, 'did not accept a session in time')
    }
    await pause(pollMs)
  }
}

async function makeDatabase(socketFolder: string): Promise<void> {
  const client = new Client({ connectionString: urlOf(socketFolder, 'postgres'), connectionTimeoutMillis: 5_000 })
  // Without a listener an error between two statements would end the process.
  client.on('error', () => undefined)
  await client.connect()
  try {
    const { rows } = await client.query('select from pg_database where datname = $1', [databaseName])
    if (rows.length === 0) await client.query(`create database ${databaseName}`)
  } finally {
    await client.end().catch(() => undefined)
  }
}

async function startError(locations: Locations, what: string): Promise<StartError> {
  const log = join(locations.dataDir, 'postgres.log')
  const end = (await readFile(log, 'utf8').catch(() => '')).slice(-2000)
  const reason = end.includes('No space left on device')
    ? 'The disk is full: free some space and start again.'
    : end.includes('could not map anonymous shared memory')
      ? 'The memory does not suffice for the setting shared_buffers.'
      : `The last lines of ${log} tell why.`
  return new StartError(`PostgreSQL on ${locations.cluster} ${what}. ${reason}`)
}

async function openLog(locations: Locations): Promise<FileHandle> {
  const path = join(locations.dataDir, 'postgres.log')
  const facts = await stat(path).catch(() => undefined)
  if (facts && facts.size > maxLogBytes) await rename(path, `${path}.1`)
  const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW } = constants
  const openFile = () => open(path, O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW, 0o600)
  return openFile().catch(async (error: unknown) => {
    if (codeOf(error) !== 'EACCES') throw error
    // Made by a start as root.
    await rename(path, `${path}.1`)
    return openFile()
  })
}

async function waitFor(limitMs: number, isDone: () => Promise<boolean>): Promise<boolean> {
  const end = performance.now() + limitMs
  for (;;) {
    if (await isDone()) return true
    if (performance.now() >= end) return false
    await pause(pollMs)
  }
}
