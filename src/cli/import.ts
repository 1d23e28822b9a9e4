import { type Command, Option } from 'commander'
import { type CommandOptions, calling, group } from './command-builder.ts'
import type { CommandContext } from './context.ts'

export interface ImportAsked extends CommandOptions {
  readonly dryRun?: true
  readonly importId?: string
  readonly format?: 'csv' | 'ndjson'
  readonly errors?: string
}

/** `vigencia import members`. */
export function importCommand(context: CommandContext): Command {
  const members = calling('members', 'take over members with their benefits as they stand at the carrier (operator)', [
    ['import members members.csv --dry-run', 'has every line judged, and keeps nothing'],
    [
      'import members members.csv --errors bad-lines.ndjson',
      'keeps the good lines; the bad ones go to a file, all of them',
    ],
  ])
    .argument('<file>', 'CSV or NDJSON, a line for each benefit')
    .option('--dry-run', 'judge only; nothing is kept')
    .addOption(new Option('--format <format>', 'when the name of the file does not say it').choices(['csv', 'ndjson']))
    .option('--import-id <uuid>', 'an id of your choice, to follow the import elsewhere')
    .option('--errors <file>', 'write every bad line with its offenses to a file, as NDJSON')
    .action(async (file: string, options: ImportAsked) =>
      (await import('./import-members.ts')).importRoster(context, file, options),
    )
  return group('import', 'what stands elsewhere today', [members])
}
