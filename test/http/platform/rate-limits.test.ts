import { beforeAll, describe, expect, test } from 'vitest'
import {
  type ApiResponse,
  type Client,
  type Company,
  expectOk,
  nextCpf,
  openTestApp,
  useTestApp,
  monday,
  primary,
  until,
} from '../../world/test-app.ts'

const limits = { reads: 60, writes: 40, authenticate: 20 }

const testApp = useTestApp(
  { VIGENCIA_RATE_LIMITS: `${limits.reads}/${limits.writes}/${limits.authenticate}` },
  { instances: 'all' },
)
let company: Company
beforeAll(async () => {
  company = await testApp.company()
})
const companyOf = (client: Client) => client.get(`/v1/company/${company.taxId}`)
const slotOf = (client: Client) => client.post('/v1/enrollment/document-upload-url')
const statuses = (responses: readonly ApiResponse[]) => responses.map(({ status }) => status)
const passed = (responses: readonly ApiResponse[]) => responses.filter(({ status }) => status !== 429).length

/** One after the other, so that every process is called. */
async function inTurn(times: number, call: () => Promise<ApiResponse>): Promise<ApiResponse[]> {
  const responses = []
  for (let n = 0; n < times; n += 1) responses.push(await call())
  return responses
}

/** Runs in one window of the client, which starts with its first call: again, with a new client, when that took longer than a minute. */
async function inOneWindow<T>(work: (client: Client) => Promise<T>, on = testApp): Promise<T> {
  for (;;) {
    const client = await on.partner(on === testApp ? company.taxId : (await on.company()).taxId)
    const result = await work(client)
    const [row] = await on.sql<{ isOne: boolean }>(
      `select now() < created_at + interval '1 minute' as "isOne" from client where id = $1`,
      [client.clientId],
    )
    if (row?.isOne === true) return result
  }
}

function refusal({ status, headers, body }: ApiResponse) {
  return {
    status,
    error: body?.error,
    waits: /^([1-9]|[1-5]\d|60)$/.test(headers.get('retry-after') ?? ''),
    policy: headers.get('ratelimit-policy'),
    left: /^"[a-z]+";r=(\d+);t=\d+$/.exec(headers.get('ratelimit') ?? '')?.[1],
    traced: body?.['request-trace-id'] === headers.get('x-request-id'),
  }
}

const refused = (name: string, quota: number) => ({
  status: 429,
  error: 'Too many requests',
  waits: true,
  policy: `"${name}";q=${quota};w=60`,
  left: '0',
  traced: true,
})

describe('a client gets 429 past its minute’s', () => {
  test('reads, and may still write', async () => {
    const [responses, slot] = await inOneWindow(async (client) => [
      await inTurn(limits.reads + 10, () => companyOf(client)),
      await slotOf(client),
    ])
    expect(passed(responses)).toBeGreaterThanOrEqual(limits.reads * 0.9)
    expect(passed(responses)).toBeLessThanOrEqual(limits.reads)
    expect(refusal(responses.at(-1) as ApiResponse)).toEqual(refused('reads', limits.reads))
    expect(slot.status).toBe(200)
  })

  test('writes, and may still read', async () => {
    const [responses, read] = await inOneWindow(async (client) => [
      await inTurn(limits.writes + 10, () => slotOf(client)),
      await companyOf(client),
    ])
    expect(passed(responses)).toBeGreaterThanOrEqual(limits.writes * 0.9)
    expect(passed(responses)).toBeLessThanOrEqual(limits.writes)
    expect(refusal(responses.at(-1) as ApiResponse)).toEqual(refused('writes', limits.writes))
    expect(read.status).toBe(200)
  })

  test('reads when they come all at once', async () => {
    const responses = await inOneWindow((client) =>
      Promise.all(Array.from({ length: limits.reads * 2 }, () => companyOf(client))),
    )
    expect(passed(responses)).toBeGreaterThanOrEqual(limits.reads * 0.9)
    expect(passed(responses)).toBeLessThanOrEqual(limits.reads)
  })

  test('right pairs at authenticate; wrong ones do not use it up', async () => {
    const again = (client: Client, secret: string) =>
      testApp.call('POST', '/v1/authenticate', { body: { 'client-id': client.clientId, 'client-secret': secret } })
    const [wrong, right] = await inOneWindow(async (client) => [
      await inTurn(3, () => again(client, 'a guess')),
      await inTurn(limits.authenticate + 3, () => again(client, client.clientSecret)),
    ])
    expect(statuses(wrong)).toEqual([401, 401, 401])
    // The app signed in once already.
    expect(passed(right)).toBe(limits.authenticate - 1)
    expect(refusal(right.at(-1) as ApiResponse)).toEqual(refused('authenticate', limits.authenticate))
  })
})

test('answers carry what is left of the limit', async () => {
  const responses = await inOneWindow((client) => inTurn(3, () => companyOf(client)))
  for (const { headers } of responses) {
    expect(headers.get('ratelimit-policy')).toBe(`"reads";q=${limits.reads};w=60`)
    expect(headers.get('ratelimit')).toMatch(/^"reads";r=\d+;t=([1-9]|[1-5]\d|60)$/)
  }
  const left = responses.map(({ headers }) => Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]))
  expect(left.every((value) => value < limits.reads && value >= limits.reads - 20)).toBe(true)
})

test('errors count and carry the limit like other answers', async () => {
  const [missing] = await inOneWindow((client) => inTurn(1, () => client.get(`/v1/request/${company.id}`)))
  expect(missing?.status).toBe(404)
  expect(missing?.headers.get('ratelimit')).toMatch(/^"reads";r=\d+;t=\d+$/)
})

describe('answers that tell whether a CPF exists', () => {
  const exclusion = (taxId: string) => `/v1/enrollment/exclusion/${taxId}/product/${company.products['Dental Sorriso']}`
  const details = { 'exclusion-details': { 'end-date': monday, 'exclusion-reason': 'dismissal' } }

  test('are 30 a minute, of both movements together, and are audited; after that 429 without telling', async () => {
    const stranger = await testApp.partner(company.taxId)
    const known = primary()
    await testApp.include(stranger, company, [known], '?resolution=approve')
    const other = await testApp.company()
    const [responses, audited, own] = await inOneWindow(async (client) => {
      await testApp.operator.put(`/operator/v1/client/${client.clientId}/company/${other.taxId}`)
      await testApp.operator.delete(`/operator/v1/client/${client.clientId}/company/${company.taxId}`)
      const got = await inTurn(17, async () => client.post(exclusion(nextCpf()), details))
      got.push(...(await inTurn(16, async () => client.post(exclusion(known['tax-id']), details))))
      const alteration = { 'alteration-data': { phone: '11987654321' } }
      got.push(await client.post(`/v1/enrollment/alteration/${nextCpf()}`, alteration))
      const rows = await testApp.sql<{ n: number }>(
        "select count(*)::int as n from audit where actor = $1 and action = 'member.denied'",
        [client.clientId],
      )
      return [got, rows[0]?.n, await slotOf(client)] as const
    })
    expect(statuses(responses)).toEqual([
      ...Array<number>(17).fill(404),
      ...Array<number>(13).fill(403),
      ...Array<number>(4).fill(429),
    ])
    expect(refusal(responses.at(-1) as ApiResponse)).toEqual(refused('members', 30))
    expect(audited).toBe(30)
    expect(own.status).toBe(200)
  })
})

test('a replay of what was kept tells nothing anew, and 429 is never kept', async () => {
  const path = `/v1/enrollment/exclusion/${nextCpf()}/product/${company.products['Dental Sorriso']}`
  const details = { 'exclusion-details': { 'end-date': monday, 'exclusion-reason': 'dismissal' } }
  const [first, again] = await inOneWindow((client) =>
    inTurn(2, () => client.post(path, details, { 'idempotency-key': 'k' })),
  )
  expect([first?.status, again?.status, again?.headers.get('idempotency-replayed')]).toEqual([404, 404, 'true'])
  const [last] = await inOneWindow(async (client) => {
    await inTurn(limits.writes, () => slotOf(client))
    const got = await client.post(path, details, { 'idempotency-key': 'k' })
    return [got, await testApp.sql('select 1 from idempotency_key where client_id = $1', [client.clientId])] as const
  })
  expect(last.status).toBe(429)
})

describe('401 comes first', () => {
  test('for a bad token', async () => {
    const responses = await Promise.all(
      Array.from({ length: limits.reads + 5 }, () => testApp.call('GET', '/v1/company', { token: 'x.y.z' })),
    )
    expect(new Set(statuses(responses))).toEqual(new Set([401]))
    expect(responses.every(({ headers }) => headers.get('ratelimit') === null)).toBe(true)
  })

  test('for a revoked client that is past its limit', async () => {
    const responses = await inOneWindow(async (client) => {
      await inTurn(limits.reads + 2, () => companyOf(client))
      expectOk(await testApp.operator.delete(`/operator/v1/client/${client.clientId}`))
      return [
        await until(
          () => companyOf(client),
          ({ status }) => status === 401,
        ),
      ]
    })
    expect(statuses(responses)).toEqual([401])
  })
})

test('operators and health have no limit', async () => {
  const operators = await Promise.all(
    Array.from({ length: limits.reads + 20 }, () => testApp.operator.get('/operator/v1/client')),
  )
  const health = await Promise.all(Array.from({ length: limits.reads + 20 }, () => testApp.call('GET', '/v1/health')))
  expect(new Set(statuses([...operators, ...health]))).toEqual(new Set([200]))
  expect([...operators, ...health].every(({ headers }) => headers.get('ratelimit') === null)).toBe(true)
})

test('a client’s limit is its own', async () => {
  const other = await testApp.partner(company.taxId)
  await inOneWindow((client) => inTurn(limits.reads + 5, () => companyOf(client)))
  expect((await companyOf(other)).status).toBe(200)
})

test('`off` limits nothing and says nothing of limits', async () => {
  const open = await openTestApp()
  try {
    const at = await open.company()
    const client = await open.partner(at.taxId)
    const some = () => Promise.all(Array.from({ length: 70 }, () => client.get(`/v1/company/${at.taxId}`)))
    const responses = []
    for (let n = 0; n < 10; n += 1) responses.push(...(await some()))
    expect(responses.filter(({ status, headers }) => status !== 200 || headers.get('ratelimit') !== null)).toEqual([])
    expect(await open.sql('select 1 from rate_limit_usage')).toEqual([])
  } finally {
    await open.close()
  }
})

test('webhook events are redelivered and tested 60 times a minute by one client, whatever its writes', async () => {
  const generous = await openTestApp({ VIGENCIA_RATE_LIMITS: '9000/9000/900', VIGENCIA_ROLE: 'api' })
  try {
    const { client, redeliver, responses, over, made } = await inOneWindow(async (client) => {
      const { id } = expectOk(await client.post('/v1/webhook-endpoint', { url: 'https://payroll.example/' })).body
        .result
      const test = () => client.post(`/v1/webhook-endpoint/${id}/test`)
      const event = expectOk(await test()).body.result
      const redeliver = () => client.post(`/v1/webhook-event/${event.id}/redeliver`)
      const responses = [...(await inTurn(30, test)), ...(await inTurn(29, redeliver))]
      const over = [await test(), await redeliver()]
      const made = await generous.sql('select 1 from webhook_test_event where client_id = $1', [client.clientId])
      return { client, redeliver, responses, over, made }
    }, generous)
    expect(new Set(statuses(responses))).toEqual(new Set([200]))
    for (const response of over) expect(refusal(response)).toEqual(refused('redeliveries', 60))
    expect(made).toHaveLength(31)
    expectOk(await generous.operator.delete(`/operator/v1/client/${client.clientId}`))
    // That the client was not revoked is believed for a second.
    await until(redeliver, ({ status }) => status === 401)
  } finally {
    await generous.close()
  }
})
