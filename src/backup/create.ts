import { createWriteStream } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { openCipher } from '../platform/crypto/cipher.ts'
import { serviceKeyPurpose } from '../platform/crypto/stored-keys.ts'
import { type Database, queriesOn } from '../platform/database.ts'
import type { Storage } from '../storage/storage.ts'
import { StartError } from '../platform/errors.ts'
import { appliedMigrations } from '../platform/migrate.ts'
import { syncFolder } from '../platform/sync-folder.ts'
import { encrypt } from './encryption.ts'
import { bytesFrame, endFrame, noteFrame, type TableNote } from './frames.ts'
import { copyText, readEncrypted, readSequences, readStorageKeys, readTables, withConnection } from './queries.ts'

export interface BackupSummary {
  tables: number
  rows: number
  files: number
  /** Files that rows refer to and the storage does not have. */
  missing: number
  bytes: number
}

export interface BackupOptions {
  /** Encrypts the backup; must be the master key of the database. */
  readonly masterKey: Buffer
  /** The folder of files; null for an S3-compatible store, whose files are not in a backup. */
  readonly storage: Storage | null
  readonly signal: AbortSignal
  readonly onProgress?: (done: number, total: number, what: string) => void
}

/**
 * Writes one snapshot of the database, and the files that it refers to, into one file, which is renamed to its path when it is
 * complete. Services may run meanwhile.
 * @throws StartError for a database without tables of the service, or with another master key.
 */
export async function writeBackup(database: Database, path: string, options: BackupOptions): Promise<BackupSummary> {
  const count: BackupSummary = { tables: 0, rows: 0, files: 0, missing: 0, bytes: 0 }
  const part = `${path}.part`
  await rm(part, { force: true })
  try {
    await withConnection(database, options.signal, async (client) => {
      // One snapshot for all tables, and no lock that blocks a service.
      await client.query('begin isolation level repeatable read read only')
      await writeEncrypted(part, frames(client, options, count), options)
      await client.query('commit')
    })
    await rename(part, path)
    await syncFolder(dirname(path))
    return { ...count, bytes: (await stat(path)).size }
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}

async function* frames(
  client: pg.Client,
  { storage, masterKey, onProgress }: BackupOptions,
  count: BackupSummary,
): AsyncGenerator<Buffer> {
  const sql = queriesOn(client)
  const migrations = await appliedMigrations(sql)
  if (migrations.length === 0)
    throw new StartError('This database holds nothing of Vigencia yet: there is nothing to back up.')
  // Under another key the backup could be restored, but no service could start on it.
  const encrypted = await readEncrypted(sql)
  if (encrypted !== null) openCipher(masterKey).decrypt(serviceKeyPurpose(encrypted.name), encrypted.value)
  const header = {
    'created-at': new Date().toISOString(),
    migrations,
    files: storage === null ? 'elsewhere' : 'folder',
  } as const
  yield noteFrame({ header })
  const tables = await readTables(sql)
  for (const table of tables) {
    onProgress?.(count.tables, tables.length, table.table)
    yield* tableFrames(client, table, count)
    count.tables += 1
  }
  yield noteFrame({ sequences: await readSequences(sql) })
  if (storage !== null) {
    for (const table of tables) {
      for await (const key of readStorageKeys(client, table)) {
        onProgress?.(count.tables, tables.length, `${count.files} files`)
        yield* fileFrames(storage, key, count)
      }
    }
  }
  yield noteFrame({ complete: true })
}

async function* tableFrames(client: pg.Client, table: TableNote, count: BackupSummary): AsyncGenerator<Buffer> {
  yield noteFrame(table)
  const copy = client.query(copyTo(copyText(client, table, 'to stdout')))
  for await (const chunk of copy as AsyncIterable<Buffer>) yield bytesFrame(chunk)
  count.rows += copy.rowCount
  yield endFrame()
}

async function* fileFrames(storage: Storage, key: string, count: BackupSummary): AsyncGenerator<Buffer> {
  let stream: Readable
  try {
    stream = (await storage.read(key)).stream
  } catch (error) {
    // Deleted since the snapshot, or lost before.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    count.missing += 1
    return
  }
  yield noteFrame({ file: key })
  for await (const chunk of stream as AsyncIterable<Buffer>) yield bytesFrame(chunk)
  count.files += 1
  yield endFrame()
}

/** Resolves when the file is flushed to the disk. */
async function writeEncrypted(path: string, content: AsyncIterable<Buffer>, options: BackupOptions): Promise<void> {
  const file = createWriteStream(path, { mode: 0o600, flags: 'wx', flush: true })
  await pipeline(
    Readable.from(content, { objectMode: true }),
    createGzip({ level: 1 }),
    (compressed: AsyncIterable<Buffer>) => encrypt(compressed, options.masterKey),
    file,
    { signal: options.signal },
  )
}
