import { realpath } from 'node:fs/promises'
import { databaseUser } from './cluster.ts'
import { clusterIn } from './place.ts'
import { readPostmasterFile, serves } from './postmaster.ts'

/** The address of the PostgreSQL that serves the data folder now; null when none does. Changes nothing there. */
export async function runningEngineUrl(dataDir: string): Promise<string | null> {
  const folder = await realpath(dataDir).catch(() => null)
  if (folder === null) return null
  const cluster = await clusterIn(folder)
  const file = await readPostmasterFile(cluster)
  if (file === undefined || !(await serves(file.pid, cluster))) return null
  return engineUrl(file.socketFolder)
}

/** How `pg` and `psql` reach the service's database over a socket. */
export function engineUrl(socketFolder: string): string {
  return `postgres://${databaseUser}@localhost:5432/vigencia?host=${encodeURIComponent(socketFolder)}&sslmode=disable`
}
