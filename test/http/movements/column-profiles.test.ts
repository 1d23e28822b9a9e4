import { beforeAll, describe, expect, test } from 'vitest'
import { xlsxType } from '#platform/tables/media-type.ts'
import { bookOfRows } from '../../platform/tables/workbook.ts'
import { csv, holder, path, sendImport } from '../../world/import.ts'
import { type Company, expectOk, type Json, useTestApp } from '../../world/test-app.ts'

const testApp = useTestApp()
let company: Company
let profilePath: string

beforeAll(async () => {
  company = await testApp.company()
  profilePath = `/operator/v1/column-profile/${company.taxId}`
})

const put = (...columns: Json[]) => testApp.operator.put(profilePath, { columns })
const query = () => `?dry-run=true&company-tax-id=${company.taxId}`

/** Lines with the headings of a company. */
function ownTable(...lines: Json[]): string[][] {
  const own: Record<string, string> = { name: 'Funcionário', 'mothers-name': 'Mãe do funcionário', gender: 'M/F' }
  const columns = Object.keys(lines[0])
  return [columns.map((name) => own[name] ?? name), ...lines.map((line) => columns.map((name) => String(line[name])))]
}
const textOf = (table: string[][]) => table.map((cells) => cells.join(';')).join('\n')
const columns = [
  { heading: 'funcionario', field: 'name' },
  { heading: 'Mãe do funcionário', field: 'mothers-name' },
  { heading: 'M/F', field: 'gender' },
]

test('a refused import proposes the nearest columns for the headings that no import has', async () => {
  const text = textOf([
    ['CNPJ da empresa', 'CPF', 'Nomee', 'Nome da mae.', 'Observação'],
    ['1', '2', 'x', 'y', 'z'],
  ])
  const { status, body } = await sendImport(testApp.operator, text, { type: 'text/csv' })
  expect(status).toBe(400)
  expect(body.details).toEqual(expect.arrayContaining([expect.objectContaining({ field: 'name', code: 'missing' })]))
  expect(body.details.filter(({ code }: Json) => code === 'unknown')).toEqual([
    { field: 'Nomee', code: 'unknown', allowed: ['name'], message: 'Did you mean name?' },
    { field: 'Nome da mae.', code: 'unknown', allowed: ['mothers-name'], message: 'Did you mean mothers-name?' },
  ])
})

test('a first line of data is not repeated by proposals', async () => {
  const { body } = await sendImport(testApp.operator, 'Nomee;52998224725\n', { type: 'text/csv' })
  expect(JSON.stringify(body)).not.toMatch(/Nomee|52998224725/)
})

test('lines that name no company are of the one that is named beside the file, in a table and in JSON', async () => {
  const { 'company-tax-id': _, ...line } = holder(company)
  const table = textOf(ownTable(line))
  await put(...columns)
  const imported = await sendImport(testApp.operator, table, { type: 'text/csv', query: query() })
  expect(expectOk(imported).body).toMatchObject({ accepted: 1, rejected: 0 })
  expect((await sendImport(testApp.operator, table, { type: 'text/csv', query: '?dry-run=true' })).status).toBe(400)
  const inJson = { type: 'application/x-ndjson', query: query() }
  expect(expectOk(await sendImport(testApp.operator, JSON.stringify(line), inJson)).body.accepted).toBe(1)
  expect((await testApp.operator.delete(profilePath)).status).toBe(204)
})

describe('a column profile', () => {
  test('is read, replaced and deleted', async () => {
    const none = { 'company-tax-id': company.taxId, columns: [], values: [], 'last-updated-at': null }
    expect(expectOk(await testApp.operator.get(profilePath)).body.result).toEqual(none)
    const stored = expectOk(await put(...columns)).body.result
    expect(stored).toEqual({ ...none, columns, 'last-updated-at': expect.any(String) })
    expect(expectOk(await testApp.operator.get(profilePath)).body.result).toEqual(stored)
    expect((await testApp.operator.delete(profilePath)).status).toBe(204)
    expect((await testApp.operator.delete(profilePath)).status).toBe(204)
    expect(expectOk(await testApp.operator.get(profilePath)).body.result).toEqual(none)
  })

  test('is of a company that exists', async () => {
    const other = '/operator/v1/column-profile/11222333000181'
    expect((await testApp.operator.get(other)).status).toBe(404)
    expect((await testApp.operator.put(other, { columns })).status).toBe(404)
    expect((await testApp.operator.delete(other)).status).toBe(404)
    const line = csv([holder(company)])
    const options = { type: 'text/csv', query: '?company-tax-id=11222333000181' }
    expect((await sendImport(testApp.operator, line, options)).status).toBe(404)
  })

  test.for([
    ['a heading that imports have', { heading: ' nome da MAE', field: 'name' }, 'invalid'],
    ['the heading of errors', { heading: 'Erro', field: 'name' }, 'invalid'],
    ['a heading twice', { heading: 'FUNCIONÁRIO', field: 'gender' }, 'repeated'],
  ] as const)('does not take %s', async ([, one, code]) => {
    const { status, body } = await put(columns[0], one)
    expect([status, body.details]).toEqual([400, [{ field: 'columns[1].heading', code }]])
  })

  test('says what the headings of CSV and workbooks of its company stand for, and the import which ones', async () => {
    expectOk(await put(...columns))
    const table = ownTable(holder(company), holder(company, { gender: 'x' }))
    for (const [body, type] of [
      [textOf(table), 'text/csv'],
      [bookOfRows(table), xlsxType],
    ] as const) {
      expect((await sendImport(testApp.operator, body, { type })).status).toBe(400)
      const found = expectOk(await sendImport(testApp.operator, body, { type, query: query() })).body
      expect(found).toMatchObject({
        lines: 2,
        accepted: 1,
        errors: [{ line: 3, offenses: ['invalid-gender'] }],
        'column-profile': {
          'company-tax-id': company.taxId,
          columns: [
            { heading: 'Funcionário', field: 'name' },
            { heading: 'Mãe do funcionário', field: 'mothers-name' },
            { heading: 'M/F', field: 'gender' },
          ],
        },
      })
      expect(found).not.toHaveProperty('warnings')
      expect((await testApp.operator.get(`${path}/${found['import-id']}`)).body).toEqual(found)
      const { text } = await testApp.operator.get(`${path}/${found['import-id']}/error`, { accept: 'text/csv' })
      expect(text).toMatch(/Funcionário;.*;offenses;Erro\n.*;invalid-gender;.+\n$/)
    }
  })

  test('does nothing to a file without such headings, and is not applied to another company', async () => {
    expectOk(await put(...columns))
    const lines = csv([holder(company)])
    const found = expectOk(await sendImport(testApp.operator, lines, { type: 'text/csv', query: query() })).body
    expect(found).not.toHaveProperty('column-profile')
    const other = await testApp.company()
    const refused = await sendImport(testApp.operator, textOf(ownTable(holder(other))), {
      type: 'text/csv',
      query: `?company-tax-id=${other.taxId}`,
    })
    expect(refused.status).toBe(400)
  })

  test('gives a column only once: a heading beside the one of imports is refused', async () => {
    expectOk(await put(...columns))
    const lines = [holder(company, { Funcionário: 'x' })]
    const { status, body } = await sendImport(testApp.operator, csv(lines), { type: 'text/csv', query: query() })
    expect([status, body.details]).toMatchObject([400, [{ field: 'header', code: 'repeated' }]])
  })
})
