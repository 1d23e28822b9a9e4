import { open } from 'node:fs/promises'
import { Readable, pipeline as streamPipeline } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { type Database, queriesOn } from '../platform/database.ts'
import type { Storage } from '../storage/storage.ts'
import { StartError } from '../platform/errors.ts'
import { InvariantError } from '../platform/log.ts'
import { makeMigrationTable, migrationLock, migrations } from '../platform/migrate.ts'
import { decrypt } from './encryption.ts'
import { type Frame, type Header, type Note, readFrames, type TableNote } from './frames.ts'
import { copyText, isEmpty, readTables, setSequence, withConnection } from './queries.ts'

export interface Restored {
  readonly header: Header
  readonly tables: number
  readonly rows: number
  readonly files: number
}

export interface RestoreOptions {
  readonly storage: Storage
  readonly signal: AbortSignal
  readonly onProgress?: (done: number, what: string) => void
}

/** A backup whose every byte was authenticated. */
export interface VerifiedBackup {
  readonly header: Header
  readonly bytes: number
  /** The content from the start; each chunk is authenticated again. */
  frames(): AsyncGenerator<Frame>
  close(): Promise<void>
}

/**
 * Opens a backup and authenticates all of it, in constant memory. The caller must close it.
 * @throws StartError when it is no backup, was made under another master key, or is not as it was written.
 */
export async function openBackup(path: string, masterKey: Buffer, signal: AbortSignal): Promise<VerifiedBackup> {
  const file = await open(path, 'r')
  try {
    const chunks = decrypt(file, path, masterKey)
    while (!(await chunks.next()).done) signal.throwIfAborted()
    const frames = () => readFrames(decompressed(decrypt(file, path, masterKey)))
    const header = await readHeader(frames())
    return { header, bytes: (await file.stat()).size, frames, close: () => file.close() }
  } catch (error) {
    await file.close()
    throw error
  }
}

/**
 * Restores a backup into an empty database in one transaction; files are written to the storage before the commit.
 * @throws StartError when the database is not empty, or the backup is of another version.
 */
export async function restoreBackup(
  database: Database,
  backup: VerifiedBackup,
  options: RestoreOptions,
): Promise<Restored> {
  const { header } = backup
  const known = migrations()
  const isOurs = header.migrations.every(
    ({ name, digest }, index) => known[index]?.name === name && known[index]?.digest === digest,
  )
  if (!isOurs) {
    throw new StartError(
      `The backup was made by another version of Vigencia (its last migration is ${header.migrations.at(-1)?.name}): restore it with that version, then upgrade.`,
    )
  }
  return withConnection(database, options.signal, async (client) => {
    // A service that starts meanwhile waits for this lock before it migrates.
    await client.query('select pg_advisory_lock($1)', [migrationLock])
    if (!(await isEmpty(queriesOn(client)))) {
      throw new StartError('The database is not empty: restore into a new one, so that nothing is lost or mixed.')
    }
    await client.query('begin')
    try {
      await makeSchema(client, header)
      const restored = await readInto(client, backup, options)
      await client.query('commit')
      await client.query('analyze')
      return restored
    } catch (error) {
      await client.query('rollback').catch(() => {})
      throw error
    }
  })
}

/** Makes the schema of the time of the backup; the next start migrates it. */
async function makeSchema(client: pg.Client, header: Header): Promise<void> {
  await makeMigrationTable(client)
  for (const { text } of migrations().slice(0, header.migrations.length)) await client.query(text)
  // Migrations may insert rows, which the backup has in their later state.
  const tables = (await readTables(queriesOn(client))).map(({ table }) => client.escapeIdentifier(table))
  await client.query(`truncate ${tables.join(', ')}`)
}

async function readInto(client: pg.Client, backup: VerifiedBackup, options: RestoreOptions): Promise<Restored> {
  const made = new Map((await readTables(queriesOn(client))).map((one) => [one.table, one.columns]))
  const count = { tables: 0, rows: 0, files: 0 }
  const frames = backup.frames()
  let isComplete = false
  for (let next = await frames.next(); next.done !== true; next = await frames.next()) {
    options.signal.throwIfAborted()
    const note = noteOf(next.value)
    if ('table' in note) {
      options.onProgress?.(count.tables, note.table)
      checkColumns(made, note)
      count.rows += await copyInto(client, note, frames)
      count.tables += 1
    } else if ('file' in note) {
      options.onProgress?.(count.tables, `${count.files} files`)
      await options.storage.write(note.file, dataOf(frames))
      count.files += 1
    } else if ('sequences' in note) {
      for (const sequence of note.sequences) await setSequence(queriesOn(client), sequence)
    } else if ('complete' in note) isComplete = true
  }
  if (!isComplete || count.tables !== made.size) throw new InvariantError('a backup is not complete')
  return { header: backup.header, ...count }
}

function checkColumns(made: ReadonlyMap<string, readonly string[]>, { table, columns }: TableNote): void {
  const own = made.get(table) ?? []
  if (own.length !== columns.length || columns.some((one) => !own.includes(one))) {
    throw new StartError(
      `The table ${table} of the backup is not what its migrations make: it was changed by hand. Restore it with PostgreSQL's own tools.`,
    )
  }
}

async function copyInto(client: pg.Client, table: TableNote, frames: AsyncGenerator<Frame>): Promise<number> {
  const copy = client.query(copyFrom(copyText(client, table, 'from stdin')))
  await pipeline(Readable.from(dataOf(frames)), copy)
  return copy.rowCount
}

/** The data that the last note describes. */
async function* dataOf(frames: AsyncGenerator<Frame>): AsyncGenerator<Buffer> {
  for (;;) {
    // Not `for await`: leaving the loop would end the generator.
    const next = await frames.next()
    if (next.done === true || next.value.kind === 'note') throw new InvariantError('a backup lacks the end of a part')
    if (next.value.kind === 'end') return
    yield next.value.bytes
  }
}

async function readHeader(frames: AsyncGenerator<Frame>): Promise<Header> {
  const first = await frames.next()
  await frames.return(undefined)
  const note = first.done === true ? null : noteOf(first.value)
  if (note === null || !('header' in note)) throw new InvariantError('a backup has no header')
  return note.header
}

function decompressed(content: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  // The callback ignores errors: the reader of the stream gets them too.
  return streamPipeline(Readable.from(content), createGunzip(), () => {}) as AsyncIterable<Buffer>
}

function noteOf(frame: Frame): Note {
  if (frame.kind !== 'note') throw new InvariantError('a backup has data without a note')
  return frame.note
}
