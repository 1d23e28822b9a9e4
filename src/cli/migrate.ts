import { readSettings } from '../platform/config.ts'
import { migrate, pendingMigrations } from '../platform/migrate.ts'
import type { Asked } from './command-builder.ts'
import { withDatabase } from './local-database.ts'
import { print, printJson } from './terminal.ts'
import type { World } from './context.ts'

/** Migrates the database, or says what a migration would apply. */
export async function bringForward(world: World, asked: Asked & { plan?: true }): Promise<void> {
  const config = readSettings(world.environment)
  const names = await withDatabase(world, config, { shared: asked.plan === true }, ({ database }) =>
    asked.plan ? pendingMigrations(database) : migrate(database),
  )
  if (asked.json) return printJson(world, asked.plan ? { pending: names } : { applied: names })
  const verb = asked.plan ? 'Would apply' : 'Applied'
  print(world, names.length === 0 ? 'Nothing to apply.' : names.map((name) => `${verb} ${name}`).join('\n'))
}
