import { clusterNameOf, readPostmasterFile, serves } from '#platform/embedded-postgres/postmaster.ts'
import { identityOf, processesTitled } from '#platform/embedded-postgres/process-info.ts'
import { databaseUser } from '#platform/embedded-postgres/cluster.ts'
import { clusterOf } from '../platform/embedded-postgres/engine-fixture.ts'
import { until } from '../world/test-app.ts'

/** Address of the PostgreSQL that a service runs in the folder. */
export async function engineUrlOf(dataDir: string): Promise<string> {
  const file = await readPostmasterFile(await clusterOf(dataDir))
  if (file === undefined) throw new Error(`no PostgreSQL runs in ${dataDir}`)
  return `postgres://${databaseUser}@localhost:5432/vigencia?host=${encodeURIComponent(file.socketFolder)}&sslmode=disable`
}

/** kill -9 of PostgreSQL and all its processes, found by their titles: each backend is in its own process group. */
export async function killEngine(dataDir: string): Promise<void> {
  const cluster = await clusterOf(dataDir)
  const file = await readPostmasterFile(cluster)
  if (file === undefined || !(await serves(file.pid, cluster))) throw new Error(`no PostgreSQL runs in ${dataDir}`)
  const title = `postgres: ${await clusterNameOf(cluster)}: `
  const pids = [file.pid, ...(await processesTitled(title))]
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It ended before the kill.
    }
  }
  await until(
    async () => (await Promise.all(pids.map(identityOf))).filter((identity) => identity !== undefined),
    (left) => left.length === 0,
  )
}
