import { beforeAll, describe, expect, test } from 'vitest'
import { xlsxType } from '#platform/tables/media-type.ts'
import { bookOf, numberCell, rowOf, textCell } from '../../platform/tables/workbook.ts'
import { csv as invoiceOf, linesOf, upload } from '../../world/carrier-file.ts'
import { csv, holder, sendImport } from '../../world/import.ts'
import { pricedContract } from '../../world/price.ts'
import {
  act,
  enroll,
  itemsOf,
  moved,
  openShipmentOf,
  openShipper,
  type Shipper,
  shipmentPath,
} from '../../world/shipment.ts'
import { expectOk, type Json, nextCpf, primary, until, useTestApp } from '../../world/test-app.ts'

/* Values as spreadsheets, payrolls and carriers write them: what can mean one thing only is read as that. */

const testApp = useTestApp({ VIGENCIA_BUSINESS_DATE: '2026-11-20' })
let shipper: Shipper
beforeAll(async () => {
  shipper = await openShipper(testApp)
})

const registrationOf = async (taxId: string): Promise<Json> => {
  const [row] = await testApp.sql('select * from member where tax_id = $1', [taxId])
  return row
}

test('cells of a workbook are read as they are shown: codes with their zeros, money to the cent; hidden sheets are named', async () => {
  const taxIds = [nextCpf(), nextCpf()]
  const headings = ['employee-id', 'address-postal-code', 'bank-branch-number', 'Salário']
  const texts = taxIds.map((taxId) => holder(shipper.company, { 'tax-id': taxId }))
  const header = rowOf([...Object.keys(texts[0] ?? {}), ...headings].map(textCell))
  // The style is the index of the format below.
  const numbers = [
    [numberCell(123, 0), numberCell(1_310_100, 1), numberCell(1, 2), numberCell('1234.565', 3)],
    [numberCell(124, 0), numberCell(1_310_100, 1), numberCell(1, 2), numberCell('1234.565', 4)],
  ]
  const rows = texts.map((one, n) =>
    rowOf([...Object.values(one).map((text) => textCell(String(text))), ...(numbers[n] ?? [])]),
  )
  const bytes = bookOf({
    sheets: [
      { name: 'Vidas', xml: header + rows.join('') },
      { name: 'Rascunho', state: 'hidden', xml: header + rows.join('') },
    ],
    styles: ['000000', '00000-000', '0000', '#,##0.00', '#,##0'],
  })
  const { body } = expectOk(await sendImport(testApp.operator, bytes, { type: xlsxType }))
  expect(body).toMatchObject({ accepted: 2, rejected: 0, 'sheets-not-read': ['Rascunho'] })
  // The second amount is shown without the cents that it has.
  expect(body.warnings).toMatchObject([{ warning: 'amount-rounded', field: 'Salário', line: 3 }])
  expect(expectOk(await shipper.partner.get('/v1/member?filter=employee-id%3D000123')).body.result).toHaveLength(1)
  const stored = await Promise.all(taxIds.map(registrationOf))
  expect(stored.map(({ salary }) => String(salary))).toEqual(['123457', '123500'])
  for (const one of stored) expect(JSON.stringify(one)).toMatch(/"01310100".*"0001"|"0001".*"01310100"/)
})

describe('an import', () => {
  test.each([
    ['a day with midnight', { 'date-of-birth': '28/02/1987 00:00:00' }, '1987-02-28'],
    ['a day with dashes', { 'date-of-birth': '28-02-1987' }, '1987-02-28'],
    ['a postal code with a dot', { 'address-postal-code': '01.310-100' }, '"01310100"'],
    ['a phone with a zero before its area', { phone: '011 98765-4321' }, '"11987654321"'],
    ['a phone with the code of the country', { phone: '5511987654321' }, '"11987654321"'],
  ])('takes %s', async (_, values, right) => {
    const line = holder(shipper.company, values)
    const body = csv([line])
    expect(expectOk(await sendImport(testApp.operator, body, { type: 'text/csv' })).body).toMatchObject({
      accepted: 1,
      errors: [],
    })
    const stored = JSON.stringify(await registrationOf(String(line['tax-id'])))
    expect(stored).toContain(right)
  })

  test('takes a CPF that has its last hyphen only', async () => {
    const taxId = nextCpf()
    const line = holder(shipper.company, { 'tax-id': `${taxId.slice(0, 9)}-${taxId.slice(9)}` })
    expect(expectOk(await sendImport(testApp.operator, csv([line]), { type: 'text/csv' })).body).toMatchObject({
      accepted: 1,
    })
    expect(await registrationOf(taxId)).toBeDefined()
  })

  test('is read where its type is that of an old workbook, as browsers send a CSV beside Excel', async () => {
    const body = csv([holder(shipper.company)])
    const sent = await sendImport(testApp.operator, body, { type: 'application/vnd.ms-excel' })
    expect(expectOk(sent).body).toMatchObject({ accepted: 1, errors: [] })
  })
})

test('CSV under the type of an old workbook is read in every file of lines; a workbook under it is refused', async () => {
  const type = 'application/vnd.ms-excel'
  const line = '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21;broker-processing'
  const decide = (bytes: string | Buffer) =>
    testApp.operator.post('/operator/v1/enrollment/decision', bytes, { 'content-type': type, prefer: 'wait=60' })
  expect(expectOk(await decide(`enrollment-id;status\r\n${line}\r\n`)).body).toMatchObject({ lines: 1, rejected: 1 })
  const old = await decide(Buffer.from('d0cf11e0a1b11ae10000', 'hex'))
  expect([old.status, old.body.details[0].field]).toEqual([400, 'file'])
  const file = await upload(
    testApp,
    { contractId: shipper.contractId, type },
    'tax-id;name\r\n52998224725;Ana Lima\r\n',
  )
  expect(file).toMatchObject({ lines: 1, 'refused-lines': 0 })
})

test('an invoice has credits with the sign before, behind and as parentheses', async () => {
  const contractId = (await pricedContract(testApp, await testApp.company(), { 'contract-number': '900777' }))[
    'contract-id'
  ]
  const amounts = ['123,45-', '(123,45)', '-123,45']
  const rows = amounts.map((amount) => ({ 'tax-id': nextCpf(), name: 'Ana Lima', amount }))
  const file = await upload(testApp, { contractId, kind: 'invoice' }, invoiceOf(rows))
  expect(file).toMatchObject({ lines: 3, 'refused-lines': 0 })
  expect((await linesOf(testApp, file['file-id'])).map(({ amount }) => amount)).toEqual([-12_345, -12_345, -12_345])
})

test('words for nothing are no card numbers of an acknowledgement', async () => {
  const members = [primary(), primary(), primary()]
  await enroll(testApp, shipper, members)
  const id = await openShipmentOf(testApp, shipper.contractId)
  expectOk(await act(testApp, id, 'close'))
  expectOk(await act(testApp, id, 'send'))
  await moved(testApp, id)
  const cards = ['0', '-', 'N/A']
  const lines = members.map((one, index) => `${one['tax-id']};Aceito;${cards[index]}`)
  const body = `CPF;Situação;Carteirinha\r\n${lines.join('\r\n')}\r\n`
  const type = { 'content-type': 'text/csv', prefer: 'wait=60' }
  expectOk(await testApp.operator.post(`${shipmentPath}/${id}/acknowledgement`, body, type))
  const items = await until(
    () => itemsOf(testApp, id),
    (found) => found.every((one: Json) => one.outcome !== null),
  )
  expect(items).toHaveLength(3)
  const shown = await testApp.sql('select card_number from benefit where card_number is not null')
  expect(shown).toEqual([])
})
