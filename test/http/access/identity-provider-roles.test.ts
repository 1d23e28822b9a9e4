import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Browser, openProvider, type Person, type TestProvider } from './identity-provider.ts'
import { whileLocked } from '../../world/locked-table.ts'
import { expectOk, type Json, openTestApp, type TestApp } from '../../world/test-app.ts'

/* What the role at the identity provider does to an operator and its sessions. */

let provider: TestProvider
let testApp: TestApp
let origin: string

beforeAll(async () => {
  provider = await openProvider()
  testApp = await openTestApp({
    VIGENCIA_OIDC_ISSUER: provider.issuer,
    VIGENCIA_OIDC_CLIENT_ID: provider.clientId,
    VIGENCIA_OIDC_CLIENT_SECRET: provider.clientSecret,
  })
  origin = new URL(testApp.url).origin
  await provider.allow(`${origin}/operator/v1/session/callback`)
})
afterAll(async () => {
  await testApp?.close()
  await provider?.close()
})

let people = 0
const personOf = (role: string | undefined): Person => ({
  sub: `davi-${(people += 1)}@example.com`,
  name: 'Davi Prado',
  roles: role,
})
const isConsole = (url: string) => url.startsWith(`${origin}/console/`)
const isCallback = (url: string) => url.startsWith(`${origin}/operator/v1/session/callback`)
const signedIn = () => `${origin}/console/`
const failure = (code: string) => `${origin}/console/sign-in?error=${code}`
const start = () => `${origin}/operator/v1/session/identity-provider`

/** Up to the callback, which is not called. */
async function begun(person: Person, browser = new Browser()): Promise<() => Promise<string>> {
  provider.person = person
  const callback = await browser.follow(start(), isCallback)
  return () => browser.follow(callback, isConsole)
}
const signIn = async (person: Person, browser = new Browser()) => (await begun(person, browser))()

async function sessionOf(browser: Browser): Promise<Json> {
  const headers = { cookie: browser.cookies(origin), 'sec-fetch-site': 'same-origin' }
  const response = await testApp.call('GET', '/operator/v1/session', { headers })
  return response.body.result ?? response.body.code
}

/** Somebody new with the role, signed in. */
async function operatorWith(role: string): Promise<{ person: Person; browser: Browser; id: string }> {
  const [person, browser] = [personOf(role), new Browser()]
  expect(await signIn(person, browser)).toBe(signedIn())
  return { person, browser, id: (await sessionOf(browser))['client-id'] }
}

/** The actions of the audit on the operator, the oldest first. */
async function actionsOn(id: string): Promise<string[]> {
  const rows = await testApp.sql('select action from audit where target = $1 order by at, id', [id])
  return rows.map(({ action }) => action)
}

const activeAdmins = async () =>
  (
    await testApp.sql(
      `select id from client where api = 'operator' and role = 'admin' and revoked_at is null order by id`,
    )
  ).map(({ id }) => id)

const others = (ids: readonly string[]) =>
  testApp.sql(
    `update client set revoked_at = now() where api = 'operator' and role = 'admin' and revoked_at is null and id <> all($1)`,
    [ids],
  )

beforeEach(async () => {
  await testApp.sql('update client set revoked_at = null where id = $1', [testApp.operator.clientId])
})

describe('the last admin', () => {
  test('stays one at a sign-in with another role, and the audit says so', async () => {
    const { person, id } = await operatorWith('admin')
    await others([id])
    const browser = new Browser()
    expect(await signIn({ ...person, roles: 'auditor' }, browser)).toBe(signedIn())
    expect(await sessionOf(browser)).toMatchObject({ 'client-id': id, role: 'admin' })
    expect(await activeAdmins()).toEqual([id])
    expect((await actionsOn(id)).slice(-1)).toEqual(['operator.stayed-admin'])
  })

  test('gets the other role at the first sign-in after another admin exists', async () => {
    const { person, id } = await operatorWith('admin')
    await others([id])
    await signIn({ ...person, roles: 'auditor' })
    await operatorWith('admin')
    const browser = new Browser()
    await signIn({ ...person, roles: 'auditor' }, browser)
    expect(await sessionOf(browser)).toMatchObject({ 'client-id': id, role: 'auditor' })
    expect((await actionsOn(id)).slice(-2)).toEqual(['operator.role-changed', 'operator.became-auditor'])
  })

  test('is refused without a role, loses its sessions, and stays an admin', async () => {
    const { person, browser, id } = await operatorWith('admin')
    await others([id])
    expect(await signIn({ ...person, roles: undefined })).toBe(failure('sign-in-without-role'))
    expect(await sessionOf(browser)).toBe('session-ended')
    expect(await activeAdmins()).toEqual([id])
    expect((await actionsOn(id)).slice(-2)).toEqual(['operator.stayed-admin', 'operator.sessions-ended'])
    expect(await signIn(person)).toBe(signedIn())
  })

  test.each(['auditor', undefined])('of two whose role becomes %s at the same time one stays', async (role) => {
    const [one, other] = [await operatorWith('admin'), await operatorWith('admin')]
    await others([one.id, other.id])
    const callbacks = [await begun({ ...one.person, roles: role }), await begun({ ...other.person, roles: role })]
    // What lets one transaction at a time count the admins.
    await whileLocked(testApp, 'select pg_advisory_xact_lock(7446103217)', callbacks)
    expect(await activeAdmins()).toHaveLength(1)
  })
})

describe('an operator whose role has ended at the provider', () => {
  test('is refused, loses its earlier sessions and its role, and the audit says so', async () => {
    const { person, browser, id } = await operatorWith('analyst')
    expect(await signIn({ ...person, roles: ['user'] })).toBe(failure('sign-in-without-role'))
    expect(await sessionOf(browser)).toBe('session-ended')
    expect(
      expectOk(await testApp.operator.get('/operator/v1/operator?items-per-page=500')).body.result,
    ).not.toContainEqual(expect.objectContaining({ 'client-id': id }))
    expect((await actionsOn(id)).slice(-2)).toEqual(['operator.role-ended', 'operator.sessions-ended'])
    // Again: nothing is left to end.
    expect(await signIn({ ...person, roles: [] })).toBe(failure('sign-in-without-role'))
    expect((await actionsOn(id)).filter((action) => action === 'operator.role-ended')).toHaveLength(1)
  })

  test('cannot use a secret that it was given', async () => {
    const { person, id } = await operatorWith('finance')
    const secret = expectOk(await testApp.operator.post(`/operator/v1/operator/${id}/rotate-secret`)).body
    await signIn({ ...person, roles: [] })
    const response = await testApp.call('POST', '/v1/authenticate', { body: secret })
    expect([response.status, response.body.code]).toEqual([401, 'client-revoked'])
  })

  test('has the new role after a sign-in with one', async () => {
    const { person, id } = await operatorWith('analyst')
    await signIn({ ...person, roles: [] })
    const browser = new Browser()
    expect(await signIn({ ...person, roles: ['finance'] }, browser)).toBe(signedIn())
    expect(await sessionOf(browser)).toMatchObject({ 'client-id': id, role: 'finance' })
    expect((await actionsOn(id)).slice(-2)).toEqual(['operator.role-changed', 'operator.became-finance'])
  })

  test('does not count as an admin', async () => {
    const { person, id } = await operatorWith('admin')
    const { clientId } = testApp.operator
    await others([id, clientId])
    await signIn({ ...person, roles: [] })
    const demoted = await testApp.operator.put(`/operator/v1/operator/${clientId}/role`, { role: 'auditor' })
    expect([demoted.status, demoted.body.code]).toEqual([409, 'last-admin'])
  })
})

test('a provider without subjects is refused: its accounts would be one operator', async () => {
  const count = () => testApp.sql('select count(*)::int as operators from client')
  const before = await count()
  for (const claimedSub of ['', ' ']) {
    expect(await signIn({ ...personOf('admin'), claimedSub })).toBe(failure('sign-in-refused'))
  }
  expect(await count()).toEqual(before)
})

test('the cookie of a sign-in is worth one callback, also with another code', async () => {
  const browser = new Browser()
  provider.person = personOf('admin')
  const at = (await browser.get(start())).headers.get('location') ?? ''
  const first = await browser.follow(at, isCallback)
  const cookie = browser.cookies(origin)
  const call = async (url: string) =>
    (await fetch(url, { redirect: 'manual', headers: { cookie } })).headers.get('location')
  expect(await call(first)).toBe('/console/')
  const second = await browser.follow(at, isCallback)
  expect(new URL(second).searchParams.get('code')).not.toBe(new URL(first).searchParams.get('code'))
  expect(await call(second)).toBe('/console/sign-in?error=sign-in-expired')
})
