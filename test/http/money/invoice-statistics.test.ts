import { expect, test } from 'vitest'
import { discrepanciesOf } from '../../world/carrier-file.ts'
import { pricedContract } from '../../world/price.ts'
import { insertBenefit, insertMember } from '../../world/roster.ts'
import { dental, expectOk, type Json, nextCpf, useTestApp } from '../../world/test-app.ts'
import { compareInvoice, type Known, known, workedEntries, workedPeople } from '../../world/worked-invoice.ts'

const testApp = useTestApp({ VIGENCIA_BUSINESS_DATE: '2026-12-20' })

const path = '/operator/v1/statistics/invoice'
const read = async ({ company }: Pick<Known, 'company'>, more = ''): Promise<Json[]> =>
  expectOk(await testApp.operator.get(`${path}?company-tax-id=${company.taxId}${more}`)).body.result
const nothing = { 'overcharged-total': 0, 'claimed-total': 0, 'credited-total': 0 }
const november = {
  'reference-month': '2026-11',
  // A, C and G: the others have left.
  'covered-lives': 3,
  'carrier-total': 241_690,
  'expected-total': 163_643,
  'overcharged-total': 41_235 + 70_631 + 7_416,
  'claimed-total': 0,
  'credited-total': 0,
}

test('months have lives, what is charged and expected, and what is found, claimed and credited', async () => {
  const one = await known(testApp, workedPeople)
  const compared = await compareInvoice(testApp, one, '2026-11', workedEntries)
  const id = compared['reconciliation-id']
  const december = {
    'reference-month': '2026-12',
    'covered-lives': 3,
    'carrier-total': null,
    'expected-total': null,
    ...nothing,
  }
  const months = await read(one)
  expect(months).toHaveLength(12)
  expect(months.slice(-2)).toEqual([november, december])
  // With B, who left on 15 October, and D, who was covered in October only; E left in September.
  expect(months.slice(0, -2).map((month) => [month['reference-month'], month['covered-lives']])).toEqual([
    ...['2026-01', '2026-02', '2026-03', '2026-04', '2026-05', '2026-06', '2026-07', '2026-08'].map((name) => [
      name,
      5,
    ]),
    ['2026-09', 5],
    ['2026-10', 4],
  ])
  const wanted = (await discrepanciesOf(testApp, id)).filter((found: Json) =>
    ['charged-after-end', 'charged-unknown'].includes(found.class),
  )
  const body = { 'reconciliation-id': id, 'discrepancy-ids': wanted.map((found: Json) => found['discrepancy-id']) }
  const claim = expectOk(await testApp.operator.post('/operator/v1/claim', body)).body.result
  expectOk(await testApp.operator.post(`/operator/v1/claim/${claim['claim-id']}/status`, { status: 'sent' }))
  await compareInvoice(testApp, one, '2026-12', [
    { certificate: '1', name: 'A', amount: 41_235 },
    { certificate: '2', name: 'B', amount: -41_235, type: 'CR', period: '112026' },
  ])
  const [claimedMonth, creditingMonth] = await read(one, '&month-count=2')
  expect(claimedMonth).toEqual({ ...november, 'claimed-total': 111_866, 'credited-total': 41_235 })
  // What was not credited yet stands at the month that is claimed, not again here.
  expect(creditingMonth).toMatchObject({ 'carrier-total': 0, 'overcharged-total': 0, 'claimed-total': 0 })
})

test('are of a company, or of one contract of it', async () => {
  const one = await known(testApp, { A: workedPeople.A, G: workedPeople.G })
  const other = await pricedContract(testApp, one.company, {
    'carrier-name': 'Odonto Brisa',
    'contract-number': '900002',
    plans: [{ 'product-id': one.company.products[dental], 'carrier-plan-code': 'D1' }],
  })
  const memberId = await insertMember(testApp, one.company, { cpf: nextCpf() })
  await insertBenefit(testApp, one.company, memberId, {
    product: dental,
    start_date: '2026-12-01',
  })
  const livesOf = async (more: string) => (await read(one, more)).map((month) => month['covered-lives'])
  expect(await livesOf('&month-count=2')).toEqual([2, 3])
  expect(await livesOf(`&month-count=2&contract-id=${other['contract-id']}`)).toEqual([0, 1])
  expect(
    await livesOf(`&month-count=1&until-month=2026-11&contract-id=${one.contract['contract-id'].toUpperCase()}`),
  ).toEqual([2])
  const all = expectOk(await testApp.operator.get(`${path}?month-count=1`)).body.result
  expect(all[0]['covered-lives']).toBeGreaterThanOrEqual(3)
  const finance = await testApp.operatorOf('finance')
  expect((await finance.get(`${path}?month-count=37`)).status).toBe(400)
  expect((await finance.get(`${path}?company-tax-id=1`)).status).toBe(400)
})
