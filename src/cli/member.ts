import { type Command, Option } from 'commander'
import { type CommandOptions, calling, group } from './command-builder.ts'
import type { CommandContext } from './context.ts'

export interface ExportAsked extends CommandOptions {
  readonly format?: 'csv' | 'json' | 'ndjson'
  readonly output?: string
  readonly includeInactive?: true
  readonly filter?: string
}

/** `vigencia member export`. */
export function memberCommand(context: CommandContext): Command {
  const exporting = calling('export', 'write the members with their benefits, streamed (partner)', [
    ['member export --output members.csv', 'a line for each benefit; the ending of the name says the format'],
    ['member export --format ndjson --include-inactive | wc -l', 'a line for each member, former ones too'],
    ['member export --filter "cost-center=CC-111" --format json', 'as GET /v1/member answers'],
  ])
    .addOption(
      new Option('--format <format>', 'csv, json or ndjson; without it the name of the file says, else ndjson').choices(
        ['csv', 'json', 'ndjson'],
      ),
    )
    .option('--output <file>', 'write to a file, readable to this user only; it gets its name once it is whole')
    .option('--include-inactive', 'former members and benefits too')
    .option('--filter <filter>', 'field=value joined by |, as the service takes it: tax-id, cost-center, employee-id')
    .action(async (options: ExportAsked) => (await import('./export.ts')).exportMembers(context, options))
  return group('member', 'members and their benefits', [exporting])
}
