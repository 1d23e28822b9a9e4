import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { openValeClaro, valeClaroDay, type ValeClaro } from '../../world/vale-claro.ts'
import { dependent, expectOk, type Json, until, useTestApp } from '../../world/test-app.ts'

const testApp = useTestApp({ VIGENCIA_BUSINESS_DATE: valeClaroDay })

const days = { unit: 'days', count: 30 } as const

/** Calculates what is due: a call for the day that it is completes that day. */
const calculate = (date = valeClaroDay) =>
  testApp.operator.post('/operator/v1/clock', { 'business-date': date }).then(expectOk)

const queueOf = async ({ company }: ValeClaro, query = ''): Promise<Json[]> =>
  expectOk(await testApp.operator.get(`/operator/v1/enrollment?company-tax-id=${company.taxId}&status=open${query}`))
    .body.result

const moneyOf = async (one: ValeClaro): Promise<Record<string, Json>> =>
  Object.fromEntries((await queueOf(one)).map((item) => [item.id, item.money]))

const marcio = {
  'per-month': 82_953,
  'charged-beyond-end': 58_067,
  'cut-off-date': '2026-12-18',
  'if-missed': 82_953,
  'uncovered-days-if-missed': null,
  'as-of': valeClaroDay,
}

test('what an exclusion and an inclusion cost when they miss the cut-off; the queue by money, and sums', async () => {
  const one = await openValeClaro(testApp, { 'retroactive-exclusion': days, 'retroactive-inclusion': days })
  await calculate()
  const money = await moneyOf(one)
  expect(money[one.movements.marcio]).toEqual({
    ...marcio,
    lost: 0,
    'lost-if-missed': 27_651,
    'window-until': '2027-01-08',
    'missing-settings': [],
  })
  expect(money[one.movements.davi]).toEqual({
    'per-month': 26_208,
    'charged-beyond-end': null,
    'cut-off-date': '2026-12-18',
    'if-missed': null,
    lost: 0,
    'lost-if-missed': 0,
    'uncovered-days-if-missed': 18,
    'window-until': '2026-12-31',
    'missing-settings': [],
    'as-of': valeClaroDay,
  })
  expect(money[one.movements.celia]).toMatchObject({ 'if-missed': 0, lost: 0, 'lost-if-missed': 0 })
  const sorted = await queueOf(one, '&sort=money-at-risk')
  expect(sorted.map((item) => item.id)).toEqual([one.movements.marcio, one.movements.celia, one.movements.davi])
  const sums = expectOk(await testApp.operator.get('/operator/v1/money-at-risk')).body.result
  expect(sums.find((group: Json) => group.key === one.contractId)).toEqual({
    key: one.contractId,
    name: 'Operadora Aurora 900001',
    count: 3,
    'charged-beyond-end': 58_067 + 130_236,
    'if-missed': 82_953,
    lost: 0,
    'lost-if-missed': 27_651,
  })
  for (const group of ['company', 'cut-off-date']) {
    const { result } = expectOk(await testApp.operator.get(`/operator/v1/money-at-risk?group-by=${group}`)).body
    const key = group === 'company' ? one.company.taxId : '2026-12-18'
    expect(result.map((found: Json) => found.key)).toContain(key)
  }
})

test('a setting that changes is taken over; what is decided has none', async () => {
  const one = await openValeClaro(testApp)
  await calculate()
  const unknown = { lost: null, 'lost-if-missed': null, 'window-until': null }
  const missing = { ...marcio, ...unknown, 'missing-settings': ['retroactive-exclusion'] }
  expect((await moneyOf(one))[one.movements.marcio]).toEqual(missing)
  const path = `/operator/v1/contract/${one.contractId}`
  const { 'contract-id': _id, 'next-cut-off': _next, ...body } = expectOk(await testApp.operator.get(path)).body.result
  const months = { unit: 'months', count: 2 }
  expectOk(await testApp.operator.put(path, { ...body, 'retroactive-exclusion': months }))
  await calculate()
  expect((await moneyOf(one))[one.movements.marcio]).toMatchObject({
    'lost-if-missed': 0,
    'window-until': '2027-01-18',
  })
  const decided = { status: 'rejected', reason: 'Sem vínculo' }
  expectOk(await testApp.operator.post(`/operator/v1/enrollment/${one.movements.marcio}/transition`, decided))
  const item = await until(
    async () => expectOk(await testApp.operator.get(`/operator/v1/enrollment/${one.movements.marcio}`)).body.result,
    ({ status }: Json) => status === 'rejected',
  )
  expect(item.money).toBeNull()
})

test('the export and the page of a movement have it; a client that sees money sees three figures of it', async () => {
  const one = await openValeClaro(testApp, { 'retroactive-exclusion': days })
  await calculate()
  const { marcio: id } = one.movements
  const page = expectOk(await testApp.operator.get(`/operator/v1/enrollment/${id}`)).body.result
  expect(page.money).toMatchObject({ 'lost-if-missed': 27_651, 'window-until': '2027-01-08' })
  const rows = async (language: string) => {
    const query = new URLSearchParams({
      'company-tax-id': one.company.taxId,
      sort: 'money-at-risk',
      status: 'open',
      language,
    })
    const { text } = expectOk(await testApp.operator.get(`/operator/v1/enrollment/export?${query.toString()}`))
    const [head = [], ...lines] = parse(text, { delimiter: ';', bom: true })
    return lines.map((line) => Object.fromEntries(head.map((name, at) => [name, line[at]])))
  }
  const [first] = await rows('en')
  expect(first).toMatchObject({
    'enrollment-id': id,
    'per-month': '82953',
    'charged-beyond-end': '58067',
    'cut-off-date': '2026-12-18',
    'if-missed': '82953',
    lost: '0',
    'lost-if-missed': '27651',
    'window-until': '2027-01-08',
  })
  expect((await rows('pt-BR'))[0]).toMatchObject({ 'Por mês': '829,53', 'Janela até': '08/01/2027' })

  const shown = async () => expectOk(await one.partner.get(`/v1/enrollment/detail/${id}`)).body.result.money
  expect(await shown()).toEqual({ 'per-month': 82_953, 'cut-off-date': '2026-12-18', 'window-until': '2027-01-08' })
  await testApp.sql('update entitlement set see_money = false where company_id = $1', [one.company.id])
  expect(await shown()).toBeNull()
})

test('families stand together in the order of their sums', async () => {
  const one = await openValeClaro(testApp, { 'retroactive-exclusion': days })
  const { celia, davi, marcio } = one.movements
  const lost = async (id: string, amount: number | null) =>
    testApp.sql('update movement_money set lost_if_missed = $2 where enrollment_id = $1', [id, amount])
  await calculate()
  const spouse = dependent(one.cpfs['Davi Sampaio Coutinho'] ?? '', { 'dependency-date': '2026-12-01' })
  await testApp.include(one.partner, one.company, [spouse])
  await calculate()
  const added = (await queueOf(one)).find((item) => item['member-tax-id'] === spouse['tax-id'])?.id
  // Each of the family is less than the exclusion, both are more.
  await lost(davi, 20_000)
  await lost(added, 10_000)
  await lost(celia, null)
  const order = (await queueOf(one, '&sort=money-at-risk')).map(({ id }) => id)
  expect(order).toEqual([davi, added, marcio, celia])
})
