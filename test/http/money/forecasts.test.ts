import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { readViolations } from '../../crash/invariants.ts'
import { reconcile } from '../../world/carrier-file.ts'
import { chargedLines, invoiceOf, lineOf, openValeClaro, valeClaroDay, type ValeClaro } from '../../world/vale-claro.ts'
import { makeContract } from '../../world/contract.ts'
import { pricedContract } from '../../world/price.ts'
import { expectOk, type Json, until, useTestApp } from '../../world/test-app.ts'

const testApp = useTestApp({ VIGENCIA_BUSINESS_DATE: valeClaroDay })

const path = ({ contractId }: Pick<ValeClaro, 'contractId'>) => `/operator/v1/contract/${contractId}/forecast`
const read = async (one: Pick<ValeClaro, 'contractId'>, query = ''): Promise<Json> =>
  expectOk(await testApp.operator.get(`${path(one)}${query}`)).body.result
const freeze = (one: Pick<ValeClaro, 'contractId'>, month = '2027-01') =>
  testApp.operator.post(`${path(one)}/freeze`, { 'reference-month': month })

const january = {
  'reference-month': '2027-01',
  'as-of': '2026-12-14',
  'cut-off-date': '2026-12-18',
  'last-amount': 434_884,
  'by-certainty': { firm: 507_358, scheduled: 5712, 'at-carrier': -260_472, requested: -88_604 },
  total: 163_994,
  'by-cause': [
    { cause: 'entry', amount: 58_182 },
    { cause: 'exit', amount: -213_189 },
    { cause: 'age-band', amount: 5712 },
    { cause: 'retroactive-charge', amount: 66_708 },
    { cause: 'retroactive-credit', amount: -188_303 },
  ],
  later: 0,
  'later-by-invoice': [],
  lost: 0,
}
const whole = { 'without-price': 0, 'missing-settings': [], 'not-forecast': ['coparticipation', 'fee', 'adjustment'] }

test('the next invoice, before it comes; frozen twice it is equal; what became of it', async () => {
  const one = await openValeClaro(testApp)
  expect(await read(one)).toMatchObject({ ...january, ...whole, 'frozen-at': null, variance: null })
  const frozen = expectOk(await freeze(one)).body.result
  expect(frozen).toMatchObject({ ...january, 'frozen-at': expect.any(String) })
  const lines = () =>
    testApp.sql(
      `select forecast_line.* from forecast join forecast_line on forecast_line.company_id = forecast.company_id and forecast_line.forecast_id = forecast.id
       where forecast.contract_id = $1 order by benefit_id`,
      [one.contractId],
    )
  const first = await lines()
  expect(first).toHaveLength(9)
  const again = expectOk(await freeze(one)).body.result
  expect([{ ...again, 'frozen-at': null }, await lines()]).toEqual([{ ...frozen, 'frozen-at': null }, first])

  const credit = { 'entry-type': 'cancellation-retroactive', 'entry-month': '2026-12' }
  const retroactive = (name: string, cents: number, month: string) =>
    lineOf(one, name, cents, { 'entry-type': 'inclusion-retroactive', 'entry-month': month })
  const charged = chargedLines(one, { 'Teresa Nogueira Prates': 45_516, 'Gilson Arruda Penteado': 64_057 })
  const celia = one.cpfs['Célia Amorim Bastos']
  const file = await invoiceOf(testApp, one, '2027-01', [
    ...charged.filter((line) => line['tax-id'] !== celia),
    lineOf(one, 'Célia Amorim Bastos', -130_236, credit),
    lineOf(one, 'Iolanda Freitas Barreto', 31_974),
    retroactive('Iolanda Freitas Barreto', 8526, '2026-11'),
    retroactive('Iolanda Freitas Barreto', 31_974, '2026-12'),
    lineOf(one, 'Davi Sampaio Coutinho', 26_208),
    retroactive('Davi Sampaio Coutinho', 26_208, '2026-12'),
    { amount: '35,00', 'entry-type': 'fee' },
  ])
  const read2 = await read(one, '?reference-month=2027-01')
  expect(read2).toMatchObject(january)
  expect(read2.variance).toEqual({
    total: 316_381,
    amount: 152_387,
    'by-class': [
      { class: 'as-forecast', amount: 0, count: 7 },
      { class: 'requested-not-taken', amount: 141_020, count: 1 },
      { class: 'pending-not-taken', amount: 0, count: 0 },
      { class: 'scheduled-not-taken', amount: 0, count: 0 },
      { class: 'unforeseen', amount: 7867, count: 1 },
      { class: 'without-person', amount: 3500, count: 0 },
    ],
  })
  await reconcile(testApp, file['file-id'])
  const charges = async (query = '') =>
    expectOk(await testApp.operator.get(`${path(one).replace('forecast', 'charge')}?reference-month=2027-01${query}`))
      .body
  const { result: people } = await charges()
  const byClass = Object.entries(Object.groupBy(people, ({ variance }: Json) => variance.class)).map(
    ([name, items = []]) => [
      name,
      items.reduce((sum, { variance }: Json) => sum + variance.amount, 0),
      items.filter((item: Json) => item['benefit-id'] !== null).length,
    ],
  )
  const told = read2.variance['by-class'].filter(({ amount, count }: Json) => amount !== 0 || count > 0)
  expect(new Set(byClass)).toEqual(new Set(told.map((one: Json) => [one.class, one.amount, one.count])))
  const [gilson, ...others] = (await charges('&variance=unforeseen')).result
  expect([gilson['member-name'], gilson.variance, others]).toEqual([
    'Gilson Arruda Penteado',
    { class: 'unforeseen', forecast: 56_190, amount: 7867 },
    [],
  ])
  expect(gilson.discrepancies).toMatchObject([{ class: 'amount-differs', amount: 7867, status: 'open' }])
  expect((await charges('&variance=without-person')).result).toMatchObject([{ amount: 3500 }])
  expect(await freeze(one)).toMatchObject({
    status: 409,
    body: { code: 'forecast-frozen', 'reference-month': '2027-01' },
  })
  expect(await readViolations(testApp.sql)).not.toHaveProperty('forecast-sum')
})

test('the limit of the contract: what the carrier does not credit any more is lost', async () => {
  const one = await openValeClaro(testApp, { 'retroactive-exclusion': { unit: 'months', count: 0 } })
  expect(await read(one)).toMatchObject({ lost: 130_236 + 58_067, total: 163_994 + 130_236 + 58_067 })
})

test('the draft of an exclusion and a corrected date of birth are what is requested', async () => {
  const one = await openValeClaro(testApp)
  const { partner, company, cpfs } = one
  const draft = (name: string, endDate: string) =>
    testApp.sql(
      `insert into draft_exclusion (company_id, id, benefit_id, cause, exclusion_reason, end_date, status, created_at, updated_at)
       select benefit.company_id, $3, benefit.id, 'age-limit', 'loss-of-eligibility', $2, 'open', now(), now()
       from benefit join member on member.company_id = benefit.company_id and member.id = benefit.member_id
       where benefit.company_id = $4 and member.tax_id = $1`,
      [cpfs[name], endDate, randomUUID(), company.id],
    )
  await draft('Otávio Prates Lima', '2026-12-31')
  await draft('Nair Toledo Guerra', '2027-01-31')
  const added = -21_840
  expect(await read(one)).toMatchObject({
    'by-certainty': { ...january['by-certainty'], requested: -88_604 + added },
    total: january.total + added,
  })
  // Ruth is 51 years old; by the corrected date 45, one band before.
  const path = `/v1/enrollment/alteration/${cpfs['Ruth Camargo Leite']}`
  expectOk(await partner.post(path, { 'alteration-data': { 'date-of-birth': '1981-04-18' } }))
  const difference = 56_190 - 64_057
  const corrected = await until(
    () => read(one),
    ({ 'by-certainty': { requested } }) => requested !== -88_604 + added,
  )
  expect(corrected).toMatchObject({
    'by-certainty': { ...january['by-certainty'], requested: -88_604 + added + 3 * difference },
  })
  const ages = corrected['by-cause'].find(({ cause }: Json) => cause === 'age-band')
  expect(ages.amount).toBe(5712 + difference)
})

test('a company sees the sum of its contracts, and which of them lack settings', async () => {
  const one = await openValeClaro(testApp)
  const { taxId } = one.company
  const bare = await makeContract(testApp, one.company, { 'contract-number': '900002' })
  const company = expectOk(await testApp.operator.get(`/operator/v1/company/${taxId}/forecast`)).body.result
  expect(company).toMatchObject({
    'company-tax-id': taxId,
    'reference-month': '2027-01',
    'last-amount': january['last-amount'],
    'by-certainty': january['by-certainty'],
    total: january.total,
    'by-cause': january['by-cause'],
    incomplete: true,
  })
  expect(company.contracts.map((contract: Json) => [contract['contract-id'], contract['missing-settings']])).toEqual([
    [one.contractId, []],
    [bare['contract-id'], ['calendar', 'price-table', 'proration']],
  ])
  const unknown = { 'last-amount': null, 'by-certainty': null, total: null, later: null, lost: null }
  expect(company.contracts[1]).toMatchObject({ ...unknown, 'by-cause': [], 'later-by-invoice': [] })
  const listed = `/operator/v1/contract/${bare['contract-id']}/charge?reference-month=2027-01`
  expect(expectOk(await testApp.operator.get(listed)).body).toMatchObject({
    result: [],
    totals: { amount: null, expected: null, 'missing-settings': ['calendar', 'price-table', 'proration'] },
  })
  const ofCarriers = company.contracts.map(
    ({ 'contract-id': _id, 'contract-number': _number, 'sub-contract': _sub, ...shown }: Json) => shown,
  )
  expect(expectOk(await one.partner.get(`/v1/company/${taxId}/forecast`)).body.result).toEqual({
    ...company,
    contracts: ofCarriers,
  })
  const unseeing = await testApp.partner()
  const unknownCompany = await unseeing.get('/v1/company/12ABC34501DE35/forecast')
  const other = await unseeing.get(`/v1/company/${taxId}/forecast`)
  expect([other.status, other.body.code]).toEqual([unknownCompany.status, unknownCompany.body.code])
  expect(other.status).toBe(403)
})

test('what cannot be forecast says why', async () => {
  const company = await testApp.company()
  const bare = { contractId: (await pricedContract(testApp, company, { proration: null }))['contract-id'] }
  expect(await freeze(bare)).toMatchObject({
    status: 409,
    body: { code: 'price-setting-missing', 'missing-settings': ['calendar', 'price-table', 'proration'] },
  })
  const unknown = { contractId: '01995e0b-3f20-7d11-8a4e-5b6c7d8e9f01' }
  expect((await testApp.operator.get(path(unknown))).body.code).toBe('contract-not-found')
  expect((await freeze(unknown)).body.code).toBe('contract-not-found')
  const far = await testApp.operator.get(`${path(bare)}?reference-month=2027-04`)
  expect(far).toMatchObject({ status: 400, body: { details: [{ field: 'reference-month', code: 'invalid' }] } })
})

test('on the day after the cut-off the clock stores the forecast, once, and movements that come later are of the next month', async () => {
  const one = await openValeClaro(testApp)
  expect(await freeze(one, '2027-04')).toMatchObject({ status: 400, body: { code: 'invalid-body' } })
  expectOk(await testApp.operator.post('/operator/v1/clock', { 'business-date': '2026-12-19' }))
  await until(
    async () => expectOk(await testApp.operator.get('/operator/v1/clock')).body.result,
    (clock) => clock['business-date'] === '2026-12-19',
  )
  const stored = () =>
    testApp.sql(
      `select forecast.reference_month, forecast.as_of::text, sum(firm + scheduled + at_carrier + requested)::text as total
       from forecast join forecast_line on forecast_line.company_id = forecast.company_id and forecast_line.forecast_id = forecast.id
       where forecast.contract_id = $1 group by 1, 2`,
      [one.contractId],
    )
  // Davi and Márcio did not reach the carrier.
  const frozen = [{ reference_month: '2027-01', as_of: '2026-12-19', total: String(163_994 + 88_604) }]
  expect(await stored()).toEqual(frozen)
  expect(await read(one, '?reference-month=2027-01')).toMatchObject({
    'by-certainty': { requested: 0 },
    later: 26_208 - 82_953,
    'later-by-invoice': [{ 'due-in': '2027-02', amount: 26_208 - 82_953 }],
    'cut-off-date': '2026-12-18',
  })
  expect((await read(one))['reference-month']).toBe('2027-02')
  expectOk(await testApp.operator.post('/operator/v1/clock', { 'business-date': '2026-12-21' }))
  expect(await stored()).toEqual(frozen)
})
