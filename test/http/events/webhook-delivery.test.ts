import { Client as PgClient } from 'pg'
import { v7 as uuidv7 } from 'uuid'
import { afterEach, describe, expect, test } from 'vitest'
import { openSender } from '#events/webhooks/sender.ts'
import { retryDelaysMs } from '#events/rules/webhook.ts'
import { readViolations } from '../../crash/invariants.ts'
import { type Client, type Company, expectOk, type Json, useTestApp, until } from '../../world/test-app.ts'
import { putInvoice } from '../../world/invoice.ts'
import { deliveriesOf, makeEndpoint, openReceiver, patch, type Receiver } from '../../world/receiver.ts'
import { type Clock, openClock, startDispatcher } from '../../world/dispatcher.ts'

/*
 * An app with the role `api`; the tests start its dispatcher, with a clock of their own. An invoice writes an event.
 */

const testApp = useTestApp({ VIGENCIA_WEBHOOK_ALLOW_PRIVATE: 'true', VIGENCIA_ROLE: 'api' })
const stopping: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const stop of stopping.splice(0).toReversed()) await stop()
})

function dispatcher(clock?: Clock): { stop(): Promise<void> } {
  const options = clock === undefined ? {} : { now: clock.now, random: () => 0.5 }
  const started = startDispatcher(testApp, options)
  stopping.push(() => started.stop())
  return started
}

async function receiver(): Promise<Receiver> {
  const opened = await openReceiver()
  stopping.push(() => opened.close())
  return opened
}

interface Tenant {
  readonly company: Company
  readonly partner: Client
}

async function makeTenant(): Promise<Tenant> {
  const company = await testApp.company()
  return { company, partner: await testApp.partner(company.taxId) }
}

/** Makes something happen in the company. @returns the event, as its client reads it. */
async function makeEvent({ company, partner }: Tenant): Promise<Json> {
  await putInvoice(testApp, company, { id: uuidv7() })
  return expectOk(await partner.get('/v1/webhook-event?items-per-page=1')).body.result[0]
}

const endpointOf = async ({ partner }: Tenant, id: string): Promise<Json> =>
  expectOk(await partner.get(`/v1/webhook-endpoint/${id}`)).body.result

/** Takes the clock from attempt to attempt until the endpoint is disabled. @returns the attempts. */
async function failThrough(clock: Clock, tenant: Tenant, eventId: string): Promise<Json[]> {
  for (let attempt = 1; attempt <= 10; attempt += 1) {
    const made = await deliveriesOf(tenant.partner, eventId, (all) => all[attempt - 1]?.status === 'failed')
    const next = made[attempt - 1]['next-attempt-at']
    if (next === null) return made
    expect(made[attempt]).toMatchObject({ attempt: attempt + 1, status: 'pending', 'next-attempt-at': next })
    clock.moveTo(new Date(next))
  }
  throw new Error('there was an attempt after the tenth')
}

describe('a receiver that is down for the whole schedule', () => {
  test('gets ten attempts, is disabled then, and gets the event by a redelivery later', async () => {
    const [tenant, clock, hook] = [await makeTenant(), openClock(), await receiver()]
    hook.respond = () => ({ status: 500 })
    const { id } = await makeEndpoint(tenant.partner, hook.url)
    dispatcher(clock)
    const event = await makeEvent(tenant)
    const begun = clock.now()
    const made = await failThrough(clock, tenant, event.id)
    expect(made.map((one) => [one.attempt, one['response-status'], one.error])).toEqual(
      Array.from({ length: 10 }, (_, n) => [n + 1, 500, null]),
    )
    const times = made.map((one) => Number(new Date(one['attempted-at'])) - Number(begun))
    expect(times).toEqual(
      [0, ...retryDelaysMs].map((_, n) => retryDelaysMs.slice(0, n).reduce((sum, ms) => sum + ms, 0)),
    )
    expect(hook.calls.map(({ headers }) => headers['webhook-id'])).toEqual(made.map(() => event.id))

    const disabled = await until(
      () => endpointOf(tenant, id),
      (one) => one.status === 'disabled',
    )
    expect(disabled['disabled-reason']).toBe('failing')
    const audited = await testApp.sql('select actor, action from audit where target = $1 order by at desc, id desc', [
      id,
    ])
    expect(audited[0]).toEqual({ actor: 'service', action: 'webhook-endpoint.disabled' })

    hook.respond = () => ({ status: 204 })
    const meanwhile = await makeEvent(tenant)
    expectOk(await tenant.partner.post(`/v1/webhook-event/${event.id}/redeliver`))
    expect(
      expectOk(await patch(testApp, tenant.partner, `/v1/webhook-endpoint/${id}`, { status: 'enabled' })).body.result,
    ).toMatchObject({ status: 'enabled', 'disabled-reason': null })
    for (const one of [event, meanwhile]) {
      const response = expectOk(await tenant.partner.post(`/v1/webhook-event/${one.id}/redeliver`))
      expect(response.body.result).toEqual(one)
      clock.moveTo(new Date())
      await deliveriesOf(tenant.partner, one.id, (all) => all.at(-1)?.status === 'succeeded')
    }
    const all = await deliveriesOf(tenant.partner, event.id, () => true)
    expect(all.at(-1)).toMatchObject({
      attempt: 11,
      status: 'succeeded',
      'response-status': 204,
      'next-attempt-at': null,
    })
    expect(hook.calls.filter(({ headers }) => headers['webhook-id'] === meanwhile.id)).toHaveLength(1)
  })

  test('that recovers in between gets the event by a retry', async () => {
    const [tenant, clock, hook] = [await makeTenant(), openClock(), await receiver()]
    hook.respond = () => ({ status: hook.calls.length < 4 ? 503 : 200 })
    const { id } = await makeEndpoint(tenant.partner, hook.url)
    dispatcher(clock)
    const event = await makeEvent(tenant)
    for (let attempt = 1; attempt < 4; attempt += 1) {
      const made = await deliveriesOf(tenant.partner, event.id, (all) => all[attempt - 1]?.status === 'failed')
      clock.moveTo(new Date(made[attempt - 1]['next-attempt-at']))
    }
    const made = await deliveriesOf(tenant.partner, event.id, (all) => all.at(-1).status === 'succeeded')
    expect(made.map((one) => one.status)).toEqual(['failed', 'failed', 'failed', 'succeeded'])
    expect(await endpointOf(tenant, id)).toMatchObject({ status: 'enabled', 'disabled-reason': null })
  })

  test('for one event only is not disabled', async () => {
    const [tenant, clock, hook] = [await makeTenant(), openClock(), await receiver()]
    const { id } = await makeEndpoint(tenant.partner, hook.url)
    const bad = await makeEvent(tenant)
    hook.respond = ({ headers }) => ({ status: headers['webhook-id'] === bad.id ? 500 : 204 })
    expectOk(await tenant.partner.post(`/v1/webhook-event/${bad.id}/redeliver`))
    dispatcher(clock)
    clock.moveTo(new Date())
    for (let attempt = 1; attempt <= 10; attempt += 1) {
      const made = await deliveriesOf(tenant.partner, bad.id, (all) => all[attempt - 1]?.status === 'failed')
      const good = await makeEvent(tenant)
      clock.moveTo(new Date())
      await deliveriesOf(tenant.partner, good.id, (all) => all[0]?.status === 'succeeded')
      if (attempt < 10) clock.moveTo(new Date(made[attempt - 1]['next-attempt-at']))
    }
    expect((await endpointOf(tenant, id)).status).toBe('enabled')
  })
})

test('410 disables at once; pending deliveries continue when the endpoint is enabled again', async () => {
  const [tenant, clock, hook] = [await makeTenant(), openClock(), await receiver()]
  const { id } = await makeEndpoint(tenant.partner, hook.url)
  dispatcher(clock)
  hook.respond = () => ({ status: 500 })
  const waiting = await makeEvent(tenant)
  await deliveriesOf(tenant.partner, waiting.id, (all) => all[0]?.status === 'failed')
  hook.respond = () => ({ status: 410 })
  const event = await makeEvent(tenant)
  clock.moveTo(new Date())
  const disabled = await until(
    () => endpointOf(tenant, id),
    (one) => one.status === 'disabled',
  )
  expect(disabled['disabled-reason']).toBe('gone')
  const [made, ...more] = await deliveriesOf(tenant.partner, event.id, (all) => all.length > 0)
  expect(made).toMatchObject({ status: 'failed', 'response-status': 410, 'next-attempt-at': null })
  expect(more).toEqual([])

  const unheard = await makeEvent(tenant)
  clock.moveTo(new Date(Date.now() + 60_000))
  await until(
    () => testApp.sql('select 1 from event_batch'),
    (left) => left.length === 0,
  )
  expect(hook.calls).toHaveLength(2)
  hook.respond = () => ({ status: 204 })
  expectOk(await patch(testApp, tenant.partner, `/v1/webhook-endpoint/${id}`, { status: 'enabled' }))
  const [, second] = await deliveriesOf(tenant.partner, waiting.id, (all) => all[1]?.status === 'succeeded')
  expect(second).toMatchObject({ attempt: 2 })
  expect(await deliveriesOf(tenant.partner, unheard.id, () => true)).toEqual([])
})

test('an endpoint gets the types that it subscribes to, and no events from before it was created', async () => {
  const [tenant, hook] = [await makeTenant(), await receiver()]
  await makeEvent(tenant)
  const { id } = await makeEndpoint(tenant.partner, `${hook.url}/paid`, ['invoice.paid'])
  await makeEndpoint(tenant.partner, `${hook.url}/all`, [])
  await makeEndpoint(tenant.partner, `${hook.url}/issued`, ['invoice.issued', 'request.failed'])
  dispatcher()
  const event = await makeEvent(tenant)
  await hook.until(2)
  const made = await deliveriesOf(tenant.partner, event.id, (all) => all.every((one) => one.status !== 'pending'))
  expect(made).toHaveLength(2)
  expect(hook.calls.map(({ path }) => path).toSorted()).toEqual(['/hook/all', '/hook/issued'])
  expectOk(await patch(testApp, tenant.partner, `/v1/webhook-endpoint/${id}`, { 'event-types': [] }))
  const next = await makeEvent(tenant)
  await hook.until(3, ({ headers }) => headers['webhook-id'] === next.id)
})

test('a client gets events of its own companies only, and none after the entitlement or the client is revoked', async () => {
  const [one, two, hook] = [await makeTenant(), await makeTenant(), await receiver()]
  await makeEndpoint(one.partner, `${hook.url}/one`)
  await makeEndpoint(two.partner, `${hook.url}/two`)
  hook.respond = () => ({ status: 500 })
  const clock = openClock()
  dispatcher(clock)
  const [first, second] = [await makeEvent(one), await makeEvent(two)]
  await deliveriesOf(one.partner, first.id, (all) => all[0]?.status === 'failed')
  await deliveriesOf(two.partner, second.id, (all) => all[0]?.status === 'failed')
  expect(hook.calls.map(({ path, headers }) => [path, headers['webhook-id']]).toSorted()).toEqual([
    ['/hook/one', first.id],
    ['/hook/two', second.id],
  ])
  expectOk(await testApp.operator.delete(`/operator/v1/client/${one.partner.clientId}/company/${one.company.taxId}`))
  expectOk(await testApp.operator.delete(`/operator/v1/client/${two.partner.clientId}`))
  await putInvoice(testApp, one.company, { id: uuidv7() })
  await putInvoice(testApp, two.company, { id: uuidv7() })
  expect((await one.partner.get(`/v1/webhook-event/${first.id}`)).status).toBe(404)
  clock.moveTo(new Date(Date.now() + 60_000))
  const settled = await until(
    () =>
      testApp.sql(
        'select event_id, error, attempted_at from webhook_delivery where event_id = any($1) and attempt = 2',
        [[first.id, second.id]],
      ),
    (rows) => rows.length === 2 && rows.every((row) => row['error'] !== null),
  )
  expect(settled.map((row) => [row['error'], row['attempted_at']])).toEqual([
    ['not-entitled', null],
    ['not-entitled', null],
  ])
  await until(
    () => testApp.sql('select 1 from event_batch'),
    (left) => left.length === 0,
  )
  expect(hook.calls).toHaveLength(2)
})

test('a redelivery has the same webhook-id and body, and is sent to newer endpoints too', async () => {
  const [tenant, hook] = [await makeTenant(), await receiver()]
  await makeEndpoint(tenant.partner, `${hook.url}/old`)
  dispatcher()
  const event = await makeEvent(tenant)
  await deliveriesOf(tenant.partner, event.id, (all) => all[0]?.status === 'succeeded')
  await makeEndpoint(tenant.partner, `${hook.url}/new`)
  expectOk(await tenant.partner.post(`/v1/webhook-event/${event.id}/redeliver`))
  const made = await deliveriesOf(
    tenant.partner,
    event.id,
    (all) => all.length === 3 && all.every((one) => one.status === 'succeeded'),
  )
  expect(made.map((one) => one.attempt)).toEqual([1, 1, 2])
  expect(hook.calls.map(({ path }) => path).toSorted()).toEqual(['/hook/new', '/hook/old', '/hook/old'])
  expect(new Set(hook.calls.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([event.id]))
  expect(new Set(hook.calls.map(({ text }) => text)).size).toBe(1)
  const page = expectOk(await tenant.partner.get(`/v1/webhook-event/${event.id}/delivery?items-per-page=1&page=3`)).body
  expect(page.result).toEqual([made[2]])
  expect(page.pagination).toMatchObject({ 'total-items': 3, 'previous-page': 2, 'next-page': null })
})

test('receivers that never respond do not delay others: all is delivered while their calls are in flight', async () => {
  const [tenant, dead, working] = [await makeTenant(), await receiver(), await receiver()]
  dead.respond = () => null
  // More calls that hang than one process may have under way with healthy ones.
  for (let n = 0; n < 19; n += 1) await makeEndpoint(tenant.partner, `${dead.url}/${n}`)
  await makeEndpoint(tenant.partner, working.url)
  dispatcher()
  for (let n = 0; n < 30; n += 1) await putInvoice(testApp, tenant.company, { id: uuidv7() })
  await working.until(30)
  expect(dead.calls.length).toBeGreaterThan(19)
  const received = await testApp.sql(
    `select count(*)::int as n from webhook_delivery d join webhook_endpoint e on e.id = d.endpoint_id
     where e.client_id = $1 and e.url like $2 and d.status <> 'pending'`,
    [tenant.partner.clientId, `${dead.url}%`],
  )
  expect(received).toEqual([{ n: 0 }])
})

test('a name of a private address fails the delivery without a connection', async () => {
  const [tenant, hook] = [await makeTenant(), await receiver()]
  const { id } = await makeEndpoint(tenant.partner, `http://payroll.example:${hook.port}/hook`)
  const sender = openSender({ httpsOnly: false, allowPrivate: false, resolve: async () => ['127.0.0.1', '::1'] })
  const started = startDispatcher(testApp, { sender })
  stopping.push(() => started.stop())
  const event = await makeEvent(tenant)
  const [made] = await deliveriesOf(tenant.partner, event.id, (all) => all[0]?.status === 'failed')
  expect(made).toMatchObject({ 'endpoint-id': id, 'response-status': null, error: 'private-address' })
  expect(hook.connections).toBe(0)
})

test('several processes share the work: each event is delivered once to each endpoint', async () => {
  const [tenant, hook] = [await makeTenant(), await receiver()]
  for (let n = 0; n < 3; n += 1) await makeEndpoint(tenant.partner, `${hook.url}/${n}`)
  for (let n = 0; n < 3; n += 1) dispatcher()
  for (let n = 0; n < 25; n += 1) await putInvoice(testApp, tenant.company, { id: uuidv7() })
  await hook.until(75)
  await until(
    () =>
      testApp.sql(
        "select 1 from webhook_delivery d join webhook_endpoint e on e.id = d.endpoint_id where e.client_id = $1 and d.status = 'pending'",
        [tenant.partner.clientId],
      ),
    (left) => left.length === 0,
  )
  const received = hook.calls.map(({ path, headers }) => `${path} ${String(headers['webhook-id'])}`)
  expect([received.length, new Set(received).size]).toEqual([75, 75])
})

test('an event whose transaction commits after a newer one’s is delivered too', async () => {
  const [tenant, hook] = [await makeTenant(), await receiver()]
  await makeEndpoint(tenant.partner, hook.url)
  const late = new PgClient({ connectionString: testApp.databaseUrl })
  await late.connect()
  try {
    const id = uuidv7()
    await late.query('begin')
    await late.query(
      `with batch as (insert into event_batch (id, company_id, first_id, last_id, events) values ($1, $2, $3, $3, 1))
       insert into event (company_id, id, type, at, data) values ($2, $3, 'invoice.paid', now(), $4)`,
      [uuidv7(), tenant.company.id, id, { 'company-id': tenant.company.id, 'invoice-id': 'x', status: 'all-paid' }],
    )
    dispatcher()
    const younger = await makeEvent(tenant)
    await hook.until(1, ({ headers }) => headers['webhook-id'] === younger.id)
    expect(hook.calls).toHaveLength(1)
    await late.query('commit')
    await hook.until(1, ({ headers }) => headers['webhook-id'] === id)
  } finally {
    await late.end()
  }
})

test('events without an enabled endpoint are discarded without a delivery', async () => {
  const tenant = await makeTenant()
  await testApp.sql(
    "update webhook_endpoint set status = 'disabled', disabled_reason = 'requested' where status = 'enabled'",
  )
  await testApp.sql(
    `with batch as (insert into event_batch (id, company_id, first_id, last_id, events)
       select gen_random_uuid(), $1, gen_random_uuid(), gen_random_uuid(), 500 from generate_series(1, 12000))
     select 1`,
    [tenant.company.id],
  )
  const event = await makeEvent(tenant)
  dispatcher()
  await until(
    () => testApp.sql('select 1 from event_batch limit 1'),
    (left) => left.length === 0,
  )
  expect(await deliveriesOf(tenant.partner, event.id, () => true)).toEqual([])
  expect(await testApp.sql('select 1 from event where id = $1', [event.id])).toHaveLength(1)
})

test('events and deliveries are deleted after 90 days', async () => {
  const [tenant, hook] = [await makeTenant(), await receiver()]
  await makeEndpoint(tenant.partner, hook.url)
  const first = dispatcher()
  const event = await makeEvent(tenant)
  await deliveriesOf(tenant.partner, event.id, (all) => all[0]?.status === 'succeeded')
  const test = await makeEndpoint(tenant.partner, `${hook.url}/test`)
  const tried = expectOk(await tenant.partner.post(`/v1/webhook-endpoint/${test.id}/test`)).body.result
  await hook.until(1, ({ headers }) => headers['webhook-id'] === tried.id)
  await tenant.partner.delete(`/v1/webhook-endpoint/${test.id}`)
  await first.stop()
  stopping.pop()
  const days = (count: number) => new Date(Date.now() + count * 86_400_000)

  const clock = openClock()
  clock.moveTo(days(89))
  await startAndStop(clock)
  expect((await tenant.partner.get(`/v1/webhook-event/${event.id}`)).status).toBe(200)
  clock.moveTo(days(91))
  await startAndStop(clock)
  for (const { id } of [event, tried]) expect((await tenant.partner.get(`/v1/webhook-event/${id}`)).status).toBe(404)
  expect(await testApp.sql('select 1 from webhook_delivery where event_id = any($1)', [[event.id, tried.id]])).toEqual(
    [],
  )
  expect(await testApp.sql('select 1 from webhook_endpoint where id = $1', [test.id])).toEqual([])
})

/** A dispatcher deletes old events when it starts, before it can be stopped. */
async function startAndStop(clock: Clock): Promise<void> {
  await startDispatcher(testApp, { now: clock.now }).stop()
}

test('what these tests leave breaks no rule of the database', async () => {
  expect(await readViolations(testApp.sql)).toEqual({})
})
