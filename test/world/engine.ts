import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { inject } from 'vitest'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '#platform/core/database.ts'
import { startEmbedded } from '#platform/embedded-postgres/embedded.ts'
import { distribute } from '#platform/core/distribute.ts'
import { openLog } from '#platform/core/log.ts'
import { migrate } from '#platform/core/migrate.ts'

const template = 'vigencia_template'

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of the run's PostgreSQL; each app has a database of its own on it, copied from the migrated template. */
    engineUrl: string
    /** URLs of the same PostgreSQL, or of all nodes of its Citus cluster, the coordinator first. */
    nodeUrls: string[]
    /** A folder that every user can reach, removed after the run. */
    runFolder: string
  }
}

/**
 * One real PostgreSQL for the whole run: the embedded one, or the one that VIGENCIA_TEST_DATABASE_URL names.
 * Its template database is migrated once.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env['VIGENCIA_TEST_DATABASE_URL']
  const folder = mkdtempSync(join(tmpdir(), 'vigencia-test-'))
  // PostgreSQL does not run as root: its own user must reach the folder.
  chmodSync(folder, 0o755)
  // Nothing of this engine survives the run, and no test kills it.
  const settings = { fsync: 'off', full_page_writes: 'off', wal_compression: 'off', max_connections: '200' }
  const engine = given === undefined ? await startEmbedded({ dataDir: join(folder, 'engine'), settings }) : null
  const url = given ?? engine?.url ?? ''
  const nodeUrls = process.env['VIGENCIA_TEST_CITUS'] === '1' ? await citusNodes(url) : [url]
  for (const node of nodeUrls) {
    await onServer(node, `drop database if exists ${template} with (force)`)
    await onServer(node, `create database ${template}`)
  }
  const database = openDatabase(
    { url: databaseOn(url, template), connections: 2, namedStatements: false, applicationName: 'template' },
    openLog('error'),
  )
  if (nodeUrls.length > 1) await joinNodes(nodeUrls)
  await migrate(database)
  if (nodeUrls.length > 1) await distribute(database)
  await database.close()
  if (nodeUrls.length > 1) await endConnections(nodeUrls)
  project.provide('engineUrl', url)
  project.provide('nodeUrls', nodeUrls)
  project.provide('runFolder', folder)
  return async () => {
    await engine?.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A database copied from the migrated template; on Citus, where its tables are distributed, on each node. */
export async function createDatabase(name: string): Promise<void> {
  // The copies hold the same placements: a node finds the shards of the database of that name on the others.
  await Promise.all(
    inject('nodeUrls').map((url) => onServer(url, `create database ${name} template ${template} strategy file_copy`)),
  )
}

/** Removes a database of `createDatabase`, with its connections. */
export async function dropDatabase(name: string): Promise<void> {
  // The coordinator first: it has connections to the workers.
  for (const url of inject('nodeUrls')) await onServer(url, `drop database ${name} with (force)`)
}

/** The URLs of the nodes that the coordinator of this URL knows. */
async function citusNodes(url: string): Promise<string[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ host: string; port: number }>(
      'select nodename as host, nodeport as port from pg_dist_node order by groupid',
    )
    return rows.map(({ host, port }) => {
      const node = new URL(url)
      node.hostname = host
      node.port = String(port)
      return node.href
    })
  } finally {
    await client.end()
  }
}

/** Makes the template databases of the nodes one cluster. */
async function joinNodes(nodeUrls: readonly string[]): Promise<void> {
  for (const url of nodeUrls) await onServer(databaseOn(url, template), 'create extension citus')
  const [coordinator = '', ...workers] = nodeUrls.map((url) => databaseOn(url, template))
  const { hostname, port } = new URL(coordinator)
  await onServer(coordinator, `select citus_set_coordinator_host('${hostname}', ${port})`)
  for (const worker of workers) {
    const node = new URL(worker)
    await onServer(coordinator, `select citus_add_node('${node.hostname}', ${node.port})`)
  }
}

/** Ends the connections to the templates, also those of Citus itself: a database in use cannot be copied. */
async function endConnections(nodeUrls: readonly string[]): Promise<void> {
  for (const url of nodeUrls) await onServer(url, `alter database ${template} allow_connections false`)
  for (const url of nodeUrls) {
    await onServer(url, `select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = '${template}'`)
  }
}

/** The same server's address with another database. */
export function databaseOn(url: string, name: string): string {
  return url.replace(/^(postgres(?:ql)?:\/\/[^/?]*)(?:\/[^?]*)?/, `$1/${name}`)
}

/** Runs a statement on a connection of its own, such as the making of a database. */
export async function onServer(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
