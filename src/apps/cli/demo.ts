import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { readSettings } from '#platform/core/config.ts'
import type { Database } from '#platform/core/database.ts'
import { command, type CommandDeclaration } from './command-builder.ts'
import { confirm, confirmParameters } from './confirm.ts'
import { CommandError } from './errors.ts'
import { printJson, printMessage } from './terminal.ts'

/** `vigencia demo reset`. */
export const demoCommand: CommandDeclaration = {
  name: 'demo',
  description: 'the demo of this data folder',
  commands: [
    command({
      name: 'reset',
      description: 'delete the demo with everything that was sent to it; the next start makes a new one',
      examples: {
        'demo reset --dry-run': 'counts what would be deleted',
        'demo reset --yes': 'with the service stopped; in a terminal it asks without --yes',
      },
      parameters: confirmParameters,
      run: ({ yes, dryRun, json }) => reset(yes, dryRun, json),
    }),
  ],
}

/** Empties the embedded database and the folder of files; the master key stays, the clients get new secrets. */
async function reset(yes: true | undefined, dryRun: true | undefined, json: true | undefined): Promise<void> {
  const config = readSettings(process.env)
  if (config.databaseUrl !== null || config.environment === 'production') {
    const next = 'Unset VIGENCIA_DATABASE_URL, or empty that database with the tools of PostgreSQL.'
    throw new CommandError('refused', 'Only the demo on the PostgreSQL of a data folder can be reset.', next)
  }
  const { requireDatabase, withDatabase } = await import('./local-database.ts')
  await requireDatabase(config)
  const { dataDir } = config
  await withDatabase({ shared: dryRun === true }, async (database) => {
    const deleted = await countIn(database)
    if (deleted === null) {
      const next = 'Its data are not those of a demo. To delete them, delete the folder.'
      throw new CommandError('refused', `The database in ${dataDir} has no demo.`, next)
    }
    const { companies, members, movements } = deleted
    const [companyCount, memberCount, movementCount] = [
      of(companies, 'company', 'companies'),
      of(members, 'member'),
      of(movements, 'movement'),
    ]
    const what = `${companyCount}, ${memberCount} and ${movementCount} in ${dataDir}`
    if (dryRun) {
      if (json) return printJson({ 'dry-run': true, ...deleted })
      return printMessage(`Nothing was done. ${what} would be deleted.`)
    }
    await confirm(`${what} would be deleted, with their files, which cannot be undone.`, yes)
    await database.execute('drop schema public cascade')
    await database.execute('create schema public')
    if (config.storageUrl === null) await rm(join(dataDir, 'files'), { recursive: true, force: true })
    if (json) printJson({ reset: true, ...deleted })
    else printMessage(`${what} are deleted. Make a new demo: npm start`)
  })
}

interface Counted {
  readonly companies: number
  readonly members: number
  readonly movements: number
}

const of = (count: number, singular: string, plural = `${singular}s`) => `${count} ${count === 1 ? singular : plural}`

/** What the database holds; null when no demo was ever started on it. */
async function countIn(database: Database): Promise<Counted | null> {
  const [table] = await database.query<{ there: boolean }>(
    "select to_regclass('public.service_metadata') is not null as there",
  )
  if (!table?.there) return null
  const [row] = await database.query<Counted & { isDemo: boolean }>(
    `select exists (select 1 from service_metadata where name = 'demo') as "isDemo",
       (select count(*)::int from company) as companies, (select count(*)::int from member) as members,
       (select count(*)::int from enrollment) as movements`,
  )
  if (row === undefined || !row.isDemo) return null
  const { isDemo: _isDemo, ...counted } = row
  return counted
}
