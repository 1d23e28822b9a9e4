import { randomUUID } from 'node:crypto'
import { Client as PgClient } from 'pg'
import { afterAll, describe, expect, test } from 'vitest'
import {
  type ApiResponse,
  type Client,
  expectOk,
  health,
  type TestApp,
  inProduct,
  monday,
  nextCpf,
  openTestApp,
  useTestApp,
  primary,
  send,
  until,
  useCompany,
} from '../../world/test-app.ts'
import { processLockClass } from '#platform/http/idempotency/process-lock.ts'
import { endPrograms, run } from '../../start/program.ts'
import { runConcurrently, whileLocked } from '../../world/locked-table.ts'

const testApp = useTestApp({}, { instances: 'all' })
const { company, partner } = useCompany(testApp)
afterAll(endPrograms)
const inclusion = '/v1/enrollment/inclusion'
const batch = (...members: object[]) => JSON.stringify({ 'company-tax-id': company.taxId, members })
const under = (key: string, more: Record<string, string> = {}) => ({ 'idempotency-key': key, ...more })

const countRequests = async (): Promise<number> =>
  (await testApp.sql<{ n: number }>('select count(*)::int as n from request'))[0]?.n ?? -1

/** What must not differ between the first response and its replays. */
const shown = ({ status, text, headers }: ApiResponse) => ({
  status,
  text,
  id: headers.get('x-request-id'),
  type: headers.get('content-type'),
  applied: headers.get('preference-applied'),
})

const isReplay = (response: ApiResponse) => response.headers.get('idempotency-replayed')

async function active(): Promise<string> {
  const person = primary()
  await testApp.include(partner, company, [person], '?resolution=approve')
  return person['tax-id']
}

const exclusion = (taxId: string) => `/v1/enrollment/exclusion/${taxId}/product/${company.products[health]}`
const details = { 'exclusion-details': { 'end-date': monday, 'exclusion-reason': 'dismissal' } }

/** A POST whose bytes the first time and every time after are these. */
async function repeated(path: string, body: unknown, headers: Record<string, string> = {}): Promise<ApiResponse> {
  const key = randomUUID()
  const first = await partner.post(path, body, under(key, headers))
  const before = await countRequests()
  for (const spelling of [key, `"${key}"`]) {
    const again = await partner.post(path, body, under(spelling, headers))
    expect(shown(again)).toEqual(shown(first))
    expect([isReplay(first), isReplay(again)]).toEqual([null, 'true'])
  }
  expect(await countRequests()).toBe(before)
  return first
}

describe('a call again under the same key gets the first answer, byte for byte', () => {
  test('of an inclusion', async () => {
    const first = await repeated(inclusion, batch(primary()))
    expect(first.status).toBe(200)
  })

  test('of an inclusion with members rejected in lenient handling, its Preference-Applied included', async () => {
    const first = await repeated(inclusion, batch(primary(), primary({ 'tax-id': '1' })), {
      prefer: 'handling=lenient',
    })
    expect(first.body.result).toHaveLength(1)
    expect(first.headers.get('preference-applied')).toBe('handling=lenient')
  })

  test('of an inclusion that a thread reads', async () => {
    const members = Array.from({ length: 2_500 }, () => primary({ 'job-title': 'x'.repeat(190) }))
    expect(batch(...members).length).toBeGreaterThan(1024 * 1024)
    expect((await repeated(inclusion, batch(...members))).status).toBe(200)
  })

  test('of 100 rejected members', async () => {
    const members = Array.from({ length: 100 }, () => primary({ 'mothers-name': '', name: 'Renata Sigilosa' }))
    const first = await repeated(inclusion, batch(...members))
    expect([first.status, first.body.result.length]).toEqual([400, 100])
  })

  test('of 3,000 members rejected in lenient handling beside one that is taken: nobody is taken twice', async () => {
    const members = Array.from({ length: 3_000 }, () => primary({ 'mothers-name': '' }))
    const first = await repeated(inclusion, batch(primary(), ...members), { prefer: 'handling=lenient' })
    expect([first.status, first.body.result.length]).toEqual([200, 3_000])
    expect(first.text.length).toBeGreaterThan(64 * 1024)
  })

  test('of exclusions: done, ongoing (409), nothing there (404), bad details (400)', async () => {
    const taxId = await active()
    const statuses = [
      await repeated(exclusion(taxId), details),
      await repeated(exclusion(taxId), details),
      await repeated(exclusion(nextCpf()), details),
      await repeated(exclusion(taxId), { 'exclusion-details': {} }),
    ].map(({ status }) => status)
    expect(statuses).toEqual([200, 409, 404, 400])
  })

  test('of an alteration', async () => {
    const body = { 'alteration-data': { phone: '11987654321' } }
    const first = await repeated(`/v1/enrollment/alteration/${await active()}`, body)
    expect(first.status).toBe(200)
  })

  test('of an upload slot, with a body and without: the same slot', async () => {
    const first = await repeated('/v1/enrollment/document-upload-url', undefined)
    expect(first.status).toBe(200)
    expect((await repeated('/v1/enrollment/document-upload-url', {})).body['document-id']).not.toBe(
      first.body['document-id'],
    )
  })

  test('of a body that is no JSON, and of a company that is not the caller’s', async () => {
    expect((await repeated(inclusion, '{')).body.error).toBe('Invalid body')
    const other = await testApp.company()
    const body = JSON.stringify({ 'company-tax-id': other.taxId, members: [primary()] })
    expect((await repeated(inclusion, body)).status).toBe(403)
  })

  test('though the first one was sent with other headers', async () => {
    const key = randomUUID()
    const body = batch(primary())
    const first = await partner.post(inclusion, body, under(key, { 'x-request-id': 'first-of-two' }))
    const again = await partner.post(inclusion, body, under(key, { 'x-request-id': 'second-of-two', prefer: 'wait=1' }))
    expect(shown(again)).toEqual(shown(first))
    expect(again.headers.get('x-request-id')).toBe('first-of-two')
  })

  test('after a restart of the service; once its day is over it is deleted', async () => {
    const own = await openTestApp()
    try {
      const at = await own.company()
      const one = await own.partner(at.taxId)
      const body = JSON.stringify({ 'company-tax-id': at.taxId, members: [primary()] })
      const first = await one.post(inclusion, body, under('once'))
      await own.restart()
      expect(shown(await one.post(inclusion, body, under('once')))).toEqual(shown(first))
      // The worker sweeps when it starts, then hourly.
      await own.sql("update idempotency_key set claimed_at = claimed_at - interval '24 hours'")
      await own.sql("insert into rate_limit_usage values ('gone', 'reads', now() - interval '2 hours', 1)")
      await own.restart()
      await until(
        () => own.sql('select client_id from idempotency_key union all select client_id from rate_limit_usage'),
        (rows) => rows.length === 0,
      )
    } finally {
      await own.close()
    }
  })
})

describe('a key belongs to', () => {
  test('its bytes: another body or query is 422, and the first answer stays', async () => {
    const key = randomUUID()
    const body = batch(primary())
    const first = await partner.post(inclusion, body, under(key))
    for (const [path, text] of [
      [inclusion, `${body} `],
      [inclusion, batch(primary())],
      [`${inclusion}?resolution=approve`, body],
    ] as const) {
      const response = await partner.post(path, text, under(key))
      expect([response.status, response.body.error]).toEqual([
        422,
        'Idempotency-Key was used with another body or query',
      ])
      expect(isReplay(response)).toBeNull()
    }
    expect(shown(await partner.post(inclusion, body, under(key)))).toEqual(shown(first))
  })

  test('its client and its path', async () => {
    const key = randomUUID()
    const [one, two] = [await active(), await active()]
    const other = await testApp.partner(company.taxId)
    const ids = [
      await partner.post(exclusion(one), details, under(key)),
      await partner.post(exclusion(two), details, under(key)),
      await other.post(inclusion, batch(primary()), under(key)),
      await partner.post(inclusion, batch(primary()), under(key)),
    ].map((response) => expectOk(response).body['request-id'])
    expect(new Set(ids).size).toBe(4)
  })

  test('nobody at the operator’s door, nor for a read', async () => {
    const body = { name: 'Folha', 'company-tax-ids': [] }
    const made = [1, 2].map(() => testApp.operator.post('/operator/v1/client', body, under('mine')))
    const ids = (await Promise.all(made)).map((response) => expectOk(response).body['client-id'])
    expect(new Set(ids).size).toBe(2)
    expect(isReplay(await partner.get('/v1/company', under('mine')))).toBeNull()
  })
})

test.for([
  ['longer than 255 characters', 'x'.repeat(256), 'invalid'],
  ['empty', '', 'invalid'],
  ['with half a pair of quotes', '"abc', 'invalid'],
])('a key %s is 400, whatever the body', async ([, key = '', code]) => {
  for (const body of [batch(primary()), {}]) {
    const response = await partner.post(inclusion, body, under(key))
    expect([response.status, response.body.error]).toEqual([400, 'Invalid parameter'])
    expect(response.body.details).toMatchObject([{ field: 'Idempotency-Key', code }])
  }
})

describe('not kept are', () => {
  test('401, 413 and 415: the same key may be used again', async () => {
    const key = randomUUID()
    const slot = '/v1/enrollment/document-upload-url'
    const large = Buffer.alloc(17 * 1024 * 1024, 0x20)
    const statuses = [
      await testApp.call('POST', inclusion, { token: 'x.y.z', body: {}, headers: under(key) }),
      await partner.post(inclusion, large, under(key)),
      await partner.post(inclusion, 'a=b', under(key, { 'content-type': 'text/plain' })),
      await partner.post(inclusion, batch(primary()), under(key)),
      await partner.post(slot, Buffer.alloc(2 * 1024 * 1024, 0x20), under(key)),
      await partner.post(slot, undefined, under(key)),
    ].map(({ status }) => status)
    expect(statuses).toEqual([401, 413, 415, 200, 413, 200])
  })

  test('503: what broke is tried again', async () => {
    const key = randomUUID()
    const body = batch(primary())
    const holder = new PgClient({ connectionString: testApp.databaseUrl })
    await holder.connect()
    await holder.query('begin; lock table work in access exclusive mode')
    const broken = partner.post(inclusion, body, under(key))
    await until(
      () =>
        testApp.sql(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock' and query ~ 'insert into work'`,
        ),
      (cut) => cut.length > 0,
    )
    const first = await broken
    await holder.end()
    expect(first.status).toBe(503)
    const again = await until(
      () => partner.post(inclusion, body, under(key)),
      ({ status }) => status === 200,
    )
    expect(isReplay(again)).toBeNull()
  })
})

describe('calls at the same time under one key', () => {
  test('are done once: the others are told to come back, or get the same answer', async () => {
    const key = randomUUID()
    const body = batch(primary())
    const before = await countRequests()
    const responses = await Promise.all(Array.from({ length: 20 }, () => partner.post(inclusion, body, under(key))))
    const ok = responses.filter(({ status }) => status === 200)
    const busy = responses.filter(({ status }) => status !== 200)
    expect(new Set(ok.map(({ text }) => text)).size).toBe(1)
    expect(busy.map(({ status, body: { error } }) => [status, error])).toEqual(
      busy.map(() => [409, 'A call with this Idempotency-Key is under way']),
    )
    expect(busy.every(({ headers }) => headers.get('retry-after') === '1')).toBe(true)
    expect(await countRequests()).toBe(before + 1)
    expect((await partner.post(inclusion, body, under(key))).text).toBe(ok[0]?.text)
  })

  test('with other bytes get 422', async () => {
    const key = randomUUID()
    const holder = new PgClient({ connectionString: testApp.databaseUrl })
    await holder.connect()
    await holder.query('begin; lock table work in share mode')
    const first = partner.post(inclusion, batch(primary()), under(key))
    await until(
      () => testApp.sql('select 1 from idempotency_key where status is null'),
      (rows) => rows.length === 1,
    )
    expect((await partner.post(inclusion, batch(primary()), under(key))).status).toBe(422)
    await holder.query('commit')
    await holder.end()
    expect((await first).status).toBe(200)
  })
})

test('a claim that was lost undoes its transaction: the call that claimed the key next does it, once', async () => {
  const taxId = await active()
  const key = randomUUID()
  const before = await countRequests()
  const lose = async () => {
    await until(
      () => testApp.sql('select 1 from idempotency_key where status is null'),
      (rows) => rows.length === 1,
    )
    await testApp.sql('update idempotency_key set claimed_by = -1 where status is null')
    return partner.post(exclusion(taxId), details, under(key))
  }
  const [late, taken] = await runConcurrently(testApp, 'request', [
    () => partner.post(exclusion(taxId), details, under(key)),
    lose,
  ])
  const statuses = [late?.status, taken?.status].toSorted()
  expect(statuses).toEqual([200, 409])
  expect(await countRequests()).toBe(before + 1)
  const again = await partner.post(exclusion(taxId), details, under(key))
  expect([again.status, isReplay(again)]).toEqual([200, 'true'])
})

test('the key of a process that was killed in the middle of the call is free at once', async () => {
  const key = randomUUID()
  const body = batch(primary())
  const other = run(['start'], {
    DATABASE_URL: testApp.databaseUrl,
    MASTER_KEY: testApp.masterKey,
    DATA_DIR: testApp.dataDir,
    ENVIRONMENT: 'staging',
    ROLE: 'api',
    BUSINESS_DATE: monday,
  })
  const url = await other.url
  const before = await countRequests()
  const again = () => partner.post(inclusion, body, under(key))
  const [cut] = await whileLocked(
    testApp,
    'lock table request in share mode',
    [() => send(url + inclusion, 'POST', { token: partner.token, body, headers: under(key) }).catch(() => null)],
    async () => {
      expect((await again()).status).toBe(409)
      other.kill('SIGKILL')
      await other.ended
    },
  )
  expect(cut).toBeNull()
  const response = await until(again, ({ status }) => status !== 409, 2_000)
  expect([response.status, isReplay(response)]).toEqual([200, null])
  expect(await countRequests()).toBe(before + 1)
})

test('the open transactions by which the processes are known to run hold back no vacuum', async () => {
  expectOk(await partner.post(inclusion, batch(primary()), under(randomUUID())))
  const open = () =>
    testApp.sql(
      `select backend_xid, backend_xmin from pg_stat_activity
       where datname = current_database() and state = 'idle in transaction' and query ~ '^select pg_try_advisory_xact_lock.${processLockClass}'`,
    )
  const rows = await until(open, ({ length }) => length > 0)
  expect(rows).toEqual(rows.map(() => ({ backend_xid: null, backend_xmin: null })))
})

describe('before a first answer is given again', () => {
  test('the client is looked at: a revoked one gets 401', async () => {
    const gone = await testApp.partner(company.taxId)
    const body = batch(primary())
    expectOk(await gone.post(inclusion, body, under('k')))
    expectOk(await testApp.operator.delete(`/operator/v1/client/${gone.clientId}`))
    const response = await gone.post(inclusion, body, under('k'))
    expect([response.status, isReplay(response)]).toEqual([401, null])
  })

  test('the entitlement is: without it the movement’s own 403, with it again the first answer', async () => {
    const taxId = await active()
    const poor = await testApp.partner(company.taxId)
    const path = `/operator/v1/client/${poor.clientId}/company/${company.taxId}`
    const calls = [
      () => poor.post(inclusion, batch1, under('k')),
      () => poor.post(exclusion(taxId), details, under('k')),
      () => poor.post(exclusion(taxId), details, under('conflict')),
      () => poor.post(`/v1/enrollment/alteration/${taxId}`, { 'alteration-data': { phone: '1' } }, under('k')),
    ]
    const batch1 = batch(primary({ products: inProduct('health-insurance', health) }))
    const first = []
    for (const call of calls) first.push(await call())
    expect(first.map(({ status }) => status)).toEqual([200, 200, 409, 400])
    expectOk(await testApp.operator.delete(path))
    const refused = []
    for (const call of calls.slice(0, 3)) refused.push((await call()).body.error)
    expect(refused).toEqual([
      'Not entitled to access this company',
      "You are not authorized to exclude this member's benefits.",
      "You are not authorized to exclude this member's benefits.",
    ])
    expectOk(await testApp.operator.put(path))
    for (const [n, call] of calls.entries()) expect(shown(await call())).toEqual(shown(first[n] as ApiResponse))
  })
})

describe('nothing was done, so nothing is stored, and the same call is judged again', () => {
  const storedOf = (client: Client) =>
    testApp.sql('select status from idempotency_key where client_id = $1', [client.clientId])

  test('a dry run', async () => {
    const own = await testApp.partner(company.taxId)
    const body = batch(primary())
    const first = await own.post(`${inclusion}?dry-run=true`, body, under('dry'))
    expect([first.status, first.body]).toEqual([200, { 'dry-run': true }])
    expect(await storedOf(own)).toEqual([])
    const again = await own.post(`${inclusion}?dry-run=true`, body, under('dry'))
    expect([again.status, again.body, isReplay(again)]).toEqual([200, { 'dry-run': true }, null])
    const rejected = await own.post(`${inclusion}?dry-run=true`, batch(primary({ 'tax-id': '1' })), under('dry'))
    expect(rejected.status).toBe(400)
    expect(await storedOf(own)).toEqual([])
  })

  test('a refusal of more than 64 KiB', async () => {
    const own = await testApp.partner(company.taxId)
    const members = Array.from({ length: 3_000 }, () => primary({ 'mothers-name': '' }))
    const first = await own.post(inclusion, batch(...members), under('large'))
    expect([first.status, first.body.result.length]).toEqual([400, 3_000])
    expect(first.text.length).toBeGreaterThan(64 * 1024)
    expect(await storedOf(own)).toEqual([])
    const again = await own.post(inclusion, batch(...members), under('large'))
    expect([again.status, again.body.result, isReplay(again)]).toEqual([400, first.body.result, null])
  })
})

describe('bytes of stored responses', () => {
  const used = async (at: TestApp, client: Client) =>
    (
      await at.sql<{ bytes: number }>('select bytes::int from stored_response_usage where client_id = $1', [
        client.clientId,
      ])
    )[0]?.bytes ?? 0
  const stored = async (at: TestApp, client: Client) =>
    (
      await at.sql<{ bytes: number }>(
        'select coalesce(sum(octet_length(encrypted_response)), 0)::int as bytes from idempotency_key where client_id = $1',
        [client.clientId],
      )
    )[0]?.bytes

  test('are counted when they are stored, when an old key is used again and when they are deleted', async () => {
    const own = await testApp.partner(company.taxId)
    for (const key of ['one', 'two', 'three']) await own.post(inclusion, batch(primary()), under(key))
    expect(await used(testApp, own)).toBeGreaterThan(0)
    expect(await used(testApp, own)).toBe(await stored(testApp, own))
    await testApp.sql("update idempotency_key set claimed_at = claimed_at - interval '24 hours' where client_id = $1", [
      own.clientId,
    ])
    expect((await own.post(inclusion, batch(primary()), under('one'))).status).toBe(200)
    expect(await used(testApp, own)).toBe(await stored(testApp, own))
    const worker = await testApp.startWorker()
    await until(
      () => testApp.sql('select 1 from idempotency_key where client_id = $1', [own.clientId]),
      (rows) => rows.length === 1,
    )
    await worker.close()
    expect(await used(testApp, own)).toBe(await stored(testApp, own))
  })

  test('are bounded for a client, also for many calls at once: 429, and nothing is done', async () => {
    const small = await openTestApp({}, { limits: { storedResponseBytes: 4_000 } })
    try {
      const at = await small.company()
      const [one, other] = [await small.partner(at.taxId), await small.partner(at.taxId)]
      const body = () => JSON.stringify({ 'company-tax-id': at.taxId, members: [primary()] })
      const responses = await Promise.all(
        Array.from({ length: 60 }, (_, n) => one.post(inclusion, body(), under(`key-${n}`))),
      )
      const taken = responses.filter(({ status }) => status === 200)
      const refused = responses.filter(({ status }) => status !== 200)
      expect(taken.length).toBeGreaterThan(5)
      expect(refused.length).toBeGreaterThan(5)
      for (const response of refused) {
        expect([response.status, response.headers.get('retry-after'), response.body.error]).toEqual([
          429,
          '3600',
          'Too many stored responses: repeat later, or send without Idempotency-Key',
        ])
      }
      expect((await small.sql('select 1 from request')).length).toBe(taken.length)
      expect(await used(small, one)).toBe(await stored(small, one))
      expect(await used(small, one)).toBeLessThanOrEqual(4_000)
      expect((await one.post(inclusion, body())).status).toBe(200)
      expect((await one.post(inclusion, '{', under('a refusal'))).status).toBe(400)
      expect((await other.post(inclusion, body(), under('key'))).status).toBe(200)
    } finally {
      await small.close()
    }
  })
})

test('after 24 hours the key is free', async () => {
  const key = randomUUID()
  expectOk(await partner.post(inclusion, batch(primary()), under(key)))
  await testApp.sql("update idempotency_key set claimed_at = claimed_at - interval '24 hours'")
  const response = await partner.post(inclusion, batch(primary()), under(key))
  expect([response.status, isReplay(response)]).toEqual([200, null])
})

test('what is kept holds neither CPF nor name nor key in clear', async () => {
  const key = `key-of-${randomUUID()}`
  const person = primary({ name: 'Renata Sigilosa', 'mothers-name': '' })
  await partner.post(inclusion, batch(person), under(key))
  await partner.post(exclusion(nextCpf()), details, under(key))
  const rows = await testApp.sql<{ row: string }>('select k::text as row from idempotency_key k')
  const everything = rows.map(
    ({ row }) => Buffer.from(row.replaceAll(/\\\\x|[^0-9a-f]/g, ''), 'hex').toString('latin1') + row,
  )
  expect(rows.length).toBeGreaterThan(1)
  for (const secret of [key, person['tax-id'], 'Sigilosa', partner.token]) {
    expect(everything.filter((text) => text.includes(secret))).toEqual([])
  }
})

test('a call without the header keeps nothing', async () => {
  const before = await testApp.sql('select 1 from idempotency_key')
  const body = batch(primary())
  const responses = [
    await partner.post(inclusion, body),
    await send(testApp.url + inclusion, 'POST', { token: partner.token, body }),
  ]
  expect(new Set(responses.map(({ body: { 'request-id': id } }) => id)).size).toBe(2)
  expect(await testApp.sql('select 1 from idempotency_key')).toHaveLength(before.length)
})
