import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deliveriesOf, makeEndpoint, openReceiver, patch, type Receiver } from '../../world/receiver.ts'
import {
  type Client,
  type Company,
  companyBody,
  expectOk,
  type Json,
  primary,
  until,
  useTestApp,
} from '../../world/test-app.ts'

/* The webhook endpoints of all clients, what was sent to them, and redelivery, as operators see them. */

const testApp = useTestApp({ VIGENCIA_WEBHOOK_ALLOW_PRIVATE: 'true', VIGENCIA_ROLE: 'all' })
const base = '/operator/v1'
const unknown = '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21'
let company: Company
let good: Client
let bad: Client
let analyst: Client
let auditor: Client
let receiver: Receiver
let broken: Receiver
let goodEndpoint: Json
let badEndpoint: Json
/** An event that both clients receive: one with success. */
let event: Json

const read = async (path: string, by: Client = analyst): Promise<Json> => expectOk(await by.get(`${base}${path}`)).body

beforeAll(async () => {
  company = await testApp.company()
  good = await testApp.partner(company.taxId)
  bad = await testApp.partner(company.taxId)
  analyst = await testApp.operatorOf('analyst')
  auditor = await testApp.operatorOf('auditor')
  receiver = await openReceiver()
  broken = await openReceiver()
  broken.respond = () => ({ status: 500 })
  goodEndpoint = await makeEndpoint(good, receiver.url)
  badEndpoint = await makeEndpoint(bad, `${broken.url}?token=segredo`, ['enrollment.completed'])
  await testApp.include(good, company, [primary()], '?resolution=approve')
  const path = '/v1/webhook-event?type=enrollment.completed'
  const found = await until(
    async () => expectOk(await good.get(path)).body.result,
    (events) => events.length > 0,
  )
  event = found[0]
  await deliveriesOf(good, event.id, ([first]) => first?.status === 'succeeded')
  await deliveriesOf(bad, event.id, (attempts) => attempts.some(({ status }) => status === 'failed'))
})
afterAll(async () => {
  await receiver.close()
  await broken.close()
})

describe('GET /operator/v1/webhook-endpoint', () => {
  test('lists the endpoints of all clients with the health of their deliveries, without secrets', async () => {
    // Every event of the receiver that works is delivered.
    const { result } = await until(
      () => read('/webhook-endpoint'),
      ({ result: [first] }) => first['pending-deliveries'] === 0,
    )
    const { secret, ...shown } = goodEndpoint
    expect(result).toEqual([
      {
        ...shown,
        'client-id': good.clientId,
        'client-name': expect.any(String),
        'failing-since': null,
        'pending-deliveries': 0,
        'oldest-pending-at': null,
        'last-success-at': expect.stringMatching(/Z$/),
        'last-error': null,
      },
      {
        ...badEndpoint,
        secret: undefined,
        'client-id': bad.clientId,
        'client-name': expect.any(String),
        'failing-since': expect.stringMatching(/Z$/),
        'pending-deliveries': 1,
        'oldest-pending-at': expect.stringMatching(/Z$/),
        'last-success-at': null,
        'last-error': { at: expect.stringMatching(/Z$/), 'response-status': 500, error: null },
      },
    ])
    expect(JSON.stringify(result)).not.toContain(secret)
    const [first, second] = expectOk(await good.get(`/v1/webhook-event/${event.id}/delivery`)).body.result
    expect(second).toBeUndefined()
    expect(Date.parse(result[0]['last-success-at'])).toBeGreaterThanOrEqual(Date.parse(first['attempted-at']))
  })

  test('filters by client and by failure, page by page; the item is that of one read alone', async () => {
    const idsOf = async (query: string) => (await read(`/webhook-endpoint?${query}`)).result.map(({ id }: Json) => id)
    expect(await idsOf(`client-id=${good.clientId}`)).toEqual([goodEndpoint.id])
    expect(await idsOf('failing=true')).toEqual([badEndpoint.id])
    expect(await idsOf(`failing=true&client-id=${good.clientId}`)).toEqual([])
    expect(await idsOf('failing=true&status=enabled')).toEqual([badEndpoint.id])
    expect(await idsOf('status=disabled')).toEqual([])
    expect(await idsOf('items-per-page=1&page=2')).toEqual([badEndpoint.id])
    const { result } = await read('/webhook-endpoint?failing=true')
    expect((await read(`/webhook-endpoint/${badEndpoint.id}`)).result).toEqual(result[0])
  })

  test('shows an auditor no query of a URL', async () => {
    const [own, audited] = [analyst, auditor].map((by) => read(`/webhook-endpoint/${badEndpoint.id}`, by))
    expect((await own)?.result.url).toBe(`${broken.url}?token=segredo`)
    expect((await audited)?.result.url).toBe(`${broken.url}?***`)
    const { result } = await read('/webhook-endpoint', auditor)
    expect(result.map(({ url }: Json) => url)).toEqual([receiver.url, `${broken.url}?***`])
  })

  test('404 for an unknown endpoint and those of a revoked client, which are not listed', async () => {
    const gone = await testApp.partner(company.taxId)
    const { id } = await makeEndpoint(gone, receiver.url, ['webhook.test'])
    expectOk(await testApp.operator.delete(`${base}/client/${gone.clientId}`))
    for (const endpointId of [id, unknown]) {
      const response = await analyst.get(`${base}/webhook-endpoint/${endpointId}`)
      expect([response.status, response.body.code]).toEqual([404, 'webhook-endpoint-not-found'])
    }
    expect((await read(`/webhook-endpoint?client-id=${gone.clientId}`)).result).toEqual([])
  })
})

describe('GET /operator/v1/webhook-delivery', () => {
  test('lists each attempt with its event and its client, filtered by all of them', async () => {
    const failed = (await read(`/webhook-delivery?webhook-endpoint-id=${badEndpoint.id}&status=failed`)).result
    const attempt = failed.at(-1)
    const [partners] = expectOk(await bad.get(`/v1/webhook-event/${event.id}/delivery`)).body.result
    expect(attempt).toEqual({
      ...partners,
      'client-id': bad.clientId,
      'client-name': expect.any(String),
      'event-id': event.id,
      'event-type': 'enrollment.completed',
      'company-tax-id': company.taxId,
      'company-name': companyBody.name,
    })
    const { result, pagination } = await read(`/webhook-delivery?client-id=${good.clientId}`)
    expect(new Set(result.map((one: Json) => one['endpoint-id']))).toEqual(new Set([goodEndpoint.id]))
    expect(pagination['total-items']).toBe(result.length)
    const ids: string[] = result.map((one: Json) => one['event-id'])
    expect(ids).toEqual(ids.toSorted().toReversed())
    const typed = (await read(`/webhook-delivery?client-id=${good.clientId}&type=enrollment.completed`)).result
    expect(typed.map((one: Json) => one['event-id'])).toEqual([event.id])
    expect((await read(`/webhook-delivery?client-id=${good.clientId}&status=failed`)).result).toEqual([])
    const both = (await read(`/webhook-delivery?webhook-event-id=${event.id}&items-per-page=500`)).result
    expect(new Set(both.map((one: Json) => one['client-id']))).toEqual(new Set([good.clientId, bad.clientId]))
  })
})

describe('GET /operator/v1/webhook-event/{webhook-event-id}', () => {
  test('has the body as the receiver got it, and all attempts', async () => {
    const { result } = await read(`/webhook-event/${event.id}`)
    const [received] = await receiver.until(1, (call) => call.headers['webhook-id'] === event.id)
    const attempts = (await read(`/webhook-delivery?webhook-event-id=${event.id}`)).result
    const { deliveries, ...shown } = result
    expect(shown).toEqual({
      ...event,
      'company-tax-id': company.taxId,
      'company-name': companyBody.name,
      body: received?.text,
    })
    // The other client's are still being retried.
    const ofGood = (all: Json[]) => all.filter((one) => one['client-id'] === good.clientId)
    expect(ofGood(deliveries)).toEqual(ofGood(attempts))
    expect(deliveries.length).toBeGreaterThanOrEqual(3)
  })

  test('a test has no company', async () => {
    const { id } = expectOk(await good.post(`/v1/webhook-endpoint/${goodEndpoint.id}/test`)).body.result
    await deliveriesOf(good, id, ([first]) => first?.status === 'succeeded')
    const { result } = await read(`/webhook-event/${id}`)
    const [received] = await receiver.until(1, (call) => call.headers['webhook-id'] === id)
    expect(result).toMatchObject({ id, type: 'webhook.test', 'company-tax-id': null, body: received?.text })
    expect(result.deliveries).toHaveLength(1)
    expect(result.deliveries[0]).toMatchObject({ 'event-type': 'webhook.test', 'company-tax-id': null })
    const tests = (await read(`/webhook-delivery?type=webhook.test&client-id=${good.clientId}`)).result
    expect(tests.map((one: Json) => one['event-id'])).toEqual([id])
  })

  test('404 for an unknown id', async () => {
    const response = await analyst.get(`${base}/webhook-event/${unknown}`)
    expect([response.status, response.body.code]).toEqual([404, 'webhook-event-not-found'])
  })
})

describe('POST /operator/v1/webhook-event/{webhook-event-id}/redeliver', () => {
  const redeliver = (eventId: string, endpointId: string) =>
    analyst.post(`${base}/webhook-event/${eventId}/redeliver`, { 'webhook-endpoint-id': endpointId })

  test('sends the same body to that endpoint alone', async () => {
    // A redelivery starts a schedule.
    const schedules = () =>
      testApp.sql('select distinct started_at from webhook_delivery where endpoint_id = $1', [badEndpoint.id])
    const before = await schedules()
    expect(expectOk(await redeliver(event.id, goodEndpoint.id)).body.result).toEqual(event)
    const calls = await receiver.until(2, (call) => call.headers['webhook-id'] === event.id)
    expect(calls[1]?.text).toBe(calls[0]?.text)
    await deliveriesOf(good, event.id, (attempts) => attempts.filter((one) => one.status === 'succeeded').length === 2)
    expect(await schedules()).toEqual(before)
  })

  test('404 for what the endpoint does not receive, 409 for a disabled endpoint', async () => {
    const other = (await read(`/webhook-delivery?client-id=${good.clientId}&type=enrollment.created`)).result[0]
    const foreign = await testApp.partner()
    const stranger = await makeEndpoint(foreign, receiver.url)
    for (const [eventId, endpointId, code] of [
      // Not of a type that it subscribes to, of a company that its client may not access, unknown.
      [other['event-id'], badEndpoint.id, 'webhook-event-not-found'],
      [event.id, stranger.id, 'webhook-event-not-found'],
      [unknown, goodEndpoint.id, 'webhook-event-not-found'],
      [event.id, unknown, 'webhook-endpoint-not-found'],
    ]) {
      const response = await redeliver(eventId, endpointId)
      expect([response.status, response.body.code]).toEqual([404, code])
    }
    expectOk(await patch(testApp, foreign, `/v1/webhook-endpoint/${stranger.id}`, { status: 'disabled' }))
    const disabled = await redeliver(event.id, stranger.id)
    expect([disabled.status, disabled.body.code]).toEqual([409, 'webhook-endpoint-disabled'])
  })
})
