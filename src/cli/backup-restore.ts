import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { masterKeyIn } from '../access/master-key.ts'
import { restoreBackup } from '../backup/restore.ts'
import { writeBackup } from '../backup/write.ts'
import type { Config } from '../config.ts'
import { openStorage } from '../documents/storage.ts'
import type { BackupAsked } from './backup.ts'
import type { Asked } from './described.ts'
import { CommandError } from './fault.ts'
import { withDatabase } from './ground.ts'
import { openBar, printJson, tell } from './terminal.ts'
import type { World } from './world.ts'

const isFolder = (config: Config) => config.storageUrl === null || config.storageUrl.startsWith('file:')

/** Writes a backup of the configured database. */
export async function backUp(world: World, file: string, asked: BackupAsked): Promise<void> {
  if (existsSync(file) && !asked.force) {
    throw new CommandError('usage', `${file} exists already.`, {
      next: 'Choose another name, or replace it with --force.',
    })
  }
  const progress = openBar(world, world.stderr)
  const { written, config } = await withDatabase(world, { shared: true }, async ({ config, database }) => {
    const storage = isFolder(config) ? await openStorage(config) : null
    const show = (done: number, total: number, what: string) => progress.show(done, total, what)
    try {
      const options = { storage, signal: world.interruption, onProgress: show }
      return { config, written: await writeBackup(database, file, options).catch(onDisk(file)) }
    } finally {
      progress.end()
      storage?.close()
    }
  })
  if (asked.json) printJson(world, { file, ...written, 'master-key': false, 's3-files': false })
  tell(
    world,
    `${file}: ${written.tables} tables, ${written.rows} rows, ${written.files} files, ${written.bytes} bytes.`,
  )
  if (written.missing > 0) tell(world, `${written.missing} files that the database tells of are not in the storage.`)
  if (!isFolder(config)) tell(world, 'Files in the S3-compatible store are NOT in it: back up the bucket, after this.')
  tell(
    world,
    `The master key is NOT in it: keep ${keyPlace(config)} apart from it. Without the key the backup is of no use.`,
  )
}

function keyPlace(config: Config): string {
  return config.masterKey === null ? join(config.dataDir, 'master.key') : 'VIGENCIA_MASTER_KEY'
}

/** Puts a backup into the configured database, which must be empty. */
export async function restoreFrom(world: World, file: string, asked: Asked): Promise<void> {
  const progress = openBar(world, world.stderr)
  const { restored, config, masterKey } = await withDatabase(world, { shared: false }, async ({ config, database }) => {
    const masterKey = config.masterKey ?? keyThere(config)
    // Made closed to others, before the storage makes folders in it.
    if (isFolder(config)) await mkdir(config.dataDir, { recursive: true, mode: 0o700 })
    const storage = await openStorage(config)
    const show = (done: number, what: string) => progress.show(done, null, what)
    try {
      const options = { storage, masterKey, signal: world.interruption, onProgress: show }
      return { config, masterKey, restored: await restoreBackup(database, file, options).catch(onDisk(file)) }
    } finally {
      progress.end()
      storage.close()
    }
  })
  const { header, ...count } = restored
  if (asked.json) printJson(world, { file, 'created-at': header['created-at'], ...count })
  tell(
    world,
    `Restored as of ${header['created-at']}: ${count.tables} tables, ${count.rows} rows, ${count.files} files.`,
  )
  if (header.files === 'elsewhere')
    tell(
      world,
      'Files were in an S3-compatible store and are NOT in the backup: set VIGENCIA_STORAGE_URL to it, or restore the bucket.',
    )
  if (masterKey === null)
    tell(world, `Put the master key of the backed-up service into ${keyPlace(config)} before the first start.`)
}

/** The master key of the data folder; none is made: a new one would open nothing. */
function keyThere(config: Config): Buffer | null {
  return existsSync(join(config.dataDir, 'master.key')) ? masterKeyIn(config.dataDir) : null
}

/** What the file system says of the backup file, as a sentence. */
function onDisk(file: string) {
  return (error: unknown): never => {
    const { code, syscall, path } = error as NodeJS.ErrnoException
    const isFile = path === file || path === `${file}.part` || code === 'ENOSPC'
    if (!isFile || syscall === undefined) throw error
    throw new CommandError(
      'usage',
      `${file}: ${code === 'ENOSPC' ? 'the disk is full' : `cannot be used (${code})`}.`,
      { cause: error },
    )
  }
}
