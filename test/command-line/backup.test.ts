import { createHash, randomBytes } from 'node:crypto'
import { copyFile, mkdir, open, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { Client as PgClient } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { schemaText } from '../../generate/schema.ts'
import { isSealed } from '../../src/backup/seal.ts'
import { openDatabase } from '../../src/database.ts'
import { openLog } from '../../src/log.ts'
import { databaseOn } from '../http/engine.ts'
import { type Client, type House, openHouse, primary, send, until } from '../http/harness.ts'
import { pdf, upload } from '../http/upload.ts'
import { endPrograms, run, tokenOf } from '../start/program.ts'
import { type Desk, openDesk, type Outcome } from './command.ts'

let house: House
let partner: Client
let desk: Desk
let backup: string
let taken: Outcome

const settingsOf = (databaseUrl: string, dataDir: string, masterKey = house.masterKey) => ({
  VIGENCIA_DATABASE_URL: databaseUrl,
  VIGENCIA_MASTER_KEY: masterKey,
  VIGENCIA_DATA_DIR: dataDir,
  VIGENCIA_DEMO: 'false',
  VIGENCIA_LOG_LEVEL: 'error',
})

beforeAll(async () => {
  house = await openHouse()
  desk = await openDesk()
  const company = await house.company()
  partner = await house.partner(company.taxId)
  const documents = [{ 'document-id': await upload(partner), 'document-type': 'company-letter' }]
  const odd = 'Tab\t, "quoted" \\N \\. linha\u2028 Ção 🙂'
  await house.include(
    partner,
    company,
    [primary({ name: odd, documents }), primary(), primary()],
    '?resolution=approve',
  )
  await upload(partner)
  // What the worker still does after the last answer, so that the house stands still while it is compared.
  await until(
    () => house.sql('select 1 from audit_unsealed union all select 1 from event_batch union all select 1 from work'),
    (rows) => rows.length === 0,
  )
  backup = join(desk.folder, 'one.backup')
  const environment = settingsOf(house.databaseUrl, house.dataDir)
  // While the service runs.
  taken = await desk.run(['backup', backup, '--json'], { environment })
})
afterAll(async () => {
  await desk.clear()
  await house.close()
})

let target: string
let targetDir: string
beforeEach(async () => {
  const name = `restore_${randomBytes(6).toString('hex')}`
  target = databaseOn(inject('engineUrl'), name)
  targetDir = join(desk.folder, name)
  await ask(inject('engineUrl'), `create database ${name} template template0`)
})
afterEach(async () => {
  await endPrograms()
  await ask(
    inject('engineUrl'),
    `drop database ${new URL(target.replace('@localhost', '@x')).pathname.slice(1)} with (force)`,
  )
  await rm(targetDir, { recursive: true, force: true })
})

async function ask(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new PgClient({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows
  } finally {
    await client.end()
  }
}

/** Schema and every row of every table, as text. */
async function dumpOf(url: string): Promise<Record<string, unknown>> {
  const database = openDatabase(
    { url, connections: 1, namedStatements: false, applicationName: 'dump' },
    openLog('error'),
  )
  try {
    const tables = await database.rows<{ name: string }>(
      "select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace",
    )
    const dump: Record<string, unknown> = { schema: await schemaText(database) }
    for (const { name } of tables) {
      const rows = await database.rows<{ row: string }>(`select t::text as row from "${name}" t order by 1`)
      dump[name] = rows.map(({ row }) => row)
    }
    return dump
  } finally {
    await database.close()
  }
}

const restoreTo = (file: string, masterKey = house.masterKey) =>
  desk.run(['restore', file, '--json'], { environment: settingsOf(target, targetDir, masterKey) })
const tablesIn = async (url: string) =>
  (await ask(url, "select 1 from pg_class where relnamespace = 'public'::regnamespace")).length

test('a backup says that the master key is not in it, is for its owner only, and is not replaced unasked', async () => {
  expect(taken).toMatchObject({ code: 0, json: { file: backup, files: 2, missing: 0, 'master-key': false } })
  expect(taken.err).toContain('The master key is NOT in it')
  expect((await stat(backup)).mode & 0o777).toBe(0o600)
  const again = await desk.run(['backup', backup], { environment: settingsOf(house.databaseUrl, house.dataDir) })
  expect(again.code).toBe(2)
  expect(again.err).toContain('--force')
  expect((await readFile(backup)).includes(Buffer.from(house.masterKey, 'base64'))).toBe(false)
})

test('restored into a fresh database the dumps are equal, the files are there, and a service runs on it', async () => {
  const restored = await restoreTo(backup)
  expect(restored.code).toBe(0)
  expect(restored.json).toMatchObject({ files: 2 })
  expect(await dumpOf(target)).toEqual(await dumpOf(house.databaseUrl))
  const files = await readdir(join(targetDir, 'files', 'document'))
  expect(files.sort()).toEqual((await readdir(join(house.dataDir, 'files', 'document'))).sort())
  for (const file of files) expect(await readFile(join(targetDir, 'files', 'document', file))).toEqual(pdf)

  const settings = Object.entries(settingsOf(target, targetDir)).map(([name, value]) => [
    name.replace('VIGENCIA_', ''),
    value,
  ])
  const program = run(['start'], Object.fromEntries(settings) as Record<string, string>)
  const url = await program.url
  const token = await tokenOf(url, { id: partner.clientId, secret: partner.clientSecret })
  const listed = await send(`${url}/v1/member`, 'GET', { token })
  expect(listed.text).toBe((await partner.get('/v1/member')).text)
  expect((await program.stop()).code).toBe(0)
  // A second time it would mix.
  const twice = await restoreTo(backup)
  expect(twice.code).toBe(1)
  expect(twice.json.error).toContain('The database is not empty')
})

test('a file that was cut short, altered or lengthened anywhere is refused before anything is written', async () => {
  const bytes = await readFile(backup)
  const places = fc.oneof(fc.constantFrom(0, 17, 18, bytes.length - 33, bytes.length - 1), fc.nat(bytes.length - 1))
  await fc.assert(
    fc.asyncProperty(places, fc.integer({ min: 1, max: 255 }), async (at, bits) => {
      const altered = Buffer.from(bytes)
      altered[at] = (altered[at] ?? 0) ^ bits
      for (const wrong of [altered, bytes.subarray(0, at), Buffer.concat([bytes, altered.subarray(0, 1)])]) {
        expect(await sealed(await desk.file('wrong.backup', wrong))).toBe(false)
      }
    }),
  )
  expect(await sealed(backup)).toBe(true)
  for (const wrong of [bytes.subarray(0, -1), Buffer.alloc(0)]) {
    const outcome = await restoreTo(await desk.file('wrong.backup', wrong))
    expect(outcome.code).toBe(1)
    expect(outcome.err).toContain('cut short or altered')
  }
  expect(await tablesIn(target)).toBe(0)
  expect((await restoreTo('absent.backup')).code).toBe(2)
})

async function sealed(path: string): Promise<boolean> {
  const file = await open(path, 'r')
  try {
    return await isSealed(file)
  } finally {
    await file.close()
  }
}

/** A sealed backup that says other things of its migrations. */
async function withMigrations(change: (text: string) => string): Promise<string> {
  const bytes = await readFile(backup)
  const plain = gunzipSync(bytes.subarray(18, -32))
  const length = plain.readUInt32BE(1)
  const header = Buffer.from(change(plain.subarray(5, 5 + length).toString()))
  const head = Buffer.from(plain.subarray(0, 5))
  head.writeUInt32BE(header.length, 1)
  const content = Buffer.concat([
    bytes.subarray(0, 18),
    gzipSync(Buffer.concat([head, header, plain.subarray(5 + length)])),
  ])
  return desk.file('other.backup', Buffer.concat([content, createHash('sha256').update(content).digest()]))
}

test('a backup of a version with other migrations is refused with what to do; nothing is written', async () => {
  const altered = await withMigrations((text) => text.replace(/"digest":"\w{10}/, '"digest":"0000000000'))
  const newer = await withMigrations((text) =>
    text.replace(/\}\],"files"/, `},{"name":"9999_later.sql","digest":"x"}],"files"`),
  )
  for (const file of [altered, newer]) {
    const outcome = await restoreTo(file)
    expect(outcome.code).toBe(1)
    expect(outcome.err).toContain('restore it with that version')
  }
  expect(await tablesIn(target)).toBe(0)
})

test('with another master key nothing stays in the database', async () => {
  const outcome = await restoreTo(backup, randomBytes(32).toString('base64'))
  expect(outcome.code).toBe(1)
  expect(outcome.err).toContain('The master key does not open')
  expect(await tablesIn(target)).toBe(0)
})

test('an interrupted backup leaves no file, a full run after it works; an empty database has nothing to back up', async () => {
  const blocker = new PgClient({ connectionString: house.databaseUrl })
  await blocker.connect()
  // COPY waits for this lock: the backup is certainly under way.
  await blocker.query('begin; lock table member in access exclusive mode')
  const file = join(desk.folder, 'two.backup')
  const running = desk.start(['backup', file], settingsOf(house.databaseUrl, house.dataDir))
  const waiting =
    "select 1 from pg_stat_activity where datname = current_database() and query like 'copy %' and wait_event_type = 'Lock'"
  await until(
    () => house.sql(waiting),
    (rows) => rows.length > 0,
  )
  running.kill('SIGINT')
  expect((await running.outcome).code).toBe(130)
  await blocker.query('rollback')
  await blocker.end()
  expect((await readdir(desk.folder)).filter((name) => name.startsWith('two'))).toEqual([])
  const empty = await desk.run(['backup', file], { environment: settingsOf(target, targetDir) })
  expect(empty.code).toBe(1)
  expect(empty.err).toContain('nothing to back up')
})

test('files of an S3-compatible store are said not to be in it, and lost ones are counted', async () => {
  const file = join(desk.folder, 'three.backup')
  const s3 = { VIGENCIA_STORAGE_URL: 's3://key:secret@127.0.0.1:9/bucket?protocol=http' }
  const outcome = await desk.run(['backup', file], {
    environment: { ...settingsOf(house.databaseUrl, house.dataDir), ...s3 },
  })
  expect(outcome.code).toBe(0)
  expect(outcome.err).toContain('Files in the S3-compatible store are NOT in it')
  expect((await restoreTo(file)).err).toContain('NOT in the backup')

  const elsewhere = join(desk.folder, 'elsewhere')
  const [name = ''] = await readdir(join(house.dataDir, 'files', 'document'))
  await mkdir(join(elsewhere, 'files', 'document'), { recursive: true })
  await copyFile(join(house.dataDir, 'files', 'document', name), join(elsewhere, 'files', 'document', name))
  const partly = await desk.run(['backup', join(desk.folder, 'four.backup')], {
    environment: settingsOf(house.databaseUrl, elsewhere),
  })
  expect(partly.err).toContain('1 files, ')
  expect(partly.err).toContain('1 files that the database tells of are not in the storage.')
})
