import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { sourcesMap } from '../../generate/architecture.ts'
import districts from '../../generate/districts.json' with { type: 'json' }
import { sitePages } from '../../generate/pages.ts'
import { tableNames } from '../../generate/tables.ts'
import {
  INVOICE_FILE_STATUSES,
  INVOICE_STATUSES,
  BENEFIT_STATUSES,
  DETAIL_CODES,
  ENROLLMENT_STATUSES,
  EXCLUSION_REASONS,
  PART_STATUSES,
  REQUEST_STATUSES,
  SCHEDULED_REASONS,
  START_OPTIONS,
} from '#kernel/enums.ts'
import { DELIVERY_STATUSES, DISABLED_REASONS } from '#events/rules/webhook.ts'

const docs = fileURLToPath(new URL('../../docs/', import.meta.url))
const committed = readdirSync(docs, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => readFileSync(join(docs, name), 'utf8'))
const pages = sitePages()
const read = (path: string) => pages.get(path.replace('docs/', '')) ?? ''

/** Values without a row of their own, ``| `value` | ...``, in any table of the page. */
function withoutRow(page: string, values: readonly string[]): string[] {
  const text = read(page)
  return values.filter((value) => !text.includes(`\n| \`${value}\` |`))
}

test('all that is made from the sources stands in a page, with its rows, and nothing else is named', () => {
  const named = committed.flatMap((text) =>
    [...text.matchAll(/^> .*\*\*([\w-]+)\*\* .*`npm run docs`\.$/gm)].map(([, name]) => name),
  )
  expect([...new Set(named)].toSorted()).toEqual(tableNames.toSorted())
  expect([...pages].filter(([, text]) => /^>.*`npm run docs`/m.test(text)).map(([path]) => path)).toEqual([])
  const empty = [...pages].filter(([, text]) => /^\|[-|]+\|\n(?!\|)/m.test(text))
  expect(empty.map(([path]) => path)).toEqual([])
})

test('the diagram of the architecture shows the imports of src', () => {
  const page = read('docs/explanation/architecture.md')
  expect(page).toContain('```mermaid\nflowchart TD\n')
  expect(page).toContain('  apps --> ')
})

test('the map of the sources in CONTRIBUTING.md has every folder, and is the one that `npm run map` writes', () => {
  const sources = new URL('../../src/', import.meta.url)
  const foldersOf = (url: URL) =>
    readdirSync(url, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
  expect(foldersOf(sources).toSorted()).toEqual(districts.map(({ name }) => name).toSorted())
  for (const { name, folders } of districts.slice(1)) {
    const found = foldersOf(new URL(`${name}/`, sources)).filter((folder) => folder !== 'rules')
    expect(found.toSorted()).toEqual(Object.keys(folders).toSorted())
  }
  expect(readFileSync(new URL('../../CONTRIBUTING.md', import.meta.url), 'utf8')).toContain(sourcesMap())
})

test('every code in the details of an error is explained in the documentation', () => {
  const all = [...pages.values()].join('\n')
  expect(DETAIL_CODES.filter((code) => !all.includes(`\`${code}\``))).toEqual([])
})

test('every exclusion reason has a row in docs/reference/exclusions.md', () => {
  expect(withoutRow('docs/reference/exclusions.md', EXCLUSION_REASONS)).toEqual([])
})

test('every status of an invoice and of its files has a row in docs/reference/invoices.md', () => {
  expect(withoutRow('docs/reference/invoices.md', [...INVOICE_STATUSES, ...INVOICE_FILE_STATUSES])).toEqual([])
})

test('every status of a delivery and reason of a disabled endpoint has a row in docs/reference/events.md', () => {
  expect(withoutRow('docs/reference/events.md', [...DELIVERY_STATUSES, ...DISABLED_REASONS])).toEqual([])
})

test('every status has a row in docs/explanation/movements-and-states.md', () => {
  const statuses = [...REQUEST_STATUSES, ...PART_STATUSES, ...ENROLLMENT_STATUSES, ...BENEFIT_STATUSES]
  expect(withoutRow('docs/explanation/movements-and-states.md', statuses)).toEqual([])
})

test('every start option and scheduled reason has a row in docs/explanation/dates-and-billing-days.md', () => {
  const page = 'docs/explanation/dates-and-billing-days.md'
  expect(withoutRow(page, [...START_OPTIONS, ...SCHEDULED_REASONS])).toEqual([])
})
