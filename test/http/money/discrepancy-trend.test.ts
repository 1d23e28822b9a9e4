import { expect, test } from 'vitest'
import { discrepanciesOf } from '../../world/carrier-file.ts'
import { expectOk, type Json, useTestApp } from '../../world/test-app.ts'
import { compareInvoice, type Known, known, workedEntries, workedPeople } from '../../world/worked-invoice.ts'

/* What was found in invoices, month by month. */

const testApp = useTestApp({ VIGENCIA_BUSINESS_DATE: '2026-12-20' })

const read = async ({ company }: Known, more = ''): Promise<Json[]> =>
  expectOk(await testApp.operator.get(`/operator/v1/statistics/discrepancy?company-tax-id=${company.taxId}${more}`))
    .body.result
const none = { count: 0, total: 0 }
const one = (total: number) => ({ count: 1, total })

/** November and December of the worked invoice: what B is charged too much is claimed and credited. */
async function open() {
  const opened = await known(testApp, workedPeople)
  const { 'reconciliation-id': id } = await compareInvoice(testApp, opened, '2026-11', workedEntries)
  const wanted = (await discrepanciesOf(testApp, id)).filter((found: Json) => found.class === 'charged-after-end')
  const body = { 'reconciliation-id': id, 'discrepancy-ids': wanted.map((found: Json) => found['discrepancy-id']) }
  const claim = expectOk(await testApp.operator.post('/operator/v1/claim', body)).body.result
  expectOk(await testApp.operator.post(`/operator/v1/claim/${claim['claim-id']}/status`, { status: 'sent' }))
  await compareInvoice(testApp, opened, '2026-12', [
    { certificate: '1', name: 'A', amount: 41_235 },
    { certificate: '2', name: 'B', amount: -41_235, type: 'CR', period: '112026' },
    { certificate: '6', name: 'G', amount: 81_579 },
  ])
  return opened
}

test('the trend has what was found, claimed, credited and repeated by class, and the days until a credit', async () => {
  const opened = await open()
  const trend = await read(opened)
  const november = trend.filter((item) => item['reference-month'] === '2026-11')
  expect(november.map(({ key }) => key)).toEqual([
    'amount-differs',
    'charged-after-end',
    'charged-unknown',
    'not-charged',
  ])
  expect(november[1]).toEqual({
    'reference-month': '2026-11',
    key: 'charged-after-end',
    name: null,
    found: one(41_235),
    'too-much': one(41_235),
    'too-little': none,
    claimed: one(41_235),
    credited: one(41_235),
    explained: none,
    accepted: none,
    'median-days-to-credit': 0,
    repeated: 0,
  })
  expect(november[0]).toMatchObject({ found: one(7416), explained: one(7416), claimed: none })
  expect(november[3]).toMatchObject({ 'too-much': none, 'too-little': one(41_235), repeated: 0 })
  // C is not charged again; G has the higher band now.
  const december = trend.filter((item) => item['reference-month'] === '2026-12')
  expect(december.map(({ key, repeated }) => [key, repeated])).toEqual([['not-charged', 1]])
})

test('it is grouped by contract, company and carrier, within the months that are asked for', async () => {
  const opened = await open()
  const { company, contract } = opened
  for (const [group, key, name] of [
    ['company', company.taxId, 'Metalúrgica Serra Azul S.A.'],
    ['contract', contract['contract-id'], expect.stringContaining('900001')],
    ['carrier', expect.stringMatching(/^[0-9a-f-]{36}$/), contract['carrier-name']],
  ] as const) {
    const [november, december, ...more] = await read(opened, `&group-by=${group}&month-count=2`)
    expect([november?.['key'], november?.['name'], december?.['reference-month'], more]).toEqual([
      key,
      name,
      '2026-12',
      [],
    ])
    expect(november?.['found']).toEqual({ count: 4, total: 7416 + 41_235 + 70_631 + 41_235 })
  }
  expect(await read(opened, '&until-month=2026-10')).toEqual([])
})

test('a company sees it by class where its contract shows what differs and the client sees money', async () => {
  const opened = await open()
  const path = `/v1/company/${opened.company.taxId}/discrepancy-trend`
  const partner = await testApp.partner(opened.company.taxId)
  expect(expectOk(await partner.get(path)).body.result).toEqual([])
  await testApp.sql('update contract set show_discrepancies = true where company_id = $1', [opened.company.id])
  const { result } = expectOk(await partner.get(`${path}?month-count=2`)).body
  expect(result).toContainEqual({
    'reference-month': '2026-11',
    class: 'charged-after-end',
    found: one(41_235),
    'too-much': one(41_235),
    'too-little': none,
    claimed: one(41_235),
    credited: one(41_235),
  })
  await testApp.sql('update entitlement set see_money = false where company_id = $1', [opened.company.id])
  const refused = await partner.get(path)
  expect([refused.status, refused.body.code]).toEqual([403, 'not-entitled'])
})
