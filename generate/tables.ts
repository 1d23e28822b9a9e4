/* `npm run docs`: the tables of offenses and events in the documentation, from src/domain, and of endpoints, from openapi.json. */
import { readFileSync, writeFileSync } from 'node:fs'
import { ERRORS } from '../src/domain/error-codes.ts'
import { EXCLUSION_OFFENSE_EXPLANATIONS } from '../src/domain/exclusion-offenses.ts'
import type { ErrorDescription } from '../src/domain/request-errors.ts'
import { EVENT_TYPES, EVENTS, type EventType } from '../src/domain/events.ts'
import { eventData } from '../src/webhooks/event-schema.ts'
import { IMPORT_COLUMNS } from '../src/domain/import-columns.ts'
import { IMPORT_OFFENSE_MEANINGS, OFFENSE_EXPLANATIONS } from '../src/domain/offenses.ts'

/** The fields of an event's `data`. */
function dataOf(type: EventType): string {
  const fields = Object.keys(eventData[EVENTS[type].subject].properties).filter((field) => field !== 'company-id')
  return fields.map((field) => `\`${field}\``).join(', ')
}

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
/** By status, then in the order of the source. */
const errors = Object.entries<ErrorDescription>(ERRORS).toSorted(([, a], [, b]) => a.status - b.status)

function importColumns(): Rows {
  return [...IMPORT_COLUMNS].map(([name, { header, isRequired, isDate, isMoney, words = {} }]) => {
    const wordsOf = ([value, list]: [string, readonly string[]]) =>
      `${list
        .filter((word) => !word.includes('(a)'))
        .map((word) => `\`${word}\``)
        .join(' ')} for \`${value}\``
    const form = isDate
      ? '`29/02/1980`'
      : isMoney
        ? `under \`${header}\` reais: \`5230\`, \`5230,00\`, \`5.230,00\`; under \`${name}\` cents`
        : Object.entries(words).map(wordsOf).join(', ')
    return [`\`${name}\``, `\`${header}\``, isRequired ? 'required' : '', form]
  })
}

const tables: readonly { readonly page: string; readonly head: string; readonly rows: Rows }[] = [
  {
    page: 'errors-and-offenses.md',
    head: '| Status | `code` | `error` | Cause | What to do |\n|---|---|---|---|---|\n',
    rows: errors.map(([code, { status, error, cause, mend }]) => [
      `${status}`,
      `\`${code}\``,
      `\`${error}\``,
      cause,
      mend,
    ]),
  },
  {
    page: 'errors-and-offenses.md',
    head: '| Offense | Meaning | Fix |\n|---|---|---|\n',
    rows: Object.entries(OFFENSE_EXPLANATIONS).map(([code, { meaning, fix }]) => [`\`${code}\``, meaning, fix]),
  },
  {
    page: 'reference/exclusions.md',
    head: '| Offense | Meaning | Fix |\n|---|---|---|\n',
    rows: Object.entries(EXCLUSION_OFFENSE_EXPLANATIONS).map(([code, { meaning, fix }]) => [
      `\`${code}\``,
      meaning,
      fix,
    ]),
  },
  {
    page: 'reference/imports.md',
    head: '| Offense | Meaning |\n|---|---|\n',
    rows: Object.entries(IMPORT_OFFENSE_MEANINGS).map(([code, meaning]) => [`\`${code}\``, meaning]),
  },
  {
    page: 'reference/import-columns.md',
    head: '| Column | Portuguese header | | A CSV may also have |\n|---|---|---|---|\n',
    rows: importColumns(),
  },
  {
    page: 'reference/events.md',
    head: '| Type | Happens when | `data` beside `company-id` |\n|---|---|---|\n',
    rows: EVENT_TYPES.map((type) => [`\`${type}\``, EVENTS[type].when, dataOf(type)]),
  },
  { page: 'endpoints.md', head: '| Operation | Token | Does |\n|---|---|---|\n', rows: operations() },
]

/** The pages with these tables, each as its file and its text with the generated tables. */
export function pagesWithTables(): { readonly file: URL; readonly text: string }[] {
  return [...Map.groupBy(tables, ({ page }) => page)].map(([page, ofPage]) => {
    const file = new URL(`../docs/${page}`, import.meta.url)
    return { file, text: ofPage.reduce(withTable, readFileSync(file, 'utf8')) }
  })
}

function withTable(text: string, { page, head, rows }: (typeof tables)[number]): string {
  const [before, after, ...more] = text.split(head)
  if (before === undefined || after === undefined || more.length > 0) throw new Error(`${page} has no one such table`)
  const rest = after.replace(/^(\|.*\n)*/, '')
  return `${before}${head}${rows.map((cells) => `| ${cells.join(' | ')} |\n`).join('')}${rest}`
}

if (import.meta.main) for (const { file, text } of pagesWithTables()) writeFileSync(file, text)
