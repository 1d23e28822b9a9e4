import { readSettings } from '../platform/config.ts'
import { migrate, pendingMigrations } from '../platform/migrate.ts'
import type { CommandOptions } from './command-builder.ts'
import { withDatabase } from './local-database.ts'
import { print, printJson } from './terminal.ts'
import type { CommandContext } from './context.ts'

/** Migrates the database, or says what a migration would apply. */
export async function bringToCurrent(
  context: CommandContext,
  options: CommandOptions & { plan?: true },
): Promise<void> {
  const config = readSettings(context.environment)
  const names = await withDatabase(context, config, { shared: options.plan === true }, ({ database }) =>
    options.plan ? pendingMigrations(database) : migrate(database),
  )
  if (options.json) return printJson(context, options.plan ? { pending: names } : { applied: names })
  const verb = options.plan ? 'Would apply' : 'Applied'
  print(context, names.length === 0 ? 'Nothing to apply.' : names.map((name) => `${verb} ${name}`).join('\n'))
}
