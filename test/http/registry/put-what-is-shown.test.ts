import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { calendar, carrierName, makeContract } from '../../world/contract.ts'
import { plansOf } from '../../world/shipment.ts'
import { expectOk, health, type Json, useTestApp } from '../../world/test-app.ts'

const testApp = useTestApp({ VIGENCIA_BUSINESS_DATE: '2026-11-20' })
const day = '2026-11-01'

test('what a GET answers is a body of the PUT, with its envelope and without, and changes nothing', async () => {
  const { operator } = testApp
  const company = await testApp.company()
  const contacts = [{ name: 'Mesa', email: 'mesa@aurora.example' }]
  const plans = plansOf(company, health)
  const more = { plans, calendar: calendar(20), contacts, 'contract-fees': [{ 'entry-type': 'fee', amount: 4500 }] }
  const contract = await makeContract(testApp, company, { ...more, 'age-on': 'birthday-month' })
  const id: string = contract['contract-id']
  const carriers = expectOk(await operator.get('/operator/v1/carrier')).body.result
  const carrier = carriers.find((one: Json) => one.name === carrierName)['carrier-id']
  const put = async (path: string, body: Json) => {
    expectOk(await operator.put(path, body))
    return path
  }
  const paths = [
    `/operator/v1/company/${company.taxId}`,
    `/operator/v1/carrier/${carrier}`,
    `/operator/v1/contract/${id}`,
    await put(`/operator/v1/contract/${id}/channel`, {
      email: { to: ['movimentacao@aurora.example'], cc: [], subject: 'Remessa', text: 'Segue.' },
    }),
    await put(`/operator/v1/price-table/${randomUUID()}`, {
      'contract-id': id,
      'valid-from': day,
      kind: 'per-person',
      prices: [{ category: 'person', amount: 41_235 }],
    }),
    await put(`/operator/v1/contribution-rule/${randomUUID()}`, {
      'contract-id': id,
      'valid-from': day,
      'primary-employee-share': { 'basis-points': 2000 },
      'dependent-employee-share': { 'basis-points': 10_000 },
    }),
    await put(`/operator/v1/company/${company.taxId}/payroll-profile`, {
      'layout-id': 'payroll-csv',
      events: { primary: '7611', dependent: '7612', coparticipation: '7613' },
    }),
    await put(`/operator/v1/requirement-rule/${randomUUID()}`, {
      name: 'União estável',
      active: true,
      'valid-from': day,
      when: { movements: ['inclusion'], 'beneficiary-types': ['dependent'], 'dependent-types': ['partner'] },
      require: [{ 'any-of': ['stable-union-declaration'], of: 'dependent', message: 'Declaração' }],
      enforcement: 'pending',
    }),
    await put(`/operator/v1/column-profile/${company.taxId}`, {
      columns: [{ heading: 'Nome do funcionário', field: 'name' }],
    }),
  ]
  const times = ['updated-at', 'last-updated-at']
  const unchanging = (result: Json) =>
    Object.fromEntries(Object.entries(result).filter(([name]) => !times.includes(name)))
  for (const path of paths) {
    const shown = expectOk(await operator.get(path)).body
    for (const body of [shown, shown.result]) {
      const { status, body: answer } = await operator.put(path, body)
      expect([path, status, answer.details]).toEqual([path, 200, undefined])
    }
    expect(unchanging(expectOk(await operator.get(path)).body.result)).toEqual(unchanging(shown.result))
  }
})

test('what no GET answers is refused as before', async () => {
  const company = await testApp.company()
  const contract = await makeContract(testApp, company)
  const body = { ...contract, 'contract-nunber': '1' }
  const refused = await testApp.operator.put(`/operator/v1/contract/${contract['contract-id']}`, body)
  expect([refused.status, refused.body.details]).toMatchObject([400, [{ field: 'contract-nunber', code: 'unknown' }]])
})
