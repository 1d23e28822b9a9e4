import { createWriteStream } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Duplex, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { openCipher } from '../platform/crypto/cipher.ts'
import type { Database } from '../platform/database.ts'
import type { Storage } from '../storage/storage.ts'
import { StartError } from '../platform/errors.ts'
import { encrypt } from './encryption.ts'
import { bytesFrame, endFrame, noteFrame, type TableNote } from './frames.ts'
import { copyText, readEncrypted, readMigrations, readSequences, readStorageKeys, readTables } from './queries.ts'

export interface Written {
  readonly tables: number
  readonly rows: number
  readonly files: number
  /** Files that rows tell of and the store has no more. */
  readonly missing: number
  readonly bytes: number
}

export interface BackupOptions {
  /** The backup is encrypted under it; it must be the key of the database. */
  readonly masterKey: Buffer
  /** The folder of files; null for a store elsewhere, whose files stay there. */
  readonly storage: Storage | null
  readonly signal: AbortSignal
  readonly onProgress?: (done: number, total: number, what: string) => void
}

type Counted = { -readonly [Name in keyof Written]: Written[Name] }

/**
 * Writes everything that the database holds at one moment, and the files that it tells of, into one file, which gets its name
 * once it is whole. Services may go on meanwhile.
 * @throws StartError for a database that holds nothing yet, or whose master key is another one.
 */
export async function writeBackup(database: Database, path: string, options: BackupOptions): Promise<Written> {
  const count: Counted = { tables: 0, rows: 0, files: 0, missing: 0, bytes: 0 }
  const part = `${path}.part`
  await rm(part, { force: true })
  const client = await database.connect()
  // At once, also while it waits for a lock.
  const stop = () => breakOff(client)
  options.signal.addEventListener('abort', stop)
  try {
    await client.query('set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0')
    // One moment for all tables, and no lock that a service would wait for.
    await client.query('begin isolation level repeatable read read only')
    await writeEncrypted(part, frames(client, options, count), options)
    await client.query('commit')
    await rename(part, path)
    await syncFolder(dirname(path))
    return { ...count, bytes: (await stat(path)).size }
  } catch (error) {
    await rm(part, { force: true })
    breakOff(client)
    throw error
  } finally {
    options.signal.removeEventListener('abort', stop)
    await client.end()
  }
}

/** In the middle of a COPY the server would go on sending, and a polite end would wait for nobody to read it. */
export function breakOff(client: pg.Client): void {
  ;(client as unknown as { connection: { stream: Duplex } }).connection.stream.destroy()
}

async function* frames(
  client: pg.Client,
  { storage, masterKey, onProgress }: BackupOptions,
  count: Counted,
): AsyncGenerator<Buffer> {
  const migrations = await readMigrations(client)
  if (migrations.length === 0)
    throw new StartError('This database holds nothing of Vigencia yet: there is nothing to back up.')
  // Under another key the backup could be restored, and nothing started on it.
  const encrypted = await readEncrypted({ rows: async (text: string) => (await client.query(text)).rows as never[] })
  if (encrypted !== null) openCipher(masterKey).decrypt(`service-key:${encrypted.name}`, encrypted.value)
  const header = {
    'created-at': new Date().toISOString(),
    migrations,
    files: storage === null ? 'elsewhere' : 'folder',
  } as const
  yield noteFrame({ header })
  const tables = await readTables(client)
  for (const table of tables) {
    onProgress?.(count.tables, tables.length, table.table)
    yield* tableFrames(client, table, count)
    count.tables += 1
  }
  yield noteFrame({ sequences: await readSequences(client) })
  if (storage !== null) {
    for (const table of tables) {
      for await (const key of readStorageKeys(client, table)) {
        onProgress?.(count.tables, tables.length, `${count.files} files`)
        yield* fileFrames(storage, key, count)
      }
    }
  }
  yield noteFrame({ whole: true })
}

async function* tableFrames(client: pg.Client, table: TableNote, count: Counted): AsyncGenerator<Buffer> {
  yield noteFrame(table)
  const copy = client.query(copyTo(copyText(client, table, 'to stdout')))
  for await (const chunk of copy as AsyncIterable<Buffer>) yield bytesFrame(chunk)
  count.rows += copy.rowCount
  yield endFrame()
}

async function* fileFrames(storage: Storage, key: string, count: Counted): AsyncGenerator<Buffer> {
  let stream: Readable
  try {
    stream = (await storage.read(key)).stream
  } catch (error) {
    // Deleted since the moment of the backup, or lost before: the row tells of it all the same.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    count.missing += 1
    return
  }
  yield noteFrame({ file: key })
  for await (const chunk of stream as AsyncIterable<Buffer>) yield bytesFrame(chunk)
  count.files += 1
  yield endFrame()
}

/** On the disk when it resolves. */
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

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
