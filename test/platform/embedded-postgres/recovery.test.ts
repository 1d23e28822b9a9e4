import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdir, readFile, readdir, readlink, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterEach, expect, test } from 'vitest'
import { startEmbedded } from '#platform/embedded-postgres/embedded.ts'
import { openLog } from '#platform/core/log.ts'
import { socketName } from '#platform/embedded-postgres/locations.ts'
import { readPostmasterFile } from '#platform/embedded-postgres/postmaster.ts'
import { identityOf, isAnyEnding } from '#platform/embedded-postgres/process-info.ts'
import { isLong, scaled } from '../../scale.ts'
import { ask, closeEngineFixture, clusterOf, stopAtEnd, makeData, makeFolder, startService } from './engine-fixture.ts'

afterEach(closeEngineFixture)

const soon = { timeout: 10_000, interval: 10 }

test('the server of a service killed with -9 is ended, and the next start has its data', async () => {
  const dataDir = await makeData()
  const service = startService(dataDir)
  const before = await service.report
  await ask(before.url, 'create table kept as select 1 as one')
  await service.kill()
  expect(await identityOf(before.pid)).toBeDefined()

  const engine = await stopAtEnd(startEmbedded({ dataDir }))
  expect(engine.url).toBe(before.url)
  expect(await identityOf(before.pid)).toBeUndefined()
  expect(await ask(engine.url, 'select * from kept')).toEqual([{ one: 1 }])
})

test('of two that start at the same instant after a kill -9 exactly one does', async () => {
  const dataDir = await makeData()
  const service = startService(dataDir)
  await service.report
  await service.kill()
  const report = await Promise.all([startService(dataDir), startService(dataDir)].map(({ report }) => report))
  expect(report.filter(({ url }) => url)).toHaveLength(1)
  expect(report.filter(({ error }) => error === 'FolderInUseError')).toHaveLength(1)
})

test('a server that was started by hand is not ended: the start says how to stop it', async () => {
  const dataDir = await makeData()
  const service = startService(dataDir)
  const { pid } = await service.report
  const program = await readlink(`/proc/${pid}/exe`).catch(() => null)
  await service.finish()
  // Linux names the program of a process.
  if (program === null) return expect(process.platform).not.toBe('linux')
  const cluster = await clusterOf(dataDir)
  const { uid, gid } = await stat(cluster)
  const account = process.geteuid?.() === 0 ? { uid, gid } : {}
  const parameters = ['-D', cluster, '-c', 'listen_addresses=', '-c', `unix_socket_directories=${cluster}`]
  const server = spawn(program, parameters, { stdio: 'ignore', cwd: '/', ...account })
  try {
    await expect.poll(() => stat(join(cluster, 'postmaster.pid')).then(Boolean, () => false), soon).toBe(true)
    await expect(startEmbedded({ dataDir })).rejects.toThrow(`kill -INT ${server.pid}`)
    expect(server.exitCode).toBeNull()
  } finally {
    server.kill('SIGINT')
    await once(server, 'exit')
  }
})

test.runIf(isLong)('a server left behind that is waiting to shut down is stopped and started again', async () => {
  const dataDir = await makeData()
  const service = startService(dataDir)
  const { url, pid } = await service.report
  await service.kill()
  const lingering = new Client({ connectionString: url })
  lingering.on('error', () => undefined)
  await lingering.connect()
  process.kill(pid, 'SIGTERM')
  await expect
    .poll(async () => ask(url, 'select 1').catch((error: Error) => error.message), soon)
    .toContain('shutting down')

  const engine = await stopAtEnd(startEmbedded({ dataDir }))
  expect(engine.pid).not.toBe(pid)
  expect(await ask(engine.url, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('PostgreSQL killed with -9: the next start has all that was committed', async () => {
  const dataDir = await makeData()
  const engine = await stopAtEnd(startEmbedded({ dataDir }))
  await ask(engine.url, 'create table kept as select 1 as one')
  process.kill(engine.pid, 'SIGKILL')
  await engine.stop()

  const next = await stopAtEnd(startEmbedded({ dataDir }))
  expect(await ask(next.url, 'select * from kept')).toEqual([{ one: 1 }])
})

/** Options of an engine that restarts, and the reasons for which it was given up. */
function restarting() {
  const lost: string[] = []
  return { lost, restart: { log: openLog('silent'), onLost: (reason: string) => void lost.push(reason) } }
}

const paths: [string, string][] = [['a path too long for a socket', 'a'.repeat(100)]]
if (isLong) paths.push(['a short path', ''])

test.for(paths)(
  'PostgreSQL killed with -9 is started again under the same URL, with its data: %s',
  async ([, deeper]) => {
    const dataDir = join(await makeFolder(), deeper ?? '', 'data')
    const { lost, restart } = restarting()
    const engine = await stopAtEnd(startEmbedded({ dataDir, restart }))
    await ask(engine.url, 'create table kept as select 1 as one')
    for (let times = 0; times < 2; times += 1) {
      const { pid } = engine
      process.kill(pid, 'SIGKILL')
      await expect.poll(() => engine.pid, soon).not.toBe(pid)
      expect(await ask(engine.url, 'select * from kept')).toEqual([{ one: 1 }])
      expect(await startService(dataDir).report).toMatchObject({ error: 'FolderInUseError' })
    }
    await engine.stop()
    expect(await identityOf(engine.pid)).toBeUndefined()
    expect(lost).toEqual([])
  },
)

test('a restart never begins an empty database in the place of one that is lost', async () => {
  const dataDir = await makeData()
  const { restart } = restarting()
  const engine = await stopAtEnd(startEmbedded({ dataDir, restart }))
  const { pid } = engine
  const errors: string[] = []
  restart.log.error = (fields: { why?: string }) => void errors.push(fields.why ?? '')
  const cluster = await clusterOf(dataDir)
  await rename(cluster, `${cluster}.aside`)
  process.kill(pid, 'SIGKILL')
  await expect.poll(() => errors.join('\n'), soon).toContain('is gone')
  expect(await readdir(dataDir)).not.toContain('postgres')
  await rename(`${cluster}.aside`, cluster)
  await expect.poll(() => ask(engine.url, 'select 1 as one').catch(() => []), soon).toEqual([{ one: 1 }])
})

test.runIf(isLong)('a server that ends again and again is given up, with a sentence', async () => {
  const dataDir = await makeData()
  const { lost, restart } = restarting()
  const engine = await stopAtEnd(startEmbedded({ dataDir, restart }))
  await writeFile(join(await clusterOf(dataDir), 'postgresql.conf'), 'no_such_parameter = on\n')
  process.kill(engine.pid, 'SIGKILL')
  await expect.poll(() => lost, { timeout: 30_000, interval: 10 }).toHaveLength(1)
  expect(lost[0]).toContain('was started again 5 times within 10 minutes')
})

test('service and PostgreSQL both killed with -9: the next start recovers', async () => {
  const dataDir = await makeData()
  const service = startService(dataDir)
  const { url, pid } = await service.report
  await ask(url, 'create table kept as select 1 as one')
  process.kill(pid, 'SIGKILL')
  await service.kill()
  const engine = await stopAtEnd(startEmbedded({ dataDir }))
  expect(await ask(engine.url, 'select * from kept')).toEqual([{ one: 1 }])
})

test.runIf(isLong)(
  'PostgreSQL killed with -9 while the next start stops it: the start recovers, although nothing reaps the process',
  async () => {
    const dataDir = await makeData()
    const service = startService(dataDir)
    const { pid: first } = await service.report
    const command = (await readFile(`/proc/${first}/cmdline`, 'utf8').catch(() => '')).split('\0').slice(0, -1)
    await service.finish()
    if (command.length === 0) return expect(process.platform).not.toBe('linux')
    const cluster = await clusterOf(dataDir)
    const { uid, gid } = await stat(cluster)
    const account = process.geteuid?.() === 0 ? { uid, gid } : {}
    // Under a parent that never waits for it, it stays a zombie.
    const parent = spawn(
      'sh',
      ['-c', '"$@" & exec sleep 300', 'sh', ...command, '-c', `unix_socket_directories=${cluster}`],
      { stdio: 'ignore', cwd: '/', ...account },
    )
    try {
      await expect.poll(async () => (await readPostmasterFile(cluster))?.socketFolder, soon).toBe(cluster)
      const { pid = 0 } = (await readPostmasterFile(cluster)) ?? {}
      process.kill(pid, 'SIGSTOP')
      const starting = stopAtEnd(startEmbedded({ dataDir }))
      const isInterrupted = async () => /^ShdPnd:.*[2367abef]$/m.test(await readFile(`/proc/${pid}/status`, 'utf8'))
      await expect.poll(isInterrupted, soon).toBe(true)
      process.kill(pid, 'SIGKILL')
      expect(await ask((await starting).url, 'select 1 as one')).toEqual([{ one: 1 }])
    } finally {
      parent.kill('SIGKILL')
    }
  },
)

test('a process without a command line counts as ending, until it has ended', async () => {
  // As a process of PostgreSQL is between its last instruction and the release of its memory.
  const program = join(await makeFolder(), 'ending')
  await symlink('/bin/cat', program)
  const child = spawn(program, [], { argv0: '', stdio: ['pipe', 'ignore', 'ignore'] })
  await once(child, 'spawn')
  expect(await isAnyEnding('ending')).toBe(true)
  child.stdin.end()
  await once(child, 'exit')
  expect(await isAnyEnding('ending')).toBe(false)
})

test('a crash of one session does not end the server, and a second service is still refused', async () => {
  const dataDir = await makeData()
  const { lost, restart } = restarting()
  const engine = await stopAtEnd(startEmbedded({ dataDir, restart }))
  const { pid } = engine
  await crashSession(engine.url)
  await expect.poll(() => ask(engine.url, 'select 1 as one').catch(() => []), soon).toEqual([{ one: 1 }])
  expect(engine.pid).toBe(pid)
  expect(lost).toEqual([])
  await rm(join(dataDir, 'service.lock'))
  expect(await startService(dataDir).report).toMatchObject({ error: 'FolderInUseError' })
})

test.runIf(isLong)('stop() amid the recovery from a crash ends the server', async () => {
  const dataDir = await makeData()
  // Where in the recovery the stop comes is random.
  for (let attempt = 0; attempt < scaled(1, 10); attempt++) {
    const engine = await stopAtEnd(startEmbedded({ dataDir }))
    await crashSession(engine.url)
    await engine.stop()
    expect(await identityOf(engine.pid)).toBeUndefined()
  }
})

/** Kills the process of a session of its own: PostgreSQL ends all sessions and recovers. */
async function crashSession(url: string): Promise<void> {
  const client = new Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const ended = new Promise((resolve) => client.once('end', resolve))
  process.kill(rows[0]?.pid ?? 0, 'SIGKILL')
  await ended
}

test.runIf(isLong)('a start killed with -9 while it makes the database leaves nothing in the way', async () => {
  const dataDir = join(await makeFolder(), 'data')
  const service = startService(dataDir)
  const drafts = async () => (await readdir(dataDir).catch(() => [])).filter((name) => name.startsWith('postgres.new-'))
  const begun = async () => stat(join(dataDir, (await drafts())[0] ?? 'none', 'base', '1')).then(Boolean, () => false)
  await expect.poll(begun, soon).toBe(true)
  await service.kill()
  expect(await readdir(dataDir)).not.toContain('postgres')

  const engine = await stopAtEnd(startEmbedded({ dataDir }))
  expect(await ask(engine.url, 'select 1 as one')).toEqual([{ one: 1 }])
  expect(await drafts()).toEqual([])
})

test('a stale postmaster.pid that names a living stranger does not block the start', async () => {
  const dataDir = await makeData()
  const before = await stopAtEnd(startEmbedded({ dataDir }))
  const cluster = await clusterOf(dataDir)
  const file = await readFile(join(cluster, 'postmaster.pid'), 'utf8')
  await before.stop()
  const { uid, gid } = await stat(cluster)
  const account = process.geteuid?.() === 0 ? { uid, gid } : {}
  const stranger = spawn('/bin/sh', ['-c', 'read line'], {
    stdio: ['pipe', 'ignore', 'ignore'],
    cwd: '/',
    ...account,
  })
  await once(stranger, 'spawn')
  try {
    await writeFile(join(cluster, 'postmaster.pid'), file.replace(String(before.pid), String(stranger.pid)), {
      mode: 0o600,
    })
    const engine = await stopAtEnd(startEmbedded({ dataDir }))
    expect(await ask(engine.url, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(stranger.exitCode).toBeNull()
    expect(stranger.signalCode).toBeNull()
  } finally {
    stranger.kill()
    await once(stranger, 'exit')
  }
})

test('a process that a killed PostgreSQL had just forked, which listens until it ends, does not block the start', async () => {
  const dataDir = await makeData()
  const before = await stopAtEnd(startEmbedded({ dataDir }))
  const cluster = await clusterOf(dataDir)
  const file = await readFile(join(cluster, 'postmaster.pid'), 'utf8')
  const { socketFolder = '' } = (await readPostmasterFile(cluster)) ?? {}
  await before.stop()
  const { uid, gid } = await stat(cluster)
  await writeFile(join(cluster, 'postmaster.pid'), file, { mode: 0o600 })
  await chown(join(cluster, 'postmaster.pid'), uid, gid)
  await mkdir(socketFolder, { recursive: true, mode: 0o700 })
  const listening = createServer(() => listening.close()).listen(join(socketFolder, socketName))
  await once(listening, 'listening')
  const engine = await stopAtEnd(startEmbedded({ dataDir }))
  expect(listening.listening).toBe(false)
  expect(await ask(engine.url, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('a lock file whose process number went to a stranger, or cut short by a power cut, is taken over', async () => {
  const dataDir = await makeData()
  for (const lock of [JSON.stringify({ pid: process.pid, identity: 'of another time' }), '']) {
    await writeFile(join(dataDir, 'service.lock'), lock)
    const engine = await stopAtEnd(startEmbedded({ dataDir }))
    expect(await ask(engine.url, 'select 1 as one')).toEqual([{ one: 1 }])
    await engine.stop()
  }
})
