import { tmpdir } from 'node:os'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { CommandError } from '#apps/cli/errors.ts'
import { ALTERATION_COLUMNS } from '#movements/rules/alteration-columns.ts'
import { LEAVER_COLUMNS } from '#movements/rules/leaver-columns.ts'
import { tableLeavers } from '#apps/cli/leavers.ts'
import { tableAlterations, tablePayroll } from '#apps/cli/payroll.ts'
import { INCLUSION_COLUMNS } from '#movements/rules/inclusion-columns.ts'
import { completeCpf } from '#kernel/tax-id.ts'
import { decisionColumns, readDecisionFile } from '#movements/decide/file.ts'
import { readSheetLines } from '#movements/decide/sent-lines.ts'
import { scaled } from '../../scale.ts'
import { seed } from '../../seed.ts'
import { bookOfRows } from './workbook.ts'

/* The same table as CSV and as a workbook. Imports: test/http/movements/import-workbooks.test.ts. */

type Table = readonly (readonly string[])[]

const csvOf = (table: Table): Buffer =>
  Buffer.from(table.map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(';')).join('\n'))

const cpf = fc.integer({ min: 1, max: 999_999 }).map((n) => completeCpf(String(n * 991).padStart(9, '0')))
const cell = fc.oneof(
  cpf,
  cpf.map((one) => one.replace(/^0+/, '')),
  fc.constantFrom(
    '',
    '',
    ' ',
    '=1+1',
    "'=1+1",
    '-',
    '"',
    'a;b',
    '#N/A',
    '4,5E+13',
    'Ação',
    '😀',
    '29/02/1980',
    '2026-12-01',
  ),
  fc.constantFrom(
    'Titular',
    'cônjuge',
    'F',
    'Saúde',
    '5.230,00',
    'Óbito',
    'demissão por justa causa',
    'completed',
    'sim',
  ),
  fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => text.replaceAll(/[\0-\x1f\x7f]/g, '')), // oxlint-disable-line no-control-regex
)

/** A table under some of these headers, in English and Portuguese, beside others. */
function tableOf(columns: readonly (readonly [name: string, header: string])[], always: readonly string[]) {
  const names = fc
    .shuffledSubarray(columns.filter(([name]) => !always.includes(name)))
    .chain((some) => fc.tuple(...some.map((one) => fc.constantFrom(...one, 'Observação'))))
    .map((some) => [...always, ...new Set(some)])
  return names.chain((header) =>
    fc
      .array(fc.tuple(...header.map(() => cell)), { minLength: 1, maxLength: 15 })
      .map((rows): Table => [header, ...rows]),
  )
}

/** What the work gives, or why it refuses. */
async function outcomeOf(work: () => Promise<object>): Promise<object> {
  return work().catch((error: unknown) => {
    if (error instanceof CommandError) return { refused: error.message }
    throw error
  })
}

/** Reads both files of each table, with the same outcome. @returns how many were read and how many refused. */
async function compare(tables: fc.Arbitrary<Table>, read: (bytes: Buffer, isBook: boolean) => Promise<object>) {
  const counts = { read: 0, refused: 0 }
  await fc.assert(
    fc.asyncProperty(tables, async (table) => {
      const text = await outcomeOf(() => read(csvOf(table), false))
      expect(await outcomeOf(() => read(bookOfRows(table), true))).toEqual(text)
      counts['refused' in text ? 'refused' : 'read'] += 1
    }),
    { numRuns: scaled(200, 2_000), seed },
  )
  expect(counts.read).toBeGreaterThan(50)
}

const headersOf = (all: ReadonlyMap<string, { readonly header: string }>) =>
  [...all].map(([name, { header }]) => [name, header] as const)

const products = [
  {
    'product-id': '01995e0b-2a10-7d5c-b1a4-6f0e9c8d7b32',
    'product-name': 'Ação',
    'product-type': 'fitness',
  },
]

test('has the same members of an inclusion, with the same lines and warnings', async () => {
  const defaults = { companyTaxId: '12ABC34501DE35', startOption: undefined, sheet: undefined }
  await compare(tableOf(headersOf(INCLUSION_COLUMNS), ['tax-id']), (bytes) =>
    tablePayroll('a file', bytes, defaults, async () => products),
  )
})

test('has the same members of an exclusion, with the same lines and warnings', async () => {
  await compare(tableOf(headersOf(LEAVER_COLUMNS), ['tax-id']), (bytes) =>
    tableLeavers('a file', bytes, '12ABC34501DE35', { 'exclusion-reason': 'dismissal' }),
  )
})

test('has the same members of an alteration, with the same lines and warnings', async () => {
  const defaults = { companyTaxId: '12ABC34501DE35', sheet: undefined }
  await compare(tableOf(headersOf(ALTERATION_COLUMNS), ['tax-id']), (bytes) =>
    tableAlterations('a file', bytes, defaults, async () => products),
  )
})

test('has the same decisions, with the same lines and details', async () => {
  const always = ['enrollment-id', 'status', 'card-number', 'start-date', 'reason']
  const table = tableOf([], always).map(([header = [], ...rows]) => [header, ...rows])
  const openWorkbook = async (bytes: Buffer) => {
    const read = await readSheetLines({ bytes, sheet: undefined, folder: tmpdir() }, decisionColumns)
    if (read === 'too-many') throw new Error('too many lines')
    return read.lines
  }
  await compare(table, (bytes, isBook) => readDecisionFile({ format: isBook ? 'xlsx' : 'csv', bytes }, openWorkbook))
})
