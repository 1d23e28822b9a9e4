import { command } from './command-builder.ts'
import { print, printJson } from './terminal.ts'

/** `vigencia migrate`. */
export const migrateCommand = command({
  name: 'migrate',
  description: 'apply pending migrations and end',
  examples: { 'migrate --plan': 'prints what would be applied', migrate: 'applies it; each start does so too' },
  parameters: { '--plan': 'only print what would be applied' },
  async run({ json, plan = false }) {
    // Loaded here: help and the commands over HTTP need no database driver.
    const { withDatabase } = await import('./local-database.ts')
    const { migrate, pendingMigrations } = await import('../platform/migrate.ts')
    const names = await withDatabase({ shared: plan }, plan ? pendingMigrations : migrate)
    if (json) return printJson(plan ? { pending: names } : { applied: names })
    const verb = plan ? 'Would apply' : 'Applied'
    print(names.length === 0 ? 'Nothing to apply.' : names.map((name) => `${verb} ${name}`).join('\n'))
  },
})
