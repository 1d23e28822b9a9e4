import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { VerifiedBackup } from '../backup/restore.ts'
import { type Config, readSettings } from '../platform/config.ts'
import { existingMasterKey } from '../platform/crypto/master-key.ts'
import { command } from './command-builder.ts'
import { confirmOverwrite } from './confirm.ts'
import { CommandError } from './errors.ts'
import { interruption, openBar, print, printJson, printMessage } from './terminal.ts'

const verifyCommand = command({
  name: 'verify',
  description: 'check that a backup is complete and unaltered, under this master key; needs no database',
  examples: { 'backup verify vigencia-2026-11-21.backup': 'exit code 0 unaltered, 1 not' },
  parameters: { '<file>': '' },
  async run({ file, json }) {
    const backup = await openVerified(file, readSettings(process.env))
    await backup.close()
    const { header, bytes } = backup
    const { 'created-at': createdAt } = header
    const lastMigration = header.migrations.at(-1)?.name ?? null
    if (json) printJson({ file, 'created-at': createdAt, 'last-migration': lastMigration, bytes })
    else print(`${file} is as it was written at ${createdAt}: ${bytes} bytes, last migration ${lastMigration}.`)
  },
})

/** `vigencia backup` and `backup verify`. */
export const backupCommand = command({
  name: 'backup',
  description:
    'write a snapshot of the database, and the files of the folder storage, into one file, encrypted under the master key, which is not in it',
  examples: {
    'backup vigencia-2026-11-21.backup': 'while services run; the file is readable to this user only',
    'backup nightly.backup --force': 'replaces the one of yesterday, once the new one is complete',
  },
  parameters: {
    '<file>': '',
    '--force': 'replace a file of that name without asking',
    '--yes': 'the same as --force',
  },
  commands: [verifyCommand],
  run: ({ file, force, yes, json = false }) => createBackup(file, force ?? yes, json),
})

/** `vigencia restore`. */
export const restoreCommand = command({
  name: 'restore',
  description: 'restore a backup into an empty database, under the master key it was made with, in one transaction',
  examples: {
    'restore vigencia-2026-11-21.backup': 'into the database of this configuration; services must not run',
  },
  parameters: { '<file>': '' },
  run: ({ file, json = false }) => restoreFrom(file, json),
})

const isFolder = (config: Config) => config.storageUrl === null || config.storageUrl.startsWith('file:')

/** Writes a backup of the configured database. */
async function createBackup(file: string, yes: true | undefined, json: boolean): Promise<void> {
  await confirmOverwrite(file, yes)
  const { writeBackup } = await import('../backup/create.ts')
  const { openStorage } = await import('../storage/open-storage.ts')
  const { withDatabase } = await import('./local-database.ts')
  const config = readSettings(process.env)
  const masterKey = existingMasterKey(config)
  const progress = openBar()
  const written = await withDatabase({ shared: true }, async (database) => {
    const storage = isFolder(config) ? await openStorage(config) : null
    try {
      const target = { storage, masterKey, signal: interruption(), onProgress: progress.show }
      return await writeBackup(database, file, target).catch(onDisk(file))
    } finally {
      progress.end()
      storage?.close()
    }
  })
  if (json) printJson({ file, ...written, 'master-key': false, 's3-files': false })
  const { tables, rows, files, bytes, missing } = written
  printMessage(`${file}: ${tables} tables, ${rows} rows, ${files} files, ${bytes} bytes.`)
  if (missing > 0) printMessage(`${missing} files that the database refers to are not in the storage.`)
  if (!isFolder(config)) printMessage('Files in the S3-compatible store are NOT in it: back up the bucket, after this.')
  const key = config.masterKey === null ? join(config.dataDir, 'master.key') : 'VIGENCIA_MASTER_KEY'
  printMessage(
    `It is encrypted under the master key, which is NOT in it: keep ${key} apart from it. Without the key the backup is of no use.`,
  )
}

/** Restores a backup into the configured database, which must be empty. */
async function restoreFrom(file: string, json: boolean): Promise<void> {
  const { restoreBackup } = await import('../backup/restore.ts')
  const { openStorage } = await import('../storage/open-storage.ts')
  const { withDatabase } = await import('./local-database.ts')
  const config = readSettings(process.env)
  // All of it is authenticated before the database is opened or made.
  const backup = await openVerified(file, config)
  const progress = openBar()
  try {
    const { header, ...count } = await withDatabase({ shared: false }, async (database) => {
      // Closed to other users, before the storage makes folders in it.
      if (isFolder(config)) await mkdir(config.dataDir, { recursive: true, mode: 0o700 })
      const storage = await openStorage(config)
      const onProgress = (done: number, what: string) => progress.show(done, null, what)
      try {
        return await restoreBackup(database, backup, { storage, signal: interruption(), onProgress }).catch(
          onDisk(file),
        )
      } finally {
        progress.end()
        storage.close()
      }
    })
    const { 'created-at': createdAt } = header
    if (json) printJson({ file, 'created-at': createdAt, ...count })
    const { tables, rows, files } = count
    printMessage(`Restored as of ${createdAt}: ${tables} tables, ${rows} rows, ${files} files.`)
    if (header.files === 'elsewhere')
      printMessage(
        'Files were in an S3-compatible store and are NOT in the backup: set VIGENCIA_STORAGE_URL to it, or restore the bucket.',
      )
  } finally {
    await backup.close()
  }
}

async function openVerified(file: string, config: Config): Promise<VerifiedBackup> {
  const { openBackup } = await import('../backup/restore.ts')
  return openBackup(file, existingMasterKey(config), interruption()).catch(onDisk(file))
}

/** A file system error of the backup file as a CommandError. */
function onDisk(file: string) {
  return (cause: unknown): never => {
    const { code, syscall, path } = cause as NodeJS.ErrnoException
    const isFile = path === file || path === `${file}.part` || code === 'ENOSPC'
    if (!isFile || syscall === undefined) throw cause
    const reason = code === 'ENOSPC' ? 'the disk is full' : `cannot be used (${code})`
    throw new CommandError('usage', `${file}: ${reason}.`, null, { cause })
  }
}
