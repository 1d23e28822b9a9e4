/* `npm run docs`: the tables of offenses and events in the documentation, from src/domain, and of endpoints, from openapi.json. */
import { readFileSync, writeFileSync } from 'node:fs'
import { EVENTS } from '../src/domain/events.ts'
import { EXCLUSION_OFFENSE_EXPLANATIONS } from '../src/domain/exclusion-offenses.ts'
import { IMPORT_OFFENSE_MEANINGS, OFFENSE_EXPLANATIONS } from '../src/domain/offenses.ts'

type Rows = readonly (readonly string[])[]

interface Operation {
  readonly summary: string
  readonly security?: readonly Record<string, unknown>[]
}

function operations(): Rows {
  const text = readFileSync(new URL('../openapi.json', import.meta.url), 'utf8')
  const { paths } = JSON.parse(text) as { paths: Record<string, Record<string, Operation>> }
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { summary, security = [] }]) => [
      `\`${method.toUpperCase()} ${path}\``,
      Object.keys(security[0] ?? {})[0] ?? '',
      summary,
    ]),
  )
}

const tables: readonly { readonly page: string; readonly head: string; readonly rows: Rows }[] = [
  {
    page: 'errors-and-offenses.md',
    head: '| Offense | Meaning | Fix |\n|---|---|---|\n',
    rows: Object.entries(OFFENSE_EXPLANATIONS).map(([code, { meaning, fix }]) => [`\`${code}\``, meaning, fix]),
  },
  {
    page: 'excluding-people.md',
    head: '| Offense | Meaning | Fix |\n|---|---|---|\n',
    rows: Object.entries(EXCLUSION_OFFENSE_EXPLANATIONS).map(([code, { meaning, fix }]) => [
      `\`${code}\``,
      meaning,
      fix,
    ]),
  },
  {
    page: 'importing.md',
    head: '| Offense | Meaning |\n|---|---|\n',
    rows: Object.entries(IMPORT_OFFENSE_MEANINGS).map(([code, meaning]) => [`\`${code}\``, meaning]),
  },
  {
    page: 'webhooks.md',
    head: '| Type | Happens when | `data` beside `company-id` |\n|---|---|---|\n',
    rows: Object.entries(EVENTS).map(([type, { when, data }]) => [`\`${type}\``, when, data]),
  },
  { page: 'endpoints.md', head: '| Operation | Token | Does |\n|---|---|---|\n', rows: operations() },
]

/** The pages with these tables, each as its file and its text with the generated table. */
export function pagesWithTables(): { readonly file: URL; readonly text: string }[] {
  return tables.map(({ page, head, rows }) => {
    const file = new URL(`../docs/${page}`, import.meta.url)
    const [before, after, ...more] = readFileSync(file, 'utf8').split(head)
    if (before === undefined || after === undefined || more.length > 0) throw new Error(`${page} has no one such table`)
    const rest = after.replace(/^(\|.*\n)*/, '')
    return { file, text: `${before}${head}${rows.map((cells) => `| ${cells.join(' | ')} |\n`).join('')}${rest}` }
  })
}

if (import.meta.main) for (const { file, text } of pagesWithTables()) writeFileSync(file, text)
