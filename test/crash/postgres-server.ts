import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { open, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { basename, dirname, join } from 'node:path'
import { Client } from 'pg'
import { findBinaries } from '#platform/embedded-postgres/binaries.ts'
import { asUser, databaseUser } from '#platform/embedded-postgres/cluster.ts'
import { findLocations, giveTo, type Locations } from '#platform/embedded-postgres/locations.ts'
import { identityOf, processesTitled, signal } from '#platform/embedded-postgres/process-info.ts'
import { copyFolder, makeData, makeFolder } from '../platform/embedded-postgres/engine-fixture.ts'
import { until } from '../world/test-app.ts'

/* PostgreSQL servers as an administrator runs them: on a TCP port of the loopback, with replication. */

export interface PostgresServer {
  /** `host:port`. */
  readonly address: string
  readonly url: string
  /** Its data directory. */
  readonly folder: string
  /** Starts it, and waits until it accepts sessions. */
  start(): Promise<void>
  /** A fast shutdown. */
  stop(): Promise<void>
  /** kill -9 of all its processes, as when its machine fails. */
  kill(): Promise<void>
  /** The rows of one statement, on a connection of its own. */
  ask<Row extends object>(text: string): Promise<Row[]>
}

const running = new Set<PostgresServer>()

/** A server with an empty database `vigencia`, not started. @param settings server parameters. */
export async function makeServer(settings: Record<string, string> = {}): Promise<PostgresServer> {
  const dataDir = await makeData()
  const locations = await findLocations(dataDir)
  const port = await freePort()
  return serverOf(locations, port, settings)
}

/** A hot standby of the primary, which has not been started since `makeServer`: both have the same data. Not started. */
export async function makeStandby(primary: PostgresServer, name: string): Promise<PostgresServer> {
  const dataDir = await makeData()
  const locations = await findLocations(dataDir)
  await writeFile(join(locations.cluster, 'standby.signal'), '')
  const [host = '', port = ''] = primary.address.split(':')
  return serverOf(locations, await freePort(), {
    primary_conninfo: `host=${host} port=${port} user=${databaseUser} application_name=${name}`,
  })
}

/**
 * Copies the data directory of a running server, as pg_basebackup does; the programs from npm do not have it.
 * @returns the folder of the copy.
 */
export async function copyRunning(server: PostgresServer): Promise<string> {
  const copy = join(await makeFolder(), 'base')
  const client = new Client({ connectionString: server.url })
  await client.connect()
  await client.query(`select pg_backup_start('base', true)`)
  await copyFolder(server.folder, copy)
  const { rows } = await client.query<{ label: string }>('select labelfile as label from pg_backup_stop()')
  await client.end()
  await writeFile(join(copy, 'backup_label'), rows[0]?.label ?? '')
  // All of the log comes from the archive.
  await rm(join(copy, 'postmaster.pid'))
  for (const name of await readdir(join(copy, 'pg_wal'))) {
    if (/^[0-9A-F]{24}/.test(name)) await rm(join(copy, 'pg_wal', name))
  }
  return copy
}

/** A server on such a copy that replays archived log first. @param settings where the log is, and up to where. Not started. */
export async function makeRecovering(copy: string, settings: Record<string, string>): Promise<PostgresServer> {
  const locations = await findLocations(await makeData())
  await rm(locations.cluster, { recursive: true })
  await copyFolder(copy, locations.cluster)
  await writeFile(join(locations.cluster, 'recovery.signal'), '')
  for (const name of ['recovery.signal', 'backup_label']) await giveTo(locations.user, join(locations.cluster, name))
  return serverOf(locations, await freePort(), settings)
}

/** Stops the servers that a failed test left running. */
export async function stopServers(): Promise<void> {
  for (const server of running) await server.kill()
}

async function serverOf(locations: Locations, port: number, settings: Record<string, string>): Promise<PostgresServer> {
  const { postgres } = await findBinaries(locations)
  const { cluster, dataDir } = locations
  const hba = join(dirname(dataDir), 'trust.conf')
  await writeFile(hba, 'host all all 127.0.0.1/32 trust\nhost replication all 127.0.0.1/32 trust\n', { mode: 0o644 })
  const name = `test-${basename(dirname(dataDir))}`
  const all = {
    // As of the embedded one, whose data it has: a standby refuses a lower value.
    max_connections: '250',
    fsync: 'off',
    wal_keep_size: '1GB',
    ...settings,
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    hba_file: hba,
    cluster_name: name,
  }
  const parameters = ['-D', cluster, ...Object.entries(all).flatMap(([key, value]) => ['-c', `${key}=${value}`])]
  const address = `127.0.0.1:${port}`
  const url = `postgres://${databaseUser}@${address}/vigencia`
  const logFile = join(dirname(dataDir), 'server.log')
  let child: ChildProcess | null = null
  let exited: Promise<unknown> = Promise.resolve()

  async function ask<Row extends object>(text: string): Promise<Row[]> {
    const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
    client.on('error', () => {})
    try {
      await client.connect()
      return (await client.query<Row>(text)).rows
    } finally {
      await client.end().catch(() => {})
    }
  }

  const server: PostgresServer = {
    address,
    url,
    folder: cluster,
    ask,
    async start() {
      const log = await open(logFile, 'a')
      child = spawn(postgres, parameters, {
        ...asUser(locations.user),
        stdio: ['ignore', log.fd, log.fd],
        detached: true,
      })
      exited = once(child, 'exit')
      await log.close()
      running.add(server)
      const isReady = async () => (await ask('select 1').catch(() => [])).length === 1 || child?.exitCode !== null
      await until(isReady, (ready) => ready)
      if (child.exitCode !== null)
        throw new Error(`PostgreSQL ended: ${(await readFile(logFile, 'utf8')).slice(-1_000)}`)
    },
    async stop() {
      child?.kill('SIGINT')
      await exited
      running.delete(server)
    },
    async kill() {
      const pids = [child?.pid ?? 0, ...(await processesTitled(`postgres: ${name}: `))]
      for (const pid of pids) signal(pid, 'SIGKILL')
      await exited
      await until(
        async () => (await Promise.all(pids.map(identityOf))).every((identity) => identity === undefined),
        Boolean,
      )
      running.delete(server)
    },
  }
  return server
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}
