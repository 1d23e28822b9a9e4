import { beforeAll, expect, test } from 'vitest'
import { xlsxType } from '#platform/tables/media-type.ts'
import { readViolations } from '../../crash/invariants.ts'
import { bookOf, rowOf, textCell } from '../../platform/tables/workbook.ts'
import { contractBody } from '../../world/contract.ts'
import { csv, discrepanciesOf, linesOf, reconcile, sendFile, upload, type Upload } from '../../world/carrier-file.ts'
import { insertPriced, planCode, pricedContract, putBands } from '../../world/price.ts'
import { type Company, expectOk, health, type Json, useTestApp } from '../../world/test-app.ts'

const testApp = useTestApp({ VIGENCIA_BUSINESS_DATE: '2026-11-20' })

let company: Company
let contractId: string
const people: { name: string; cpf: string }[] = []

beforeAll(async () => {
  company = await testApp.company()
  contractId = (await pricedContract(testApp, company))['contract-id']
  await putBands(testApp, contractId)
  for (const [name, born] of [
    ['Helena Souza', '1988-03-03'],
    ['Otávio Lima', '2015-05-05'],
  ] as const) {
    const { memberId } = await insertPriced(testApp, company, { name, born })
    const [row] = await testApp.sql<{ cpf: string }>('select tax_id as cpf from member where id = $1', [memberId])
    people.push({ name, cpf: row?.cpf ?? '' })
  }
})

// 741.63 and 412.35
const charges = () =>
  people.map(({ name, cpf }, index) => ({ 'tax-id': cpf, name, amount: index === 0 ? '741,63' : '412,35' }))
const all = 115_398

/** A reconciliation of an invoice, with its lines and discrepancies. */
async function compare(bytes: string | Buffer, more: Partial<Upload> = {}) {
  const file = await upload(testApp, { contractId, kind: 'invoice', ...more }, bytes)
  expect(file).toMatchObject({ status: 'read' })
  const result = await reconcile(testApp, file['file-id'])
  const found = await discrepanciesOf(testApp, result['reconciliation-id'])
  return {
    file,
    lines: await linesOf(testApp, file['file-id']),
    totals: [result['carrier-total'], result['expected-total'], result.discrepancy],
    found: found.map((one): unknown[] => [one.class, one['line-number'], one.amount, one.status]),
  }
}

test.each<[string, Json]>([
  ['a label in the column of the CPF', { 'tax-id': 'TOTAL', amount: '1.153,98' }],
  ['a label in the column of the name', { name: 'Total geral', amount: '1153,98' }],
  ['a label in the column of the card', { 'card-number': 'Subtotal', amount: '1153,98' }],
  ['a label in the column of the birth date', { 'date-of-birth': 'Soma', amount: '1153,98' }],
  ['a label in a column of another language', { 'entry-type': 'Totais:', amount: '1153,98' }],
  ['a label in a column that the layout lacks', { observação: 'TOTAL DA FATURA 11/2026', amount: '1153,98' }],
  ['the amount alone', { amount: '1153,98' }],
])('a row of totals with %s is no charge, checks the sum and is shown', async (_, row) => {
  const { file, lines, totals, found } = await compare(csv([...charges(), row]))
  expect([totals, found]).toEqual([[all, all, 0], []])
  expect(file).toMatchObject({
    lines: 3,
    'refused-lines': 0,
    'declared-total': all,
    'computed-total': all,
    'total-differs': 0,
  })
  expect(file.matches).toMatchObject({ total: 1, unmatched: 0 })
  expect(lines[2]).toMatchObject({ kind: 'total', amount: null, 'stated-total': all, 'summed-total': all, name: null })
})

test('a row of totals that is not the sum of its lines is told, once', async () => {
  const { totals, found, file } = await compare(csv([...charges(), { 'tax-id': 'TOTAL', amount: '1.154,98' }]))
  expect(totals).toEqual([all, all, 0])
  expect(found).toEqual([['total-differs', 4, 100, 'open']])
  expect(file).toMatchObject({ 'declared-total': all + 100, 'total-differs': 100 })
})

test('several subtotals and a total are no charges', async () => {
  const [one = {}, other = {}] = charges()
  const rows = [
    one,
    { name: 'Subtotal filial 1', amount: '741,63' },
    other,
    { name: 'Subtotal filial 2', amount: '412,35' },
    { name: 'TOTAL', amount: '1153,98' },
  ]
  const { totals, found, lines } = await compare(csv(rows))
  expect([totals, found]).toEqual([[all, all, 0], []])
  expect(lines.map(({ kind }) => kind)).toEqual(['person', 'total', 'person', 'total', 'total'])
})

test('the last row of a workbook with a sum is no charge', async () => {
  const cells = charges().map((row) => [row['tax-id'], row.name, row.amount].map(textCell))
  const sum = `<c><f>SUM(C2:C3)</f><v>1153.98</v></c>`
  const rows = [['tax-id', 'name', 'amount'].map(textCell), ...cells, [textCell(''), textCell(''), sum]]
  const bytes = bookOf({ sheets: [{ xml: rows.map((row) => rowOf(row)).join('') }] })
  const { totals, found } = await compare(bytes, { layout: 'generic-xlsx-invoice', type: xlsxType })
  expect([totals, found]).toEqual([[all, all, 0], []])
})

test('a row of totals in a file of fixed width is no charge, nor is one of no record', async () => {
  const layout = expectOk(
    await testApp.operator.post('/operator/v1/layout', {
      name: 'Fixed width with totals',
      direction: 'invoice',
      definition: {
        format: 'fixed-width',
        'record-length': 52,
        records: [
          {
            name: 'person',
            match: { at: 1, length: 1, equals: '3' },
            columns: [
              { at: 2, length: 11, target: 'person.tax-id' },
              { at: 13, length: 30, target: 'person.name' },
              { at: 43, length: 10, target: 'invoice.amount', format: 'money:cents' },
            ],
          },
        ],
      },
    }),
  ).body.result
  const line = (first: string, cpf: string, name: string, cents: number) =>
    `${first}${cpf.padEnd(11)}${name.padEnd(30)}${String(cents).padStart(10, '0')}\n`
  const bytes = [
    line('3', people[0]?.cpf ?? '', 'HELENA SOUZA', 74_163),
    line('3', people[1]?.cpf ?? '', 'OTAVIO LIMA', 41_235),
    line('3', '', 'TOTAL DA FATURA', all),
    line('9', '', 'TOTAL GERAL', all),
  ].join('')
  const { totals, found, file } = await compare(bytes, { layout: layout['layout-id'], type: 'text/plain' })
  expect([totals, found]).toEqual([[all, all, 0], []])
  expect(file).toMatchObject({ 'refused-lines': 0, 'declared-total': all })
})

test.each<[string, Json, string]>([
  ['a CPF that cannot be read', { 'tax-id': '123.456', amount: '500,00' }, 'charged-unknown'],
  [
    'a masked CPF and an unknown name',
    { 'tax-id': '***.982.247-**', name: 'Ana', amount: '500,00' },
    'charged-unknown',
  ],
  ['the type of a person and nobody', { 'entry-type': 'monthly', amount: '500,00' }, 'charged-unknown'],
  ['the type of a person with a code and nobody', { 'entry-code': '01', amount: '500,00' }, 'charged-unknown'],
  ['only an amount that is no sum', { amount: '500,00' }, 'charged-unknown'],
  [
    'what somebody used who is unknown',
    { 'entry-type': 'coparticipation', name: 'Ninguém', amount: '500,00' },
    'charged-unknown',
  ],
  [
    'a fee of somebody who is unknown',
    { 'entry-type': 'fee', 'card-number': '77', amount: '500,00' },
    'charged-unknown',
  ],
  ['a fee that the contract does not name', { 'entry-type': 'fee', amount: '500,00' }, 'fee-unknown'],
  ['a tax that the contract does not name', { 'entry-type': 'tax', amount: '500,00' }, 'fee-unknown'],
  [
    'another entry that the contract does not name',
    { 'entry-type': 'other', name: 'TARIFA', amount: '500,00' },
    'fee-unknown',
  ],
  ['a debit of nobody', { 'entry-type': 'adjustment-debit', amount: '500,00' }, 'fee-unknown'],
])('a line with %s is told and never expected', async (_, row, name) => {
  const { totals, found } = await compare(csv([...charges(), row]))
  expect(totals).toEqual([all + 50_000, all, 50_000])
  expect(found).toEqual([[name, 4, 50_000, 'open']])
})

test('a CPF that cannot be read is a problem of its line, which another number may still match', async () => {
  await testApp.sql(
    `update benefit set card_number = '9000 1' where company_id = $1 and member_id = (
    select id from member where company_id = $1 and name = 'Helena Souza')`,
    [company.id],
  )
  const [, other = {}] = charges()
  const row = { 'tax-id': '***.982.247-**', 'card-number': '90001', amount: '741,63' }
  const { lines, found, file } = await compare(csv([row, other]))
  expect(found).toEqual([])
  expect(file['refused-lines']).toBe(0)
  expect(lines[0]).toMatchObject({
    'matched-by': 'card-number',
    problems: [{ column: 'tax-id', target: 'person.tax-id', code: 'invalid' }],
  })
  expect(JSON.stringify(lines)).not.toContain('982.247')
  for (const nothing of ['', '-', '0', '000.000.000-00', 'N/A']) {
    const read = await compare(
      csv([
        { ...row, 'tax-id': nothing },
        { ...other, 'entry-code': nothing },
      ]),
    )
    expect([nothing, read.lines[0]?.problems]).toEqual([nothing, []])
  }
})

test('a file without the headings that name a person is refused before anything is stored', async () => {
  const kept = await testApp.sql('select count(*)::int as files from carrier_file')
  for (const heading of ['amount', 'Preço']) {
    const rows = charges().map(({ 'tax-id': cpf, amount }) => ({ Documento: cpf, [heading]: amount }))
    const { status, body } = await sendFile(testApp, { contractId, kind: 'invoice' }, csv(rows))
    expect([status, body.details[0].message]).toEqual([400, expect.stringContaining('tax-id')])
  }
  expect(await testApp.sql('select count(*)::int as files from carrier_file')).toEqual(kept)
})

test('fees that the contract names are expected, up to what it says', async () => {
  const fees = [
    { 'entry-type': 'fee', 'entry-code': '51', amount: 4500, name: 'Taxa de administração' },
    { 'entry-type': 'tax' },
  ]
  const body = contractBody(company, {
    plans: [{ 'product-id': company.products[health], 'carrier-plan-code': planCode }],
    'age-on': 'month-after-birthday',
    proration: 'none',
  })
  const path = `/operator/v1/contract/${contractId}`
  const stored = expectOk(await testApp.operator.put(path, { ...body, 'contract-fees': fees })).body.result
  expect(stored['contract-fees']).toEqual([fees[0], { ...fees[1], 'entry-code': null, amount: null, name: null }])
  const rows = [
    { 'entry-type': 'fee', 'entry-code': '51', name: 'TAXA DE ADMINISTRAÇÃO', amount: '46,00' },
    { 'entry-type': 'tax', amount: '7,38' },
    { 'entry-type': 'fee', 'entry-code': '52', amount: '1,00' },
  ]
  const { totals, found, lines } = await compare(csv([...charges(), ...rows]))
  expect(totals).toEqual([all + 5438, all + 4500 + 738, 200])
  expect(found).toEqual([
    ['fee-unknown', 4, 100, 'open'],
    ['fee-unknown', 6, 100, 'open'],
  ])
  expect(lines.map(({ kind }) => kind)).toEqual(['person', 'person', 'entry', 'entry', 'entry'])
  const repeated = await testApp.operator.put(path, { ...body, 'contract-fees': [fees[1], fees[1]] })
  expect([repeated.status, repeated.body.details]).toMatchObject([
    400,
    [{ field: 'contract-fees[1].entry-type', code: 'repeated' }],
  ])
  expectOk(await testApp.operator.put(path, body))
})

test('a closing is not done with a line of nobody, and its cost has no total twice', async () => {
  const checklist = async () =>
    expectOk(
      await testApp.operator.get(
        `/operator/v1/closing/checklist?company-tax-id=${company.taxId}&reference-month=2026-11`,
      ),
    ).body.result
  await compare(csv([...charges(), { amount: '499,00' }]))
  expect((await checklist()).checklist).toMatchObject({ invoice: 'open' })
  await compare(csv([...charges(), { name: 'TOTAL GERAL DA FATURA', amount: '1153,98' }]))
  expect((await checklist()).checklist).toMatchObject({ invoice: 'done' })
  const cost = expectOk(
    await testApp.operator.get(`/operator/v1/company/${company.taxId}/cost?reference-month=2026-11`),
  ).body
  expect(cost.totals).toMatchObject({ total: all })
})

test('a roster’s row of totals is nobody', async () => {
  const rows = charges().map((row) => ({ ...row, amount: '' }))
  const file = await upload(testApp, { contractId }, csv([...rows, { 'tax-id': 'TOTAL', name: '2 vidas' }]))
  expect(file.matches).toMatchObject({ total: 1, unmatched: 0 })
  const result = await reconcile(testApp, file['file-id'])
  expect(result.counts).toEqual([])
})

test('a line of co-participation with a total is no charge of anybody', async () => {
  const file = await sendFile(
    testApp,
    { contractId, kind: 'coparticipation' },
    csv([...charges(), { 'tax-id': 'TOTAL', amount: '1153,98' }]),
  )
  const { result } = expectOk(
    await testApp.operator.get(`/operator/v1/carrier-file/${file.body.result['file-id']}`),
  ).body
  expect(result).toMatchObject({ 'computed-total': all, 'declared-total': all })
})

test('a carrier’s total is the sum of its lines, and no total is a charge', async () => {
  expect(await readViolations(testApp.sql)).toEqual({})
})
