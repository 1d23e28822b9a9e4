import { parse } from 'csv-parse/sync'
import { beforeAll, describe, expect, test } from 'vitest'
import { tmpdir } from 'node:os'
import { fromSpreadsheetCell } from '#kernel/spreadsheet-cell.ts'
import { xlsxType } from '#platform/tables/media-type.ts'
import { textOf } from '#platform/tables/rows.ts'
import { openSheet } from '#platform/tables/xlsx/sheet.ts'
import { csvLine } from '#platform/tables/write.ts'
import {
  type Client,
  dependent,
  expectOk,
  health,
  type Json,
  premium,
  primary,
  useTestApp,
  useCompany,
} from '../../world/test-app.ts'
import { upload } from '../../world/upload.ts'

const testApp = useTestApp()
const path = '/operator/v1/enrollment/export'
const { company, partner } = useCompany(testApp)
let analyst: Client

beforeAll(async () => {
  analyst = await testApp.operatorOf('analyst')
})

/** The export as a spreadsheet program reads it: rows by column. */
async function read(query: Record<string, string> = {}): Promise<Record<string, string>[]> {
  const text = new URLSearchParams({ 'company-tax-id': company.taxId, ...query }).toString()
  const response = expectOk(await analyst.get(`${path}?${text}`))
  return parse(response.text, { columns: true, delimiter: ';', record_delimiter: '\r\n', bom: true })
}

test('is CSV with a byte order mark, enrollment-id first, as an attachment that is not stored', async () => {
  const response = await fetch(`${testApp.url}${path}?q=nobody-has-that`, {
    headers: { authorization: `Bearer ${analyst.token}` },
  })
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(response.headers.get('content-disposition')).toBe('attachment; filename="enrollments.csv"')
  expect(response.headers.get('cache-control')).toBe('no-store')
  const bytes = Buffer.from(await response.arrayBuffer())
  expect(bytes.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]))
  const text = bytes.subarray(3).toString()
  expect(text).toMatch(/^enrollment-id;[a-z;-]+\r\n$/)
})

test('has what a carrier needs of an inclusion: registration data, product, company, dates and documents', async () => {
  const document = await upload(partner)
  const mother = primary({
    name: 'Lúcia; "a" Prado',
    salary: 523_000,
    phone: '(11) 98765-4321',
    'address-city': 'São Paulo',
    'bank-account-number': '-12345',
    documents: [{ 'document-id': document, 'document-type': 'rescission' }],
    reference: '=1+1',
  })
  const child = dependent(mother['tax-id'], { 'dependency-date': '2026-11-20' })
  await testApp.include(partner, company, [mother, child])
  const [row] = await read({ 'member-tax-id': mother['tax-id'] })
  expect(row).toMatchObject({
    'enrollment-type': 'inclusion',
    status: 'created',
    'company-tax-id': company.taxId,
    'company-name': 'Metalúrgica Serra Azul S.A.',
    'carrier-name': 'Operadora Aurora',
    'product-name': health,
    'product-type': 'health-insurance',
    'start-date': '2026-11-23',
    'end-date': '',
    'member-type': 'primary',
    'member-tax-id': mother['tax-id'],
    'member-name': 'Lúcia; "a" Prado',
    name: 'Lúcia; "a" Prado',
    'mothers-name': mother['mothers-name'],
    'date-of-birth': '1990-05-17',
    gender: 'female',
    'admission-date': '2026-11-02',
    salary: '523000',
    phone: '11987654321',
    'address-city': 'São Paulo',
    'bank-account-number': "'-12345",
    reference: "'=1+1",
    documents: `rescission:${document}`,
  })
  const [theirs] = await read({ 'member-tax-id': child['tax-id'] })
  expect(theirs).toMatchObject({
    'member-type': 'dependent',
    'primary-member-tax-id': mother['tax-id'],
    'dependent-type': 'child',
    'dependency-date': '2026-11-20',
  })
})

test('shows an exclusion with its reason and the card, and an alteration with the data as they will be', async () => {
  const member = primary({ 'email-private': 'old@example.com' })
  const request = await testApp.include(partner, company, [member])
  const id = request['status-by-tax-id'][member['tax-id']][health]['enrollment-id']
  const body = { status: 'completed', 'card-number': '0045 1120' }
  expectOk(await testApp.operator.post(`/operator/v1/enrollment/${id}/transition`, body))
  const alteration = { 'new-product-id': company.products[premium], email: 'new@example.com', name: 'Nome Novo' }
  expectOk(await partner.post(`/v1/enrollment/alteration/${member['tax-id']}`, { 'alteration-data': alteration }))
  const [altered] = await read({ 'member-tax-id': member['tax-id'], 'enrollment-type': 'alteration' })
  expect(altered).toMatchObject({
    'product-name': premium,
    'card-number': '0045 1120',
    'start-date': '2026-11-23',
    'member-name': member['name'],
    name: 'Nome Novo',
    'email-private': 'new@example.com',
    'mothers-name': member['mothers-name'],
  })
  expect(altered).not.toHaveProperty('email')

  const leaving = primary()
  await testApp.include(partner, company, [leaving], '?resolution=approve')
  const details = {
    'end-date': '2026-11-30',
    'exclusion-reason': 'other',
    'exclusion-reason-details': '@home\nnext line',
  }
  const url = `/v1/enrollment/exclusion/${leaving['tax-id']}/product/${company.products[health]}`
  expectOk(await partner.post(url, { 'exclusion-details': details }))
  const [excluded] = await read({ 'member-tax-id': leaving['tax-id'], 'enrollment-type': 'exclusion' })
  expect(excluded).toMatchObject({
    status: 'scheduled',
    'end-date': '2026-11-30',
    'due-date': '2026-11-30',
    'exclusion-reason': 'other',
    'exclusion-reason-details': "'@home\nnext line",
    'extension-plan': 'false',
  })
})

test('has every enrollment that the filters select, in the order of the queue, and no pages', async () => {
  const other = await testApp.company()
  const by = await testApp.partner(other.taxId)
  await testApp.include(
    by,
    other,
    Array.from({ length: 230 }, (_, n) => primary({ name: `Pessoa ${n}` })),
  )
  const query = { 'company-tax-id': other.taxId }
  const rows = await read(query)
  const text = new URLSearchParams({ ...query, 'items-per-page': '500' }).toString()
  const queue = expectOk(await analyst.get(`/operator/v1/enrollment?${text}`)).body.result
  expect(rows.map((row) => row['enrollment-id'])).toEqual(queue.map((item: Json) => item.id))
  expect(rows).toHaveLength(230)
  expect((await read({ ...query, q: 'pessoa 22' })).map((row) => row['member-name'])).toHaveLength(11)
  expect(await read({ ...query, status: 'completed' })).toEqual([])
})

test('400 for pages, unknown values and names; 403 for finance; HEAD reads nothing', async () => {
  for (const query of ['page=1', 'items-per-page=5', 'status=creatd', 'format=csv', 'q=ab']) {
    expect([query, (await analyst.get(`${path}?${query}`)).status]).toEqual([query, 400])
  }
  expect((await (await testApp.operatorOf('finance')).get(path)).status).toBe(403)
  const head = await testApp.call('HEAD', path, { token: analyst.token })
  expect([head.status, head.headers.get('content-type'), head.text]).toEqual([200, 'text/csv; charset=utf-8', ''])
})

describe('a line', () => {
  test.each([
    [['a', null, ''], 'a;;'],
    [['a;b', 'say "x"', 'two\nlines', 'cr\rin'], '"a;b";"say ""x""";"two\nlines";"cr\rin"'],
    [['=1+1', '+55', '-1', '@x', '\ttab', '\rcr', "'x"], `'=1+1;'+55;'-1;'@x;"'\ttab";"'\rcr";'x`],
    [['a=1', ' =1', '1-1'], 'a=1; =1;1-1'],
    [['＝1', '＋1', '－1', '＠x', 'Ana,=1+1', "'=1"], `'＝1;'＋1;'－1;'＠x;"Ana,'=1+1";''=1`],
  ])('%j', (cells, line) => expect(csvLine(cells)).toBe(line))
})

test('with `language=pt-BR` has Portuguese headings and words, days and amounts of Brazil', async () => {
  const member = primary({ name: 'Português', salary: 523_005, disabled: true, 'marital-status': 'married' })
  await testApp.include(partner, company, [member])
  const query = `q=portugu%C3%AAs&company-tax-id=${company.taxId}&language=pt-BR`
  const response = expectOk(await analyst.get(`${path}?${query}`))
  expect(response.headers.get('content-disposition')).toBe('attachment; filename="movimentacoes.csv"')
  const options = { columns: true, delimiter: ';', record_delimiter: '\r\n', bom: true } as const
  const [row] = parse<Record<string, string>>(response.text, options)
  const cpf: string = member['tax-id']
  expect(row).toMatchObject({
    'Tipo de movimentação': 'Inclusão',
    Situação: 'Recebida',
    'Papel na movimentação': 'Titular',
    CPF: `${cpf.slice(0, 3)}.${cpf.slice(3, 6)}.${cpf.slice(6, 9)}-${cpf.slice(9)}`,
    'Data de nascimento': member['date-of-birth'].split('-').toReversed().join('/'),
    'Estado civil': 'Casado(a)',
    Salário: '5230,05',
    'Criado em': expect.stringMatching(/^\d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d$/),
  })
  expect(response.text).not.toMatch(/;(true|false|\d{4}-\d\d-\d\d);/)
})

test('with `Accept` of XLSX is a workbook with the same rows, and days as days', async () => {
  await testApp.include(partner, company, [primary({ name: '=Ana' })])
  const query = `company-tax-id=${company.taxId}`
  const lines = await read()
  const response = await fetch(`${testApp.url}${path}?${query}`, {
    headers: { authorization: `Bearer ${analyst.token}`, accept: xlsxType },
  })
  expect(response.headers.get('content-type')).toBe(xlsxType)
  expect(response.headers.get('content-disposition')).toBe('attachment; filename="enrollments.xlsx"')
  const bytes = Buffer.from(await response.arrayBuffer())
  const columns = { columnOf: (name: string) => ({ name, parse: String }), required: ['enrollment-id'] }
  const sheet = await openSheet({ bytes, sheet: undefined, folder: tmpdir() }, columns)
  if ('error' in sheet.header) throw new Error('the workbook has no header')
  const { names } = sheet.header
  const rows: Record<string, string>[] = []
  for (let row = sheet.rows.next(); row !== null; row = sheet.rows.next()) {
    rows.push(Object.fromEntries(names.map((name, index) => [name, textOf(row?.cells?.[index] ?? '')])))
  }
  sheet.close()
  const unescaped = lines.map((line) =>
    Object.fromEntries(Object.entries(line).map(([name, cell]) => [name, fromSpreadsheetCell(cell)])),
  )
  expect(rows).toEqual(unescaped)
})
