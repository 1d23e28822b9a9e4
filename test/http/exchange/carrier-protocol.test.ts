import { expect, test } from 'vitest'
import { type Client, type Company, expectOk, type Json, primary, useTestApp } from '../../world/test-app.ts'

const testApp = useTestApp()

const protocol = '2026-118840/A'

/** Inclusions of as many people, with the company and its partner. */
async function movements(count: number): Promise<{ ids: string[]; company: Company; partner: Client }> {
  const company = await testApp.company()
  const partner = await testApp.partner(company.taxId)
  const members = Array.from({ length: count }, () => primary())
  const request = await testApp.include(partner, company, members)
  const ids = Object.values<Json>(request['status-by-tax-id']).flatMap((parts) =>
    Object.values<Json>(parts).map((part) => part['enrollment-id'] as string),
  )
  return { ids, company, partner }
}

const move = (id: string, body: unknown) => testApp.operator.post(`/operator/v1/enrollment/${id}/transition`, body)
const read = async (id: string): Promise<Json> =>
  expectOk(await testApp.operator.get(`/operator/v1/enrollment/${id}`)).body.result
const queue = async (query: string): Promise<Json[]> =>
  expectOk(await testApp.operator.get(`/operator/v1/enrollment?${query}`)).body.result
const toCarrier = { status: 'carrier-processing', 'carrier-protocol': protocol }

test('the protocol of the carrier is in the movement, the queue and its export, and stays when the movement goes on', async () => {
  const { ids, company, partner } = await movements(1)
  const [id = ''] = ids
  expect((await read(id))['carrier-protocol']).toBe(null)
  expectOk(await move(id, { status: 'broker-processing' }))
  expectOk(await move(id, toCarrier))
  expect((await read(id))['carrier-protocol']).toBe(protocol)
  expect((await queue(`company-tax-id=${company.taxId}`)).map((one) => one['carrier-protocol'])).toEqual([protocol])
  const exported = await testApp.operator.get(`/operator/v1/enrollment/export?company-tax-id=${company.taxId}`)
  const [header = '', line = ''] = exported.text.split('\r\n')
  expect(line.split(';')[header.split(';').indexOf('carrier-protocol')]).toBe(protocol)
  const detail = await partner.get(`/v1/enrollment/detail/${id}`)
  expect([detail.status, detail.text.includes(protocol)]).toEqual([200, false])
  expectOk(await move(id, { status: 'completed' }))
  expect(await read(id)).toMatchObject({ status: 'completed', 'carrier-protocol': protocol })
})

test('a later transition to the carrier replaces it, if it has one', async () => {
  const { ids } = await movements(1)
  const [id = ''] = ids
  const pending = { status: 'pending-correction', reason: 'Nome' }
  for (const [body, expected] of [
    [toCarrier, protocol],
    [{ status: 'carrier-processing' }, protocol],
    [{ status: 'carrier-processing', 'carrier-protocol': 'B 2' }, 'B 2'],
  ] as const) {
    expectOk(await move(id, { status: 'broker-processing' }))
    expectOk(await move(id, body))
    expect((await read(id))['carrier-protocol']).toBe(expected)
    expectOk(await move(id, pending))
    expectOk(await move(id, { status: 'created' }))
  }
})

test('the queue is searched by it, open and closed', async () => {
  const { ids } = await movements(2)
  for (const id of ids) expectOk(await move(id, { status: 'broker-processing' }))
  const [open = '', closed = ''] = ids
  expectOk(await move(open, { ...toCarrier, 'carrier-protocol': 'Lote-77x/1' }))
  expectOk(await move(closed, { ...toCarrier, 'carrier-protocol': 'LOTE-77X/2' }))
  expectOk(await move(closed, { status: 'completed' }))
  const found = async (query: string) => (await queue(query)).map(({ id }) => id).toSorted()
  expect(await found('q=lote-77X')).toEqual([...ids].toSorted())
  expect(await found('q=lote-77X&status=open')).toEqual([open])
  expect(await found('q=lote-77x/2')).toEqual([closed])
})

test('a lot has one: several movements at once, and the lines of a file each its own', async () => {
  const { ids } = await movements(3)
  const bulk = (body: unknown) => testApp.operator.post('/operator/v1/enrollment/transition', body)
  expectOk(await bulk({ status: 'broker-processing', 'enrollment-ids': ids }))
  const [one = '', other = '', last = ''] = ids
  expectOk(await bulk({ ...toCarrier, 'enrollment-ids': [one, other] }))
  const file = Buffer.from(`enrollment-id;status;Protocolo na operadora\n${last};carrier-processing;F-1\n`)
  const headers = { 'content-type': 'text/csv', prefer: 'wait=60' }
  expectOk(
    await testApp.call('POST', '/operator/v1/enrollment/decision', {
      token: testApp.operator.token,
      body: file,
      headers,
    }),
  )
  const protocols = await Promise.all(ids.map(async (id) => (await read(id))['carrier-protocol']))
  expect(protocols).toEqual([protocol, protocol, 'F-1'])
})

test.each<[Json, string, string]>([
  [{ status: 'completed', 'carrier-protocol': '1' }, 'not-applicable', 'not-applicable'],
  [{ status: 'broker-processing', 'carrier-protocol': '1' }, 'not-applicable', 'not-applicable'],
  [{ status: 'carrier-processing', 'carrier-protocol': '' }, 'invalid-body', 'invalid'],
  [{ status: 'carrier-processing', 'carrier-protocol': '1'.repeat(61) }, 'invalid-body', 'invalid'],
  [{ status: 'carrier-processing', 'carrier-protocol': 'a\nb' }, 'invalid-body', 'invalid'],
])('400: %j', async (body, error, code) => {
  const { ids } = await movements(1)
  const [id = ''] = ids
  const response = await move(id, body)
  expect([response.status, response.body.code]).toEqual([400, error])
  expect(response.body.details).toMatchObject([{ field: 'carrier-protocol', code }])
  expect((await read(id)).status).toBe('created')
})

test('sixty characters are taken', async () => {
  const { ids } = await movements(1)
  const [id = ''] = ids
  expectOk(await move(id, { status: 'broker-processing' }))
  expectOk(await move(id, { ...toCarrier, 'carrier-protocol': 'p'.repeat(60) }))
  expect((await read(id))['carrier-protocol']).toHaveLength(60)
})
