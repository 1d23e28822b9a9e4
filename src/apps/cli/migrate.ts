import { command } from './command-builder.ts'
import { print, printJson } from './terminal.ts'

/** `vigencia migrate`. */
export const migrateCommand = command({
  name: 'migrate',
  description: 'apply pending migrations and end',
  examples: { 'migrate --plan': 'prints what would be applied', migrate: 'applies it; each start does so too' },
  parameters: {
    '--plan': 'only print what would be applied, or with `--distribute` the statements that would be run',
    '--distribute': 'then distribute the tables over the nodes of a Citus cluster',
  },
  async run({ json, plan = false, distribute: isDistributed = false }) {
    // Loaded here: help and the commands over HTTP need no database driver.
    const { withDatabase } = await import('./local-database.ts')
    const { migrate, pendingMigrations } = await import('#platform/core/migrate.ts')
    const { distribute, distributionPlan } = await import('#platform/core/distribute.ts')
    await withDatabase({ shared: plan }, async (database) => {
      const names = await (plan ? pendingMigrations(database) : migrate(database))
      // The tables of a pending migration are not there yet: its statements cannot be printed.
      const statements = !isDistributed ? null : await (plan ? distributionPlan(database) : distribute(database))
      if (json) {
        const migrations = plan ? { pending: names } : { applied: names }
        return printJson(statements === null ? migrations : { ...migrations, statements })
      }
      const verb = plan ? 'Would apply' : 'Applied'
      const lines = [...names.map((name) => `${verb} ${name}`), ...(statements ?? []).map((text) => `${text};`)]
      print(lines.length === 0 ? 'Nothing to apply.' : lines.join('\n'))
    })
  },
})
