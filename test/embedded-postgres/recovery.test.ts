import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, readdir, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterEach, expect, test } from 'vitest'
import { startEmbedded } from '../../src/embedded-postgres/embedded.ts'
import { identityOf } from '../../src/embedded-postgres/process-info.ts'
import { ask, closeEngineFixture, clusterOf, keep, makeData, makeFolder, startService } from './engine-fixture.ts'

afterEach(closeEngineFixture)

const soon = { timeout: 10_000, interval: 10 }

test('the server of a service killed with -9 is adopted at once, with its data', async () => {
  const dataDir = await makeData()
  const context = startService(dataDir)
  const before = await context.told
  await ask(before.url, 'create table kept as select 1 as one')
  await context.kill()

  const engine = await keep(startEmbedded({ dataDir }))
  expect(engine).toMatchObject({ adopted: true, pid: before.pid, url: before.url })
  expect(await ask(engine.url, 'select * from kept')).toEqual([{ one: 1 }])
  await engine.stop()
  expect(await identityOf(before.pid)).toBeUndefined()
})

test('of two that would adopt at the same instant exactly one does', async () => {
  const dataDir = await makeData()
  const context = startService(dataDir)
  await context.told
  await context.kill()
  const told = await Promise.all([startService(dataDir), startService(dataDir)].map(({ told }) => told))
  expect(told.filter(({ adopted }) => adopted)).toHaveLength(1)
  expect(told.filter(({ error }) => error === 'FolderInUseError')).toHaveLength(1)
})

test('a server left behind with other settings is replaced, not adopted', async () => {
  const dataDir = await makeData()
  const context = startService(dataDir)
  const before = await context.told
  await context.kill()
  const engine = await keep(startEmbedded({ dataDir, settings: { work_mem: '9MB' } }))
  expect(engine.adopted).toBe(false)
  expect(engine.pid).not.toBe(before.pid)
  expect(await ask(engine.url, `select current_setting('work_mem') as a`)).toEqual([{ a: '9MB' }])
})

test('a server left behind that is waiting to shut down is stopped and started again', async () => {
  const dataDir = await makeData()
  const context = startService(dataDir)
  const { url, pid } = await context.told
  await context.kill()
  const lingering = new Client({ connectionString: url })
  lingering.on('error', () => undefined)
  await lingering.connect()
  process.kill(pid, 'SIGTERM')
  await expect
    .poll(async () => ask(url, 'select 1').catch((error: Error) => error.message), soon)
    .toContain('shutting down')

  const engine = await keep(startEmbedded({ dataDir }))
  expect(engine.adopted).toBe(false)
  expect(await ask(engine.url, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('PostgreSQL killed with -9 is reported once, and the next start has all that was committed', async () => {
  const dataDir = await makeData()
  const exits: (number | null)[] = []
  const engine = await keep(startEmbedded({ dataDir, onUnexpectedExit: (code) => exits.push(code) }))
  await ask(engine.url, 'create table kept as select 1 as one')
  process.kill(engine.pid, 'SIGKILL')
  await expect.poll(() => exits, soon).toEqual([null])
  await engine.stop()

  const next = await keep(startEmbedded({ dataDir }))
  expect(next.adopted).toBe(false)
  expect(await ask(next.url, 'select * from kept')).toEqual([{ one: 1 }])
  expect(exits).toEqual([null])
})

test.for([
  ['a short path', ''],
  ['a path too long for a socket', 'a'.repeat(100)],
])('after a kill -9 revive() brings the server back under the same URL, with its data: %s', async ([, deeper]) => {
  const dataDir = join(await makeFolder(), deeper ?? '', 'data')
  const losses: string[] = []
  const engine = await keep(startEmbedded({ dataDir, onUnexpectedExit: (_code, how) => losses.push(how) }))
  await ask(engine.url, 'create table kept as select 1 as one')
  for (const times of [1, 2]) {
    const { pid } = engine
    process.kill(pid, 'SIGKILL')
    await expect.poll(() => losses, soon).toHaveLength(times)
    await Promise.all([engine.revive(), engine.revive()])
    expect(engine.pid).not.toBe(pid)
    expect(await ask(engine.url, 'select * from kept')).toEqual([{ one: 1 }])
    expect(await startService(dataDir).told).toMatchObject({ error: 'FolderInUseError' })
  }
  expect(losses).toEqual(['ended', 'ended'])
  await engine.stop()
  await engine.revive()
  expect(await identityOf(engine.pid)).toBeUndefined()
})

test('revive() never begins an empty database in the place of one that is lost', async () => {
  const dataDir = await makeData()
  const losses: string[] = []
  const engine = await keep(startEmbedded({ dataDir, onUnexpectedExit: (_code, how) => losses.push(how) }))
  process.kill(engine.pid, 'SIGKILL')
  await expect.poll(() => losses, soon).toEqual(['ended'])
  const cluster = await clusterOf(dataDir)
  await rename(cluster, `${cluster}.aside`)
  await expect(engine.revive()).rejects.toThrow('is gone')
  await rename(`${cluster}.aside`, cluster)
  await engine.revive()
  expect(await ask(engine.url, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('the end of an adopted server is reported too', async () => {
  const dataDir = await makeData()
  const context = startService(dataDir)
  await context.told
  await context.kill()
  const exits: (number | null)[] = []
  const engine = await keep(startEmbedded({ dataDir, onUnexpectedExit: (code) => exits.push(code) }))
  expect(engine.adopted).toBe(true)
  process.kill(engine.pid, 'SIGKILL')
  await expect.poll(() => exits, soon).toEqual([null])
})

test('service and PostgreSQL both killed with -9: the next start recovers', async () => {
  const dataDir = await makeData()
  const context = startService(dataDir)
  const { url, pid } = await context.told
  await ask(url, 'create table kept as select 1 as one')
  process.kill(pid, 'SIGKILL')
  await context.kill()
  const engine = await keep(startEmbedded({ dataDir }))
  expect(await ask(engine.url, 'select * from kept')).toEqual([{ one: 1 }])
})

test('a crash of one session is no end: the server goes on and the service keeps its folder', async () => {
  const dataDir = await makeData()
  const exits: (number | null)[] = []
  const engine = await keep(startEmbedded({ dataDir, onUnexpectedExit: (code) => exits.push(code) }))
  const held = `select pid from pg_locks where locktype = 'advisory' and granted`
  const [before] = await ask(engine.url, held)
  process.kill(Number(before?.pid), 'SIGKILL')
  const holder = async () => (await ask(engine.url, held).catch(() => []))[0]?.pid
  await expect.poll(async () => ![undefined, before?.pid].includes(await holder()), soon).toBe(true)
  expect(exits).toEqual([])
})

test('stop() amid the recovery from a crash ends the server', async () => {
  const dataDir = await makeData()
  // Where in the recovery the stop falls is chance: three tries.
  for (let attempt = 0; attempt < 3; attempt++) {
    const engine = await keep(startEmbedded({ dataDir }))
    const [session] = await ask(engine.url, `select pid from pg_locks where locktype = 'advisory' and granted`)
    process.kill(Number(session?.pid), 'SIGKILL')
    await ask(engine.url, 'select 1').catch(() => undefined)
    await engine.stop()
    expect(await identityOf(engine.pid)).toBeUndefined()
  }
})

test('a start killed with -9 while it makes the database leaves nothing in the way', async () => {
  const dataDir = join(await makeFolder(), 'data')
  const context = startService(dataDir)
  const drafts = async () => (await readdir(dataDir).catch(() => [])).filter((name) => name.startsWith('postgres.new-'))
  const begun = async () => stat(join(dataDir, (await drafts())[0] ?? 'none', 'base', '1')).then(Boolean, () => false)
  await expect.poll(begun, soon).toBe(true)
  await context.kill()
  expect(await readdir(dataDir)).not.toContain('postgres')

  const engine = await keep(startEmbedded({ dataDir }))
  expect(await ask(engine.url, 'select 1 as one')).toEqual([{ one: 1 }])
  expect(await drafts()).toEqual([])
})

test('a stale postmaster.pid that names a living stranger does not block the start', async () => {
  const dataDir = await makeData()
  const before = await keep(startEmbedded({ dataDir }))
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
    const engine = await keep(startEmbedded({ dataDir }))
    expect(engine.adopted).toBe(false)
    expect(await ask(engine.url, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(stranger.exitCode).toBeNull()
    expect(stranger.signalCode).toBeNull()
  } finally {
    stranger.kill()
    await once(stranger, 'exit')
  }
})

test('a lock file whose process number went to a stranger, or cut short by a power cut, is taken over', async () => {
  const dataDir = await makeData()
  for (const lock of [JSON.stringify({ pid: process.pid, identity: 'of another time' }), '']) {
    await writeFile(join(dataDir, 'service.lock'), lock)
    const engine = await keep(startEmbedded({ dataDir }))
    expect(await ask(engine.url, 'select 1 as one')).toEqual([{ one: 1 }])
    await engine.stop()
  }
})
