import { mkdir, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { startEmbedded } from '#platform/embedded-postgres/embedded.ts'
import { FolderInUseError } from '#platform/embedded-postgres/errors.ts'
import { clusterNameOf } from '#platform/embedded-postgres/postmaster.ts'
import { identityOf, processesTitled } from '#platform/embedded-postgres/process-info.ts'
import { ask, closeEngineFixture, clusterOf, stopAtEnd, makeData, makeFolder, startService } from './engine-fixture.ts'

afterEach(closeEngineFixture)

test('a cold start gives an empty database, and a warm start the data of before', async () => {
  const dataDir = join(await makeFolder(), 'data')
  const first = await stopAtEnd(startEmbedded({ dataDir }))
  await ask(first.url, `create table kept as select 'São Paulo' as city`)
  await first.stop()

  const second = await stopAtEnd(startEmbedded({ dataDir }))
  expect(await ask(second.url, 'select upper(city) as city from kept')).toEqual([{ city: 'SÃO PAULO' }])
})

test('what is committed is safe: synchronous, checked pages, no TCP port', async () => {
  const engine = await stopAtEnd(startEmbedded({ dataDir: join(await makeFolder(), 'data') }))
  const names = [
    'fsync',
    'full_page_writes',
    'synchronous_commit',
    'data_checksums',
    'listen_addresses',
    'server_encoding',
  ]
  const settings = names.map((name) => `current_setting('${name}') as ${name}`)
  expect(await ask(engine.url, `select ${settings.join(', ')}`)).toEqual([
    {
      fsync: 'on',
      full_page_writes: 'on',
      synchronous_commit: 'on',
      data_checksums: 'on',
      listen_addresses: '',
      server_encoding: 'UTF8',
    },
  ])
})

test('the caller may set what PostgreSQL has settings for, but not make its log indiscreet', async () => {
  const settings = { work_mem: '7MB', log_statement: 'all' }
  const engine = await stopAtEnd(startEmbedded({ dataDir: await makeData(), settings }))
  const rows = await ask(engine.url, `select current_setting('work_mem') as a, current_setting('log_statement') as b`)
  expect(rows).toEqual([{ a: '7MB', b: 'none' }])
})

test('no statement, parameter or refused value reaches the log', async () => {
  const dataDir = await makeData()
  const engine = await stopAtEnd(startEmbedded({ dataDir }))
  await ask(engine.url, 'create table member (cpf text primary key)')
  const insert = `insert into member values ('39053344705')`
  await ask(engine.url, insert)
  for (const statement of [insert, `select '39053344705x'::int`, `do $$ begin raise '39053344705'; end $$`]) {
    await expect(ask(engine.url, statement)).rejects.toThrow(/duplicate key|39053344705/)
  }
  const crashing = ask(engine.url, `select pg_sleep(60), '39053344705'`).catch((error: Error) => error.message)
  const find = `select pid from pg_stat_activity where query like 'select pg_sleep%'`
  await expect.poll(() => ask(engine.url, find), { timeout: 10_000, interval: 10 }).toHaveLength(1)
  const [found] = await ask(engine.url, find)
  process.kill(Number(found?.pid), 'SIGKILL')
  expect(await crashing).toMatch(/terminated|ECONNRESET/)
  await engine.stop()
  const log = await readFile(join(dataDir, 'postgres.log'), 'utf8')
  expect(log).toContain('was terminated by signal 9')
  expect(log).not.toContain('39053344705')
})

test('a second service on the folder is refused, and told which folder, which process and what to do', async () => {
  const dataDir = await makeData()
  await stopAtEnd(startEmbedded({ dataDir }))
  const { error, message } = await startService(dataDir).report
  expect(error).toBe('FolderInUseError')
  expect(message).toContain(dataDir)
  expect(message).toContain(`process ${process.pid}`)
  expect(message).toContain('VIGENCIA_DATA_DIR')
  await expect(startEmbedded({ dataDir })).rejects.toThrow(FolderInUseError)
})

test('a second service is refused even when somebody removed the lock file', async () => {
  const dataDir = await makeData()
  const engine = await stopAtEnd(startEmbedded({ dataDir }))
  await rm(join(dataDir, 'service.lock'))
  const { error, message } = await startService(dataDir).report
  expect(error).toBe('FolderInUseError')
  expect(message).toContain(`process ${process.pid}`)
  expect(await ask(engine.url, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('of two that start at the same instant on an empty folder exactly one wins', async () => {
  const dataDir = join(await makeFolder(), 'data')
  const report = await Promise.all([startService(dataDir), startService(dataDir)].map((service) => service.report))
  expect(report.filter(({ url }) => url)).toHaveLength(1)
  expect(report.filter(({ error }) => error === 'FolderInUseError')).toHaveLength(1)
})

test('stop() leaves no process and a free folder, and may be called twice', async () => {
  const dataDir = await makeData()
  const engine = await stopAtEnd(startEmbedded({ dataDir }))
  const title = `postgres: ${await clusterNameOf(await clusterOf(dataDir))}: `
  expect(await processesTitled(title)).not.toHaveLength(0)
  await Promise.all([engine.stop(), engine.stop()])
  expect(await identityOf(engine.pid)).toBeUndefined()
  expect(await processesTitled(title)).toHaveLength(0)
  expect(await readdir(dataDir)).not.toContain('service.lock')
})

test('a data folder with a path of more than 200 characters works, and its short socket folder goes with it', async () => {
  const dataDir = join(await makeFolder(), 'a'.repeat(90), 'b c,"%'.repeat(20), 'data')
  const engine = await stopAtEnd(startEmbedded({ dataDir }))
  expect(await ask(engine.url, 'select 1 as one')).toEqual([{ one: 1 }])
  const socketFolder = new URL(engine.url).searchParams.get('host') ?? ''
  expect((await stat(socketFolder)).mode & 0o777).toBe(0o700)
  await engine.stop()
  await expect(stat(socketFolder)).rejects.toThrow('ENOENT')
})

test('a file where the folder should be, and a folder of strange files, are told in a sentence', async () => {
  const folder = await makeFolder()
  await writeFile(join(folder, 'data'), '')
  await expect(startEmbedded({ dataDir: join(folder, 'data') })).rejects.toThrow('a file stands where')
  await mkdir(join(folder, 'other', 'postgres'), { recursive: true })
  await writeFile(join(folder, 'other', 'postgres', 'notes.txt'), '')
  await expect(startEmbedded({ dataDir: join(folder, 'other') })).rejects.toThrow(/belongs to|no database/)
})

test('a start that fails frees the folder and says where the log is', async () => {
  const dataDir = join(await makeFolder(), 'data')
  const wrong = startEmbedded({ dataDir, settings: { shared_buffers: 'much' } })
  await expect(wrong).rejects.toThrow(join(dataDir, 'postgres.log'))
  const engine = await stopAtEnd(startEmbedded({ dataDir }))
  expect(await ask(engine.url, 'select 1 as one')).toEqual([{ one: 1 }])
})
