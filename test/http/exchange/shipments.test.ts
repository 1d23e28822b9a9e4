import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { readViolations } from '../../crash/invariants.ts'
import { calendar } from '../../world/contract.ts'
import {
  act,
  enroll,
  itemsOf,
  needPlanCode,
  moved,
  openShipmentOf,
  openShipper,
  plansOf,
  putContract,
  readShipment,
  type Shipper,
  shipmentPath,
  shipmentsOf,
} from '../../world/shipment.ts'
import {
  type ApiResponse,
  dependent,
  expectOk,
  health,
  type Json,
  premium,
  primary,
  openTestApp,
  useTestApp,
} from '../../world/test-app.ts'

const testApp = useTestApp({ VIGENCIA_BUSINESS_DATE: '2026-11-20' })

const unknown = '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21'
const codeOf = ({ status, body }: ApiResponse) => [status, body.code]
const detailOf = async ({ partner }: Shipper, id: string | undefined): Promise<Json> =>
  expectOk(await partner.get(`/v1/enrollment/detail/${id}`)).body.result
const statusesOf = async (shipper: Shipper, ids: readonly string[]): Promise<string[]> =>
  Promise.all(ids.map(async (id) => (await detailOf(shipper, id)).status))
const cancelMovement = ({ partner }: Shipper, id: string | undefined) => partner.post(`/v1/enrollment/${id}/cancel`, {})
const noCounts = { 'not-ready': 0, waiting: 0, ready: 0, sent: 0, accepted: 0, refused: 0, unanswered: 0, cancelled: 0 }
const fileOf = (id: string) => testApp.operator.get(`${shipmentPath}/${id}/file`)

/** A shipper with a closed shipment of these members. */
async function closed(members: Json[] = [primary()]): Promise<{ shipper: Shipper; ids: string[]; id: string }> {
  const shipper = await openShipper(testApp)
  const ids = await enroll(testApp, shipper, members)
  const id = await openShipmentOf(testApp, shipper.contractId)
  expectOk(await act(testApp, id, 'close'))
  return { shipper, ids, id }
}

/** The same, sent and moved. */
async function sent(members?: Json[]) {
  const all = await closed(members)
  expectOk(await act(testApp, all.id, 'send'))
  await moved(testApp, all.id)
  return all
}

describe('an open shipment', () => {
  test('is there with the contract, and has the movements of its products, families together', async () => {
    const shipper = await openShipper(testApp, { calendar: calendar(20) })
    const id = await openShipmentOf(testApp, shipper.contractId)
    expect(await readShipment(testApp, id)).toMatchObject({
      'shipment-id': id,
      'contract-id': shipper.contractId,
      'company-tax-id': shipper.company.taxId,
      'contract-number': '900001',
      number: 1,
      status: 'open',
      'cut-off-date': '2026-12-18',
      'coverage-start': '2027-01-01',
      'layout-id': null,
      file: null,
      counts: noCounts,
    })
    const [first, second] = [primary(), primary()]
    const [one, two] = await enroll(testApp, shipper, [first, second])
    const [child] = await enroll(testApp, shipper, [dependent(first['tax-id'])])
    const products = { 'health-insurance': [{ name: premium, 'start-option': 'on-inclusion-date' }] }
    await testApp.include(shipper.partner, shipper.company, [primary({ products })])
    const items = await itemsOf(testApp, id)
    expect(items.map(({ position, status }) => [position, status])).toEqual([1, 2, 3].map((place) => [place, 'ready']))
    const order = items.map((item) => item['enrollment-id'])
    expect(order).toHaveLength(3)
    expect(order.indexOf(child)).toBe(order.indexOf(one) + 1)
    expect(order).toContain(two)
    expect(items[0]).toMatchObject({
      'product-name': health,
      'enrollment-status': 'created',
      problems: [],
      reason: null,
    })
    expect((await readShipment(testApp, id)).counts).toEqual({ ...noCounts, ready: 3, waiting: 3 })
    const [listed] = await shipmentsOf(testApp, shipper.contractId)
    expect(listed.counts).toEqual({ ...noCounts, ready: null, 'not-ready': null, waiting: 3 })
  })

  test('shows its items in pages, with all problems and the lines of the file that it would have', async () => {
    const shipper = await openShipper(testApp)
    const codeless = { 'product-id': shipper.company.products[premium] }
    expectOk(await putContract(testApp, shipper, { plans: [...plansOf(shipper.company, health), codeless] }))
    await needPlanCode(testApp, shipper.contractId)
    const products = { 'health-insurance': [{ name: premium, 'start-option': 'on-inclusion-date' }] }
    for (let n = 0; n < 3; n += 1) {
      await testApp.include(shipper.partner, shipper.company, [primary({ products })])
      await enroll(testApp, shipper, [primary()])
    }
    const id = await openShipmentOf(testApp, shipper.contractId)
    const pageOf = async (query: string) => {
      const { result, pagination } = expectOk(await testApp.operator.get(`${shipmentPath}/${id}/item?${query}`)).body
      return [
        pagination['total-items'],
        result.map((item: Json) => [item.status, item.position, item['line-numbers'], item.problems.length]),
      ]
    }
    const ready = (position: number) => ['ready', position, [position + 1], 0]
    const notReady = ['not-ready', null, [], 1]
    expect(await pageOf('items-per-page=4')).toEqual([6, [notReady, ready(1), notReady, ready(2)]])
    expect(await pageOf('items-per-page=4&page=2')).toEqual([6, [notReady, ready(3)]])
    expect(await pageOf('items-per-page=2&page=2&status=ready')).toEqual([3, [ready(3)]])
    expect(await pageOf('items-per-page=2&page=1&status=not-ready')).toEqual([3, [notReady, notReady]])
    expect(await pageOf('status=sent')).toEqual([0, []])
  })

  test('loses a movement that is decided otherwise', async () => {
    const shipper = await openShipper(testApp)
    const [first, second, third] = await enroll(testApp, shipper, [primary(), primary(), primary()])
    const id = await openShipmentOf(testApp, shipper.contractId)
    expectOk(await cancelMovement(shipper, first))
    const pending = { status: 'pending-correction', reason: 'x' }
    expectOk(await testApp.operator.post(`/operator/v1/enrollment/${second}/transition`, pending))
    const items = await itemsOf(testApp, id)
    expect(items.map((item) => item['enrollment-id'])).toEqual([third])
  })

  test('ends with its contract; an active one has the next', async () => {
    const shipper = await openShipper(testApp)
    const plans = plansOf(shipper.company, health)
    expectOk(await putContract(testApp, shipper, { plans, status: 'ended' }))
    expectOk(await putContract(testApp, shipper, { plans }))
    expectOk(await putContract(testApp, shipper, { plans }))
    const found = await shipmentsOf(testApp, shipper.contractId)
    expect(found.map(({ number, status }) => [number, status])).toEqual([
      [2, 'open'],
      [1, 'cancelled'],
    ])
  })
})

describe('closing', () => {
  test('makes the file once, and opens the next shipment', async () => {
    const shipper = await openShipper(testApp, { calendar: calendar(20), 'sub-contract': '00/2' })
    await enroll(testApp, shipper, [primary()])
    const id = await openShipmentOf(testApp, shipper.contractId)
    expect(codeOf(await fileOf(id))).toEqual([404, 'shipment-file-not-found'])
    const { result } = expectOk(await act(testApp, id, 'close')).body
    expect(result).toMatchObject({
      status: 'closed',
      'cut-off-date': '2026-12-18',
      'coverage-start': '2027-01-01',
      'layout-id': 'generic-csv',
      'layout-version': 1,
      'closed-at': expect.any(String),
      counts: { ...noCounts, ready: 1 },
      file: { name: '900001-00_2-1.csv', 'media-type': 'text/csv; charset=utf-8' },
    })
    const [first, second] = [await fileOf(id), await fileOf(id)]
    expect(second.text).toBe(first.text)
    // The text has lost its byte order mark.
    const bytes = Buffer.from(`\ufeff${first.text}`)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    expect(result.file).toMatchObject({ sha256, size: bytes.length })
    expect(first.headers.get('etag')).toBe(`"${sha256}"`)
    expect(first.headers.get('content-disposition')).toContain('filename="900001-00_2-1.csv"')
    const found = await shipmentsOf(testApp, shipper.contractId)
    expect(found.map(({ number, status }) => [number, status])).toEqual([
      [2, 'open'],
      [1, 'closed'],
    ])
    expect(found[0].counts.waiting).toBe(0)
    const [item] = await itemsOf(testApp, id)
    expect(item).toMatchObject({ position: 1, status: 'ready', 'line-numbers': [2], problems: [] })
  })

  test('names what is not ready; without these, they wait for the next one', async () => {
    const shipper = await openShipper(testApp)
    const { company } = shipper
    const codeless = { 'product-id': company.products[premium] }
    expectOk(await putContract(testApp, shipper, { plans: [...plansOf(company, health), codeless] }))
    await needPlanCode(testApp, shipper.contractId)
    const [ready] = await enroll(testApp, shipper, [primary()])
    const products = { 'health-insurance': [{ name: premium, 'start-option': 'on-inclusion-date' }] }
    await testApp.include(shipper.partner, company, [primary({ products })])
    const id = await openShipmentOf(testApp, shipper.contractId)
    expect((await readShipment(testApp, id)).counts).toMatchObject({ ready: 1, 'not-ready': 1, waiting: 2 })
    const [problem] = await itemsOf(testApp, id, '&status=not-ready')
    expect(problem).toMatchObject({ status: 'not-ready', position: null, 'line-numbers': [] })
    const [described] = problem.problems
    expect(described).toMatchObject({ code: 'plan-code-missing', field: 'plan.carrier-plan-code' })
    expect(described.message).toContain('Enter it in the contract.')
    const refused = await act(testApp, id, 'close')
    expect(codeOf(refused)).toEqual([409, 'shipment-items-not-ready'])
    expect(refused.body).toMatchObject({
      error: 'Shipment has items that are not ready',
      'not-ready': 1,
      items: [{ 'enrollment-id': problem['enrollment-id'], problems: [{ code: 'plan-code-missing' }] }],
    })
    expectOk(await act(testApp, id, 'close', { 'skip-not-ready': true }))
    expect((await itemsOf(testApp, id)).map((item) => item['enrollment-id'])).toEqual([ready])
    const next = await openShipmentOf(testApp, shipper.contractId)
    expect((await itemsOf(testApp, next)).map((item) => item['enrollment-id'])).toEqual([problem['enrollment-id']])
    expect(codeOf(await act(testApp, next, 'close', { 'skip-not-ready': true }))).toEqual([409, 'shipment-empty'])
  })

  test('is refused with nothing to send, and of one that is not open or not there', async () => {
    const shipper = await openShipper(testApp)
    const empty = await openShipmentOf(testApp, shipper.contractId)
    expect(codeOf(await act(testApp, empty, 'close'))).toEqual([409, 'shipment-empty'])
    const { id } = await closed()
    const again = await act(testApp, id, 'close')
    expect(codeOf(again)).toEqual([409, 'shipment-status'])
    expect(again.body).toMatchObject({ status: 'closed', allowed: ['open'] })
    for (const verb of ['close', 'reopen', 'cancel', 'send', 'finish']) {
      expect(codeOf(await act(testApp, unknown, verb))).toEqual([404, 'shipment-not-found'])
    }
    for (const path of ['', '/item', '/file']) {
      expect(codeOf(await testApp.operator.get(`${shipmentPath}/${unknown}${path}`))).toEqual([
        404,
        'shipment-not-found',
      ])
    }
  })

  test('is refused with a file that is too large, and nothing is stored', async () => {
    const records = Array.from({ length: 64 }, (_, n) => {
      return { name: `line-${n}`, columns: [{ at: 1, length: 4, literal: 'LINE' }] }
    })
    const layout = { format: 'fixed-width', 'record-length': 4000, records }
    const body = { name: 'Long lines', direction: 'movement', definition: layout }
    const { result } = expectOk(await testApp.operator.post('/operator/v1/layout', body)).body
    const shipper = await openShipper(testApp, { layouts: { movement: result['layout-id'] } })
    // A file of 64 lines of 4,002 bytes each: 16 MiB and some.
    await enroll(
      testApp,
      shipper,
      Array.from({ length: 66 }, () => primary()),
    )
    const id = await openShipmentOf(testApp, shipper.contractId)
    const refused = await act(testApp, id, 'close')
    expect(codeOf(refused)).toEqual([409, 'shipment-too-large'])
    expect(refused.body.error).toBe(
      'The file of the shipment is larger than 16 MiB, or than 100,000 lines or 2,000,000 cells',
    )
    expect(await readShipment(testApp, id)).toMatchObject({ status: 'open', counts: { ready: 66 } })
    expect(codeOf(await fileOf(id))).toEqual([404, 'shipment-file-not-found'])
    expect(await testApp.sql('select from shipment_item where shipment_id = $1', [id])).toEqual([])
  })

  test('by twenty at once is done once', async () => {
    const shipper = await openShipper(testApp)
    await enroll(testApp, shipper, [primary(), primary()])
    const id = await openShipmentOf(testApp, shipper.contractId)
    const responses = await Promise.all(Array.from({ length: 20 }, () => act(testApp, id, 'close')))
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, ...Array(19).fill(409)])
    expect(await shipmentsOf(testApp, shipper.contractId)).toHaveLength(2)
    expect(await readViolations((text, values) => testApp.sql(text, values))).toEqual({})
  })

  test('while a partner cancels leaves the movement in the file or without it', async () => {
    for (let round = 0; round < 5; round += 1) {
      const shipper = await openShipper(testApp)
      const [kept, gone] = await enroll(testApp, shipper, [primary(), primary()])
      const id = await openShipmentOf(testApp, shipper.contractId)
      const [close, cancelled] = await Promise.all([act(testApp, id, 'close'), cancelMovement(shipper, gone)])
      expect([close.status, cancelled.status]).toEqual([200, 200])
      const items = await itemsOf(testApp, id)
      const ids = items.map((item) => item['enrollment-id'])
      expect(ids).toContain(kept)
      const send = await act(testApp, id, 'send')
      expect(send.status).toBe(ids.includes(gone) ? 409 : 200)
    }
    expect(await readViolations((text, values) => testApp.sql(text, values))).toEqual({})
  })
})

describe('reopening', () => {
  test('takes the file back; closed again without changes it has the same bytes and number', async () => {
    const family = primary()
    const { shipper, id } = await closed([family, dependent(family['tax-id']), primary()])
    const before = await fileOf(id)
    const { result } = expectOk(await act(testApp, id, 'reopen')).body
    expect(result).toMatchObject({
      number: 1,
      status: 'open',
      file: null,
      counts: { ...noCounts, ready: 3, waiting: 3 },
    })
    expect(await shipmentsOf(testApp, shipper.contractId)).toHaveLength(1)
    expectOk(await act(testApp, id, 'close'))
    expect((await fileOf(id)).text).toBe(before.text)
    expect((await shipmentsOf(testApp, shipper.contractId)).map(({ number }) => number)).toEqual([2, 1])
  })

  test('is for the latest one that was closed, of an active contract', async () => {
    const { shipper, id } = await closed()
    expectOk(await act(testApp, id, 'reopen'))
    expect(codeOf(await act(testApp, id, 'reopen'))).toEqual([409, 'shipment-status'])
    expectOk(await act(testApp, id, 'close'))
    await enroll(testApp, shipper, [primary()])
    const next = await openShipmentOf(testApp, shipper.contractId)
    expectOk(await act(testApp, next, 'close'))
    expect(codeOf(await act(testApp, id, 'reopen'))).toEqual([409, 'shipment-not-latest'])
    expectOk(await act(testApp, next, 'cancel'))
    expectOk(await act(testApp, id, 'reopen'))
    expectOk(await act(testApp, id, 'close'))
    expectOk(await putContract(testApp, shipper, { status: 'ended' }))
    expect(codeOf(await act(testApp, id, 'reopen'))).toEqual([409, 'shipment-not-latest'])
    expect((await shipmentsOf(testApp, shipper.contractId)).map(({ number }) => number)).toEqual([3, 2, 1])
  })
})

test('the file is in the layout of the contract, also in a built-in one', async () => {
  const shipper = await openShipper(testApp)
  const plans = plansOf(shipper.company, health)
  expectOk(await putContract(testApp, shipper, { plans, layouts: { movement: 'generic-ndjson' } }))
  const member = primary()
  await enroll(testApp, shipper, [member])
  const id = await openShipmentOf(testApp, shipper.contractId)
  const { result } = expectOk(await act(testApp, id, 'close')).body
  expect([result['layout-id'], result.file.name]).toEqual(['generic-ndjson', '900001-1.ndjson'])
  expect(JSON.parse((await fileOf(id)).text)).toMatchObject({ 'tax-id': member['tax-id'] })
})

test('cancelling leaves the movements to the next one', async () => {
  const { shipper, ids, id } = await closed()
  expect(expectOk(await act(testApp, id, 'cancel')).body.result).toMatchObject({
    status: 'cancelled',
    counts: { ...noCounts, cancelled: 1 },
  })
  expect(await itemsOf(testApp, id)).toMatchObject([{ status: 'cancelled', reason: 'shipment-cancelled' }])
  const next = await openShipmentOf(testApp, shipper.contractId)
  expect((await itemsOf(testApp, next)).map((item) => item['enrollment-id'])).toEqual(ids)
  expectOk(await act(testApp, next, 'cancel'))
  const last = await openShipmentOf(testApp, shipper.contractId)
  expect(await readShipment(testApp, last)).toMatchObject({ number: 3, counts: { waiting: 1 } })
  for (const verb of ['close', 'reopen', 'cancel', 'send', 'finish']) {
    expect(codeOf(await act(testApp, id, verb))).toEqual([409, 'shipment-status'])
  }
})

describe('sending', () => {
  test('moves the movements to the carrier, with its protocol; the same call again does nothing', async () => {
    const family = primary()
    const { shipper, ids, id } = await closed([family, dependent(family['tax-id']), primary()])
    const broker = { status: 'broker-processing' }
    expectOk(await testApp.operator.post(`/operator/v1/enrollment/${ids[2]}/transition`, broker))
    const before = await readShipment(testApp, id)
    const body = { 'sent-at': before['closed-at'], 'carrier-protocol': '2026-118840' }
    const { result } = expectOk(await act(testApp, id, 'send', body)).body
    expect(result).toMatchObject({
      status: 'sent',
      ...body,
      'sent-by': testApp.operator.clientId,
      'answer-until': expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    })
    expect((await moved(testApp, id)).counts).toEqual({ ...noCounts, sent: 3 })
    expect(await statusesOf(shipper, ids)).toEqual(ids.map(() => 'carrier-processing'))
    const { history } = await detailOf(shipper, ids[0])
    expect(history.map(({ status, actor }: Json) => [status, actor])).toEqual([
      ['created', 'partner'],
      ['broker-processing', 'operator'],
      ['carrier-processing', 'operator'],
    ])
    const listed = expectOk(await testApp.operator.get(`/operator/v1/enrollment?q=2026-118840`)).body.result
    expect(listed.map(({ id: one }: Json) => one).toSorted()).toEqual(ids.toSorted())
    expectOk(await act(testApp, id, 'send', body))
    expectOk(await act(testApp, id, 'send'))
    const other = await act(testApp, id, 'send', { ...body, 'carrier-protocol': '1' })
    expect(codeOf(other)).toEqual([409, 'shipment-status'])
    expect((await detailOf(shipper, ids[0])).history).toHaveLength(3)
    expect(await testApp.sql(`select from audit where target = $1 and action = 'shipment.sent'`, [id])).toHaveLength(1)
  })

  test('is refused while movements have changed since the close, and names them', async () => {
    const { shipper, ids, id } = await closed([primary(), primary()])
    expectOk(await cancelMovement(shipper, ids[0]))
    const refused = await act(testApp, id, 'send')
    expect(codeOf(refused)).toEqual([409, 'shipment-items-changed'])
    expect(refused.body).toMatchObject({ changed: 1, items: [{ 'enrollment-id': ids[0], status: 'cancelled' }] })
    expectOk(await act(testApp, id, 'reopen'))
    expectOk(await act(testApp, id, 'close'))
    expectOk(await act(testApp, id, 'send'))
    expect((await moved(testApp, id)).counts).toEqual({ ...noCounts, sent: 1 })
  })

  test('is refused before the close, and at a time that has not come', async () => {
    const shipper = await openShipper(testApp)
    const open = await openShipmentOf(testApp, shipper.contractId)
    for (const verb of ['send', 'reopen', 'finish']) {
      expect(codeOf(await act(testApp, open, verb))).toEqual([409, 'shipment-status'])
    }
    const { id } = await closed()
    const early = await act(testApp, id, 'send', { 'sent-at': '2099-01-01T00:00:00Z' })
    expect([early.status, early.body.details]).toEqual([
      400,
      [{ field: 'sent-at', code: 'invalid', message: 'Must not be in the future.' }],
    ])
  })

  test('counts a movement that an operator moved to the carrier before', async () => {
    const { shipper, ids, id } = await closed()
    for (const status of ['broker-processing', 'carrier-processing']) {
      expectOk(await testApp.operator.post(`/operator/v1/enrollment/${ids[0]}/transition`, { status }))
    }
    expectOk(await act(testApp, id, 'send'))
    expect((await moved(testApp, id)).counts).toMatchObject({ sent: 1, cancelled: 0 })
    expect((await detailOf(shipper, ids[0])).history).toHaveLength(3)
  })
})

test('a sent shipment is finished: what is not answered is unanswered, and stays at the carrier', async () => {
  const { shipper, ids, id } = await sent()
  for (const verb of ['close', 'reopen', 'cancel']) {
    expect(codeOf(await act(testApp, id, verb))).toEqual([409, 'shipment-status'])
  }
  // As while the workers move its movements.
  await testApp.sql("update shipment_item set status = 'ready' where shipment_id = $1", [id])
  expect(codeOf(await act(testApp, id, 'finish'))).toEqual([409, 'shipment-being-sent'])
  await testApp.sql("update shipment_item set status = 'sent' where shipment_id = $1", [id])
  expect(expectOk(await act(testApp, id, 'finish')).body.result).toMatchObject({
    status: 'finished',
    'finished-at': expect.any(String),
    counts: { ...noCounts, unanswered: 1 },
  })
  expect(codeOf(await act(testApp, id, 'finish'))).toEqual([409, 'shipment-status'])
  expect(await statusesOf(shipper, ids)).toEqual(['carrier-processing'])
  const next = await openShipmentOf(testApp, shipper.contractId)
  expect(await itemsOf(testApp, next)).toEqual([])
  expect(await readViolations((text, values) => testApp.sql(text, values))).toEqual({})
})

test('analysts write; finance and auditors read, with masked CPFs and without the file', async () => {
  const member = primary()
  const { id } = await closed([member])
  for (const role of ['finance', 'auditor'] as const) {
    const reader = await testApp.operatorOf(role)
    const items = expectOk(await reader.get(`${shipmentPath}/${id}/item`)).body.result
    expect(items[0]['member-tax-id']).toMatch(/^\*\*\*/)
    expect(expectOk(await reader.get(`${shipmentPath}/${id}`)).body.result.number).toBe(1)
    expect((await reader.get(`${shipmentPath}/${id}/file`)).status).toBe(403)
    for (const verb of ['close', 'reopen', 'cancel', 'send', 'finish']) {
      expect((await reader.post(`${shipmentPath}/${id}/${verb}`)).status).toBe(403)
    }
  }
  const analyst = await testApp.operatorOf('analyst')
  expectOk(await analyst.post(`${shipmentPath}/${id}/reopen`))
  const open = expectOk(await analyst.get(`${shipmentPath}/${id}/item`)).body.result
  expect(open[0]['member-tax-id']).toBe(member['tax-id'])
  const auditor = await testApp.operatorOf('auditor')
  const masked = expectOk(await auditor.get(`${shipmentPath}/${id}/item`)).body.result
  expect(masked[0]['member-tax-id']).toMatch(/^\*\*\*/)
  expectOk(await analyst.post(`${shipmentPath}/${id}/close`))
})

test('the queue has the shipment of a movement, and what a carrier should have answered', async () => {
  const shipper = await openShipper(testApp, { 'answer-within-business-days': 2 })
  const [late, early] = await enroll(testApp, shipper, [primary(), primary()])
  const first = await openShipmentOf(testApp, shipper.contractId)
  const list = async (query: string): Promise<Json[]> =>
    expectOk(await testApp.operator.get(`/operator/v1/enrollment?company-tax-id=${shipper.company.taxId}${query}`)).body
      .result
  expect((await list('')).map((item) => item.shipment)).toEqual([null, null])
  expectOk(await act(testApp, first, 'close'))
  // A Tuesday: two business days later is the Thursday before the business day of the test.
  expectOk(await act(testApp, first, 'send', { 'sent-at': '2026-11-17T15:00:00Z' }))
  expect((await moved(testApp, first))['answer-until']).toBe('2026-11-19')
  const [item] = await list(`&shipment-id=${first}`)
  expect(item.shipment).toEqual({ 'shipment-id': first, number: 1, 'cut-off-date': null })
  expect((await list('&overdue-at-carrier=true')).map(({ id }) => id).toSorted()).toEqual([late, early].toSorted())
  expectOk(await act(testApp, first, 'finish'))
  expect(await list('&overdue-at-carrier=true')).toHaveLength(2)
  expectOk(await testApp.operator.post(`/operator/v1/enrollment/${early}/transition`, { status: 'completed' }))
  expect((await list('&overdue-at-carrier=true')).map(({ id }) => id)).toEqual([late])
  expect(await list('&overdue-at-carrier=true&status=created')).toEqual([])
})

test('the days to answer count from the business day of the sending, where it is ahead of the time', async () => {
  const ahead = await openTestApp({ VIGENCIA_BUSINESS_DATE: '2091-03-09' })
  try {
    const shipper = await openShipper(ahead, { 'answer-within-business-days': 2 })
    await enroll(ahead, shipper, [primary()])
    const id = await openShipmentOf(ahead, shipper.contractId)
    expectOk(await act(ahead, id, 'close'))
    expectOk(await act(ahead, id, 'send'))
    // From a Friday to a Tuesday.
    expect((await moved(ahead, id))['answer-until']).toBe('2091-03-13')
    const path = `/operator/v1/enrollment?company-tax-id=${shipper.company.taxId}&overdue-at-carrier=true`
    expect(expectOk(await ahead.operator.get(path)).body.result).toEqual([])
  } finally {
    await ahead.close()
  }
})

test('the queue is filtered by the number and the cut-off of shipments, and found by the protocol of a movement or its lot', async () => {
  const shipper = await openShipper(testApp, { calendar: calendar(20) })
  const list = async (query: string): Promise<string[]> =>
    expectOk(
      await testApp.operator.get(`/operator/v1/enrollment?company-tax-id=${shipper.company.taxId}${query}`),
    ).body.result.map(({ id }: Json) => id)
  const [first] = await enroll(testApp, shipper, [primary()])
  const one = await openShipmentOf(testApp, shipper.contractId)
  expect(await list('&shipment-number=1')).toEqual([])
  expectOk(await act(testApp, one, 'close'))
  expectOk(
    await testApp.operator.put(`${shipmentPath}/${one}/item/1/carrier-protocol`, { 'carrier-protocol': 'Portal-77' }),
  )
  expectOk(await act(testApp, one, 'send', { 'carrier-protocol': 'LOTE-1' }))
  await moved(testApp, one)
  const [second] = await enroll(testApp, shipper, [primary()])
  const two = await openShipmentOf(testApp, shipper.contractId)
  expectOk(await act(testApp, two, 'close'))
  expectOk(await act(testApp, two, 'send', { 'carrier-protocol': 'LOTE-2' }))
  await moved(testApp, two)
  const { 'cut-off-date': cutOff } = await readShipment(testApp, one)
  expect([await list('&shipment-number=1'), await list('&shipment-number=2')]).toEqual([[first], [second]])
  expect((await list(`&cut-off-date=${cutOff}`)).toSorted()).toEqual([first, second].toSorted())
  expect(await list('&cut-off-date=2020-01-01')).toEqual([])
  expect([await list('&q=portal-7'), await list('&q=lote-2'), await list('&q=lote-1')]).toEqual([
    [first],
    [second],
    [first],
  ])
  const { result } = expectOk(await testApp.operator.get(`/operator/v1/enrollment/${first}`)).body
  expect([result['carrier-protocol'], result['carrier-hand-over']['carrier-protocol']]).toEqual([
    'Portal-77',
    'Portal-77',
  ])
  expect((await testApp.operator.get('/operator/v1/enrollment?shipment-number=0')).status).toBe(400)
})
