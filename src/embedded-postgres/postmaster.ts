import { spawn, type ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { open, readFile, rename, stat, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client } from 'pg'
import { StartError } from '../platform/errors.ts'
import { connect } from './advisory-lock.ts'
import type { Binaries } from './binaries.ts'
import { asAccount, spawnError } from './cluster.ts'
import { codeOf } from './errors.ts'
import type { Locations } from './locations.ts'
import { commandOf, identityOf, processesTitled, signal, workingFolderOf } from './process-info.ts'
import { waitFor } from './poll.ts'

const startLimitMs = 30_000
const recoveryLimitMs = 300_000
// A clean stop that falls into the recovery from a crash never ends: after this time the server is stopped at once.
const stopLimitMs = 10_000
const largestLogBytes = 10_000_000

class StartFault extends StartError {}

/** What PostgreSQL writes of itself into its cluster. */
export interface PostmasterFile {
  readonly pid: number
  readonly socketFolder: string
}

/** Reads `postmaster.pid`; undefined when there is none or it was cut short. */
export async function readPostmasterFile(cluster: string): Promise<PostmasterFile | undefined> {
  const lines = (await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')
  const pid = Number(lines[0])
  return Number.isInteger(pid) && pid > 0 ? { pid, socketFolder: lines[4] ?? '' } : undefined
}

/** Tells whether this process is a PostgreSQL that serves this cluster, and not one that got its number later. */
export async function serves(pid: number, cluster: string): Promise<boolean> {
  if ((await identityOf(pid)) === undefined) return false
  const command = `${await commandOf(pid)} `
  if (!/\bpostgres\b/.test(command)) return false
  return command.includes(` -D ${cluster} `) || (await workingFolderOf(pid)) === cluster
}

/** The name that stands in the titles of all processes of this cluster, and of no other's. */
export async function clusterNameOf(cluster: string): Promise<string> {
  const { dev, ino } = await stat(cluster)
  return `vigencia-${createHash('sha256').update(`${cluster}:${dev}:${ino}`).digest('hex').slice(0, 16)}`
}

/** Starts the server and waits until it answers; returns the first session too. */
export async function launch(
  place: Locations,
  binaries: Binaries,
  parameters: string[],
  socketFolder: string,
): Promise<{ child: ChildProcess; client: Client }> {
  const log = await openLog(place)
  const how = { ...asAccount(place.account), stdio: ['ignore', log.fd, log.fd] as ('ignore' | number)[] }
  // In a session of its own: Ctrl-C on the terminal must not end it before the service has finished its answers.
  const child = spawn(binaries.postgres, parameters, { ...how, detached: true })
  try {
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve)
      child.once('error', (error) => reject(spawnError(binaries.postgres, error)))
    })
  } finally {
    await log.close()
  }
  try {
    return { child, client: await firstSession(child, place, socketFolder) }
  } catch (error) {
    if (child.pid !== undefined && !hasExited(child)) await stopPostmaster({ pid: child.pid, socketFolder })
    throw error
  }
}

/** Ends the server: cleanly, or at once when that takes too long (the next start then recovers). */
export async function stopPostmaster({ pid, socketFolder }: PostmasterFile): Promise<void> {
  const identity = await identityOf(pid)
  if (identity === undefined) return
  const gone = async () => ((await identityOf(pid)) === identity ? undefined : true)
  // PostgreSQL 18 hangs when asked to stop cleanly amid a recovery, in which there is nothing to lose yet.
  signal(pid, (await isRecovering(socketFolder)) ? 'SIGQUIT' : 'SIGINT')
  if (await waitFor(stopLimitMs, gone)) return
  signal(pid, 'SIGQUIT')
  if (await waitFor(10_000, gone)) return
  throw new StartError(
    `PostgreSQL, process ${pid}, does not stop. Look at what holds it (a disk that does not answer?) and end it: kill -9 ${pid}`,
  )
}

/** Ends what a killed server left behind; two generations on one cluster would destroy it. */
export async function endOrphans(clusterName: string): Promise<void> {
  const title = `postgres: ${clusterName}: `
  for (const name of ['SIGQUIT', 'SIGKILL'] as const) {
    const orphans = await processesTitled(title)
    if (orphans.length === 0) return
    for (const pid of orphans) signal(pid, name)
    const gone = await waitFor(5000, async () => ((await processesTitled(title)).length === 0 ? true : undefined))
    if (gone) return
  }
}

async function isRecovering(socketFolder: string): Promise<boolean> {
  try {
    await (await connect(socketFolder)).end()
    return false
  } catch (error) {
    return codeOf(error) === '57P03' && error instanceof Error && !error.message.includes('shutting down')
  }
}

function hasExited(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

async function firstSession(child: ChildProcess, place: Locations, socketFolder: string): Promise<Client> {
  const client = await waitForStart(async () => {
    if (hasExited(child))
      throw await startFault(place, `ended at once (${child.signalCode ?? `code ${child.exitCode}`})`)
    return connect(socketFolder)
  })
  if (client) return client
  throw await startFault(place, 'did not answer in time')
}

/**
 * Tries until a session opens, for as long as a start may take: 30 seconds without any answer,
 * more when the server answers that it is still replaying what a crash had left.
 */
export async function waitForStart(open: () => Promise<Client>): Promise<Client | undefined> {
  const begin = performance.now()
  const outcome = await waitFor(recoveryLimitMs, async () => {
    try {
      return await open()
    } catch (error) {
      const code = codeOf(error)
      if (code !== undefined && code !== '57P03' && !/^E[A-Z]+$/.test(code)) throw error
      if (error instanceof StartFault || code === 'EACCES') throw error
      return code !== '57P03' && performance.now() - begin > startLimitMs ? 'late' : undefined
    }
  })
  return outcome === 'late' ? undefined : outcome
}

async function startFault(place: Locations, what: string): Promise<StartFault> {
  const log = join(place.dataDir, 'postgres.log')
  const end = (await readFile(log, 'utf8').catch(() => '')).slice(-2000)
  const why = end.includes('No space left on device')
    ? 'The disk is full: free some space and start again.'
    : end.includes('could not map anonymous shared memory')
      ? 'The memory does not suffice for the setting shared_buffers.'
      : `The last lines of ${log} tell why.`
  return new StartFault(`PostgreSQL on ${place.cluster} ${what}. ${why}`)
}

async function openLog(place: Locations): Promise<FileHandle> {
  const path = join(place.dataDir, 'postgres.log')
  const facts = await stat(path).catch(() => undefined)
  if (facts && facts.size > largestLogBytes) await rename(path, `${path}.1`)
  const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW } = constants
  try {
    return await open(path, O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW, 0o600)
  } catch (error) {
    if (codeOf(error) !== 'EACCES') throw error
    // Left by a start as root.
    await rename(path, `${path}.1`)
    return open(path, O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW, 0o600)
  }
}
