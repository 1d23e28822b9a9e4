import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { pagesWithTables } from '../../generate/tables.ts'
import { INVOICE_FILE_STATUSES, INVOICE_STATUSES } from '../../src/domain/invoice.ts'
import {
  BENEFIT_STATUSES,
  DETAIL_CODES,
  ENROLLMENT_STATUSES,
  EXCLUSION_REASONS,
  PART_STATUSES,
  REQUEST_STATUSES,
  SCHEDULED_REASONS,
  START_OPTIONS,
} from '../../src/domain/enums.ts'
import { DELIVERY_STATUSES, DISABLED_REASONS } from '../../src/domain/webhook.ts'
import { architectureFile, architectureText } from '../../generate/architecture.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')

const pages = [
  ...readdirSync(root),
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).map((name) => `docs/${name}`),
].filter((name) => name.endsWith('.md'))

/** Values without a row of their own, ``| `value` | ...``, in any table of the page. */
function withoutRow(page: string, values: readonly string[]): string[] {
  const text = read(page)
  return values.filter((value) => !text.includes(`\n| \`${value}\` |`))
}

test('the diagram of docs/explanation/architecture.md shows the imports of src: otherwise run `npm run docs`', () => {
  expect(architectureText()).toBe(readFileSync(architectureFile, 'utf8'))
})

test('the tables of offenses and events are what src/domain says: otherwise run `npm run docs`', () => {
  for (const { file, text } of pagesWithTables()) {
    expect(readFileSync(file, 'utf8') === text, `${file.pathname} is stale: run \`npm run docs\` and commit it`).toBe(
      true,
    )
  }
})

test('every code in the details of an error is explained in the documentation', () => {
  const all = pages.map(read).join('\n')
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
