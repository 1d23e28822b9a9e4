/* `npm run docs`: docs/reference/configuration.md, from the table in src/core/settings.ts. */
import { writeFile } from 'node:fs/promises'
import { prefix, type Setting, settings } from '../src/core/settings.ts'

export const configurationFile = new URL('../docs/reference/configuration.md', import.meta.url)

const head = `<!-- Made by \`npm run docs\` from src/core/settings.ts: change it there. -->
# Configuration

All settings are environment variables that begin with \`VIGENCIA_\`. Without any, the service runs in staging, with demo data, on a PostgreSQL of its own
in \`.data\`. An unknown variable with that prefix and a value that cannot be read are errors at start: the service prints a line for each, with the value (never
of a secret) and what to write instead, and exits with code 1. An empty value counts as none.

A setting marked **secret** may also come from a file: \`VIGENCIA_MASTER_KEY_FILE=/run/secrets/master-key\` in place of \`VIGENCIA_MASTER_KEY\`. Secrets are never logged.
\`vigencia config\` shows what a start would use, \`vigencia doctor\` checks it. How to set up production: [run in production](../how-to/run-in-production.md).
`

const foot = `
## What a start refuses

| Where | What | Setting |
|---|---|---|
| everywhere | a database of your own without a master key | \`VIGENCIA_MASTER_KEY\` |
| everywhere | a database of your own without an environment: staging lets partners approve their own movements | \`VIGENCIA_ENVIRONMENT\` |
| everywhere | a master key other than the one that the database was first started with, or none any more; no new one is made | \`VIGENCIA_MASTER_KEY\`, \`DATA_DIR/master.key\` |
| everywhere | \`VIGENCIA_ROLE=api\` or \`worker\` with the embedded PostgreSQL, which serves one process | \`VIGENCIA_DATABASE_URL\` |
| everywhere | a PostgreSQL older than 15, or a migration that was changed after it was applied | |
| everywhere | a port that is in use, an address of another machine | \`VIGENCIA_PORT\`, \`VIGENCIA_HOST\` |
| everywhere | a data folder that another Vigencia uses | \`VIGENCIA_DATA_DIR\` |
| production | no master key, or one with few different bytes | \`VIGENCIA_MASTER_KEY\` |
| production | no address that clients use | \`VIGENCIA_PUBLIC_URL\` |
| production | demo data, requested or found in the database | \`VIGENCIA_DEMO\`, a database of its own |
| production | an operator's secret that is short or well known | \`VIGENCIA_OPERATOR_CLIENT_SECRET\` |
| production | a fixed business date, private webhook targets | \`VIGENCIA_BUSINESS_DATE\`, \`VIGENCIA_WEBHOOK_ALLOW_PRIVATE\` |

The service waits up to 30 seconds for a database that does not respond.

## What other commands need

Commands that do not serve need only the settings that they use; they too refuse a value that cannot be read and an unknown variable:

| Command | Needs |
|---|---|
| \`migrate\` | a database |
| \`audit verify\` | a database and its master key |
| \`config\`, \`doctor\` | what a start with these settings needs; they show what it would refuse |

The database is that of \`VIGENCIA_DATABASE_URL\`, else that of \`DATA_DIR\`. The master key is \`VIGENCIA_MASTER_KEY\`, else, with the embedded PostgreSQL,
\`DATA_DIR/master.key\`.

## The least for production

<!-- not run: production needs a database and an address of its own -->

\`\`\`sh
export VIGENCIA_ENVIRONMENT=production
export VIGENCIA_DATABASE_URL=postgres://vigencia:...@db.internal/vigencia
export VIGENCIA_MASTER_KEY="$(openssl rand -base64 32)" # once; store it as you store backups
export VIGENCIA_PUBLIC_URL=https://benefits.example.com
npx vigencia start
\`\`\`

The first start prints the id and the secret of an \`admin\` operator, once, unless \`VIGENCIA_OPERATOR_CLIENT_ID\` and \`VIGENCIA_OPERATOR_CLIENT_SECRET\` name one.
`

/** The text of docs/reference/configuration.md. */
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
