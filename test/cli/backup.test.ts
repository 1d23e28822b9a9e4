import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, open, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { gunzipSync, gzipSync } from 'node:zlib'
import { Client as PgClient } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { schemaText } from '../../generate/schema.ts'
import { decrypt, encrypt, formatLine, headerBytes } from '../../src/backup/encryption.ts'
import { openDatabase } from '../../src/platform/database.ts'
import { openLog } from '../../src/platform/log.ts'
import { databaseOn } from '../http/engine.ts'
import { type Client, useTestApp, primary, send, until } from '../http/test-app.ts'
import { pdf, upload } from '../http/upload.ts'
import { endPrograms, run, tokenOf } from '../start/program.ts'
import { type Cli, openCli, type Outcome } from './command.ts'

const testApp = useTestApp()
let partner: Client
let cli: Cli
let backup: string
let taken: Outcome

const settingsOf = (databaseUrl: string, dataDir: string, masterKey = testApp.masterKey) => ({
  VIGENCIA_DATABASE_URL: databaseUrl,
  VIGENCIA_MASTER_KEY: masterKey,
  VIGENCIA_DATA_DIR: dataDir,
  VIGENCIA_DEMO: 'false',
  VIGENCIA_LOG_LEVEL: 'error',
})

beforeAll(async () => {
  cli = await openCli()
  const company = await testApp.company()
  partner = await testApp.partner(company.taxId)
  const documents = [{ 'document-id': await upload(partner), 'document-type': 'company-letter' }]
  const odd = 'Tab\t, "quoted" \\N \\. linha\u2028 Ção 🙂'
  await testApp.include(
    partner,
    company,
    [primary({ 'job-title': odd, documents }), primary(), primary()],
    '?resolution=approve',
  )
  await upload(partner)
  // Waits for the work that continues after the last response, so that nothing changes during the comparison.
  await until(
    () => testApp.sql('select 1 from audit_pending union all select 1 from event_batch union all select 1 from work'),
    (rows) => rows.length === 0,
  )
  backup = join(cli.folder, 'one.backup')
  const environment = settingsOf(testApp.databaseUrl, testApp.dataDir)
  // While the service runs.
  taken = await cli.run(['backup', backup, '--json'], { environment })
})
afterAll(async () => {
  await cli.clear()
})

let target: string
let targetDir: string
beforeEach(async () => {
  const name = `restore_${randomBytes(6).toString('hex')}`
  target = databaseOn(inject('engineUrl'), name)
  targetDir = join(cli.folder, name)
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
    const tables = await database.query<{ name: string }>(
      "select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace",
    )
    const dump: Record<string, unknown> = { schema: await schemaText(database) }
    for (const { name } of tables) {
      const rows = await database.query<{ row: string }>(`select t::text as row from "${name}" t order by 1`)
      dump[name] = rows.map(({ row }) => row)
    }
    return dump
  } finally {
    await database.close()
  }
}

const restoreTo = (file: string, masterKey = testApp.masterKey) =>
  cli.run(['restore', file, '--json'], { environment: settingsOf(target, targetDir, masterKey) })
const tablesIn = async (url: string) =>
  (await ask(url, "select 1 from pg_class where relnamespace = 'public'::regnamespace")).length

test('a backup says that the master key is not in it, is for its owner only, and is not replaced unasked', async () => {
  expect(taken).toMatchObject({ code: 0, json: { file: backup, files: 2, missing: 0, 'master-key': false } })
  expect(taken.err).toContain('encrypted under the master key, which is NOT in it')
  expect((await stat(backup)).mode & 0o777).toBe(0o600)
  const again = await cli.run(['backup', backup], { environment: settingsOf(testApp.databaseUrl, testApp.dataDir) })
  expect(again.code).toBe(1)
  expect(again.err).toContain('exists and would be replaced')
  expect(again.err).toContain('--yes')
})

test('restored into a fresh database the dumps are equal, the files are there, and a service runs on it', async () => {
  const restored = await restoreTo(backup)
  expect(restored.code).toBe(0)
  expect(restored.json).toMatchObject({ files: 2 })
  expect(await dumpOf(target)).toEqual(await dumpOf(testApp.databaseUrl))
  const files = await readdir(join(targetDir, 'files', 'document'))
  expect(files.sort()).toEqual((await readdir(join(testApp.dataDir, 'files', 'document'))).sort())
  for (const file of files) expect(await readFile(join(targetDir, 'files', 'document', file))).toEqual(pdf)

  const serving = { ...settingsOf(target, targetDir), VIGENCIA_ENVIRONMENT: 'staging' }
  const settings = Object.entries(serving).map(([name, value]) => [name.replace('VIGENCIA_', ''), value])
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

const verify = (file: string, masterKey = testApp.masterKey) =>
  cli.run(['backup', 'verify', file, '--json'], { environment: { VIGENCIA_MASTER_KEY: masterKey } })

test('a file that was cut short, altered or lengthened anywhere is refused before anything is written', async () => {
  const bytes = await readFile(backup)
  const places = [0, formatLine.length, headerBytes - 1, headerBytes, bytes.length >> 1, bytes.length - 1]
  const wrong = [
    ...places.map((at) => {
      const altered = Buffer.from(bytes)
      altered[at] = (altered[at] ?? 0) ^ 1
      return altered
    }),
    bytes.subarray(0, -1),
    bytes.subarray(0, headerBytes),
    Buffer.alloc(0),
    Buffer.concat([bytes, Buffer.of(0)]),
  ]
  for (const one of wrong) {
    const outcome = await restoreTo(await cli.file('wrong.backup', one))
    expect(outcome.code).toBe(1)
    expect(outcome.json.error).toMatch(/cut short or altered|no backup of Vigencia|master key is not the one/)
    expect(outcome.json.error).toContain('Nothing was written')
  }
  expect(await tablesIn(target)).toBe(0)
  expect(existsSync(targetDir)).toBe(false)
  expect((await restoreTo('absent.backup')).code).toBe(2)
})

/** The frames of the backup, compressed again after a change; frames are latin1 text, so that lengths do not change. */
async function changed(change: (text: string) => string): Promise<{ content: Buffer; compressed: Buffer }> {
  const file = await open(backup, 'r')
  const pieces = await Array.fromAsync(decrypt(file, backup, Buffer.from(testApp.masterKey, 'base64')))
  await file.close()
  const before = gunzipSync(Buffer.concat(pieces))
  const content = Buffer.from(change(before.toString('latin1')), 'latin1')
  expect(content.equals(before)).toBe(false)
  return { content, compressed: gzipSync(content) }
}

async function encrypted(name: string, compressed: Buffer, masterKey: string): Promise<string> {
  const content = Readable.from([compressed]) as AsyncIterable<Buffer>
  return cli.file(name, Buffer.concat(await Array.fromAsync(encrypt(content, Buffer.from(masterKey, 'base64')))))
}

const edits: [string, (text: string) => string][] = [
  ['the hash of a secret', (text) => text.replace(/(?<=scrypt\S*\$)[\w-]{10}(?=[\w-]*\t)/, 'AAAAAAAAAA')],
  ['the role of an operator', (text) => text.replace(/\tadmin\t/, '\tother\t')],
  ['the client of an entitlement', (text) => text.replaceAll(partner.clientId, testApp.operator.clientId.padEnd(36))],
]

test.for(edits)('without the master key nobody makes a backup that holds something else: %s', async ([, change]) => {
  const { compressed } = await changed(change)
  const content = Buffer.concat([Buffer.from('VIGENCIA-BACKUP-1\n'), compressed])
  // As a checksum would let it pass, and under a key of one's own.
  const forgeries = [
    await cli.file('checksum.backup', Buffer.concat([content, createHash('sha256').update(content).digest()])),
    await encrypted('own-key.backup', compressed, randomBytes(32).toString('base64')),
  ]
  for (const file of forgeries) {
    expect((await restoreTo(file)).code).toBe(1)
    expect((await verify(file)).code).toBe(1)
  }
  expect(await tablesIn(target)).toBe(0)
})

test('backup verify says whether a file is as it was written, without a database', async () => {
  const intact = await verify(backup)
  expect(intact).toMatchObject({ code: 0, json: { file: backup, bytes: (await stat(backup)).size } })
  expect(intact.json['created-at']).toMatch(/^20\d\d-/)
  const bytes = await readFile(backup)
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1
  const altered = await verify(await cli.file('altered.backup', bytes))
  expect([altered.code, altered.json.error]).toEqual([1, expect.stringContaining('cut short or altered')])
  const otherKey = await verify(backup, randomBytes(32).toString('base64'))
  expect([otherKey.code, otherKey.json.error]).toEqual([1, expect.stringContaining('Set VIGENCIA_MASTER_KEY')])
  expect((await verify('absent.backup')).code).toBe(2)
})

test('a backup holds nothing in the clear', async () => {
  const bytes = await readFile(backup)
  const file = await open(backup, 'r')
  const pieces = await Array.fromAsync(decrypt(file, backup, Buffer.from(testApp.masterKey, 'base64')))
  await file.close()
  const start = Buffer.concat(pieces).subarray(0, 32)
  expect(start.subarray(0, 2)).toEqual(Buffer.of(0x1f, 0x8b))
  expect(bytes.includes(start)).toBe(false)
  expect(bytes.includes(Buffer.from(testApp.masterKey, 'base64'))).toBe(false)
})

test('a backup of a version with other migrations is refused with what to do; nothing is written', async () => {
  const otherDigest = await changed((text) => text.replace(/"digest":"\w{10}/, '"digest":"0000000000'))
  const newer = await changed((text) => text.replace(/"name":"\d{4}_/, '"name":"9999_'))
  for (const { compressed } of [otherDigest, newer]) {
    const outcome = await restoreTo(await encrypted('other.backup', compressed, testApp.masterKey))
    expect(outcome.code).toBe(1)
    expect(outcome.err).toContain('restore it with that version')
  }
  expect(await tablesIn(target)).toBe(0)
})

test('with another master key nothing stays in the database', async () => {
  const outcome = await restoreTo(backup, randomBytes(32).toString('base64'))
  expect(outcome.code).toBe(1)
  expect(outcome.err).toContain('Set VIGENCIA_MASTER_KEY to the master key of the service that was backed up')
  expect(await tablesIn(target)).toBe(0)
})

test('a backup is not made under a master key that is not that of the database', async () => {
  const file = join(cli.folder, 'five.backup')
  const environment = settingsOf(testApp.databaseUrl, testApp.dataDir, randomBytes(32).toString('base64'))
  const outcome = await cli.run(['backup', file], { environment })
  expect(outcome.code).toBe(1)
  expect(outcome.err).toContain('The master key does not decrypt')
  expect((await readdir(cli.folder)).filter((name) => name.startsWith('five'))).toEqual([])
})

test('without a master key nothing is backed up or restored, and no key is made', async () => {
  const { VIGENCIA_MASTER_KEY: _key, ...environment } = settingsOf(testApp.databaseUrl, testApp.dataDir)
  const outcomes = [
    await cli.run(['backup', join(cli.folder, 'six.backup')], { environment }),
    await cli.run(['restore', backup], { environment: { VIGENCIA_DATA_DIR: targetDir } }),
  ]
  expect(outcomes.map(({ code, err }) => [code, err])).toEqual([
    [1, expect.stringContaining('set VIGENCIA_MASTER_KEY')],
    [1, expect.stringContaining('master.key is not there')],
  ])
  expect(existsSync(targetDir)).toBe(false)
})

test('an interrupted backup leaves no file, a full run after it works; an empty database has nothing to back up', async () => {
  const blocker = new PgClient({ connectionString: testApp.databaseUrl })
  await blocker.connect()
  // COPY waits for this lock: the backup has started.
  await blocker.query('begin; lock table member in access exclusive mode')
  const file = join(cli.folder, 'two.backup')
  const running = cli.start(['backup', file], settingsOf(testApp.databaseUrl, testApp.dataDir))
  const waiting =
    "select 1 from pg_stat_activity where datname = current_database() and query like 'copy %' and wait_event_type = 'Lock'"
  await until(
    () => testApp.sql(waiting),
    (rows) => rows.length > 0,
  )
  running.kill('SIGINT')
  expect((await running.outcome).code).toBe(130)
  await blocker.query('rollback')
  await blocker.end()
  expect((await readdir(cli.folder)).filter((name) => name.startsWith('two'))).toEqual([])
  const empty = await cli.run(['backup', file], { environment: settingsOf(target, targetDir) })
  expect(empty.code).toBe(1)
  expect(empty.err).toContain('nothing to back up')
})

test('files of an S3-compatible store are said not to be in it, and lost ones are counted', async () => {
  const file = join(cli.folder, 'three.backup')
  const s3 = { VIGENCIA_STORAGE_URL: 's3://key:secret@127.0.0.1:9/bucket?protocol=http' }
  const outcome = await cli.run(['backup', file], {
    environment: { ...settingsOf(testApp.databaseUrl, testApp.dataDir), ...s3 },
  })
  expect(outcome.code).toBe(0)
  expect(outcome.err).toContain('Files in the S3-compatible store are NOT in it')
  expect((await restoreTo(file)).err).toContain('NOT in the backup')

  const elsewhere = join(cli.folder, 'elsewhere')
  const [name = ''] = await readdir(join(testApp.dataDir, 'files', 'document'))
  await mkdir(join(elsewhere, 'files', 'document'), { recursive: true })
  await copyFile(join(testApp.dataDir, 'files', 'document', name), join(elsewhere, 'files', 'document', name))
  const partly = await cli.run(['backup', join(cli.folder, 'four.backup')], {
    environment: settingsOf(testApp.databaseUrl, elsewhere),
  })
  expect(partly.err).toContain('1 files, ')
  expect(partly.err).toContain('1 files that the database refers to are not in the storage.')
})
