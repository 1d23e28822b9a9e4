/* `npm run docs`: docs/configuration.md, from the table in src/platform/settings.ts. */
import { writeFile } from 'node:fs/promises'
import { prefix, type Setting, settings } from '../src/platform/settings.ts'

export const configurationFile = new URL('../docs/configuration.md', import.meta.url)

const head = `<!-- Made by \`npm run docs\` from src/platform/settings.ts: change it there. -->
# Configuration

Everything is set by environment variables that begin with \`VIGENCIA_\`; without any, the service runs in staging, with demo data, on a
PostgreSQL of its own in \`.data\`. An unknown variable with that prefix is an error at start, and so is a value that cannot be read: the
service prints a line for each, with the value (never of a secret) and what to write instead, and exits with code 1. An empty value counts as none.

Settings marked **secret** may also come from a file: \`VIGENCIA_MASTER_KEY_FILE=/run/secrets/master-key\` in place of
\`VIGENCIA_MASTER_KEY\`. They are never logged.
`

const foot = `
## What a start refuses

| Where | What | Set |
|---|---|---|
| everywhere | a database of one's own without a master key | \`VIGENCIA_MASTER_KEY\` |
| everywhere | a database of one's own without an environment: staging lets partners approve their own movements | \`VIGENCIA_ENVIRONMENT\` |
| everywhere | another master key than the one that the database was first started with, or none any more: no new one is made | \`VIGENCIA_MASTER_KEY\`, \`DATA_DIR/master.key\` |
| everywhere | \`VIGENCIA_ROLE=api\` or \`worker\` on the embedded engine, which serves one process | \`VIGENCIA_DATABASE_URL\` |
| everywhere | a PostgreSQL older than 15, or a migration that was changed after it was applied | |
| everywhere | a port that is taken, an address of another machine | \`VIGENCIA_PORT\`, \`VIGENCIA_HOST\` |
| everywhere | a data folder that another Vigencia uses | \`VIGENCIA_DATA_DIR\` |
| production | no master key, or one of few different bytes | \`VIGENCIA_MASTER_KEY\` |
| production | no address that callers use | \`VIGENCIA_PUBLIC_URL\` |
| production | demo data, asked for or found in the database | \`VIGENCIA_DEMO\`, a database of its own |
| production | an operator's secret that is short or a well-known one | \`VIGENCIA_OPERATOR_CLIENT_SECRET\` |
| production | a pinned day, private webhook targets | \`VIGENCIA_BUSINESS_DATE\`, \`VIGENCIA_WEBHOOK_ALLOW_PRIVATE\` |

A database that does not answer is waited for, up to 30 seconds.

Commands that do not serve need no more than they use; a value that cannot be read, or an unknown variable, they refuse as well:

| Command | Needs |
|---|---|
| \`migrate\` | a database |
| \`backup\`, \`restore\`, \`audit verify\` | a database and its master key |
| \`backup verify\` | the master key |
| \`config\`, \`doctor\` | what a start with these settings needs: they tell what it would refuse |

The database is that of \`VIGENCIA_DATABASE_URL\`, else that of \`DATA_DIR\`; the master key \`VIGENCIA_MASTER_KEY\`, else \`DATA_DIR/master.key\` on the embedded engine.

## A first production

\`\`\`sh
export VIGENCIA_ENVIRONMENT=production
export VIGENCIA_DATABASE_URL=postgres://vigencia:...@db.internal/vigencia
export VIGENCIA_MASTER_KEY="$(openssl rand -base64 32)"   # once; keep it as you keep backups
export VIGENCIA_PUBLIC_URL=https://benefits.example.com
npm start
\`\`\`

The first start prints an \`admin\` operator's id and secret, once, unless \`VIGENCIA_OPERATOR_CLIENT_ID\` and \`VIGENCIA_OPERATOR_CLIENT_SECRET\`
name one.
`

/** The text of docs/configuration.md. */
export function configurationText(): string {
  const groups = Map.groupBy(Object.values(settings) as Setting[], ({ group }) => group)
  const tables = [...groups].map(
    ([group, some]) => `\n## ${group}\n\n| Setting | Default | Meaning |\n|---|---|---|\n${some.map(row).join('\n')}\n`,
  )
  return `${head}${tables.join('')}${foot}`
}

function row({ name, absent, description, secret }: Setting): string {
  const cells = [`\`${prefix}${name}\`${secret ? ' **secret**' : ''}`, absent, description]
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}

if (import.meta.main) await writeFile(configurationFile, configurationText())
