import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, realpath, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { inject } from 'vitest'
import { runProcess } from '#apps/bootstrap.ts'
import { startEmbedded, type EmbeddedEngine } from '#platform/embedded-postgres/embedded.ts'
import { clusterIn } from '#platform/embedded-postgres/locations.ts'
import { readPostmasterFile, serves, stopPostmaster } from '#platform/embedded-postgres/postmaster.ts'
import { readConfig } from '#platform/core/config.ts'
import { openLog } from '#platform/core/log.ts'
import { sharedFolder } from '../../run-folder.ts'

interface StartReport {
  url: string
  pid: number
  error?: string
  message?: string
}

export interface ServiceProcess {
  readonly child: ChildProcess
  /** Its first line: that it is ready, or why not. */
  readonly report: Promise<StartReport>
  /** kill -9, and waits for the end. */
  kill(): Promise<void>
  /** Lets it stop cleanly. */
  finish(): Promise<void>
}

const script = join(import.meta.dirname, 'service.ts')
const children: ChildProcess[] = []
const engines: EmbeddedEngine[] = []
const folders: string[] = []

/** An empty folder that all users can reach, removed by `closeEngineFixture`; its `data` is for a service. */
export async function makeFolder(mode = 0o755): Promise<string> {
  const parents = [await realpath(tmpdir()), '/tmp', '/var/tmp']
  const open = await Promise.all(parents.map(async (parent) => ((await stat(parent)).mode & 1) === 1))
  const folder = await mkdtemp(join(parents[open.indexOf(true)] ?? '/tmp', 'vigencia-test-'))
  await chmod(folder, mode)
  folders.push(folder)
  return folder
}

/** A data folder with an empty database in it, copied from one that is made once in each run: faster than a cold start. */
export async function makeData(): Promise<string> {
  const empty = await sharedFolder('empty-data', async () => {
    const made = await mkdtemp(join(inject('runFolder'), 'data-'))
    await (await startEmbedded({ dataDir: made })).stop()
    return made
  })
  const dataDir = join(await makeFolder(), 'data')
  await copyFolder(empty, dataDir)
  return dataDir
}

/** Copies a folder to a path that is not there, with owners and modes. */
export async function copyFolder(from: string, to: string): Promise<void> {
  await promisify(execFile)('cp', ['-a', from, to])
}

/** A data folder with which the demo was started once. Copies have the same credentials. */
export async function makeDemoData(): Promise<string> {
  const withDemo = await sharedFolder('demo-data', async () => {
    const made = await makeData()
    const engine = await startEmbedded({ dataDir: made })
    const config = readConfig({ VIGENCIA_DATA_DIR: made, VIGENCIA_PORT: '0', VIGENCIA_LOG_LEVEL: 'error' })
    await (await runProcess(config, engine.url, config.masterKey, openLog(config.logLevel))).close()
    await engine.stop()
    // Not a rename: `makeFolder` may be on another file system.
    const copy = join(inject('runFolder'), 'demo-data.new')
    await copyFolder(made, copy)
    return copy
  })
  const dataDir = join(await makeFolder(), 'data')
  await copyFolder(withDemo, dataDir)
  return dataDir
}

/** Remembers an engine of this process, to be stopped by `closeEngineFixture`. */
export async function stopAtEnd(starting: Promise<EmbeddedEngine>): Promise<EmbeddedEngine> {
  const engine = await starting
  engines.push(engine)
  return engine
}

/** Starts a service in a process of its own. */
export function startService(
  dataDir: string,
  how: { uid?: number; gid?: number; script?: string } = {},
): ServiceProcess {
  const { script: other, ...account } = how
  const child = spawn(process.execPath, [other ?? script, dataDir], {
    stdio: ['pipe', 'pipe', 'inherit'],
    cwd: '/',
    ...account,
  })
  children.push(child)
  const exited = once(child, 'exit')
  const ended = exited.then(() => {
    throw new Error('the service ended without a report')
  })
  const report = Promise.race([once(createInterface({ input: child.stdout }), 'line'), ended]).then(
    ([line]) => JSON.parse(String(line)) as StartReport,
  )
  // A test that kills the service may not wait for its report.
  report.catch(() => undefined)
  const end = async (act: () => void): Promise<void> => {
    act()
    await exited
  }
  return {
    child,
    report,
    kill: () => end(() => child.kill('SIGKILL')),
    finish: () => end(() => child.stdin.end()),
  }
}

/** Runs one statement on the engine's database. */
export async function ask(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows
  } finally {
    await client.end()
  }
}

/** Where the cluster of a data folder is. */
export const clusterOf = clusterIn

/** Stops all that the test started, each by its own number, and removes its folders. */
export async function closeEngineFixture(): Promise<void> {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }
  for (const engine of engines.splice(0)) await engine.stop()
  for (const folder of folders.splice(0)) {
    const cluster = await clusterOf(join(folder, 'data'))
    const file = await readPostmasterFile(cluster)
    if (file && (await serves(file.pid, cluster))) await stopPostmaster(file.pid)
    if (!cluster.startsWith(folder)) await rm(dirname(cluster), { recursive: true })
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 })
  }
}
