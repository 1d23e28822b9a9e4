import { expect, test } from 'vitest'
import { readViolations } from '../crash/invariants.ts'
import { makeContract } from './contract.ts'
import { act, itemsOf, moved, openShipmentOf, plansOf, shipmentPath } from './shipment.ts'
import { companyBody, expectOk, health, type Json, primary, useTestApp } from './test-app.ts'

/* A plan change to another contract: the new carrier includes the person, the former one excludes it. */

const testApp = useTestApp({ VIGENCIA_BUSINESS_DATE: '2026-12-07' })
const other = 'Saúde de outra operadora'

async function changedPlan() {
  const [first] = companyBody.products
  const products = [...companyBody.products, { ...first, 'product-name': other, 'carrier-name': 'Operadora Boreal' }]
  const company = await testApp.company({ products })
  const partner = await testApp.partner(company.taxId)
  const former = await makeContract(testApp, company, { plans: plansOf(company, health) })
  const own = { 'carrier-name': 'Operadora Boreal', 'contract-number': '800008' }
  const plans = [{ 'product-id': company.products[other], 'carrier-plan-code': 'BO77' }]
  const next = await makeContract(testApp, company, { ...own, plans })
  const member = primary()
  await testApp.include(partner, company, [member], '?resolution=approve')
  const data = { 'requested-start-date': '2026-12-07', 'new-product-id': company.products[other] }
  const { body } = expectOk(
    await partner.post(`/v1/enrollment/alteration/${member['tax-id']}`, { 'alteration-data': data }),
  )
  const request = await testApp.finished(partner, body['request-id'])
  const [part] = Object.values<Json>(request['status-by-tax-id'][member['tax-id']])
  const id: string = part?.['enrollment-id']
  return { id, partner, member, former: former['contract-id'] as string, next: next['contract-id'] as string }
}

async function sendOpen(contractId: string): Promise<string> {
  const shipment = await openShipmentOf(testApp, contractId)
  expectOk(await act(testApp, shipment, 'close'))
  expectOk(await act(testApp, shipment, 'send'))
  await moved(testApp, shipment)
  return shipment
}

async function answer(shipment: string, line: Json): Promise<Json[]> {
  const sent = await testApp.call('POST', `${shipmentPath}/${shipment}/acknowledgement`, {
    token: testApp.operator.token,
    body: Buffer.from(JSON.stringify(line)),
    headers: { 'content-type': 'application/x-ndjson', prefer: 'wait=60' },
  })
  return expectOk(sent).body.result
}

const openItems = async (contractId: string) =>
  (await itemsOf(testApp, await openShipmentOf(testApp, contractId))).map((item) => [item['enrollment-id'], item.side])
const fileOf = async (shipment: string): Promise<string> =>
  (await testApp.operator.get(`${shipmentPath}/${shipment}/file`)).text

test('the new carrier gets an inclusion; once it has accepted, the former one gets an exclusion', async () => {
  const { id, member, former, next } = await changedPlan()
  expect([await openItems(next), await openItems(former)]).toEqual([[[id, 'joining']], []])
  const joining = await sendOpen(next)
  const included = await fileOf(joining)
  expect(included).toContain(';inclusion;')
  expect(included).toContain('800008')
  expect(included).toContain('BO77')
  expect(await openItems(former)).toEqual([])
  expect(
    await answer(joining, { 'tax-id': member['tax-id'], outcome: 'accepted', 'card-number': '0099' }),
  ).toMatchObject([{ outcome: 'accepted', status: 'completed' }])

  expect([await openItems(next), await openItems(former)]).toEqual([[], [[id, 'leaving']]])
  const leaving = await sendOpen(former)
  const excluded = await fileOf(leaving)
  expect(excluded).toContain(';exclusion;')
  expect(excluded).toContain('900001')
  expect(excluded).toContain('2026-12-06')
  expect(excluded).not.toContain('800008')
  expect((await itemsOf(testApp, leaving)).map((item) => [item.status, item.side])).toEqual([['sent', 'leaving']])
  expect(await readViolations(testApp.sql)).toEqual({})

  expect(await answer(leaving, { 'enrollment-id': id, outcome: 'refused', code: '17' })).toMatchObject([
    { outcome: 'refused', status: 'completed' },
  ])
  expect(await openItems(former)).toEqual([[id, 'leaving']])
  const again = await sendOpen(former)
  expect(await answer(again, { 'enrollment-id': id, outcome: 'accepted' })).toMatchObject([{ outcome: 'accepted' }])
  expect(await answer(again, { 'enrollment-id': id, outcome: 'accepted' })).toMatchObject([{ flags: ['unchanged'] }])
  expect(await openItems(former)).toEqual([])
  const shown = expectOk(await testApp.operator.get(`${shipmentPath}/${again}`)).body.result
  expect([shown.status, shown.counts.accepted]).toEqual(['acknowledged', 1])
  expect(await readViolations(testApp.sql)).toEqual({})
})
