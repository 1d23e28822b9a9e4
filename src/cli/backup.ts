import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Command } from 'commander'
import type { VerifiedBackup } from '../backup/restore.ts'
import { type Config, readSettings } from '../platform/config.ts'
import { existingMasterKey } from '../platform/crypto/master-key.ts'
import { jsonCommand, type CommandOptions } from './command-builder.ts'
import type { CommandContext } from './context.ts'
import { CommandError } from './errors.ts'
import { openBar, print, printJson, printMessage } from './terminal.ts'

interface BackupOptions extends CommandOptions {
  readonly force?: true
}

/** `vigencia backup`, `backup verify` and `restore`. */
export function backupCommands(context: CommandContext): Command[] {
  const verify = jsonCommand(
    'verify',
    'check that a backup is complete and unaltered, under this master key; needs no database',
    [['backup verify vigencia-2026-11-21.backup', 'exit code 0 unaltered, 1 not']],
  )
    .argument('<file>')
    .action((file: string, options: CommandOptions) => verifyBackup(context, file, options))
  const backup = jsonCommand(
    'backup',
    'write a snapshot of the database, and the files of the folder storage, into one file, encrypted under the master key, which is not in it',
    [
      ['backup vigencia-2026-11-21.backup', 'while services run; the file is readable to this user only'],
      ['backup nightly.backup --force', 'replaces the one of yesterday, once the new one is complete'],
    ],
  )
    .argument('<file>')
    .option('--force', 'replace a file of that name')
    .action((file: string, options: BackupOptions) => createBackup(context, file, options))
    .addCommand(verify)
    .enablePositionalOptions()
  const restore = jsonCommand(
    'restore',
    'restore a backup into an empty database, under the master key it was made with, in one transaction',
    [['restore vigencia-2026-11-21.backup', 'into the database of this configuration; services must not run']],
  )
    .argument('<file>')
    .action((file: string, options: CommandOptions) => restoreFrom(context, file, options))
  return [backup, restore]
}

const isFolder = (config: Config) => config.storageUrl === null || config.storageUrl.startsWith('file:')

/** Writes a backup of the configured database. */
async function createBackup(context: CommandContext, file: string, options: BackupOptions): Promise<void> {
  if (existsSync(file) && !options.force) {
    throw new CommandError('usage', `${file} exists already.`, {
      next: 'Choose another name, or replace it with --force.',
    })
  }
  const [{ writeBackup }, { openStorage }, { withDatabase }] = await Promise.all([
    import('../backup/create.ts'),
    import('../storage/open-storage.ts'),
    import('./local-database.ts'),
  ])
  const config = readSettings(context.environment)
  const masterKey = existingMasterKey(config)
  const progress = openBar(context, context.stderr)
  const written = await withDatabase(context, config, { shared: true }, async ({ database }) => {
    const storage = isFolder(config) ? await openStorage(config) : null
    const show = (done: number, total: number, what: string) => progress.show(done, total, what)
    try {
      const target = { storage, masterKey, signal: context.interruption, onProgress: show }
      return await writeBackup(database, file, target).catch(onDisk(file))
    } finally {
      progress.end()
      storage?.close()
    }
  })
  if (options.json) printJson(context, { file, ...written, 'master-key': false, 's3-files': false })
  printMessage(
    context,
    `${file}: ${written.tables} tables, ${written.rows} rows, ${written.files} files, ${written.bytes} bytes.`,
  )
  if (written.missing > 0)
    printMessage(context, `${written.missing} files that the database refers to are not in the storage.`)
  if (!isFolder(config))
    printMessage(context, 'Files in the S3-compatible store are NOT in it: back up the bucket, after this.')
  printMessage(
    context,
    `It is encrypted under the master key, which is NOT in it: keep ${keyPlace(config)} apart from it. Without the key the backup is of no use.`,
  )
}

function keyPlace(config: Config): string {
  return config.masterKey === null ? join(config.dataDir, 'master.key') : 'VIGENCIA_MASTER_KEY'
}

/** Checks that a backup is unaltered. */
async function verifyBackup(context: CommandContext, file: string, options: CommandOptions): Promise<void> {
  const backup = await openVerified(context, file, readSettings(context.environment))
  await backup.close()
  const { header, bytes } = backup
  const lastMigration = header.migrations.at(-1)?.name ?? null
  if (options.json) {
    printJson(context, { file, 'created-at': header['created-at'], 'last-migration': lastMigration, bytes })
    return
  }
  print(
    context,
    `${file} is as it was written at ${header['created-at']}: ${bytes} bytes, last migration ${lastMigration}.`,
  )
}

/** Restores a backup into the configured database, which must be empty. */
async function restoreFrom(context: CommandContext, file: string, options: CommandOptions): Promise<void> {
  const [{ restoreBackup }, { openStorage }, { withDatabase }] = await Promise.all([
    import('../backup/restore.ts'),
    import('../storage/open-storage.ts'),
    import('./local-database.ts'),
  ])
  const config = readSettings(context.environment)
  // All of it is authenticated before the database is opened or made.
  const backup = await openVerified(context, file, config)
  const progress = openBar(context, context.stderr)
  try {
    const { header, ...count } = await withDatabase(context, config, { shared: false }, async ({ database }) => {
      // Closed to other users, before the storage makes folders in it.
      if (isFolder(config)) await mkdir(config.dataDir, { recursive: true, mode: 0o700 })
      const storage = await openStorage(config)
      const show = (done: number, what: string) => progress.show(done, null, what)
      try {
        const target = { storage, signal: context.interruption, onProgress: show }
        return await restoreBackup(database, backup, target).catch(onDisk(file))
      } finally {
        progress.end()
        storage.close()
      }
    })
    if (options.json) printJson(context, { file, 'created-at': header['created-at'], ...count })
    printMessage(
      context,
      `Restored as of ${header['created-at']}: ${count.tables} tables, ${count.rows} rows, ${count.files} files.`,
    )
    if (header.files === 'elsewhere')
      printMessage(
        context,
        'Files were in an S3-compatible store and are NOT in the backup: set VIGENCIA_STORAGE_URL to it, or restore the bucket.',
      )
  } finally {
    await backup.close()
  }
}

async function openVerified(context: CommandContext, file: string, config: Config): Promise<VerifiedBackup> {
  const { openBackup } = await import('../backup/restore.ts')
  return openBackup(file, existingMasterKey(config), context.interruption).catch(onDisk(file))
}

/** A file system error of the backup file as a CommandError. */
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
