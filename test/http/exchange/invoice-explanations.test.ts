import { expect, test } from 'vitest'
import { partOf } from '../../platform/tables/workbook.ts'
import { csv, discrepanciesOf, reconcile, upload } from '../../world/carrier-file.ts'
import { insertPriced, planCode, pricedContract, putBands } from '../../world/price.ts'
import { type Company, expectOk, health, type Json, premium, useTestApp } from '../../world/test-app.ts'

const testApp = useTestApp({ VIGENCIA_BUSINESS_DATE: '2026-11-20' })

interface Opened {
  readonly company: Company
  readonly contractId: string
  readonly cpf: string
  readonly memberId: string
}

/** A contract with one person, who costs 741.63. */
async function open(more: Json = {}, person: Json = {}): Promise<Opened> {
  const company = await testApp.company()
  const contractId = (await pricedContract(testApp, company, more))['contract-id']
  const { memberId } = await insertPriced(testApp, company, { name: 'Helena Souza', born: '1988-03-03', ...person })
  const [row] = await testApp.sql<{ cpf: string }>('select tax_id as cpf from member where id = $1', [memberId])
  return { company, contractId, cpf: row?.cpf ?? '', memberId }
}

async function compare({ contractId }: Opened, lines: readonly Json[], month = '2026-11') {
  const file = await upload(testApp, { contractId, kind: 'invoice', month }, csv(lines))
  const result = await reconcile(testApp, file['file-id'])
  const id = result['reconciliation-id']
  const found = await discrepanciesOf(testApp, id)
  return {
    id,
    found,
    totals: [result['carrier-total'], result['expected-total'], result.discrepancy],
    classes: found.map((one): unknown[] => [one.class, one.amount, one.status, one.explanation]),
  }
}

const checklistOf = async ({ company }: Opened): Promise<Json> => {
  const path = `/operator/v1/closing/checklist?company-tax-id=${company.taxId}&reference-month=2026-11`
  return expectOk(await testApp.operator.get(path)).body.result.checklist
}

test('a plan without a price is told, counted and not done', async () => {
  const one = await open()
  const { id, found, totals, classes } = await compare(one, [{ 'tax-id': one.cpf, amount: '9876,54' }])
  expect(totals).toEqual([987_654, 0, 987_654])
  expect(classes).toEqual([['price-missing', 987_654, 'open', null]])
  expect(found[0]).toMatchObject({ expected: null, found: '987654', 'member-name': 'Helena Souza' })
  expect(await checklistOf(one)).toMatchObject({ invoice: 'open' })
  const claim = { 'reconciliation-id': id, 'discrepancy-ids': [found[0]?.['discrepancy-id']] }
  expect((await testApp.operator.post('/operator/v1/claim', claim)).status).toBe(400)
})

test('of two plans the one without a price is told', async () => {
  const company = await testApp.company()
  const plans = [
    { 'product-id': company.products[health], 'carrier-plan-code': planCode },
    { 'product-id': company.products[premium], 'carrier-plan-code': 'JQ10' },
  ]
  const contractId = (await pricedContract(testApp, company, { plans }))['contract-id']
  await putBands(testApp, contractId, { 'carrier-plan-code': planCode })
  const { memberId } = await insertPriced(testApp, company, { name: 'Helena', born: '1988-03-03' })
  await testApp.sql(
    `insert into benefit (company_id, id, member_id, product_id, type, status, start_date, created_at, updated_at)
     values ($1, gen_random_uuid(), $2, $3, 'primary', 'active', '2020-01-01', now(), now())`,
    [company.id, memberId, company.products[premium]],
  )
  const [row] = await testApp.sql<{ cpf: string }>('select tax_id as cpf from member where id = $1', [memberId])
  const line = (code: string, amount: string) => ({ 'tax-id': row?.cpf, 'carrier-plan-code': code, amount })
  const one = { company, contractId, cpf: '', memberId }
  const { classes } = await compare(one, [line(planCode, '741,63'), line('JQ10', '55,00')])
  expect(classes).toEqual([['price-missing', 5500, 'open', null]])
})

test.each([
  ['who left on the 5th', { end_date: '2026-11-05', status: 'inactive' }, 12_361],
  ['who came on the 11th', { start_date: '2026-11-11' }, 49_442],
])('a whole month of somebody %s is not explained by the rule of another contract', async (_, dates, expected) => {
  const one = await open({ proration: 'daily-30' }, { benefit: dates })
  await putBands(testApp, one.contractId)
  const { classes } = await compare(one, [{ 'tax-id': one.cpf, amount: '741,63' }])
  expect(classes).toEqual([['amount-differs', 74_163 - expected, 'open', null]])
  expect(await checklistOf(one)).toMatchObject({ invoice: 'open' })
})

test('an open correction of data explains no amount, an open exclusion only what follows from its day', async () => {
  const one = await open({ proration: 'daily-30' })
  await putBands(testApp, one.contractId)
  const partner = await testApp.partner(one.company.taxId)
  const alteration = { 'alteration-data': { 'mothers-name': 'Outra Mãe' } }
  expectOk(await partner.post(`/v1/enrollment/alteration/${one.cpf}`, alteration))
  const charge = (amount: string) => [{ 'tax-id': one.cpf, amount }]
  expect((await compare(one, charge('1241,63'))).classes).toEqual([['amount-differs', 50_000, 'open', null]])
  const exclusion = { 'exclusion-details': { 'end-date': '2026-11-05', 'exclusion-reason': 'dismissal' } }
  expectOk(await partner.post(`/v1/enrollment/exclusion/${one.cpf}/product/${one.company.products[health]}`, exclusion))
  const explained = await compare(one, charge('123,61'))
  expect(explained.classes).toEqual([['amount-differs', 12_361 - 74_163, 'explained', 'open-movement']])
  expect((await compare(one, charge('1241,64'))).classes).toEqual([['amount-differs', 50_001, 'open', null]])
})

test('the line that credits a claim without its month is no difference of the new month', async () => {
  const one = await open({}, { benefit: { end_date: '2026-09-30', status: 'inactive' } })
  await putBands(testApp, one.contractId)
  const october = await compare(one, [{ 'tax-id': one.cpf, amount: '741,63' }], '2026-10')
  expect(october.classes).toMatchObject([['charged-after-end', 74_163, 'open', null]])
  const ids = [october.found[0]?.['discrepancy-id']]
  const body = { 'reconciliation-id': october.id, 'discrepancy-ids': ids }
  const claim = expectOk(await testApp.operator.post('/operator/v1/claim', body)).body.result
  const path = `/operator/v1/claim/${claim['claim-id']}`
  expectOk(await testApp.operator.post(`${path}/status`, { status: 'sent' }))
  const credit = { 'tax-id': one.cpf, 'entry-type': 'adjustment-credit', 'entry-code': '50', amount: '-741,63' }
  const november = await compare(one, [credit])
  expect([november.totals, november.classes]).toEqual([[-74_163, -74_163, 0], []])
  expect(expectOk(await testApp.operator.get(path)).body.result.status).toBe('credited')
})

test('the workbook of a comparison has amounts in reais that sum, and Portuguese words', async () => {
  const one = await open()
  await putBands(testApp, one.contractId)
  const { id } = await compare(one, [{ 'tax-id': one.cpf, amount: '1.387,50' }])
  const headers = { authorization: `Bearer ${(await testApp.operatorOf('finance')).token}`, 'accept-language': 'pt-BR' }
  const response = await fetch(`${testApp.url}/operator/v1/reconciliation/${id}/export`, { headers })
  const sheet = await partOf(Buffer.from(await response.arrayBuffer()), 'xl/worksheets/sheet1.xml')
  for (const text of ['Valor devido', 'Valor cobrado', 'Diferença', 'Papel<', 'Titular', 'Valor diferente']) {
    expect([text, sheet.includes(text)]).toEqual([text, true])
  }
  const [, row = ''] = sheet.split('<row ').slice(1)
  // Columns of what is owed, what is charged, and the difference.
  const numbers = Array.from(row.matchAll(/<c r="[A-Z]+2" s="5"><v>([-\d.]+)<\/v>/g), ([, value]) => Number(value))
  expect(numbers).toEqual([741.63, 1387.5, 645.87])
})
