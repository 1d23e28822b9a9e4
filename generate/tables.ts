/* The tables of the documentation that are made from src, and of endpoints, from openapi.json. */
import { readFileSync } from 'node:fs'
import { exitCodes } from '#apps/cli/errors.ts'
import { type ErrorCode, ERROR_STATUSES } from '#kernel/error-codes.ts'
import { DETAIL_CODES, ENROLLMENT_STATUSES } from '#kernel/enums.ts'
import { EVENT_TYPES, EVENTS, type EventType } from '#kernel/events.ts'
import { eventData } from '#events/webhooks/event-schema.ts'
import { ALTERATION_OFFENSES } from '#kernel/alteration-offenses.ts'
import { EXCLUSION_OFFENSES } from '#kernel/exclusion-offenses.ts'
import { DRAFT_CLASSES } from '#kernel/movement-drafts.ts'
import {
  AUTOMATIC_CLASSES,
  ROSTER_DOUBTS,
  ROSTER_EXPLANATIONS,
  ROSTER_PROBLEMS,
  ROSTER_STATES,
  ROSTER_STATUSES,
} from '#kernel/roster-syncs.ts'
import { IMPORT_COLUMNS } from '#movements/rules/import-columns.ts'
import { ROSTER_FORM } from '#movements/rules/roster-columns.ts'
import { columnOfOffense } from '#kernel/import-offenses.ts'
import {
  type AnyOffense,
  fieldOfOffense,
  IMPORT_OFFENSES,
  type ImportOffense,
  type Offense,
  OFFENSES,
} from '#kernel/offenses.ts'
import { fieldsOf, processing } from '#privacy/rules/processing.ts'
import { BUILT_IN } from '#registry/layouts/built-in/built-in.ts'
import { RETENTION_PERIODS, type RetentionClass } from '#kernel/retention-classes.ts'
import { INCLUSION_WARNINGS } from '#kernel/warnings.ts'
import { CAUSES, DETAILS } from '#kernel/texts/explain.ts'
import { offenseMessage } from '#kernel/texts/messages.ts'
import { explainOffense } from '#kernel/texts/offenses.ts'
import { ENGLISH, PORTUGUESE, termOf } from '#kernel/texts/texts.ts'
import texts from '../texts/docs.json' with { type: 'json' }
import { districtsTable, importsDiagram } from './architecture.ts'
import { commandRows } from './command-line.ts'
import { settingsText } from './configuration.ts'
import { glossaryRows } from './glossary.ts'
import { exampleOf } from './offense-examples.ts'

/** The built-in layouts. */
const layouts = (): Rows =>
  [...BUILT_IN].map(([id, { direction, name, source }]) => [`\`${id}\``, `\`${direction}\``, name, source ?? ''])

/** The fields of an event's `data`. */
function dataOf(type: EventType): string {
  const fields = Object.keys(eventData[EVENTS[type]].properties).filter((field) => field !== 'company-id')
  return fields.map((field) => `\`${field}\``).join(', ')
}

type Rows = readonly (readonly string[])[]

interface Operation {
  readonly summary: string
  readonly 'x-roles'?: readonly string[]
  readonly security?: readonly Record<string, unknown>[]
}

function operations(): Rows {
  const text = readFileSync(new URL('../openapi.json', import.meta.url), 'utf8')
  const { paths } = JSON.parse(text) as { paths: Record<string, Record<string, Operation>> }
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { summary, security = [], 'x-roles': roles }]) => [
      `\`${method.toUpperCase()} ${path}\``,
      roles?.join(', ') ?? Object.keys(security[0] ?? {})[0] ?? '',
      summary,
    ]),
  )
}

/** Every offense with its sentence, as it is sent. */
function portugueseOffenses(): Rows {
  const codes = new Set<AnyOffense>([...OFFENSES, ...EXCLUSION_OFFENSES, ...ALTERATION_OFFENSES, ...IMPORT_OFFENSES])
  return [...codes].toSorted().map((code) => {
    const isImport = IMPORT_OFFENSES.some((one) => one === code)
    const field = isImport ? columnOfOffense(code as ImportOffense) : fieldOfOffense(code as Offense)
    const name = field.split('.').at(-1) ?? field
    const [term, sentenceField] = termOf(name) === undefined ? ['', '…'] : [termOf(name) ?? '', field]
    return [`\`${code}\``, term, offenseMessage(code, sentenceField)]
  })
}

/** By status, then in the order of the source. */
const errors = (Object.entries(ERROR_STATUSES) as [ErrorCode, number][]).toSorted(([, a], [, b]) => a - b)

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

/** What each value means, in an order of its own. */
const meanings = <Value extends string>(values: readonly Value[], words: Readonly<Record<Value, string>>): Rows =>
  values.map((value) => [`\`${value}\``, words[value]])

const rosterClasses = (): Rows =>
  DRAFT_CLASSES.map((name) => {
    const { when, becomes } = texts['draft-classes'][name]
    return [`\`${name}\``, when, becomes, AUTOMATIC_CLASSES.some((one) => one === name) ? 'may be' : '']
  })

/** A cell with the bar of a table escaped. */
const cell = (text: string) => text.replaceAll('|', '\\|')
const glossary = (language: 'en' | 'pt-BR') =>
  glossaryRows(language).map(([name, term, meaning, norm]) => [`\`${name}\``, term, cell(meaning), norm])

/** How long a class of data is kept, from when. */
function retentionText(name: RetentionClass, language: 'en' | 'pt-BR'): string {
  const { days, from } = RETENTION_PERIODS[name]
  const start = texts['retention-starts'][from][language]
  if (days === null) return `\`${name}\`: ${start}`
  return `\`${name}\`: ${days} ${language === 'en' ? 'days from' : 'dias desde'} ${start}`
}

const recordsOfProcessing = (language: 'en' | 'pt-BR'): Rows =>
  Object.entries(processing).map(([category, { purpose, ground, retention, fields }]) => [
    `\`${category}\``,
    texts.purposes[purpose][language],
    texts.grounds[ground][language],
    retentionText(retention, language),
    fieldNames(fields, language),
  ])

/** Names as in calls, in Portuguese with their terms. */
const fieldNames = (list: string, language: 'en' | 'pt-BR'): string =>
  fieldsOf(list)
    .map((name) => (language === 'en' ? `\`${name}\`` : `${termOf(name)} (\`${name}\`)`))
    .join(', ')

const tables: Readonly<Record<string, { readonly head: string; readonly rows: Rows }>> = {
  errors: {
    head: '| Status | `code` | `error` | Cause | What to do |\n|---|---|---|---|---|\n',
    rows: errors.map(([code, status]) => {
      const { cause, mend } = CAUSES[code]
      return [`${status}`, `\`${code}\``, `\`${ENGLISH.errors[code]}\``, cause, mend]
    }),
  },
  'error-details': {
    head: '| Code in `details` | Meaning | What to do |\n|---|---|---|\n',
    rows: DETAIL_CODES.map((code) => [`\`${code}\``, DETAILS[code].meaning, DETAILS[code].fix]),
  },
  'pt-errors': {
    head: '| Status | `code` | Frase para o usuário |\n|---|---|---|\n',
    rows: errors.map(([code, status]) => [`${status}`, `\`${code}\``, PORTUGUESE.errors[code]]),
  },
  'pt-error-details': {
    head: '| Código em `details` | Frase para o usuário |\n|---|---|\n',
    rows: DETAIL_CODES.map((code) => [`\`${code}\``, PORTUGUESE.details[code].replace('{field}', '…')]),
  },
  offenses: {
    head: '| Offense | Field | Meaning | What to do | Example |\n|---|---|---|---|---|\n',
    rows: OFFENSES.map((code) => {
      const { meaning, fix } = explainOffense(code)
      return [`\`${code}\``, `\`${fieldOfOffense(code)}\``, meaning, fix, exampleOf(code)]
    }),
  },
  'exclusion-offenses': {
    head: '| Offense of an exclusion | Meaning | What to do |\n|---|---|---|\n',
    rows: EXCLUSION_OFFENSES.map((code) => {
      const { meaning, fix } = ENGLISH['exclusion-offenses'][code]
      return [`\`${code}\``, meaning, fix]
    }),
  },
  'alteration-offenses': {
    head: '| Offense of an alteration | Meaning | What to do |\n|---|---|---|\n',
    rows: ALTERATION_OFFENSES.map((code) => {
      const { meaning, fix } = ENGLISH['alteration-offenses'][code]
      return [`\`${code}\``, meaning, fix]
    }),
  },
  'import-offenses': {
    head: '| Offense of a line | Column | Meaning |\n|---|---|---|\n',
    rows: IMPORT_OFFENSES.map((code) => [
      `\`${code}\``,
      `\`${columnOfOffense(code)}\``,
      ENGLISH['import-offenses'][code],
    ]),
  },
  'pt-offenses': { head: '| Código | Campo | Frase para o usuário |\n|---|---|---|\n', rows: portugueseOffenses() },
  warnings: {
    head: '| Warning | Meaning |\n|---|---|\n',
    rows: INCLUSION_WARNINGS.map((code) => [`\`${code}\``, ENGLISH.warnings[code]]),
  },
  'pt-warnings': {
    head: '| Aviso | Frase para o usuário |\n|---|---|\n',
    rows: INCLUSION_WARNINGS.map((code) => [`\`${code}\``, PORTUGUESE.warnings[code]]),
  },
  glossary: { head: '| Field | Portuguese term | Meaning | Norm |\n|---|---|---|---|\n', rows: glossary('en') },
  'pt-glossary': { head: '| Campo | Termo | Significado | Norma |\n|---|---|---|---|\n', rows: glossary('pt-BR') },
  'records-of-processing': {
    head: '| Category | Purpose | Ground (LGPD) | Retention | Fields |\n|---|---|---|---|---|\n',
    rows: recordsOfProcessing('en'),
  },
  'pt-records-of-processing': {
    head: '| Categoria | Finalidade | Base legal (LGPD) | Retenção | Campos |\n|---|---|---|---|---|\n',
    rows: recordsOfProcessing('pt-BR'),
  },
  'pt-statuses': {
    head: '| `status` | Situação |\n|---|---|\n',
    rows: ENROLLMENT_STATUSES.map((status) => [`\`${status}\``, PORTUGUESE.terms.status[status]]),
  },
  layouts: { head: '| Layout | Direction | Name | Where it comes from |\n|---|---|---|---|\n', rows: layouts() },
  'pt-layouts': { head: '| Leiaute | Sentido | Nome | Origem, em inglês |\n|---|---|---|---|\n', rows: layouts() },
  'import-columns': {
    head: '| Column | Portuguese header | | A CSV may also have |\n|---|---|---|---|\n',
    rows: importColumns(),
  },
  'roster-states': {
    head: '| In `states` | The list has |\n|---|---|\n',
    rows: meanings(ROSTER_STATES, ENGLISH.terms.rosterState),
  },
  'roster-columns': {
    head: '| Column | Portuguese header |\n|---|---|\n',
    rows: [...ROSTER_FORM.columns].map(([name, { header }]) => [`\`${name}\``, `\`${header}\``]),
  },
  'roster-statuses': {
    head: '| `status` | Meaning |\n|---|---|\n',
    rows: meanings(ROSTER_STATUSES, ENGLISH.terms.rosterStatus),
  },
  'roster-problems': {
    head: '| `problem` | Meaning |\n|---|---|\n',
    rows: meanings(ROSTER_PROBLEMS, ENGLISH.terms.rosterProblem),
  },
  'roster-classes': {
    head: '| Class | When | Becomes | Automatic |\n|---|---|---|---|\n',
    rows: rosterClasses(),
  },
  'roster-explanations': {
    head: '| `explanation` | Meaning |\n|---|---|\n',
    rows: meanings(ROSTER_EXPLANATIONS, ENGLISH.terms.rosterExplanation),
  },
  'roster-doubts': {
    head: '| `doubt` | Meaning |\n|---|---|\n',
    rows: meanings(ROSTER_DOUBTS, ENGLISH.terms.rosterDoubt),
  },
  'pt-roster-explanations': {
    head: '| Código | Significado |\n|---|---|\n',
    rows: meanings(ROSTER_EXPLANATIONS, PORTUGUESE.terms.rosterExplanation),
  },
  'pt-roster-doubts': {
    head: '| Dúvida | Significado |\n|---|---|\n',
    rows: meanings(ROSTER_DOUBTS, PORTUGUESE.terms.rosterDoubt),
  },
  events: {
    head: '| Type | Happens when | `data` beside `company-id` |\n|---|---|---|\n',
    rows: EVENT_TYPES.map((type) => [`\`${type}\``, ENGLISH.events[type], dataOf(type)]),
  },
  endpoints: { head: '| Operation | For | Does |\n|---|---|---|\n', rows: operations() },
  commands: { head: '| Page | Commands |\n|---|---|\n', rows: commandRows() },
  'exit-codes': {
    head: '| Code | Meaning |\n|---|---|\n',
    rows: Object.values(exitCodes).map(({ code, meaning }) => [`${code}`, meaning]),
  },
}

const markdownOf = ({ head, rows }: (typeof tables)[string]) =>
  `${head}${rows.map((cells) => `| ${cells.join(' | ')} |\n`).join('')}`

/** What stands in a page of docs/ for what is made from the sources: the line of a quotation that names it. */
const marker = /^> (?:The table|A tabela|The diagram) \*\*([\w-]+)\*\* .*`npm run docs`\.\n/gm

const others: Readonly<Record<string, () => string>> = {
  settings: settingsText,
  districts: districtsTable,
  imports: importsDiagram,
}

/** What stands in a page of docs/ for a part of a file of the sources: from a line that begins with the text to the end of that statement. */
const codeMarker = /^> The code of `([^`]+)` from `([^`]+)` is copied by `npm run docs`\.\n/gm

function codeOf(path: string, start: string): string {
  const lines = readFileSync(new URL(`../${path}`, import.meta.url), 'utf8').split('\n')
  const first = lines.findIndex((line) => line.trimStart().startsWith(start))
  const indent = lines[first]?.search(/\S/) ?? 0
  const end = lines.findIndex(
    (line, index) => index > first && line.search(/\S/) === indent && /^[)}\]]/.test(line.trim()),
  )
  if (first === -1 || end === -1) throw new Error(`${path} has no code that starts with ${start}`)
  return ['```ts', ...lines.slice(first, end + 1).map((line) => line.slice(indent)), '```', ''].join('\n')
}

/** The page with what its marks stand for. @throws for a name that nothing is made for. */
export function withTables(text: string): string {
  const withMade = text.replaceAll(marker, (_mark, name: string) => {
    const table = tables[name]
    const made = table === undefined ? others[name]?.() : markdownOf(table)
    if (made === undefined) throw new Error(`no table is named ${name}: see generate/tables.ts`)
    return made
  })
  return withMade.replaceAll(codeMarker, (_mark, path: string, start: string) => codeOf(path, start))
}

/** All names: each stands in a page. */
export const tableNames: readonly string[] = [...Object.keys(tables), ...Object.keys(others)]
