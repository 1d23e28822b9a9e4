import { beforeAll, expect, test } from 'vitest'
import { bookOf, zipOf } from '../../platform/tables/workbook.ts'
import { act, enroll, moved, openShipmentOf, openShipper, shipmentPath } from '../../world/shipment.ts'
import { expectOk, type Json, primary, useTestApp } from '../../world/test-app.ts'

/* Files that no carrier should send: each is refused as a whole, or line by line, and nothing is done. */

const testApp = useTestApp({ VIGENCIA_BUSINESS_DATE: '2026-11-20' })
let id: string
let enrollmentId: string | undefined

beforeAll(async () => {
  const shipper = await openShipper(testApp)
  ;[enrollmentId] = await enroll(testApp, shipper, [primary()])
  id = await openShipmentOf(testApp, shipper.contractId)
  expectOk(await act(testApp, id, 'close'))
  expectOk(await act(testApp, id, 'send'))
  await moved(testApp, id)
})

const [csv, ndjson, text] = ['text/csv', 'application/x-ndjson', 'text/plain']
const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const header = 'posição;situação;carteirinha\n'
const row = (...cells: string[]) =>
  `<row>${cells.map((cell) => `<c t="inlineStr"><is><t>${cell}</t></is></c>`).join('')}</row>`
const sheet = (xml: string | Buffer) => bookOf({ sheets: [{ xml }] })
const formula = '<row><c><v>1</v></c><c t="e"><f>A1</f><v>#N/A</v></c><c t="str"><f>cmd()</f></c></row>'
const mebibyte = 1024 * 1024

test.each<[string, string, () => string | Buffer, number | string[]]>([
  ['no byte', csv, () => '', 400],
  ['a header alone', csv, () => 'posição;situação\n', []],
  ['1 MB of separators', csv, () => ';'.repeat(mebibyte), 400],
  ['1 MB of separators under a header', csv, () => header + ';'.repeat(mebibyte), ['invalid-body']],
  ['1 MB of quotes', csv, () => header + '"'.repeat(mebibyte), ['invalid-body']],
  ['a heading twice', csv, () => 'posição;situação;SITUACAO\n1;Aceito;Aceito\n', 400],
  ['no heading', csv, () => '1;Aceito;2\n', 400],
  ['300 headings', csv, () => `${'posição;'.repeat(300)}situação\n`, 400],
  ['a row with more cells', csv, () => `${header}1;Aceito;2;3\n`, ['invalid-body']],
  ['UTF-16', csv, () => Buffer.from(`\ufeff${header}1;Aceito;2\n`, 'utf16le'), 400],
  ['NUL in a heading', csv, () => `${header.trim()};a\0b\n9;Aceito;2;x\n`, ['unknown-line']],
  ['an outcome that is none', csv, () => `${header}1;=cmd|'/c calc'!A1;2\n`, ['invalid-body']],
  ['a card number that lost digits', csv, () => `${header}1;Aceito;4,5112E+13\n`, ['invalid-body']],
  ['a card number with control characters', csv, () => `${header}1;Aceito;2\u0007\n`, ['invalid-body']],
  ['a workbook as CSV', csv, () => sheet(row('posição', 'situação')), 400],
  ['a CSV as workbook', xlsx, () => header, 400],
  ['a ZIP bomb of rows', xlsx, () => sheet(Buffer.alloc(64 * mebibyte, '<row><c><v>1</v></c></row>')), 400],
  ['a cell of 40,000 characters', xlsx, () => sheet(row('posição', 'situação') + row('1', 'a'.repeat(40_000))), 400],
  [
    'cells of errors and formulas',
    xlsx,
    () => sheet(row('posição', 'situação', 'carteirinha') + formula),
    ['invalid-body'],
  ],
  [
    'headings with NUL and half of a pair',
    xlsx,
    () => sheet(row('posição', 'situação', 'a_x0000_', 'b_xD800_') + row('9', 'Aceito', 'x', 'y')),
    ['unknown-line'],
  ],
  ['a ZIP of something else', xlsx, () => zipOf([{ name: 'a.txt', data: 'a' }]), 400],
  ['an array', ndjson, () => '[]\n', ['invalid-body']],
  ['a deep object', ndjson, () => `${'{"a":'.repeat(2_000)}1${'}'.repeat(2_000)}\n`, ['invalid-body']],
  ['__proto__', ndjson, () => '{"__proto__":{"outcome":"accepted"},"position":1}\n', ['invalid-body']],
  ['a field that is unknown', ndjson, () => '{"position":1,"outcome":"accepted","cid":"A00"}\n', ['invalid-body']],
  [
    'a line of 1 MB',
    ndjson,
    () => `{"position":1,"outcome":"refused","message":"${'a'.repeat(mebibyte)}"}\n`,
    ['invalid-body'],
  ],
  ['text without a layout', text, () => '2001529982247250045112077880112202600\n', 400],
  ['10,001 lines', ndjson, () => '{"position":1,"outcome":"accepted"}\n'.repeat(10_001), 413],
  ['another type', 'application/pdf', () => '%PDF-1.4', 415],
])('%s', async (_, type, file, expected) => {
  const response = await testApp.call('POST', `${shipmentPath}/${id}/acknowledgement`, {
    token: testApp.operator.token,
    body: Buffer.from(file()),
    headers: { 'content-type': type, prefer: 'wait=60' },
  })
  const codes = response.body.result?.map?.((one: Json) => one.code) ?? null
  expect(response.status === 200 ? codes : response.status).toEqual(expected)
  const { result } = expectOk(await testApp.operator.get(`/operator/v1/enrollment/${enrollmentId}`)).body
  expect(result.status).toBe('carrier-processing')
})
