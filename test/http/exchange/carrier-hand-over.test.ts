import { describe, expect, test } from 'vitest'
import { calendar } from '../../world/contract.ts'
import {
  act,
  enroll,
  moved,
  openShipmentOf,
  openShipper,
  plansOf,
  putContract,
  type Shipper,
} from '../../world/shipment.ts'
import { expectOk, health, type Json, monday, primary, useTestApp } from '../../world/test-app.ts'

/* What a partner sees of the way of a movement to the carrier. */

// A Friday and a holiday: the cut-off day 20 was the day before.
const testApp = useTestApp({ VIGENCIA_BUSINESS_DATE: '2026-11-20' })

const handOverOf = async ({ partner }: Shipper, id: string | undefined): Promise<Json> =>
  expectOk(await partner.get(`/v1/enrollment/detail/${id}`)).body.result['carrier-hand-over']
const onAdmission = (day: string) =>
  primary({
    'admission-date': day,
    products: { 'health-insurance': [{ name: health, 'start-option': 'on-admission-date' }] },
  })
const include = async ({ company, partner }: Shipper, member: Json, query = '', language = 'en'): Promise<Json> => {
  const body = { 'company-tax-id': company.taxId, members: [member] }
  return expectOk(await partner.post(`/v1/enrollment/inclusion${query}`, body, { 'accept-language': language })).body
}

describe('an inclusion after the cut-off', () => {
  test('has a warning with the start that is expected, also in a dry run', async () => {
    const shipper = await openShipper(testApp, { calendar: calendar(20) })
    const member = onAdmission('2026-11-20')
    const warning = {
      index: 0,
      'tax-id': member['tax-id'],
      warning: 'after-cut-off',
      field: 'products.health-insurance[0]',
      'expected-start-date': '2027-01-01',
    }
    for (const query of ['?dry-run=true', '']) {
      expect((await include(shipper, member, query)).warnings).toEqual([warning])
    }
    const [inPortuguese] = (await include(shipper, onAdmission('2026-11-20'), '', 'pt-BR')).warnings
    expect(inPortuguese.message).toContain('data de corte')
  })

  test('has none when the start is reached, and none without a contract or a calendar', async () => {
    const shipper = await openShipper(testApp, { calendar: calendar(20, { 'coverage-month-offset': 0 }) })
    expect(await include(shipper, onAdmission('2026-12-01'))).not.toHaveProperty('warnings')
    const dateless = await openShipper(testApp)
    expect(await include(dateless, onAdmission('2026-11-20'))).not.toHaveProperty('warnings')
    expectOk(await putContract(testApp, shipper, { plans: plansOf(shipper.company, health), status: 'ended' }))
    expect(await include(shipper, onAdmission('2026-11-20'))).not.toHaveProperty('warnings')
  })

  test('follows the exception of a month', async () => {
    const december = { month: '2026-12', 'cut-off-date': '2026-12-10' }
    const shipper = await openShipper(testApp, { calendar: calendar(20, { exceptions: [december] }) })
    const [id] = await enroll(testApp, shipper, [primary()])
    expect(await handOverOf(shipper, id)).toMatchObject({ 'cut-off-date': '2026-12-10' })
  })
})

describe('the hand-over of a movement', () => {
  test('is null without a contract', async () => {
    const company = await testApp.company()
    const partner = await testApp.partner(company.taxId)
    const shipper = { company, partner, contractId: '' }
    const [id] = await enroll(testApp, shipper, [primary()])
    expect(await handOverOf(shipper, id)).toBeNull()
    expect(
      expectOk(await testApp.operator.get(`/operator/v1/enrollment/${id}`)).body.result['carrier-hand-over'],
    ).toBeNull()
  })

  test('has the next cut-off, then that of its shipment, and when it was sent', async () => {
    const shipper = await openShipper(testApp, { calendar: calendar(20) })
    const [id, late] = await enroll(testApp, shipper, [primary(), onAdmission('2027-02-15')])
    const next = {
      'cut-off-date': '2026-12-18',
      'expected-start-date': '2027-01-01',
      'after-cut-off': true,
      'sent-at': null,
      'carrier-protocol': null,
    }
    expect(await handOverOf(shipper, id)).toEqual(next)
    expect(await handOverOf(shipper, late)).toEqual({
      ...next,
      'cut-off-date': '2027-01-20',
      'expected-start-date': '2027-02-15',
      'after-cut-off': false,
    })
    const shipment = await openShipmentOf(testApp, shipper.contractId)
    expectOk(await act(testApp, shipment, 'close'))
    expectOk(await putContract(testApp, shipper, { plans: plansOf(shipper.company, health), calendar: calendar(5) }))
    expect(await handOverOf(shipper, id)).toEqual(next)
    const { result } = expectOk(await act(testApp, shipment, 'send', { 'carrier-protocol': 'L-7' })).body
    await moved(testApp, shipment)
    const sent = { ...next, 'sent-at': result['sent-at'], 'carrier-protocol': 'L-7' }
    expect(await handOverOf(shipper, id)).toEqual(sent)
    const { body } = expectOk(await testApp.operator.get(`/operator/v1/enrollment/${id}`))
    expect(body.result['carrier-hand-over']).toEqual(sent)
    const completed = await testApp.operator.post(`/operator/v1/enrollment/${id}/transition`, { status: 'completed' })
    expect(expectOk(completed).body.result['carrier-hand-over']).toEqual(sent)
  })

  test('has no protocol of a former answer once the carrier has refused it', async () => {
    const shipper = await openShipper(testApp)
    const [id] = await enroll(testApp, shipper, [primary()])
    const shipment = await openShipmentOf(testApp, shipper.contractId)
    expectOk(await act(testApp, shipment, 'close'))
    expectOk(await act(testApp, shipment, 'send', { 'carrier-protocol': 'L-8' }))
    await moved(testApp, shipment)
    expect(await handOverOf(shipper, id)).toMatchObject({ 'carrier-protocol': 'L-8', 'sent-at': expect.any(String) })
    const refusal = { status: 'pending-correction', reason: 'CPF não confere' }
    expectOk(await testApp.operator.post(`/operator/v1/enrollment/${id}/transition`, refusal))
    expect(await handOverOf(shipper, id)).toMatchObject({ 'carrier-protocol': null, 'sent-at': null })
    const { result } = expectOk(await testApp.operator.get(`/operator/v1/enrollment/${id}`)).body
    expect(result['carrier-protocol']).toBe('L-8')
  })

  test('has no expected start for an exclusion, and ends with the movement', async () => {
    const shipper = await openShipper(testApp, { calendar: calendar(20) })
    const member = primary()
    await testApp.include(shipper.partner, shipper.company, [member], '?resolution=approve')
    const path = `/v1/enrollment/exclusion/${member['tax-id']}/product/${shipper.company.products[health]}`
    const exclusion = { 'exclusion-details': { 'end-date': monday, 'exclusion-reason': 'resignation' } }
    const { body } = expectOk(await shipper.partner.post(path, exclusion))
    const request = await testApp.finished(shipper.partner, body['request-id'])
    const id = request['status-by-tax-id'][member['tax-id']][health]['enrollment-id']
    expect(await handOverOf(shipper, id)).toMatchObject({ 'cut-off-date': '2026-12-18', 'expected-start-date': null })
    const cancelled = expectOk(await shipper.partner.post(`/v1/enrollment/${id}/cancel`, {}))
    expect(cancelled.body.result['carrier-hand-over']).toBeNull()
  })
})
