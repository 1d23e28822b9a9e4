import { readFile, realpath } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { databaseUser } from './cluster.ts'
import { clusterIn } from './locations.ts'
import { readPostmasterFile, serves } from './postmaster.ts'

/** The address of the service's database behind a socket. */
export function urlOf(socketFolder: string): string {
  return `postgres://${databaseUser}@localhost:5432/vigencia?host=${encodeURIComponent(socketFolder)}&sslmode=disable`
}

/** What a data folder holds, without taking it from the service that may have it. */
export interface Found {
  /** The address of the PostgreSQL that serves it now; null when none runs. */
  readonly url: string | null
}

/** Looks for the database of a data folder; undefined when there is none. Changes nothing. */
export async function findDatabase(dataDir: string): Promise<Found | undefined> {
  const folder = await realpath(resolve(dataDir)).catch(() => undefined)
  if (folder === undefined) return undefined
  const cluster = await clusterIn(folder)
  const isThere = await readFile(join(cluster, 'PG_VERSION')).then(
    () => true,
    () => false,
  )
  const file = await readPostmasterFile(cluster)
  if (file !== undefined && (await serves(file.pid, cluster))) return { url: urlOf(file.socketFolder) }
  return isThere ? { url: null } : undefined
}

/** The address of the PostgreSQL that serves the data folder now; null when none does. */
export async function runningEngineUrl(dataDir: string): Promise<string | null> {
  return (await findDatabase(dataDir))?.url ?? null
}
