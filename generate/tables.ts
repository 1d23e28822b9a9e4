/* `npm run docs`: the tables of codes, events and fields in the documentation, from src/domain, and of endpoints, from openapi.json. */
import { readFileSync, writeFileSync } from 'node:fs'
import { DETAIL_EXPLANATIONS } from '../src/domain/detail-codes.ts'
import { type ErrorCode, ERRORS } from '../src/domain/error-codes.ts'
import { ALTERATION_OFFENSE_EXPLANATIONS } from '../src/domain/alteration-offenses.ts'
import { EXCLUSION_OFFENSE_EXPLANATIONS } from '../src/domain/exclusion-offenses.ts'
import type { ErrorDescription } from '../src/domain/request-errors.ts'
import { EVENT_TYPES, EVENTS, type EventType } from '../src/domain/events.ts'
import { eventData } from '../src/webhooks/event-schema.ts'
import { IMPORT_COLUMNS } from '../src/domain/import-columns.ts'
import { termOf } from '../src/domain/glossary.ts'
import { columnOfOffense } from '../src/domain/import-offenses.ts'
import {
  fieldOfOffense,
  IMPORT_OFFENSE_MEANINGS,
  IMPORT_OFFENSES,
  type ImportOffense,
  type Offense,
  OFFENSE_EXPLANATIONS,
  OFFENSES,
} from '../src/domain/offenses.ts'
import { PORTUGUESE_DETAILS, PORTUGUESE_STATUSES } from '../src/domain/portuguese-details.ts'
import { PORTUGUESE_ERRORS } from '../src/domain/portuguese-errors.ts'
import { offenseMessage } from '../src/domain/portuguese-messages.ts'
import { PORTUGUESE_OFFENSES } from '../src/domain/portuguese-offenses.ts'
import { PORTUGUESE_WARNINGS } from '../src/domain/portuguese-warnings.ts'
import { INCLUSION_WARNINGS, WARNING_MEANINGS } from '../src/domain/warnings.ts'
import { glossaryRows } from './glossary.ts'
import { exampleOf } from './offense-examples.ts'

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

/** Every offense with its sentence, as it is sent. */
function portugueseOffenses(): Rows {
  return (Object.keys(PORTUGUESE_OFFENSES) as (keyof typeof PORTUGUESE_OFFENSES)[]).toSorted().map((code) => {
    const isImport = IMPORT_OFFENSES.some((one) => one === code)
    const field = isImport ? columnOfOffense(code as ImportOffense) : fieldOfOffense(code as Offense)
    const name = field.split('.').at(-1) ?? field
    const [term, sentenceField] = termOf(name) === undefined ? ['', '…'] : [termOf(name) ?? '', field]
    return [`\`${code}\``, term, offenseMessage(code, sentenceField)]
  })
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
      ? '`29/02/1980`, `7/6/2015`'
      : isMoney
        ? `under \`${header}\` reais: \`5230\`, \`5230,00\`, \`5.230,00\`; under \`${name}\` cents`
        : Object.entries(words).map(wordsOf).join(', ')
    return [`\`${name}\``, `\`${header}\``, isRequired ? 'required' : '', form]
  })
}

/** A cell with the bar of a table escaped. */
const cell = (text: string) => text.replaceAll('|', '\\|')
const glossary = (language: 'en' | 'pt-BR') =>
  glossaryRows(language).map(([name, term, meaning, norm]) => [`\`${name}\``, term, cell(meaning), norm])

const tables: readonly { readonly page: string; readonly head: string; readonly rows: Rows }[] = [
  {
    page: 'reference/errors.md',
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
    page: 'reference/errors.md',
    head: '| Code in `details` | Meaning | What to do |\n|---|---|---|\n',
    rows: Object.entries(DETAIL_EXPLANATIONS).map(([code, { meaning, fix }]) => [`\`${code}\``, meaning, fix]),
  },
  {
    page: 'pt-BR/reference/errors.md',
    head: '| Status | `code` | Frase para o usuário |\n|---|---|---|\n',
    rows: errors.map(([code, { status }]) => [`${status}`, `\`${code}\``, PORTUGUESE_ERRORS[code as ErrorCode]]),
  },
  {
    page: 'pt-BR/reference/errors.md',
    head: '| Código em `details` | Frase para o usuário |\n|---|---|\n',
    rows: Object.entries(PORTUGUESE_DETAILS).map(([code, text]) => [`\`${code}\``, text.replace('{campo}', '…')]),
  },
  {
    page: 'reference/offenses.md',
    head: '| Offense | Field | Meaning | What to do | Example |\n|---|---|---|---|---|\n',
    rows: OFFENSES.map((code) => {
      const { meaning, fix } = OFFENSE_EXPLANATIONS[code]
      return [`\`${code}\``, `\`${fieldOfOffense(code)}\``, meaning, fix, exampleOf(code)]
    }),
  },
  {
    page: 'reference/offenses.md',
    head: '| Offense of an exclusion | Meaning | What to do |\n|---|---|---|\n',
    rows: Object.entries(EXCLUSION_OFFENSE_EXPLANATIONS).map(([code, { meaning, fix }]) => [
      `\`${code}\``,
      meaning,
      fix,
    ]),
  },
  {
    page: 'reference/offenses.md',
    head: '| Offense of an alteration | Meaning | What to do |\n|---|---|---|\n',
    rows: Object.entries(ALTERATION_OFFENSE_EXPLANATIONS).map(([code, { meaning, fix }]) => [
      `\`${code}\``,
      meaning,
      fix,
    ]),
  },
  {
    page: 'reference/offenses.md',
    head: '| Offense of a line | Column | Meaning |\n|---|---|---|\n',
    rows: IMPORT_OFFENSES.map((code) => [`\`${code}\``, `\`${columnOfOffense(code)}\``, IMPORT_OFFENSE_MEANINGS[code]]),
  },
  {
    page: 'pt-BR/reference/offenses.md',
    head: '| Código | Campo | Frase para o usuário |\n|---|---|---|\n',
    rows: portugueseOffenses(),
  },
  {
    page: 'reference/offenses.md',
    head: '| Warning | Meaning |\n|---|---|\n',
    rows: INCLUSION_WARNINGS.map((code) => [`\`${code}\``, WARNING_MEANINGS[code]]),
  },
  {
    page: 'pt-BR/reference/offenses.md',
    head: '| Aviso | Frase para o usuário |\n|---|---|\n',
    rows: INCLUSION_WARNINGS.map((code) => [`\`${code}\``, PORTUGUESE_WARNINGS[code]]),
  },
  {
    page: 'reference/glossary.md',
    head: '| Field | Portuguese term | Meaning | Norm |\n|---|---|---|---|\n',
    rows: glossary('en'),
  },
  {
    page: 'pt-BR/reference/glossary.md',
    head: '| Campo | Termo | Significado | Norma |\n|---|---|---|---|\n',
    rows: glossary('pt-BR'),
  },
  {
    page: 'pt-BR/reference/glossary.md',
    head: '| `status` | Situação |\n|---|---|\n',
    rows: Object.entries(PORTUGUESE_STATUSES).map(([status, term]) => [`\`${status}\``, term]),
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
    page: 'reference/alterations.md',
    head: '| Offense | Meaning | Fix |\n|---|---|---|\n',
    rows: Object.entries(ALTERATION_OFFENSE_EXPLANATIONS).map(([code, { meaning, fix }]) => [
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
  { page: 'reference/endpoints.md', head: '| Operation | Token | Does |\n|---|---|---|\n', rows: operations() },
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
