import type { Command } from 'commander'
import { jsonCommand, type CommandOptions } from './command-builder.ts'
import type { CommandContext } from './context.ts'
import { print, printJson } from './terminal.ts'

interface MigrateOptions extends CommandOptions {
  readonly plan?: true
}

/** `vigencia migrate`. */
export function migrateCommand(context: CommandContext): Command {
  return jsonCommand('migrate', 'apply pending migrations and end', [
    ['migrate --plan', 'prints what would be applied'],
    ['migrate', 'applies it; each start does so too'],
  ])
    .option('--plan', 'only print what would be applied')
    .action((options: MigrateOptions) => runMigrations(context, options))
}

/** Migrates the database, or prints what a migration would apply. */
async function runMigrations(context: CommandContext, options: MigrateOptions): Promise<void> {
  // Loaded here: help and the commands over HTTP need no database driver.
  const { withDatabase } = await import('./local-database.ts')
  const { readSettings } = await import('../platform/config.ts')
  const { migrate, pendingMigrations } = await import('../platform/migrate.ts')
  const config = readSettings(context.environment)
  const names = await withDatabase(context, config, { shared: options.plan === true }, ({ database }) =>
    options.plan ? pendingMigrations(database) : migrate(database),
  )
  if (options.json) return printJson(context, options.plan ? { pending: names } : { applied: names })
  const verb = options.plan ? 'Would apply' : 'Applied'
  print(context, names.length === 0 ? 'Nothing to apply.' : names.map((name) => `${verb} ${name}`).join('\n'))
}
