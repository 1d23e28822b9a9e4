import { beforeAll, describe, expect, test } from 'vitest'
import {
  type ApiResponse,
  type Client,
  expectOk,
  type Json,
  monday,
  openTestApp,
  useTestApp,
} from '../../world/test-app.ts'

const testApp = useTestApp()

const cookieName = 'vigencia-session'
const sameOrigin = { 'sec-fetch-site': 'same-origin' }

const signIn = (clientId: string, clientSecret: string, headers: Record<string, string> = sameOrigin) =>
  testApp.call('POST', '/operator/v1/session', {
    body: { 'client-id': clientId, 'client-secret': clientSecret },
    headers,
  })

/** `name=value` of the cookie that the response sets. */
function cookieOf(response: ApiResponse): string {
  return response.headers.getSetCookie()[0]?.split(';', 1)[0] ?? ''
}

interface Browser {
  readonly cookie: string
  readonly operator: Client
  call(method: string, path: string, headers?: Record<string, string>, body?: unknown): Promise<ApiResponse>
}

/** A browser that is signed in as a new operator of the role. */
async function browserOf(role: string): Promise<Browser> {
  const operator = await testApp.operatorOf(role)
  const cookie = cookieOf(expectOk(await signIn(operator.clientId, operator.clientSecret)))
  return {
    cookie,
    operator,
    call: (method, path, headers = sameOrigin, body) =>
      testApp.call(method, path, { headers: { cookie, ...headers }, ...(body === undefined ? {} : { body }) }),
  }
}

const minutesUntil = (time: string) => Math.round((Date.parse(time) - Date.now()) / 60_000)

const refusal = ({ status, body }: ApiResponse) => [status, body?.code]

describe('a sign-in with the secret', () => {
  test('sets a cookie that scripts cannot read and other sites cannot send, and tells who signed in', async () => {
    const operator = await testApp.operatorOf('finance')
    const response = await signIn(operator.clientId, operator.clientSecret)
    expect(response.status).toBe(200)
    expect(response.body.result).toEqual({
      'client-id': operator.clientId,
      name: 'finance',
      role: 'finance',
      'created-at': expect.any(String),
      'idle-expires-at': expect.any(String),
      'expires-at': expect.any(String),
      'signed-in-with': 'secret',
      'business-date': monday,
    })
    expect(minutesUntil(response.body.result['idle-expires-at'])).toBe(30)
    expect(minutesUntil(response.body.result['expires-at'])).toBe(12 * 60)
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^vigencia-session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/),
    ])
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.text).not.toContain(cookieOf(response).slice(cookieName.length + 1))
  })

  test('over https sets it with __Host- and Secure, and under no other name', async () => {
    const own = await openTestApp({ VIGENCIA_PUBLIC_URL: 'https://benefits.example/' })
    try {
      const { clientId, clientSecret } = own.operator
      const body = { 'client-id': clientId, 'client-secret': clientSecret }
      const response = await own.call('POST', '/operator/v1/session', { body })
      const [cookie = ''] = expectOk(response).headers.getSetCookie()
      expect(cookie).toMatch(/^__Host-vigencia-session=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Strict$/)
      const value = cookie.split(';', 1)[0] ?? ''
      const read = (headers: Record<string, string>) => own.call('GET', '/operator/v1/session', { headers })
      expect((await read({ cookie: value, ...sameOrigin })).status).toBe(200)
      expect(refusal(await read({ cookie: value.slice('__Host-'.length), ...sameOrigin }))).toEqual([
        401,
        'token-missing',
      ])
      // The origin of the browser is the public URL, not the address behind the proxy.
      expect((await read({ cookie: value, origin: 'https://benefits.example' })).status).toBe(200)
      expect(refusal(await read({ cookie: value, origin: new URL(own.url).origin }))).toEqual([
        403,
        'cross-site-request',
      ])
    } finally {
      await own.close()
    }
  })

  test('never adopts a cookie that was sent, and ends the session that the browser had', async () => {
    const browser = await browserOf('analyst')
    const { clientId, clientSecret } = browser.operator
    const planted = `${cookieName}=${'A'.repeat(43)}`
    const first = expectOk(await signIn(clientId, clientSecret, { ...sameOrigin, cookie: planted }))
    expect(cookieOf(first)).not.toBe(planted)
    const read = (cookie: string) => testApp.call('GET', '/operator/v1/session', { headers: { ...sameOrigin, cookie } })
    expect(refusal(await read(planted))).toEqual([401, 'session-ended'])
    const second = expectOk(await signIn(clientId, clientSecret, { ...sameOrigin, cookie: cookieOf(first) }))
    expect(refusal(await read(cookieOf(first)))).toEqual([401, 'session-ended'])
    expect((await read(cookieOf(second))).status).toBe(200)
    // That of another browser goes on.
    expect((await browser.call('GET', '/operator/v1/session')).status).toBe(200)
  })

  test('is refused for a wrong secret, a partner, a removed operator and a page of another site', async () => {
    const operator = await testApp.operatorOf('analyst')
    const partner = await testApp.partner()
    const wrong = await signIn(operator.clientId, 'wrong')
    expect([...refusal(wrong), wrong.headers.getSetCookie()]).toEqual([401, 'wrong-secret', []])
    expect(refusal(await signIn(partner.clientId, partner.clientSecret))).toEqual([401, 'wrong-api'])
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }]) {
      const response = await signIn(operator.clientId, operator.clientSecret, headers)
      expect([...refusal(response), response.headers.getSetCookie()]).toEqual([403, 'cross-site-request', []])
    }
    expectOk(await testApp.operator.delete(`/operator/v1/operator/${operator.clientId}`))
    expect(refusal(await signIn(operator.clientId, operator.clientSecret))).toEqual([401, 'client-revoked'])
  })

  test('counts failures together with POST /v1/authenticate, and a right secret always gets through', async () => {
    const { clientId, clientSecret } = await testApp.operatorOf('analyst')
    const guess = () => signIn(clientId, 'guess')
    const guessToken = () =>
      testApp.call('POST', '/v1/authenticate', { body: { 'client-id': clientId, 'client-secret': 'guess' } })
    for (let tried = 0; tried < 5; tried += 1) {
      expect(refusal(await guess())).toEqual([401, 'wrong-secret'])
      expect(refusal(await guessToken())).toEqual([401, 'wrong-secret'])
    }
    const blocked = await guess()
    expect(refusal(blocked)).toEqual([429, 'too-many-attempts'])
    expect(Number(blocked.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect((await signIn(clientId, clientSecret)).status).toBe(200)
  })

  test('reads a small body only', async () => {
    const body = { 'client-id': 'a', 'client-secret': 'x'.repeat(5_000) }
    expect(refusal(await testApp.call('POST', '/operator/v1/session', { body }))).toEqual([413, 'body-too-large'])
  })
})

describe('a call with the cookie', () => {
  test('has the role of the operator, and its writes have it as their actor', async () => {
    const admin = await browserOf('admin')
    const json = { ...sameOrigin, 'content-type': 'application/json' }
    const made = await admin.call('POST', '/operator/v1/operator', json, { name: 'Mesa', role: 'analyst' })
    expectOk(made)
    const { result } = expectOk(await testApp.operator.get(`/operator/v1/audit?target=${made.body['client-id']}`)).body
    expect(result).toMatchObject([{ action: 'operator.created', actor: admin.operator.clientId }])
    const analyst = await browserOf('analyst')
    expect((await analyst.call('GET', '/operator/v1/enrollment')).status).toBe(200)
    expect(refusal(await analyst.call('GET', '/operator/v1/audit'))).toEqual([403, 'role-not-allowed'])
  })

  test('is not one of the partner API, whoever signed in', async () => {
    const { cookie } = await browserOf('admin')
    for (const path of ['/v1/company', '/v1/member']) {
      const response = await testApp.call('GET', path, { headers: { ...sameOrigin, cookie } })
      expect(refusal(response)).toEqual([401, 'token-missing'])
    }
  })

  test('is that of its token where it has one', async () => {
    const { cookie, operator } = await browserOf('analyst')
    const { token } = testApp.operator
    const headers = { cookie, 'sec-fetch-site': 'cross-site' }
    expect((await testApp.call('GET', '/operator/v1/audit', { token, headers })).status).toBe(200)
    for (const method of ['GET', 'DELETE']) {
      const response = await testApp.call(method, '/operator/v1/session', { token: operator.token, headers })
      expect(refusal(response)).toEqual([404, 'session-not-found'])
    }
    const wrong = { cookie, ...sameOrigin, authorization: 'Basic YTpi' }
    expect(refusal(await testApp.call('GET', '/operator/v1/session', { headers: wrong }))).toEqual([
      401,
      'token-invalid',
    ])
  })

  const own = 'own'
  const cases: [headers: Record<string, string>, reads: boolean, writes: boolean][] = [
    [{}, true, false],
    [{ 'sec-fetch-site': 'same-origin' }, true, true],
    [{ 'sec-fetch-site': 'none' }, true, false],
    [{ 'sec-fetch-site': 'same-site' }, false, false],
    [{ 'sec-fetch-site': 'cross-site' }, false, false],
    [{ 'sec-fetch-site': 'nonsense' }, false, false],
    [{ origin: own }, true, true],
    [{ origin: 'null' }, false, false],
    [{ origin: 'https://evil.example' }, false, false],
    [{ origin: 'http://127.0.0.1:9' }, false, false],
    [{ 'sec-fetch-site': 'same-origin', origin: own }, true, true],
    [{ 'sec-fetch-site': 'same-site', origin: own }, false, false],
    [{ 'sec-fetch-site': 'cross-site', origin: own }, false, false],
  ]

  test.each(cases)('from %o reads: %s, writes: %s', async (sent, reads, writes) => {
    const { cookie, operator } = await browserOf('admin')
    // One address: the own origin is that of the request.
    const { origin } = new URL(testApp.url)
    const headers: Record<string, string> = { ...sent, cookie, ...(sent['origin'] === own ? { origin } : {}) }
    const call = async (method: string, path: string, body?: string) => {
      const response = await fetch(origin + path, {
        method,
        headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body }),
      })
      return response.status
    }
    expect(await call('GET', '/operator/v1/session')).toBe(reads ? 200 : 403)
    const unknown = '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21'
    expect(await call('PUT', `/operator/v1/client/${unknown}/company/11222333000181`)).toBe(writes ? 404 : 403)
    expect(await call('PATCH', `/operator/v1/invoice/a/file/${unknown}`, '{"status":"paid"}')).toBe(writes ? 404 : 403)
    expect(await call('POST', `/operator/v1/operator/${operator.clientId}/rotate-secret`)).toBe(writes ? 200 : 403)
    expect(await call('DELETE', '/operator/v1/session')).toBe(writes ? 204 : 403)
  })
})

describe('a session ends', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await browserOf('analyst')
  })
  const ended = [401, 'session-ended']
  /** Moves the times of the session into the past. */
  const age = async (column: string, interval: string) =>
    testApp.sql(
      `update operator_session set ${column} = ${column} - $2::interval, created_at = created_at - interval '1 day'
        where client_id = $1`,
      [browser.operator.clientId, interval],
    )
  const read = () => browser.call('GET', '/operator/v1/session')

  test('after 30 minutes without a call; each one delays it, written once a minute', async () => {
    const expiry = async () => expectOk(await read()).body.result['idle-expires-at'] as string
    const first = await expiry()
    expect(await expiry()).toBe(first)
    await age('last_used_at', '29 minutes')
    expect(minutesUntil(await expiry())).toBe(30)
    await age('last_used_at', '31 minutes')
    expect(refusal(await read())).toEqual(ended)
    // And stays so.
    expect(refusal(await read())).toEqual(ended)
  })

  test('whatever a page requests by itself: with Vigencia-Background a call works and does not delay it', async () => {
    browser = await browserOf('analyst')
    const background = { ...sameOrigin, 'vigencia-background': 'true' }
    await age('last_used_at', '20 minutes')
    const polled = expectOk(await browser.call('GET', '/operator/v1/session', background)).body.result
    expect(minutesUntil(polled['idle-expires-at'])).toBe(10)
    await age('last_used_at', '11 minutes')
    expect(refusal(await browser.call('GET', '/operator/v1/session', background))).toEqual(ended)
    browser = await browserOf('analyst')
    await age('last_used_at', '20 minutes')
    const used = expectOk(await browser.call('GET', '/operator/v1/session')).body.result
    expect(minutesUntil(used['idle-expires-at'])).toBe(30)
  })

  test('12 hours after the sign-in, in spite of calls, and is then deleted', async () => {
    browser = await browserOf('analyst')
    await age('expires_at', '11 hours 50 minutes')
    const { result } = expectOk(await read()).body
    // Not after it.
    expect(result['idle-expires-at']).toBe(result['expires-at'])
    await age('expires_at', '11 minutes')
    expect(refusal(await read())).toEqual(ended)
    const kept = await browserOf('analyst')
    const worker = await testApp.startWorker()
    await expect
      .poll(() => testApp.sql('select 1 from operator_session where expires_at < now()'), { timeout: 60_000 })
      .toEqual([])
    await worker.close()
    expect((await kept.call('GET', '/operator/v1/session')).status).toBe(200)
  })

  test('by a sign-out, which clears the cookie', async () => {
    browser = await browserOf('analyst')
    const response = await browser.call('DELETE', '/operator/v1/session')
    expect(response.status).toBe(204)
    expect(response.headers.getSetCookie()).toEqual([
      'vigencia-session=; Max-Age=0; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; SameSite=Strict',
    ])
    expect(refusal(await read())).toEqual(ended)
    expect(refusal(await browser.call('DELETE', '/operator/v1/session'))).toEqual(ended)
  })

  test('at once for an operator who is removed, in the middle of its work', async () => {
    browser = await browserOf('analyst')
    expect((await browser.call('GET', '/operator/v1/enrollment')).status).toBe(200)
    expectOk(await testApp.operator.delete(`/operator/v1/operator/${browser.operator.clientId}`))
    expect(refusal(await browser.call('GET', '/operator/v1/enrollment'))).toEqual([401, 'client-revoked'])
    expect(refusal(await read())).toEqual([401, 'client-revoked'])
  })

  test('with all others of the operator, by an admin or by itself, not by another; its tokens stay', async () => {
    browser = await browserOf('analyst')
    const { clientId, clientSecret } = browser.operator
    const second = cookieOf(expectOk(await signIn(clientId, clientSecret)))
    const bystander = await browserOf('analyst')
    const path = `/operator/v1/operator/${clientId}/session`
    expect(refusal(await bystander.call('DELETE', path))).toEqual([403, 'role-not-allowed'])
    expect((await read()).status).toBe(200)
    expect((await testApp.operator.delete(path)).status).toBe(204)
    for (const cookie of [browser.cookie, second]) {
      const response = await testApp.call('GET', '/operator/v1/session', { headers: { cookie, ...sameOrigin } })
      expect(refusal(response)).toEqual(ended)
    }
    expect((await browser.operator.get('/operator/v1/enrollment')).status).toBe(200)
    expect((await bystander.call('GET', '/operator/v1/session')).status).toBe(200)
    const itself = `/operator/v1/operator/${bystander.operator.clientId}/session`
    expect((await bystander.call('DELETE', itself)).status).toBe(204)
    expect(refusal(await bystander.call('GET', '/operator/v1/session'))).toEqual(ended)
    const unknown = await testApp.operator.delete('/operator/v1/operator/nobody/session')
    expect(refusal(unknown)).toEqual([404, 'operator-not-found'])
  })

  test('not by the rotation of the secret', async () => {
    browser = await browserOf('analyst')
    expectOk(await testApp.operator.post(`/operator/v1/operator/${browser.operator.clientId}/rotate-secret`))
    expect((await read()).status).toBe(200)
  })
})

test('begin and end of a session are in the audit, with the address; the cookie is nowhere in the database', async () => {
  const browser = await browserOf('analyst')
  const { clientId, clientSecret } = browser.operator
  const again = expectOk(await signIn(clientId, clientSecret, { ...sameOrigin, cookie: browser.cookie }))
  const headers = { ...sameOrigin, cookie: cookieOf(again) }
  const rows = await testApp.sql<{ text: string }>(
    'select to_jsonb(operator_session)::text as text from operator_session',
  )
  const value = cookieOf(again).slice(cookieName.length + 1)
  const hex = Buffer.from(value, 'base64url').toString('hex')
  expect(rows.length).toBeGreaterThan(0)
  expect(rows.filter(({ text }) => text.includes(value) || text.includes(hex))).toEqual([])
  expect((await testApp.call('DELETE', '/operator/v1/session', { headers })).status).toBe(204)
  const { result } = expectOk(await testApp.operator.get(`/operator/v1/audit?actor=${clientId}`)).body
  const actions = result.map((row: Json) => [row.action, row.target, row.address])
  const [created, replaced] = [actions.at(-1), actions[0]]
  expect(actions.map(([action]: string[]) => action).toSorted()).toEqual([
    'session.created',
    'session.created',
    'session.ended',
    'session.ended',
  ])
  expect([created[2], replaced[2]]).toEqual(['127.0.0.1', '127.0.0.1'])
  expect(new Set(actions.map(([, target]: string[]) => target)).size).toBe(2)
})

test('the options of the sign-in name the environment, and no identity provider where none is configured', async () => {
  const response = expectOk(await testApp.call('GET', '/operator/v1/session/options'))
  expect(response.body).toEqual({ result: { environment: 'staging', passkeys: false, 'identity-provider': null } })
})
