import { transact } from '#platform/core/transaction.ts'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase, type Database } from '#platform/core/database.ts'
import { claimDueAttempts, type DueAttempt, lockEndpoints, saveResults } from '#events/webhooks/delivery-queries.ts'
import { redeliverEvent } from '#events/webhooks/event-queries.ts'
import type { DomainEvent } from '#platform/core/events.ts'
import { writeEvents } from '#platform/core/outbox.ts'
import { DeliveryConcurrency } from '#events/webhooks/concurrency.ts'
import { assignBatches, fanOut } from '#events/webhooks/fan-out-queries.ts'
import { openLog } from '#platform/core/log.ts'
import { type Client, type Company, expectOk, useTestApp, until } from '../../world/test-app.ts'
import { putInvoice } from '../../world/invoice.ts'
import { deliveriesOf, makeEndpoint, openReceiver, patch } from '../../world/receiver.ts'
import { startDispatcher } from '../../world/dispatcher.ts'

/*
 * Fairness: a client with many endpoints and events beside one with one of each. The tests run the dispatcher's statements one by one
 * and check the rows and their order.
 */

const maxRows = 10_000

const testApp = useTestApp({ VIGENCIA_WEBHOOK_ALLOW_PRIVATE: 'true', VIGENCIA_ROLE: 'api' })
let database: Database
const stopping: (() => Promise<void>)[] = []

beforeAll(async () => {
  const options = { url: testApp.databaseUrl, connections: 3, namedStatements: true, applicationName: 'fan-out test' }
  database = openDatabase(options, openLog('error'))
})

afterEach(async () => {
  for (const stop of stopping.splice(0).toReversed()) await stop()
  await testApp.sql('delete from event_batch')
  await testApp.sql('delete from webhook_fan_out')
  await testApp.sql('delete from webhook_delivery')
})

afterAll(async () => {
  await database.close()
})

interface Tenant {
  readonly company: Company
  readonly client: Client
  readonly endpoints: string[]
}

async function tenant(endpoints: number, url = 'http://127.0.0.1:65000/hook', company?: Company): Promise<Tenant> {
  const own = company ?? (await testApp.company())
  const client = await testApp.partner(own.taxId)
  const ids: string[] = []
  for (let n = 0; n < endpoints; n += 1) ids.push((await makeEndpoint(client, `${url}/${n}`)).id)
  return { company: own, client, endpoints: ids }
}

/** Writes that many events of the company in one batch, as a movement does. */
async function writeSome({ company }: Tenant, count: number): Promise<void> {
  const event = (): DomainEvent => ({
    type: 'enrollment.created',
    data: { 'request-id': uuidv7(), 'enrollment-id': uuidv7(), status: 'created' },
  })
  await writeEvents(database, company.id, new Date(), Array.from({ length: count }, event))
}

/** Runs the dispatcher's statements once. @returns the number of deliveries inserted. */
async function fanOutOnce(): Promise<number> {
  await assignBatches(database)
  const before = await countDeliveries()
  const { deliveries } = await database[transact]((sql) => fanOut(sql, maxRows, new Date()))
  expect(deliveries).toBe((await countDeliveries()) - before)
  return deliveries
}

async function countDeliveries(of?: Tenant): Promise<number> {
  const [row] = await testApp.sql(
    'select count(*)::int as n from webhook_delivery where $1::uuid[] is null or endpoint_id = any($1)',
    [of?.endpoints ?? null],
  )
  return row?.['n'] as number
}

const waitingEvents = async ({ client }: Tenant) =>
  (
    await testApp.sql('select coalesce(sum(events), 0)::int as n from webhook_fan_out where client_id = $1', [
      client.clientId,
    ])
  )[0]?.['n']

describe('fan-out', () => {
  test('inserts at most 10,000 deliveries a statement, one for each event and endpoint', async () => {
    const busy = await tenant(20)
    await writeSome(busy, 700)
    await writeSome(busy, 1)
    await writeSome(busy, 500)
    const made = []
    while ((await countDeliveries()) < 24_020) made.push(await fanOutOnce())
    expect(made).toEqual([10_000, 10_000, 4_020])
    expect(await waitingEvents(busy)).toBe(0)
    const each = await testApp.sql(
      'select endpoint_id, count(distinct event_id)::int as n from webhook_delivery group by 1',
    )
    expect(each.map((row) => row['n'])).toEqual(busy.endpoints.map(() => 1_201))
    expect(await fanOutOnce()).toBe(0)
  })

  test('delivers an event of one client with the next statement, whatever the backlog of another client', async () => {
    const busy = await tenant(20)
    const quiet = await tenant(1)
    // Another client of the busy one's company.
    const beside = await tenant(2, undefined, busy.company)
    await writeSome(busy, 3_000)
    expect(await fanOutOnce()).toBeLessThanOrEqual(maxRows)
    expect(await countDeliveries(beside)).toBeGreaterThan(0)
    await writeSome(quiet, 1)
    expect(await fanOutOnce()).toBeLessThanOrEqual(maxRows)
    expect(await countDeliveries(quiet)).toBe(1)
    expect(await waitingEvents(busy)).toBeGreaterThan(2_000)
    const earlier = await countDeliveries(busy)
    await fanOutOnce()
    expect(await countDeliveries(busy)).toBeGreaterThan(earlier)
  })

  test('reaches every client when there are more of them than rows in a statement', async () => {
    const clients = [await tenant(3), await tenant(3), await tenant(3), await tenant(3)]
    for (const one of clients) await writeSome(one, 2)
    await assignBatches(database)
    const made = []
    for (let statements = 0; (await countDeliveries()) < 24; statements += 1) {
      expect(statements).toBeLessThan(100)
      made.push((await fanOut(database, 7, new Date())).deliveries)
    }
    expect(Math.max(...made)).toBeLessThanOrEqual(7)
    for (const one of clients) expect([await countDeliveries(one), await waitingEvents(one)]).toEqual([6, 0])
  })

  test('deletes the tasks of clients that have lost their entitlement or endpoints', async () => {
    const [one, two, three] = [await tenant(1), await tenant(1), await tenant(1)]
    for (const some of [one, two, three]) await writeSome(some, 5)
    await assignBatches(database)
    expectOk(await testApp.operator.delete(`/operator/v1/client/${one.client.clientId}/company/${one.company.taxId}`))
    expectOk(await testApp.operator.delete(`/operator/v1/client/${two.client.clientId}`))
    await patch(testApp, three.client, `/v1/webhook-endpoint/${three.endpoints[0]}`, { status: 'disabled' })
    expect(await fanOutOnce()).toBe(0)
    expect(await testApp.sql('select 1 from webhook_fan_out')).toEqual([])
  })
})

describe('sending', () => {
  const lease = () => new Date(Date.now() + 30_000)

  async function claim(concurrency: DeliveryConcurrency): Promise<DueAttempt[]> {
    const claimed = await claimDueAttempts(database, concurrency.free(0), new Date(), lease())
    for (const due of claimed) concurrency.acquire(due.endpointId, due.failing, 0)
    return claimed
  }

  const countOf = (claimed: readonly DueAttempt[], { endpoints }: Tenant) =>
    claimed.filter(({ endpointId }) => endpoints.includes(endpointId)).length

  test('claims at most a quarter of the slots for one client, so another client’s delivery is in the next claim', async () => {
    const [busy, quiet] = [await tenant(20), await tenant(1)]
    await writeSome(busy, 400)
    await fanOutOnce()
    const concurrency = new DeliveryConcurrency()
    const slots = concurrency.free(0).healthy
    const first = await claim(concurrency)
    expect(first).toHaveLength(slots / 4)
    expect(new Set(first.map(({ endpointId }) => endpointId)).size).toBe(20)
    await writeSome(quiet, 1)
    await fanOutOnce()
    const second = await claim(concurrency)
    expect([countOf(second, quiet), countOf(second, busy)]).toEqual([1, 0])
  })

  test('divides the slots of failing endpoints among the clients', async () => {
    const [busy, quiet] = [await tenant(20), await tenant(1)]
    await testApp.sql('update webhook_endpoint set failing_since = now() where id = any($1)', [
      [...busy.endpoints, ...quiet.endpoints],
    ])
    await writeSome(busy, 10)
    await writeSome(quiet, 1)
    await fanOutOnce()
    const slots = { ...new DeliveryConcurrency().free(0), degraded: 2 }
    const claimed = await claimDueAttempts(database, slots, new Date(), lease())
    expect([countOf(claimed, quiet), countOf(claimed, busy)]).toEqual([1, 1])
  })

  test('divides few slots among the clients, not among the endpoints', async () => {
    const [busy, quiet, third] = [await tenant(20), await tenant(1), await tenant(2)]
    await writeSome(busy, 100)
    await writeSome(quiet, 50)
    await writeSome(third, 50)
    await fanOutOnce()
    const slots = { ...new DeliveryConcurrency().free(0), healthy: 9 }
    const claimed = await claimDueAttempts(database, slots, new Date(), lease())
    expect([busy, quiet, third].map((one) => countOf(claimed, one))).toEqual([3, 3, 3])
  })

  test('delivers another client’s event while the receivers of a backlog do not respond', async () => {
    const [dead, working] = [await openReceiver(), await openReceiver()]
    stopping.push(
      () => dead.close(),
      () => working.close(),
    )
    dead.respond = () => null
    const [busy, quiet] = [await tenant(20, dead.url), await tenant(1, working.url)]
    await writeSome(busy, 1_500)
    const dispatcher = startDispatcher(testApp)
    stopping.push(() => dispatcher.stop())
    await dead.until(1)
    await putInvoice(testApp, quiet.company, { id: uuidv7() })
    await working.until(1)
    const [left] = await testApp.sql(
      "select count(*)::int as n from webhook_delivery where endpoint_id = any($1) and status = 'succeeded'",
      [busy.endpoints],
    )
    expect(left).toEqual({ n: 0 })
  })
})

describe('a deleted endpoint has no pending deliveries', () => {
  const pendingOf = (id: string | undefined) =>
    testApp.sql("select event_id from webhook_delivery where endpoint_id = $1 and status = 'pending'", [id])

  /** Whether a statement waits for a lock. */
  const isBlocked = async () =>
    (
      await testApp.sql(
        "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      )
    ).length > 0

  /** Deletes the endpoint after the work, before its transaction is committed. */
  async function deleteDuring(
    { client, endpoints }: Tenant,
    work: (sql: Parameters<typeof fanOut>[0]) => Promise<unknown>,
  ) {
    const [worked, committing] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const writing = database[transact](async (sql) => {
      await work(sql)
      worked.resolve()
      await committing.promise
    })
    await worked.promise
    let isDone = false
    const deleting = client.delete(`/v1/webhook-endpoint/${endpoints[0]}`).finally(() => {
      isDone = true
    })
    await until(
      async () => isDone || (await isBlocked()),
      (isReady) => isReady,
    )
    committing.resolve()
    await writing
    expect((await deleting).status).toBe(204)
  }

  async function failedDelivery(where: Tenant) {
    await writeSome(where, 1)
    await fanOutOnce()
    const leasedUntil = new Date(Date.now() + 30_000)
    const [due] = await claimDueAttempts(database, new DeliveryConcurrency().free(0), new Date(), leasedUntil)
    if (due === undefined) throw new Error('nothing was due')
    const [attemptedAt, nextAttemptAt] = [new Date(), new Date(Date.now() + 5_000)]
    const result = { status: 'failed' as const, responseStatus: 500, error: null, attemptedAt, nextAttemptAt }
    return { ...due, ...result, gone: false, leasedUntil }
  }

  test('when it is deleted', async () => {
    const where = await tenant(2)
    await writeSome(where, 30)
    await fanOutOnce()
    const [gone, other] = where.endpoints
    expect((await where.client.delete(`/v1/webhook-endpoint/${gone}`)).status).toBe(204)
    expect(await pendingOf(gone)).toEqual([])
    expect(await pendingOf(other)).toHaveLength(30)
    await writeSome(where, 1)
    await fanOutOnce()
    expect(await pendingOf(gone)).toEqual([])
  })

  test('when it is deleted while events are fanned out to it', async () => {
    const where = await tenant(1)
    await writeSome(where, 30)
    await assignBatches(database)
    await deleteDuring(where, (sql) => fanOut(sql, maxRows, new Date()))
    expect(await pendingOf(where.endpoints[0])).toEqual([])
  })

  test('when it is deleted while a failed attempt is saved', async () => {
    const where = await tenant(1)
    const failed = await failedDelivery(where)
    await deleteDuring(where, async (sql) => {
      await lockEndpoints(sql, [failed.endpointId])
      await saveResults(sql, [failed], new Date())
    })
    expect(await pendingOf(where.endpoints[0])).toEqual([])
  })

  test('when it was deleted before a failed attempt is saved', async () => {
    const where = await tenant(1)
    const failed = await failedDelivery(where)
    expect((await where.client.delete(`/v1/webhook-endpoint/${where.endpoints[0]}`)).status).toBe(204)
    await database[transact]((sql) => saveResults(sql, [failed], new Date()))
    expect(await pendingOf(where.endpoints[0])).toEqual([])
  })

  test('when it is deleted while an event is redelivered', async () => {
    const where = await tenant(1)
    await writeSome(where, 1)
    const [{ id }] = expectOk(await where.client.get('/v1/webhook-event')).body.result
    const event = { type: 'enrollment.created', companyId: where.company.id, endpointId: null }
    const caller = { clientId: where.client.clientId } as Parameters<typeof redeliverEvent>[1]
    await deleteDuring(where, (sql) => redeliverEvent(sql, caller, id, event, new Date()))
    expect(await pendingOf(where.endpoints[0])).toEqual([])
  })

  test('a redelivery leaves out deleted and disabled endpoints', async () => {
    const where = await tenant(3)
    await writeSome(where, 1)
    await testApp.sql('delete from event_batch')
    const [{ id }] = expectOk(await where.client.get('/v1/webhook-event')).body.result
    const [gone, disabled, enabled] = where.endpoints
    await where.client.delete(`/v1/webhook-endpoint/${gone}`)
    expectOk(await patch(testApp, where.client, `/v1/webhook-endpoint/${disabled}`, { status: 'disabled' }))
    expectOk(await where.client.post(`/v1/webhook-event/${id}/redeliver`))
    const made = await deliveriesOf(where.client, id, () => true)
    expect(made.map((one) => one['endpoint-id'])).toEqual([enabled])
    expect(await testApp.sql('select 1 from webhook_delivery where event_id = $1', [id])).toHaveLength(1)
  })
})
