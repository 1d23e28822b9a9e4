import { expect, test } from 'vitest'
import { openValeClaro, valeClaroDay, type ValeClaro } from '../../world/vale-claro.ts'
import { expectOk, type Json, until, useTestApp } from '../../world/test-app.ts'

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
