import { expect, test } from 'vitest'
import { xlsxType } from '#platform/tables/media-type.ts'
import { partOf } from '../../platform/tables/workbook.ts'
import { insertPriced } from '../../world/price.ts'
import { type Client, expectOk, useTestApp } from '../../world/test-app.ts'
import { chargedLines, invoiceOf, openValeClaro, valeClaroDay, type ValeClaro } from '../../world/vale-claro.ts'

/* The charges of a contract, or of a company, as CSV and XLSX. */

const testApp = useTestApp({ VIGENCIA_BUSINESS_DATE: valeClaroDay })

const ofContract = ({ contractId }: ValeClaro, month = '2027-01') =>
  `/operator/v1/contract/${contractId}/charge?reference-month=${month}&items-per-page=1`
const ofCompany = ({ company }: ValeClaro, month = '2027-01') =>
  `/v1/company/${company.taxId}/charge?reference-month=${month}&items-per-page=1`

async function fileOf({ token }: Client, path: string, accept: string, language = 'pt-BR') {
  const headers = { authorization: `Bearer ${token}`, accept, 'accept-language': language }
  const response = await fetch(testApp.url + path, { headers })
  return { response, bytes: Buffer.from(await response.arrayBuffer()) }
}

const linesOf = (bytes: Buffer): string[][] =>
  bytes
    .toString()
    .split('\r\n')
    .slice(0, -1)
    .map((line) =>
      Array.from(line.matchAll(/(?:^|;)(?:"((?:[^"]|"")*)"|([^;]*))/g), ([, quoted, bare]) => quoted ?? bare ?? ''),
    )

test('the file has all that the filters select, in the words and forms of Brazil, and adds up to the list', async () => {
  const one = await openValeClaro(testApp)
  await insertPriced(testApp, one.company, { name: '=HYPERLINK("http://x")', born: '1990-01-01' })
  const { response, bytes } = await fileOf(testApp.operator, ofContract(one), 'text/csv')
  expect([response.status, response.headers.get('content-disposition')]).toEqual([
    200,
    'attachment; filename="cobrancas-2027-01.csv"',
  ])
  const [header, ...rows] = linesOf(bytes)
  expect(header?.slice(0, 3)).toEqual(['\ufeffCompetência', 'Base do valor', 'Operadora'])
  const at = (name: string) => header?.indexOf(name) ?? -1
  const { totals, pagination } = expectOk(await testApp.operator.get(ofContract(one))).body
  expect(rows).toHaveLength(pagination['total-items'])
  const sum = rows.reduce((total, row) => total + Number(row[at('Valor cobrado')]?.replace(',', '')), 0)
  expect(sum).toBe(totals.amount)
  const marcio = rows.find((row) => row[at('Nome do beneficiário')] === 'Márcio Delgado Furtado')
  expect(marcio).toEqual(expect.arrayContaining(['01/2027', 'Previsão', 'Titular', '829,53', '-580,67', '01/01/2020']))
  expect(rows.some((row) => row[at('Nome do beneficiário')]?.startsWith("'=HYPERLINK"))).toBe(true)
  expect(marcio?.at(-1)).toMatch(/exclusão pedida em/)
  for (const cpf of Object.values(one.cpfs)) expect(bytes.toString()).not.toContain(cpf)
  const some = await fileOf(testApp.operator, `${ofContract(one)}&cause=age-band`, 'text/csv', 'en')
  const [names, ...teresa] = linesOf(some.bytes)
  expect([names?.[1], teresa.map((row) => [row[1], row[13]])]).toEqual(['basis', [['Forecast', '45516']]])
})

test('a workbook has numbers in reais; that of a company has nothing of the contract', async () => {
  const one = await openValeClaro(testApp)
  await invoiceOf(testApp, one, '2027-01', [...chargedLines(one), { amount: '35,00', 'entry-type': 'fee' }])
  const operators = await fileOf(testApp.operator, ofContract(one), xlsxType)
  expect(operators.response.headers.get('content-type')).toBe(xlsxType)
  const { response, bytes } = await fileOf(one.partner, ofCompany(one), xlsxType)
  expect([response.status, response.headers.get('content-disposition')]).toEqual([
    200,
    'attachment; filename="cobrancas-2027-01.xlsx"',
  ])
  const sheets = await Promise.all([operators.bytes, bytes].map((file) => partOf(file, 'xl/worksheets/sheet1.xml')))
  const [whole = '', shown = ''] = sheets
  for (const sheet of sheets) {
    expect(sheet).toContain('<v>829.53</v>')
    expect(sheet).toContain('Fatura')
    for (const cpf of Object.values(one.cpfs)) expect(sheet).not.toContain(cpf)
  }
  expect(whole).toContain('Número do contrato')
  expect(shown).not.toContain('Número do contrato')
  const rowsOf = (sheet: string) => sheet.split('<row ').length
  expect(rowsOf(shown)).toBe(rowsOf(whole))
})

test('without a client that sees money there is no file', async () => {
  const one = await openValeClaro(testApp)
  await testApp.sql('update entitlement set see_money = false where company_id = $1', [one.company.id])
  for (const accept of ['text/csv', xlsxType]) {
    const { response, bytes } = await fileOf(one.partner, ofCompany(one), accept)
    expect([response.status, JSON.parse(bytes.toString()).code]).toEqual([403, 'not-entitled'])
  }
})
