import { beforeEach, describe, expect, test } from 'vitest'
import { readViolations } from '../../crash/invariants.ts'
import { calendar } from '../../world/contract.ts'
import {
  act,
  enroll,
  itemsOf,
  moved,
  openShipmentOf,
  openShipper,
  shipmentPath,
  type Shipper,
} from '../../world/shipment.ts'
import {
  type Company,
  expectOk,
  health,
  type Json,
  openTestApp,
  primary,
  type TestApp,
  until,
} from '../../world/test-app.ts'

/* Movements for a coming day: the carrier must hear of them before the last cut-off whose cover reaches that day. */

// A Monday. 20 December is a Sunday: the cut-off is the 18th.
const start = '2026-12-07'
let testApp: TestApp
let shipper: Shipper

beforeEach(async () => {
  testApp = await openTestApp({ VIGENCIA_BUSINESS_DATE: start })
  shipper = await openShipper(testApp, { calendar: calendar(20) })
  return () => testApp.close()
})

const admittedOn = (day: string) =>
  primary({
    'admission-date': day,
    products: { 'health-insurance': [{ name: health, 'start-option': 'on-admission-date' }] },
  })
const advance = async (date: string): Promise<void> => {
  expectOk(await testApp.operator.post('/operator/v1/clock', { 'business-date': date }))
  await until(
    async () => expectOk(await testApp.operator.get('/operator/v1/clock')).body.result,
    (shown) => shown['business-date'] === date,
  )
}
const detailOf = async (id: string): Promise<Json> =>
  expectOk(await shipper.partner.get(`/v1/enrollment/detail/${id}`)).body.result
const promised = async (id: string) => {
  const { status, 'carrier-hand-over': handOver } = await detailOf(id)
  return [status, handOver['cut-off-date'], handOver['expected-start-date'], handOver['after-cut-off']]
}
const waiting = async (): Promise<string[]> =>
  (await itemsOf(testApp, await openShipmentOf(testApp, shipper.contractId))).map((item) => item['enrollment-id'])
const queued = async (id: string): Promise<Json> =>
  expectOk(await testApp.operator.get(`/operator/v1/enrollment/${id}`)).body.result
const dueOf = async (id: string) => {
  const { 'due-date': date, 'due-kind': kind } = await queued(id)
  return [date, kind]
}

async function exclude(company: Company, member: Json, endDate: string): Promise<string> {
  const path = `/v1/enrollment/exclusion/${member['tax-id']}/product/${company.products[health]}`
  const details = { 'end-date': endDate, 'exclusion-reason': 'resignation' }
  const { body } = expectOk(await shipper.partner.post(path, { 'exclusion-details': details }))
  const { 'status-by-tax-id': parts } = await testApp.finished(shipper.partner, body['request-id'])
  return parts[member['tax-id']][health]['enrollment-id']
}

describe('a movement for a coming day', () => {
  test('joins the shipment of the last cut-off that reaches the day, and stays scheduled', async () => {
    const leaving = primary()
    await testApp.include(shipper.partner, shipper.company, [leaving], '?resolution=approve')
    const [joining = '', later = ''] = await enroll(testApp, shipper, [
      admittedOn('2027-01-01'),
      admittedOn('2027-02-01'),
    ])
    const ending = await exclude(shipper.company, leaving, '2026-12-31')
    expect(await waiting()).toEqual(expect.arrayContaining([joining, ending]))
    expect(await waiting()).toHaveLength(2)
    expect(await promised(joining)).toEqual(['scheduled', '2026-12-18', '2027-01-01', false])
    expect(await promised(ending)).toEqual(['scheduled', '2026-12-18', null, false])
    expect(await promised(later)).toEqual(['scheduled', '2027-01-20', '2027-02-01', false])
    expect(await Promise.all([joining, ending, later].map(dueOf))).toEqual([
      ['2026-12-18', 'cut-off'],
      ['2026-12-18', 'cut-off'],
      ['2027-01-20', 'cut-off'],
    ])
    await advance('2026-12-18')
    expect(await waiting()).toHaveLength(2)
    await advance('2026-12-19')
    expect(await waiting()).toContain(later)
    expect(await promised(later)).toEqual(['scheduled', '2027-01-20', '2027-02-01', false])
  })

  test('that misses the cut-off has a later promise, by event once, and is overdue', async () => {
    const [id = ''] = await enroll(testApp, shipper, [admittedOn('2027-01-01')])
    await advance('2026-12-18')
    expect(await promised(id)).toEqual(['scheduled', '2026-12-18', '2027-01-01', false])
    await advance('2026-12-21')
    expect(await promised(id)).toEqual(['scheduled', '2027-01-20', '2027-02-01', true])
    expect(await dueOf(id)).toEqual(['2026-12-18', 'cut-off'])
    await advance('2026-12-23')
    const events =
      await testApp.sql(`select type, data - 'company-id' - 'company-tax-id' - 'member-id' - 'product-id' - 'request-id' as data from event
      where data ->> 'enrollment-id' = '${id}' and data ? 'warning'`)
    expect(events).toEqual([
      {
        type: 'enrollment.updated',
        data: {
          'enrollment-id': id,
          status: 'scheduled',
          warning: 'after-cut-off',
          'cut-off-date': '2027-01-20',
          'expected-start-date': '2027-02-01',
        },
      },
    ])
    expect(await readViolations(testApp.sql)).toEqual({})
  })

  test('is sent before its day; the answer of the carrier that comes before it keeps the start', async () => {
    const member = admittedOn('2027-01-01')
    const [id = ''] = await enroll(testApp, shipper, [member])
    const shipment = await openShipmentOf(testApp, shipper.contractId)
    expectOk(await act(testApp, shipment, 'close'))
    expect(await promised(id)).toEqual(['scheduled', '2026-12-18', '2027-01-01', false])
    expectOk(await act(testApp, shipment, 'send', { 'carrier-protocol': 'L-7' }))
    await moved(testApp, shipment)
    expect((await detailOf(id))['status']).toBe('carrier-processing')
    const answer = await testApp.call('POST', `${shipmentPath}/${shipment}/acknowledgement`, {
      token: testApp.operator.token,
      body: Buffer.from(JSON.stringify({ 'enrollment-id': id, outcome: 'accepted', 'card-number': '0077' })),
      headers: { 'content-type': 'application/x-ndjson', prefer: 'wait=60' },
    })
    expect(expectOk(answer).body.result).toMatchObject([{ outcome: 'accepted', status: 'completed' }])
    const detail = await detailOf(id)
    expect([detail['status'], detail['start-date']]).toEqual(['completed', '2027-01-01'])
    await advance('2027-01-02')
    expect(await readViolations(testApp.sql)).toEqual({})
  })

  test('that is cancelled leaves the open shipment, and stops a closed one from being sent', async () => {
    const [first = '', second = ''] = await enroll(testApp, shipper, [
      admittedOn('2027-01-01'),
      admittedOn('2027-01-01'),
    ])
    expectOk(await shipper.partner.post(`/v1/enrollment/${first}/cancel`, {}))
    expect(await waiting()).toEqual([second])
    const shipment = await openShipmentOf(testApp, shipper.contractId)
    expectOk(await act(testApp, shipment, 'close'))
    expectOk(await shipper.partner.post(`/v1/enrollment/${second}/cancel`, {}))
    const refused = await act(testApp, shipment, 'send')
    expect([refused.status, refused.body.changed]).toEqual([409, 1])
  })

  test('has its place in a closed shipment when its day comes', async () => {
    const [id = ''] = await enroll(testApp, shipper, [admittedOn('2027-01-01')])
    const shipment = await openShipmentOf(testApp, shipper.contractId)
    expectOk(await act(testApp, shipment, 'close'))
    await advance('2027-01-01')
    expect((await detailOf(id))['status']).toBe('created')
    expectOk(await act(testApp, shipment, 'send'))
    await moved(testApp, shipment)
    expect((await detailOf(id))['status']).toBe('carrier-processing')
  })

  test('follows a calendar that changes, and waits for its day without one', async () => {
    const [id = ''] = await enroll(testApp, shipper, [admittedOn('2027-02-10')])
    expect(await dueOf(id)).toEqual(['2027-01-20', 'cut-off'])
    const contract = expectOk(await testApp.operator.get(`/operator/v1/contract/${shipper.contractId}`)).body.result
    const put = (own: Json) =>
      testApp.operator.put(`/operator/v1/contract/${shipper.contractId}`, {
        'company-tax-id': contract['company-tax-id'],
        'carrier-name': contract['carrier-name'],
        'contract-number': contract['contract-number'],
        plans: [{ 'product-id': shipper.company.products[health] }],
        ...(own === null ? {} : { calendar: own }),
      })
    expectOk(await put(calendar(5, { 'coverage-month-offset': 2 })))
    expect(await dueOf(id)).toEqual(['2026-12-04', 'cut-off'])
    expect(await waiting()).toEqual([id])
    expect(await promised(id)).toEqual(['scheduled', '2027-01-05', '2027-03-01', true])
    expectOk(await put(null))
    expect(await dueOf(id)).toEqual(['2027-02-10', 'scheduled-action'])
    expect(await waiting()).toEqual([])
  })
})
