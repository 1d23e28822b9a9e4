import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Browser, openProvider, type Person, type TestProvider } from './identity-provider.ts'
import { expectOk, type Json, openTestApp, type TestApp } from '../../world/test-app.ts'

let provider: TestProvider
let testApp: TestApp
/** One address of the service: that of the redirect URI. */
let origin: string

beforeAll(async () => {
  provider = await openProvider()
  testApp = await openTestApp({
    VIGENCIA_OIDC_ISSUER: provider.issuer,
    VIGENCIA_OIDC_CLIENT_ID: provider.clientId,
    VIGENCIA_OIDC_CLIENT_SECRET: provider.clientSecret,
    VIGENCIA_OIDC_NAME: 'Conta Aurora',
  })
  origin = new URL(testApp.url).origin
})
afterAll(async () => {
  await testApp?.close()
  await provider?.close()
})

const start = () => `${origin}/operator/v1/session/identity-provider`
const isCallback = (url: string) => url.startsWith(`${origin}/operator/v1/session/callback`)
const isConsole = (url: string) => url.startsWith(`${origin}/console/`)
const failure = (code: string) => `${origin}/console/sign-in?error=${code}`

let people = 0
/** Somebody new. */
const personOf = (roles: unknown): Person => ({
  sub: `helena-${(people += 1)}@example.com`,
  name: 'Helena Prado',
  roles,
})

/** Signs in with a new browser. @returns where it ends. */
async function signIn(person: Person | null, browser = new Browser()): Promise<string> {
  provider.person = person
  return browser.follow(start(), isConsole)
}

async function sessionOf(browser: Browser): Promise<Json> {
  const headers = { cookie: browser.cookies(origin), 'sec-fetch-site': 'same-origin' }
  const response = await testApp.call('GET', '/operator/v1/session', { headers })
  return response.body.result ?? response.body.code
}

test('a provider that is away leads back to the sign-in page with a code; once it is there, it works', async () => {
  expect(await signIn(null)).toBe(failure('identity-provider-unavailable'))
  await provider.allow(`${origin}/operator/v1/session/callback`)
  const browser = new Browser()
  expect(await signIn(personOf(['analyst']), browser)).toBe(`${origin}/console/`)
  expect(await sessionOf(browser)).toMatchObject({ role: 'analyst', 'signed-in-with': 'identity-provider' })
})

test('the options of the sign-in name it', async () => {
  const { body } = expectOk(await testApp.call('GET', '/operator/v1/session/options'))
  expect(body.result).toEqual({
    environment: 'staging',
    passkeys: false,
    'identity-provider': { name: 'Conta Aurora' },
  })
})

describe('a sign-in', () => {
  test('begins with PKCE, a state and a nonce that are new each time, and a cookie that only the callback needs', async () => {
    const [one, other] = await Promise.all([new Browser().get(start()), new Browser().get(start())])
    const parameters = (response: Response) => new URL(response.headers.get('location') ?? '').searchParams
    expect(one.status).toBe(303)
    expect(Object.fromEntries(parameters(one))).toEqual({
      client_id: provider.clientId,
      response_type: 'code',
      redirect_uri: `${origin}/operator/v1/session/callback`,
      scope: 'openid profile',
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    })
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(parameters(one).get(name)).not.toBe(parameters(other).get(name))
    }
    const [cookie = ''] = one.headers.getSetCookie()
    expect(cookie).toMatch(/^vigencia-sign-in=[\w-]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/)
    expect(cookie).not.toContain(parameters(one).get('state'))
    expect(one.headers.get('cache-control')).toBe('no-store')
  })

  test('creates an operator without a secret, whose id tells nothing of the person, and finds it again', async () => {
    const person = personOf('auditor')
    const browser = new Browser()
    expect(await signIn(person, browser)).toBe(`${origin}/console/`)
    const first = await sessionOf(browser)
    expect(first).toMatchObject({ name: 'Helena Prado', role: 'auditor', 'signed-in-with': 'identity-provider' })
    expect(first['client-id']).toMatch(/^oidc-[\w-]{22}$/)
    // The cookie of the sign-in is gone, and the session works.
    expect(browser.cookies(origin)).toMatch(/^vigencia-session=[\w-]{43}$/)
    const headers = { cookie: browser.cookies(origin), 'sec-fetch-site': 'same-origin' }
    expect((await testApp.call('GET', '/operator/v1/audit', { headers })).status).toBe(200)

    const again = new Browser()
    await signIn({ ...person, name: 'Helena Prado Lima', roles: ['other', 'finance', 'analyst'] }, again)
    const second = await sessionOf(again)
    expect(second).toMatchObject({ 'client-id': first['client-id'], name: 'Helena Prado Lima', role: 'analyst' })
    // The first session has the new role too.
    expect((await sessionOf(browser)).role).toBe('analyst')

    const stored = await testApp.sql(
      'select to_jsonb(client)::text as text from client union all select to_jsonb(audit)::text from audit',
    )
    expect(stored.filter(({ text }) => text.includes(person.sub))).toEqual([])
    const secrets = await testApp.sql('select 1 from client_secret where client_id = $1', [first['client-id']])
    expect(secrets).toEqual([])
    const { result } = expectOk(await testApp.operator.get(`/operator/v1/audit?target=${first['client-id']}`)).body
    expect(result.map((row: Json) => [row.action, row.actor, row.address])).toEqual([
      ['operator.became-analyst', 'service', '127.0.0.1'],
      ['operator.role-changed', 'service', '127.0.0.1'],
      ['operator.updated', 'service', '127.0.0.1'],
      ['operator.created', 'service', '127.0.0.1'],
    ])
  })

  test.each([
    ['without the claim', undefined],
    ['with other roles', ['user', 'Admin', 'analysts']],
    ['with a claim of another form', { admin: true }],
  ])('%s is refused, and creates no operator', async (_what, roles) => {
    const count = () => testApp.sql('select count(*)::int as operators from client')
    const before = await count()
    const browser = new Browser()
    expect(await signIn(personOf(roles), browser)).toBe(failure('sign-in-without-role'))
    expect([browser.cookies(origin), await count()]).toEqual(['', before])
  })

  test('of a removed operator is refused for ever, and its session has ended', async () => {
    const person = personOf(['admin'])
    const browser = new Browser()
    await signIn(person, browser)
    const { 'client-id': clientId } = await sessionOf(browser)
    expectOk(await testApp.operator.delete(`/operator/v1/operator/${clientId}`))
    expect(await sessionOf(browser)).toBe('client-revoked')
    expect(await signIn(person)).toBe(failure('client-revoked'))
    expect(await signIn({ ...person, roles: ['analyst'] })).toBe(failure('client-revoked'))
  })

  test('without a usable name has the id as its name', async () => {
    for (const name of ['  ', 'Helena\u202e', undefined]) {
      const browser = new Browser()
      const { name: _, ...nameless } = personOf(['finance'])
      await signIn(name === undefined ? nameless : { ...nameless, name }, browser)
      const session = await sessionOf(browser)
      expect(session.name).toBe(session['client-id'])
    }
  })
})

describe('a callback is refused', () => {
  /** The callback of a sign-in that the provider has completed. */
  async function callbackOf(browser: Browser, change = (url: string) => url): Promise<string> {
    provider.person = personOf(['admin'])
    const begun = await browser.get(start())
    return browser.follow(change(begun.headers.get('location') ?? ''), isCallback)
  }
  const changed = (url: string, name: string, value: string) => {
    const copy = new URL(url)
    copy.searchParams.set(name, value)
    return copy.href
  }
  const endOf = (browser: Browser, url: string) => browser.follow(url, isConsole)

  test('in another browser, which has not begun the sign-in', async () => {
    const callback = await callbackOf(new Browser())
    expect(await endOf(new Browser(), callback)).toBe(failure('sign-in-expired'))
  })

  test('with another state, and a right one cannot follow', async () => {
    const browser = new Browser()
    const callback = await callbackOf(browser)
    expect(await endOf(browser, changed(callback, 'state', 'x'.repeat(43)))).toBe(failure('sign-in-expired'))
    expect(await endOf(browser, callback)).toBe(failure('sign-in-expired'))
    expect(browser.cookies(origin)).toBe('')
  })

  test('with the nonce of another sign-in', async () => {
    const browser = new Browser()
    const callback = await callbackOf(browser, (url) => changed(url, 'nonce', 'y'.repeat(43)))
    expect(await endOf(browser, callback)).toBe(failure('sign-in-refused'))
  })

  test('with the code challenge of another sign-in', async () => {
    const browser = new Browser()
    const callback = await callbackOf(browser, (url) => changed(url, 'code_challenge', 'z'.repeat(43)))
    expect(await endOf(browser, callback)).toBe(failure('sign-in-expired'))
  })

  test('when it is repeated, even with the cookie of the first time', async () => {
    const browser = new Browser()
    const callback = await callbackOf(browser)
    const cookie = browser.cookies(origin)
    expect(await endOf(browser, callback)).toBe(`${origin}/console/`)
    const response = await fetch(callback, { redirect: 'manual', headers: { cookie } })
    expect(response.headers.get('location')).toBe('/console/sign-in?error=sign-in-expired')
    expect(response.headers.getSetCookie().filter((one) => one.startsWith('vigencia-session'))).toEqual([])
  })

  test('with a cookie that was changed', async () => {
    const browser = new Browser()
    const callback = await callbackOf(browser)
    const cookie = browser.cookies(origin).replace(/.{4}$/, 'AAAA')
    const response = await fetch(callback, { redirect: 'manual', headers: { cookie } })
    expect(response.headers.get('location')).toBe('/console/sign-in?error=sign-in-expired')
  })

  test('from another issuer', async () => {
    const browser = new Browser()
    const callback = await callbackOf(browser)
    const other = changed(callback, 'iss', 'https://evil.example')
    expect(await endOf(browser, other)).toBe(failure('sign-in-refused'))
  })

  test('when the person cancels at the provider', async () => {
    expect(await signIn(null)).toBe(failure('sign-in-refused'))
  })

  test('when the provider goes away in between', async () => {
    const browser = new Browser()
    const callback = await callbackOf(browser)
    provider.away(true)
    expect(await endOf(browser, callback)).toBe(failure('identity-provider-unavailable'))
    provider.away(false)
    expect(await signIn(personOf(['admin']))).toBe(`${origin}/console/`)
  })
})
