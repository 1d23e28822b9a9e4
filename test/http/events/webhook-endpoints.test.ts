import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Check } from 'typebox/value'
import { EVENT_TYPES, EVENTS } from '#kernel/events.ts'
import { eventData } from '#events/webhooks/event-schema.ts'
import { type Client, type Company, expectOk, type Json, openTestApp, useTestApp } from '../../world/test-app.ts'
import { deliveriesOf, makeEndpoint, openReceiver, patch, type Receiver, verified } from '../../world/receiver.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/
const unknown = '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21'
const base = '/v1/webhook-endpoint'

const testApp = useTestApp({ VIGENCIA_WEBHOOK_ALLOW_PRIVATE: 'true' })
let company: Company
let receiver: Receiver

beforeAll(async () => {
  company = await testApp.company()
  receiver = await openReceiver()
})

afterAll(async () => {
  await receiver.close()
})

const newPartner = () => testApp.partner(company.taxId)

describe('an endpoint', () => {
  let partner: Client
  let serial = 0
  /** A URL that no other endpoint of the client has. */
  const newUrl = () => `${receiver.url}/own/${(serial += 1)}`
  beforeAll(async () => {
    partner = await newPartner()
  })

  test('is made with all types unless told otherwise, and shows its secret this once', async () => {
    const url = newUrl()
    const made = await makeEndpoint(partner, url)
    expect(made).toEqual({
      id: expect.stringMatching(uuid),
      url,
      'event-types': [],
      status: 'enabled',
      'disabled-reason': null,
      'created-at': expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    })
    const { secret, ...shown } = made
    const read = expectOk(await partner.get(`${base}/${made.id}`))
    expect(read.body).toEqual({ result: shown })
    expect(expectOk(await partner.get(base)).text).not.toContain(secret.slice(6))
    const stored = await testApp.sql("select encode(encrypted_secret, 'escape') as text from webhook_secret")
    expect(JSON.stringify(stored)).not.toContain(Buffer.from(secret.slice(6), 'base64').toString('latin1'))
  })

  test('stands in the list of its client alone, oldest first, page by page', async () => {
    const own = await newPartner()
    const made = []
    for (let n = 0; n < 3; n += 1) made.push((await makeEndpoint(own, `${receiver.url}/${n}`)).id)
    const first = expectOk(await own.get(`${base}?items-per-page=2`)).body
    expect(first.result.map((one: { id: string }) => one.id)).toEqual(made.slice(0, 2))
    expect(first.pagination).toEqual({
      'current-page': 1,
      'total-items': 3,
      'total-pages': 2,
      'next-page': 2,
      'previous-page': null,
    })
    const last = expectOk(await own.get(`${base}?items-per-page=2&page=2`)).body
    expect(last.result.map((one: { id: string }) => one.id)).toEqual(made.slice(2))
    const empty = expectOk(await (await newPartner()).get(base)).body
    expect(empty.result).toEqual([])
    expect(empty.pagination['total-pages']).toBe(0)
  })

  test('changes by PATCH in what is sent, and says that its client disabled it', async () => {
    const url = newUrl()
    const { id } = await makeEndpoint(partner, url, ['invoice.paid', 'invoice.paid'])
    const typed = expectOk(await patch(testApp, partner, `${base}/${id}`, { 'event-types': ['request.completed'] }))
    expect(typed.body.result).toMatchObject({
      url,
      'event-types': ['request.completed'],
      status: 'enabled',
    })
    const moved = expectOk(await patch(testApp, partner, `${base}/${id}`, { url: `${url}/other`, status: 'disabled' }))
    expect(moved.body.result).toMatchObject({
      url: `${url}/other`,
      'event-types': ['request.completed'],
      status: 'disabled',
      'disabled-reason': 'requested',
    })
    expect(moved.body.result).not.toHaveProperty('secret')
    const back = expectOk(await patch(testApp, partner, `${base}/${id}`, { status: 'enabled', 'event-types': [] }))
    expect(back.body.result).toMatchObject({ status: 'enabled', 'disabled-reason': null, 'event-types': [] })
  })

  test('is gone after DELETE', async () => {
    const { id } = await makeEndpoint(partner, newUrl())
    const response = await partner.delete(`${base}/${id}`)
    expect([response.status, response.text]).toEqual([204, ''])
    for (const again of [await partner.get(`${base}/${id}`), await partner.delete(`${base}/${id}`)]) {
      expect([again.status, again.body.error]).toEqual([404, 'Webhook endpoint not found'])
    }
    expect(await testApp.sql('select 1 from webhook_secret where endpoint_id = $1', [id])).toEqual([])
  })

  test('of another client answers like an unknown one, and a malformed id is a 400, on every path', async () => {
    const { id } = await makeEndpoint(partner, newUrl())
    const stranger = await newPartner()
    const calls = (which: string) => [
      stranger.get(`${base}/${which}`),
      patch(testApp, stranger, `${base}/${which}`, { status: 'disabled' }),
      stranger.delete(`${base}/${which}`),
      stranger.post(`${base}/${which}/test`),
      stranger.post(`${base}/${which}/rotate-secret`),
    ]
    for (const which of [id, unknown]) {
      for (const response of await Promise.all(calls(which))) {
        expect([response.status, response.body.error]).toEqual([404, 'Webhook endpoint not found'])
      }
    }
    for (const response of await Promise.all(calls('no-id'))) {
      expect([response.status, response.body.error]).toEqual([400, 'Invalid webhook-endpoint-id'])
    }
    expect((await partner.get(`${base}/${id}`)).body.result.status).toBe('enabled')
  })

  test.for([
    ['nothing', undefined, undefined],
    ['no object', [], undefined],
    ['no url', {}, 'url'],
    ['a url that is none', { url: 'payroll.example' }, 'url'],
    ['another protocol', { url: 'ftp://payroll.example/' }, 'url'],
    ['credentials', { url: 'https://user:secret@payroll.example/' }, 'url'],
    ['a port of mail', { url: 'https://payroll.example:25/' }, 'url'],
    ['a space', { url: 'https://payroll.example/a b' }, 'url'],
    ['a long url', { url: `https://payroll.example/${'a'.repeat(2_000)}` }, 'url'],
    ['an unknown type', { url: 'https://payroll.example/', 'event-types': ['member.created'] }, 'event-types[0]'],
    ['types that are no list', { url: 'https://payroll.example/', 'event-types': 'invoice.paid' }, 'event-types'],
    ['an unknown field', { url: 'https://payroll.example/', secret: 'mine' }, 'secret'],
  ] as const)('is not made of %s', async ([, body, field]) => {
    const response = await partner.post(base, body)
    expect([response.status, response.body.error]).toEqual([400, 'Invalid body'])
    expect(response.body.details?.[0]?.field).toBe(field)
  })

  test('is not changed to nothing, nor to what could not be made', async () => {
    const { id, url } = await makeEndpoint(partner, newUrl())
    for (const body of [{}, { url: 'gopher://x/' }, { status: 'paused' }, { 'event-types': ['x'] }, { id }]) {
      const response = await patch(testApp, partner, `${base}/${id}`, body)
      expect([response.status, response.body.error]).toEqual([400, 'Invalid body'])
    }
    expect((await partner.get(`${base}/${id}`)).body.result.url).toBe(url)
  })

  test('needs a token, of a client that is not revoked', async () => {
    const gone = await newPartner()
    const { id } = await makeEndpoint(gone, receiver.url)
    expectOk(await testApp.operator.delete(`/operator/v1/client/${gone.clientId}`))
    const responses = [
      await testApp.call('GET', base),
      await gone.get(base),
      await gone.get(`${base}/${id}`),
      await gone.post(base, { url: receiver.url }),
      await patch(testApp, gone, `${base}/${id}`, { status: 'disabled' }),
      await gone.post(`${base}/${id}/rotate-secret`),
      await gone.get('/v1/webhook-event'),
      await gone.get(`/v1/webhook-event/${unknown}`),
      await gone.post(`/v1/webhook-event/${unknown}/redeliver`),
    ]
    expect(responses.map((response) => response.status)).toEqual(responses.map(() => 401))
  })

  test('is one of 20 at most: the 21st is refused, with how to mend it, until one is deleted', async () => {
    const own = await newPartner()
    const made = []
    for (let n = 0; n < 20; n += 1) made.push(await makeEndpoint(own, `${receiver.url}/${n}`))
    const response = await own.post(base, { url: `${receiver.url}/20` })
    expect([response.status, response.body.error]).toEqual([400, 'Invalid body'])
    expect(response.body.details).toEqual([
      { field: 'url', code: 'too-many-endpoints', message: expect.stringContaining('VIGENCIA_WEBHOOK_ENDPOINTS') },
    ])
    await makeEndpoint(await newPartner(), `${receiver.url}/20`)
    expect((await own.delete(`${base}/${made[7].id}`)).status).toBe(204)
    await makeEndpoint(own, `${receiver.url}/20`)
    expect((await own.post(base, { url: `${receiver.url}/21` })).status).toBe(400)
  })

  test('is counted under a lock: of 40 made at once, exactly 20 are', async () => {
    const own = await newPartner()
    const responses = await Promise.all(
      Array.from({ length: 40 }, (_, n) => own.post(base, { url: `${receiver.url}/${n}` })),
    )
    const refused = responses.filter(({ status }) => status !== 200)
    expect(refused.map(({ status, body }) => [status, body.details?.[0]?.code])).toEqual(
      Array.from({ length: 20 }, () => [400, 'too-many-endpoints']),
    )
    expect(expectOk(await own.get(base)).body.pagination['total-items']).toBe(20)
  })

  test('has a URL of its own among those of its client, however that is spelt', async () => {
    const own = await newPartner()
    const { id } = await makeEndpoint(own, 'https://payroll.example/hooks/a?x=1')
    const other = await makeEndpoint(own, 'https://payroll.example/hooks/b')
    const same = [
      'https://payroll.example/hooks/a?x=1',
      'HTTPS://Payroll.EXAMPLE/hooks/a?x=1',
      'https://payroll.example:443/hooks/a?x=1',
      'https://payroll.example./hooks/a?x=1',
      'https://payroll.example/hooks/../hooks/./a?x=1',
      'https://payroll.example/%68ooks/a?x=1#part',
      'https://%70ayroll.example/hooks/a?x=1',
    ]
    for (const url of same) {
      for (const response of [
        await own.post(base, { url }),
        await patch(testApp, own, `${base}/${other.id}`, { url }),
      ]) {
        expect([url, response.status, response.body.error]).toEqual([url, 400, 'Invalid body'])
        expect(response.body.details).toEqual([
          { field: 'url', code: 'duplicate-url', message: expect.stringContaining(id) },
        ])
      }
    }
    expect((await patch(testApp, own, `${base}/${unknown}`, { url: same[0] })).status).toBe(404)
    const different = [
      'http://payroll.example/hooks/a?x=1',
      'https://payroll.example/hooks/A?x=1',
      'https://payroll.example/hooks/a',
    ]
    for (const url of different) await makeEndpoint(own, url)
    await makeEndpoint(await newPartner(), 'https://payroll.example/hooks/a?x=1')
    const again = await patch(testApp, own, `${base}/${id}`, {
      url: 'https://PAYROLL.example/hooks/a?x=1',
      status: 'disabled',
    })
    expect(expectOk(again).body.result.url).toBe('https://PAYROLL.example/hooks/a?x=1')
    expect((await own.post(base, { url: same[0] })).status).toBe(400)
    await own.delete(`${base}/${id}`)
    expectOk(await patch(testApp, own, `${base}/${other.id}`, { url: same[0] }))
  })

  test('of one URL is made once by ten calls at once, and ten that move to one URL at once leave one there', async () => {
    const own = await newPartner()
    const url = `https://payroll.example/${'ü'.repeat(1_900)}`
    const made = await Promise.all(Array.from({ length: 10 }, () => own.post(base, { url })))
    expect(made.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 9 }, () => 400)])
    const ids = []
    for (let n = 0; n < 10; n += 1) ids.push((await makeEndpoint(own, `${receiver.url}/${n}`)).id)
    const moved = await Promise.all(
      ids.map((id) => patch(testApp, own, `${base}/${id}`, { url: `${receiver.url}/one` })),
    )
    expect(moved.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 9 }, () => 400)])
    const refused = [...made, ...moved].filter(({ status }) => status === 400)
    expect(new Set(refused.map(({ body }) => body.details[0].code))).toEqual(new Set(['duplicate-url']))
  })

  test('may be one of more where the operator of the service says so', async () => {
    const generous = await openTestApp({ VIGENCIA_WEBHOOK_ENDPOINTS: '22', VIGENCIA_ROLE: 'api' })
    try {
      const own = await generous.partner((await generous.company()).taxId)
      for (let n = 0; n < 22; n += 1) await makeEndpoint(own, `https://payroll.example/${n}`)
      const response = await own.post(base, { url: 'https://payroll.example/22' })
      expect([response.status, response.body.details?.[0]?.code]).toEqual([400, 'too-many-endpoints'])
    } finally {
      await generous.close()
    }
  })

  test('leaves an audit row of each write', async () => {
    const own = await newPartner()
    const { id } = await makeEndpoint(own, receiver.url)
    await patch(testApp, own, `${base}/${id}`, { 'event-types': ['invoice.paid'] })
    await own.post(`${base}/${id}/rotate-secret`)
    const event = expectOk(await own.post(`${base}/${id}/test`)).body.result
    expectOk(await own.post(`/v1/webhook-event/${event.id}/redeliver`))
    await own.delete(`${base}/${id}`)
    const rows = await testApp.sql('select action, target from audit where actor = $1 order by at, id', [own.clientId])
    expect(rows.map((row) => [row['action'], row['target']])).toEqual([
      ['webhook-endpoint.created', id],
      ['webhook-endpoint.updated', id],
      ['webhook-endpoint.secret-rotated', id],
      ['webhook-endpoint.tested', id],
      ['webhook-event.redelivered', event.id],
      ['webhook-endpoint.deleted', id],
    ])
  })
})

describe('where private addresses are not allowed', () => {
  const cases = {
    staging: [
      ['http://127.0.0.1:4000/', 'private-address'],
      ['http://[::ffff:7f00:1]/', 'private-address'],
      ['http://payroll.example/hook', null],
    ],
    production: [
      ['https://0x7f.1/', 'private-address'],
      ['https://localhost:8443/', 'private-address'],
      ['http://payroll.example/hook', 'https-required'],
      ['https://payroll.example/hook', null],
    ],
  } as const
  const messages = {
    'private-address': /`vigencia webhook listen --forward-to URL`.*VIGENCIA_WEBHOOK_ALLOW_PRIVATE/,
    'https-required': /https:/,
  }

  test.for(['staging', 'production'] as const)('%s says so at POST and PATCH', async (environment) => {
    const strict = await openTestApp({ VIGENCIA_ENVIRONMENT: environment, VIGENCIA_ROLE: 'api' })
    try {
      const partner = await strict.partner((await strict.company()).taxId)
      const { id } = await makeEndpoint(partner, 'https://benefits.example/')
      for (const [url, code] of cases[environment]) {
        const changed = await patch(strict, partner, `${base}/${id}`, { url })
        if (code === null) expectOk(await patch(strict, partner, `${base}/${id}`, { url: 'https://benefits.example/' }))
        const expected =
          code === null
            ? [200, undefined]
            : [400, [{ field: 'url', code, message: expect.stringMatching(messages[code]) }]]
        for (const { status, body } of [changed, await partner.post(base, { url })]) {
          expect([status, body.details]).toEqual(expected)
        }
      }
    } finally {
      await strict.close()
    }
  })
})

test.for([
  'http://169.254.169.254/latest/meta-data',
  'http://2852039166/',
  'http://0xa9.0xfe.0xa9.0xfe/',
  'http://[::ffff:169.254.169.254]/',
  'http://[64:ff9b::a9fe:a9fe]/',
  'http://[fe80::1]/',
  'http://[fd00:ec2::254]/',
  'http://100.100.100.200/',
])('where private addresses are allowed, %s is refused all the same', async (url) => {
  const partner = await newPartner()
  const response = await partner.post(base, { url })
  expect([response.status, response.body.error]).toEqual([400, 'Invalid body'])
  expect(response.body.details).toEqual([
    { field: 'url', code: 'private-address', message: expect.stringContaining('never called') },
  ])
})

describe('a test event', () => {
  test('comes signed, whatever types the endpoint hears of, and stands in the list of its client', async () => {
    const partner = await newPartner()
    const made = await makeEndpoint(partner, `${receiver.url}/tested`, ['invoice.paid'])
    const response = expectOk(await partner.post(`${base}/${made.id}/test`))
    const event = response.body.result
    expect(event).toEqual({
      id: expect.stringMatching(uuid),
      type: 'webhook.test',
      timestamp: expect.any(String),
      data: { 'endpoint-id': made.id },
    })
    const [call] = await receiver.until(1, ({ headers }) => headers['webhook-id'] === event.id)
    const { id, ...body } = event
    expect(call?.path).toBe('/hook/tested')
    expect(call?.headers['content-type']).toMatch(/^application\/json/)
    expect(call && verified(call, made.secret)).toEqual(body)
    const [delivery] = await deliveriesOf(partner, id, ([one]) => one.status !== 'pending')
    expect(delivery).toEqual({
      id: expect.stringMatching(uuid),
      'endpoint-id': made.id,
      attempt: 1,
      status: 'succeeded',
      'response-status': 204,
      error: null,
      'attempted-at': expect.any(String),
      'next-attempt-at': null,
    })
    expect(expectOk(await partner.get('/v1/webhook-event')).body.result[0]).toEqual(event)
    expect(expectOk(await partner.get(`/v1/webhook-event/${id}`)).body.result).toEqual(event)
    const stranger = await newPartner()
    expect((await stranger.get(`/v1/webhook-event/${id}`)).status).toBe(404)
    expect(expectOk(await stranger.get('/v1/webhook-event')).text).not.toContain(id)
  })

  test('has another type where one is sent, with data of the schema of that type, and nothing else happens', async () => {
    const partner = await newPartner()
    const made = await makeEndpoint(partner, `${receiver.url}/typed`, ['invoice.paid'])
    const before = await testApp.sql('select count(*) from event')
    for (const type of EVENT_TYPES) {
      const { result } = expectOk(await partner.post(`${base}/${made.id}/test`, { 'event-type': type })).body
      const [call] = await receiver.until(1, ({ headers }) => headers['webhook-id'] === result.id)
      const { id, ...body } = result
      expect(call && verified(call, made.secret)).toEqual(body)
      expect(body.type).toBe(type)
      expect(Check(eventData[EVENTS[type]], body.data)).toBe(true)
      const listed = expectOk(await partner.get(`/v1/webhook-event?type=${type}`)).body.result
      expect(listed).toEqual([result])
      const all = expectOk(
        await testApp.operator.get(`/operator/v1/webhook-delivery?client-id=${partner.clientId}`),
      ).body
      expect(all.result[0]).toMatchObject({ 'event-id': id, 'event-type': type, 'company-tax-id': null })
      const query = `?type=${type}&client-id=${partner.clientId}`
      const ofType = expectOk(await testApp.operator.get(`/operator/v1/webhook-delivery${query}`)).body.result
      expect(ofType.map((one: Json) => one['event-id'])).toEqual([id])
      expect(expectOk(await testApp.operator.get(`/operator/v1/webhook-event/${id}`)).body.result.type).toBe(type)
    }
    expect(await testApp.sql('select count(*) from event')).toEqual(before)
    const unknownType = await partner.post(`${base}/${made.id}/test`, { 'event-type': 'enrollment.lost' })
    expect([unknownType.status, unknownType.body.details[0].field]).toEqual([400, 'event-type'])
  })

  test('of a disabled endpoint is refused', async () => {
    const partner = await newPartner()
    const { id } = await makeEndpoint(partner, receiver.url)
    await patch(testApp, partner, `${base}/${id}`, { status: 'disabled' })
    const response = await partner.post(`${base}/${id}/test`)
    expect([response.status, response.body.error]).toEqual([409, 'Webhook endpoint is disabled'])
  })
})

describe('a rotated secret', () => {
  const testOf = async (partner: Client, id: string) => {
    const event = expectOk(await partner.post(`${base}/${id}/test`)).body.result
    const [call] = await receiver.until(1, ({ headers }) => headers['webhook-id'] === event.id)
    if (call === undefined) throw new Error('nothing was received')
    return call
  }

  test('signs together with the old one for 24 hours, then alone', async () => {
    const partner = await newPartner()
    const { id, secret: old } = await makeEndpoint(partner, receiver.url)
    const rotated = expectOk(await partner.post(`${base}/${id}/rotate-secret`)).body.result
    expect(rotated).toMatchObject({ id, url: receiver.url, status: 'enabled' })
    expect(rotated.secret).not.toBe(old)
    const both = await testOf(partner, id)
    expect(String(both.headers['webhook-signature']).split(' ')).toHaveLength(2)
    for (const secret of [old, rotated.secret]) expect(verified(both, secret).type).toBe('webhook.test')

    const left = await testApp.sql(
      'select extract(epoch from expires_at - now())::float / 3600 as hours from webhook_secret where endpoint_id = $1 and expires_at is not null',
      [id],
    )
    expect(left[0]?.['hours']).toBeGreaterThan(23.9)
    expect(left[0]?.['hours']).toBeLessThanOrEqual(24)
    await testApp.sql(
      'update webhook_secret set expires_at = now() where endpoint_id = $1 and expires_at is not null',
      [id],
    )
    const alone = await testOf(partner, id)
    expect(verified(alone, rotated.secret).type).toBe('webhook.test')
    expect(() => verified(alone, old)).toThrow('No matching signature')
  })

  test('ends the one before the last at once: never more than two live', async () => {
    const partner = await newPartner()
    const { id, secret: first } = await makeEndpoint(partner, receiver.url)
    const secrets = [first]
    for (let n = 0; n < 2; n += 1) {
      secrets.push(expectOk(await partner.post(`${base}/${id}/rotate-secret`)).body.result.secret)
    }
    const call = await testOf(partner, id)
    expect(String(call.headers['webhook-signature']).split(' ')).toHaveLength(2)
    expect(() => verified(call, first)).toThrow('No matching signature')
    for (const secret of secrets.slice(1)) expect(verified(call, secret).type).toBe('webhook.test')
  })
})
