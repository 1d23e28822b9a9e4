import type { Command } from 'commander'
import { answering, type CommandOptions } from './command-builder.ts'
import type { BackupOptions } from './backup-restore.ts'
import type { CommandContext } from './context.ts'

/** `vigencia backup`, `backup verify` and `restore`. */
export function backupCommands(context: CommandContext): Command[] {
  const verify = answering(
    'verify',
    'check that a backup is, byte for byte, as a service with this master key wrote it; needs no database',
    [['backup verify vigencia-2026-11-21.backup', 'exit code 0 as written, 1 not']],
  )
    .argument('<file>')
    .action(async (file: string, options: CommandOptions) =>
      (await import('./backup-restore.ts')).verifyBackup(context, file, options),
    )
  const backup = answering(
    'backup',
    'write the database at one moment, and the files of the folder storage, into one file, encrypted under the master key, which is not in it',
    [
      ['backup vigencia-2026-11-21.backup', 'while services run; the file is readable to this user only'],
      ['backup nightly.backup --force', 'replaces the one of yesterday, once the new one is whole'],
    ],
  )
    .argument('<file>')
    .option('--force', 'replace a file of that name')
    .action(async (file: string, options: BackupOptions) =>
      (await import('./backup-restore.ts')).backUp(context, file, options),
    )
    .addCommand(verify)
    .enablePositionalOptions()
  const restore = answering(
    'restore',
    'put a backup into an empty database, under the master key it was made with; all of it or nothing',
    [['restore vigencia-2026-11-21.backup', 'into the database of this configuration; services must not run']],
  )
    .argument('<file>')
    .action(async (file: string, options: CommandOptions) =>
      (await import('./backup-restore.ts')).restoreFrom(context, file, options),
    )
  return [backup, restore]
}
