import type { Command } from 'commander'
import { answering, type CommandOptions, describedCommand } from './command-builder.ts'
import type { CommandContext } from './context.ts'

/** `vigencia start`, what the program does when nothing else is said. */
export function startCommand(context: CommandContext): Command {
  return describedCommand('start', 'run the service as VIGENCIA_ROLE says; migrates the database first', [
    ['start', 'the demo, on a PostgreSQL of its own in .data'],
  ]).action(async () => (await import('./serve.ts')).serve(context))
}

/** `vigencia migrate`. */
export function migrateCommand(context: CommandContext): Command {
  return answering('migrate', 'bring the database forward and end', [
    ['migrate --plan', 'says what would be applied'],
    ['migrate', 'applies it; each start does so too'],
  ])
    .option('--plan', 'only say what would be applied')
    .action(async (options: CommandOptions & { plan?: true }) =>
      (await import('./migrate.ts')).bringToCurrent(context, options),
    )
}
