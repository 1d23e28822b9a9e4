import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client } from 'pg'
import { StartError } from '../platform/errors.ts'
import { claim, connect } from './advisory-lock.ts'
import { codeOf } from './errors.ts'
import { FolderInUseError } from './folder-lock.ts'
import { removeSocketFolder, type Locations } from './locations.ts'
import {
  clusterNameOf,
  endOrphans,
  readPostmasterFile,
  serves,
  stopPostmaster,
  waitForStart,
  type PostmasterFile,
} from './postmaster.ts'
import { identityOf } from './process-info.ts'

/** A server that a killed service left running, and a session that has the folder. */
export interface Reattached {
  readonly pid: number
  readonly socketFolder: string
  readonly client: Client
}

/**
 * Finds the server that a killed service left behind and takes it over.
 * When there is none fit to be taken over, ends and clears away what is in the way, and returns undefined.
 */
export async function reattach(place: Locations, mark: string): Promise<Reattached | undefined> {
  const file = await readPostmasterFile(place.cluster)
  if (file) {
    const client = await waitForSession(file, place)
    if (client && (await claimFitting(client, file, place, mark))) return { ...file, client }
    if (await serves(file.pid, place.cluster)) await stopPostmaster(file)
    await clearStale(file, place)
  }
  await endOrphans(await clusterNameOf(place.cluster))
  return undefined
}

class NotOurs extends Error {
  readonly code = 'not-ours'
}

/** A session on the cluster's server; undefined when none runs or it is not fit to be waited for. */
async function waitForSession(file: PostmasterFile, place: Locations): Promise<Client | undefined> {
  try {
    return await waitForStart(() => openSession(file, place))
  } catch (error) {
    if (codeOf(error) === undefined) throw error
    return undefined
  }
}

async function openSession(file: PostmasterFile, place: Locations): Promise<Client> {
  // The server is asked even when its number means nothing here: it may run in another container.
  const alive = await serves(file.pid, place.cluster)
  const client = await connect(file.socketFolder).catch((error: Error) => {
    throw alive && !error.message.includes('shutting down') ? error : new NotOurs()
  })
  const { rows } = await client.query<{ data_directory: string }>('show data_directory')
  if (rows[0]?.data_directory === place.cluster) return client
  await client.end()
  throw new NotOurs()
}

/** Takes the folder, and tells whether the server is one of ours, of these programs and settings. */
async function claimFitting(client: Client, file: PostmasterFile, place: Locations, mark: string): Promise<boolean> {
  let fits = false
  try {
    await claim(client, place.dataDir)
    if (!(await serves(file.pid, place.cluster))) throw new FolderInUseError(place.dataDir)
    const { rows } = await client.query<{ mark: string | null }>(
      `select current_setting('vigencia.mark', true) as mark`,
    )
    const found = rows[0]?.mark
    if (!found) {
      throw new StartError(
        `A PostgreSQL that was started by hand, process ${file.pid}, serves ${place.cluster}. Stop it first: kill -INT ${file.pid}`,
      )
    }
    fits = found === mark
    return fits
  } finally {
    if (!fits) await client.end()
  }
}

async function clearStale(file: PostmasterFile, place: Locations): Promise<void> {
  const current = await readPostmasterFile(place.cluster)
  if (current?.pid === file.pid) {
    // PostgreSQL itself clears the file of a dead process, but takes a zombie or a stranger of that number for a server.
    if (isKnownToSystem(file.pid) || (await identityOf(file.pid)))
      await rm(join(place.cluster, 'postmaster.pid'), { force: true })
  }
  await removeSocketFolder(file.socketFolder, place.account)
}

function isKnownToSystem(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}
