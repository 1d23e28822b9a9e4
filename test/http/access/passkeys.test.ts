import { generateKeyPairSync } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Forgery, makePasskey, type SoftwarePasskey } from '../../world/authenticator.ts'
import {
  type Browser,
  linkToken,
  personOf,
  sameOrigin,
  setPassword,
  signInAs,
  type TestPerson,
} from '../../world/person.ts'
import { type ApiResponse, type Company, expectOk, type Json, openTestApp, useTestApp } from '../../world/test-app.ts'

/* Passkeys of people: the sign-in and the list of the own account. A browser is played by its cookie, an authenticator by software. */

const origin = 'https://benefits.example'
const testApp = useTestApp({ VIGENCIA_PUBLIC_URL: origin })
let company: Company
beforeAll(async () => {
  company = await testApp.company()
})
beforeEach(() => testApp.sql('delete from authentication_failure'))

const account = '/operator/v1/account'
const refusal = ({ status, body }: ApiResponse) => [status, body?.code]
const actionsOn = async (id: string) =>
  expectOk(await testApp.operator.get(`/operator/v1/audit?target=${id}`)).body.result.map((row: Json) => row.action)

const anonymous = (path: string, body?: unknown) =>
  testApp.call('POST', `/operator/v1/session/passkey${path}`, {
    headers: sameOrigin,
    ...(body === undefined ? {} : { body }),
  })

const creationOptions = (browser: Browser, password: string) =>
  browser.call('POST', `${account}/passkey/options`, { 'current-password': password })

interface Member extends TestPerson {
  readonly browser: Browser
}

async function memberOf(role = 'analyst'): Promise<Member> {
  const person = await personOf(testApp, role, ...(role === 'company-hr' ? [company.taxId] : []))
  return { ...person, browser: await signInAs(testApp, person.email, person.password) }
}

/** Adds a passkey of a person, which the service accepts. */
async function addPasskey({ browser, password }: Member, name = 'Notebook'): Promise<SoftwarePasskey> {
  const passkey = makePasskey(origin, expectOk(await creationOptions(browser, password)).body.result)
  expectOk(await browser.call('POST', `${account}/passkey`, { name, credential: passkey.created }))
  return passkey
}

const requestOptions = async () => expectOk(await anonymous('/options')).body.result

async function signInBy(passkey: SoftwarePasskey, forgery?: Forgery): Promise<ApiResponse> {
  return anonymous('', { credential: passkey.get(await requestOptions(), forgery) })
}

const passkeysOf = async (browser: Browser) => expectOk(await browser.call('GET', account)).body.result.passkeys

describe('a person with a passkey', () => {
  test.each(['analyst', 'company-hr'])('signs in without a password: %s', async (role) => {
    const person = await memberOf(role)
    const passkey = await addPasskey(person, ' Notebook ')
    const response = expectOk(await signInBy(passkey))
    expect(response.body.result).toMatchObject({ 'client-id': person.id, role, 'signed-in-with': 'passkey' })
    const [cookie = ''] = response.headers.getSetCookie()
    expect(cookie).toMatch(/^__Host-vigencia-session=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Strict$/)
    const headers = { cookie: cookie.split(';', 1)[0] ?? '', ...sameOrigin }
    const path = role === 'analyst' ? '/operator/v1/enrollment' : '/v1/company'
    expect((await testApp.call('GET', path, { headers })).status).toBe(200)
    const [listed] = await passkeysOf(person.browser)
    expect(listed).toEqual({
      'passkey-id': expect.any(String),
      name: 'Notebook',
      'created-at': expect.any(String),
      'last-used-at': expect.any(String),
    })
    expect(await actionsOn(person.id)).toContain('person.passkey-added')
    const { result } = expectOk(await testApp.operator.get(`/operator/v1/person/${person.id}`)).body
    expect(result).toMatchObject({ passkeys: 1, 'last-sign-in-at': expect.any(String) })
  })

  test('has several, removes one, and no other person can', async () => {
    const [person, other] = [await memberOf(), await memberOf('company-hr')]
    const [lost, kept] = [await addPasskey(person, 'Telefone'), await addPasskey(person, 'Notebook')]
    const listed = await passkeysOf(person.browser)
    expect(listed.map(({ name }: Json) => name)).toEqual(['Telefone', 'Notebook'])
    const path = `${account}/passkey/${listed[0]['passkey-id']}`
    expect(refusal(await other.browser.call('DELETE', path))).toEqual([404, 'passkey-not-found'])
    expect((await person.browser.call('DELETE', path)).status).toBe(204)
    expect(refusal(await person.browser.call('DELETE', path))).toEqual([404, 'passkey-not-found'])
    expect(refusal(await signInBy(lost))).toEqual([401, 'wrong-passkey'])
    expect((await signInBy(kept)).status).toBe(200)
    expect(await passkeysOf(other.browser)).toEqual([])
    expect(await actionsOn(person.id)).toContain('person.passkey-removed')
  })

  test('who is blocked does not sign in; nobody else learns it', async () => {
    const person = await memberOf()
    const passkey = await addPasskey(person)
    expectOk(await testApp.operator.post(`/operator/v1/person/${person.id}/block`))
    expect(refusal(await signInBy(passkey))).toEqual([401, 'wrong-passkey'])
    expect(refusal(await signInBy(passkey, { isVerified: false }))).toEqual([401, 'wrong-passkey'])
    expectOk(await testApp.operator.post(`/operator/v1/person/${person.id}/unblock`))
    expect((await signInBy(passkey)).status).toBe(200)
  })

  test('loses all of them when a link of an admin sets another password', async () => {
    const person = await memberOf()
    const passkey = await addPasskey(person)
    const { link } = expectOk(await testApp.operator.post(`/operator/v1/person/${person.id}/link`)).body
    expect((await signInBy(passkey)).status).toBe(200)
    expect((await setPassword(testApp, linkToken(link), 'uma senha bem diferente')).status).toBe(200)
    expect(refusal(await signInBy(passkey))).toEqual([401, 'wrong-passkey'])
    expect(await actionsOn(person.id)).toContain('person.passkeys-removed')
  })
})

describe('a sign-in is refused', () => {
  const forgeries: readonly (readonly [string, (passkey: SoftwarePasskey) => Forgery])[] = [
    ['from a page of another origin', () => ({ origin: 'https://benefits.example.evil.example' })],
    ['from the same host without https', () => ({ origin: 'http://benefits.example' })],
    ['for another relying party', () => ({ rpId: 'example' })],
    ['without the verification of the person', () => ({ isVerified: false })],
    ['with a challenge that the service did not make', () => ({ challenge: Buffer.alloc(54).toString('base64url') })],
    ['with no challenge', () => ({ challenge: '' })],
    ['with the signature of a registration', () => ({ type: 'webauthn.create' })],
    ['with the key of somebody else', () => ({ key: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey })],
    ['with an unknown credential', () => ({ id: 'A'.repeat(43) })],
    ['with another person as the one who is signed in', () => ({ userHandle: Buffer.from('1').toString('base64url') })],
  ]
  let passkey: SoftwarePasskey
  beforeAll(async () => {
    passkey = await addPasskey(await memberOf())
  })

  test.each(forgeries)('%s', async (_what, forge) => {
    const response = await signInBy(passkey, forge(passkey))
    expect(refusal(response)).toEqual([401, 'wrong-passkey'])
    expect(response.headers.getSetCookie()).toEqual([])
    expect((await signInBy(passkey)).status).toBe(200)
  })

  test('with the credential of another person under the own handle', async () => {
    const foreign = await addPasskey(await memberOf('company-hr'))
    const response = await signInBy(passkey, { id: foreign.id, userHandle: foreign.userHandle })
    expect(refusal(response)).toEqual([401, 'wrong-passkey'])
  })

  test('when the same credential is sent again', async () => {
    const credential = passkey.get(await requestOptions())
    const sent = await Promise.all([anonymous('', { credential }), anonymous('', { credential })])
    expect(sent.map(({ status }) => status).toSorted()).toEqual([200, 401])
    expect(refusal(await anonymous('', { credential }))).toEqual([401, 'wrong-passkey'])
  })

  test('when a challenge is used again, also with a new signature', async () => {
    const options = await requestOptions()
    expect((await anonymous('', { credential: passkey.get(options) })).status).toBe(200)
    expect(refusal(await anonymous('', { credential: passkey.get(options) }))).toEqual([401, 'wrong-passkey'])
  })

  test('when the count of signatures goes back or stays; one without a count stays without', async () => {
    const person = await memberOf()
    const counted = await addPasskey(person)
    expect((await signInBy(counted, { signCount: 7 })).status).toBe(200)
    for (const signCount of [7, 6, 0]) {
      expect(refusal(await signInBy(counted, { signCount }))).toEqual([401, 'wrong-passkey'])
    }
    expect((await signInBy(counted, { signCount: 8 })).status).toBe(200)
    const uncounted = await addPasskey(person)
    expect((await signInBy(uncounted, { signCount: 0 })).status).toBe(200)
    expect((await signInBy(uncounted, { signCount: 0 })).status).toBe(200)
  })

  test('with the challenge of a registration, and a registration with that of a sign-in', async () => {
    const person = await memberOf()
    const { challenge, ...options } = expectOk(await creationOptions(person.browser, person.password)).body.result
    expect(refusal(await signInBy(passkey, { challenge }))).toEqual([401, 'wrong-passkey'])
    const { created } = makePasskey(origin, { ...options, challenge: (await requestOptions()).challenge })
    const response = await person.browser.call('POST', `${account}/passkey`, { name: 'X', credential: created })
    expect([response.status, response.body.details]).toMatchObject([400, [{ field: 'credential', code: 'invalid' }]])
  })

  test('that is no credential at all, or has parts of another kind', async () => {
    const right = passkey.get(await requestOptions()) as Json
    for (const credential of [
      {},
      { ...right, id: 7 },
      { ...right, response: null },
      { ...right, response: [] },
      { ...right, response: { ...right.response, signature: 7 } },
      { ...right, response: { ...right.response, clientDataJSON: 'e30' } },
      { ...right, response: { ...right.response, clientDataJSON: '%' } },
      { ...right, response: { ...right.response, authenticatorData: 'AAAA' } },
      { ...right, type: 'password' },
    ]) {
      expect(refusal(await anonymous('', { credential }))).toEqual([401, 'wrong-passkey'])
    }
    const tooLong = { credential: { ...right, more: 'x'.repeat(4_096) } }
    expect(refusal(await anonymous('', tooLong))).toEqual([413, 'body-too-large'])
  })

  test('from a page of another site', async () => {
    const headers = { 'sec-fetch-site': 'cross-site' }
    for (const path of ['', '/options']) {
      const body = path === '' ? { body: { credential: {} } } : {}
      const response = await testApp.call('POST', `/operator/v1/session/passkey${path}`, { headers, ...body })
      expect(refusal(response)).toEqual([403, 'cross-site-request'])
    }
  })

  test('ten times a minute; the eleventh wrong one gets 429, and a right one is accepted', async () => {
    const wrong = () => signInBy(passkey, { isVerified: false })
    for (let n = 0; n < 10; n += 1) expect(refusal(await wrong())).toEqual([401, 'wrong-passkey'])
    const response = await wrong()
    expect(refusal(response)).toEqual([429, 'too-many-attempts'])
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect((await signInBy(passkey)).status).toBe(200)
  })
})

describe('a new passkey', () => {
  let person: Member
  beforeAll(async () => {
    person = await memberOf()
  })

  test('needs the password of the person, whose wrong ones are counted', async () => {
    const wrong = await creationOptions(person.browser, 'uma senha qualquer')
    expect([wrong.status, wrong.body.details]).toMatchObject([
      400,
      [{ field: 'current-password', code: 'wrong-password' }],
    ])
    await testApp.sql('update authentication_failure set failures = 10')
    expect(refusal(await creationOptions(person.browser, person.password))).toEqual([429, 'too-many-attempts'])
  })

  test('is asked for with verification of the person, and not twice on one authenticator', async () => {
    const owner = await memberOf()
    const passkey = await addPasskey(owner)
    expect(expectOk(await creationOptions(owner.browser, owner.password)).body.result).toMatchObject({
      rp: { id: 'benefits.example' },
      user: { id: Buffer.from(owner.id).toString('base64url'), name: owner.email },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
      excludeCredentials: [{ type: 'public-key', id: passkey.id, transports: ['internal'] }],
    })
    expect(await requestOptions()).toMatchObject({
      rpId: 'benefits.example',
      userVerification: 'required',
      allowCredentials: [],
    })
  })

  test.each<[string, Forgery]>([
    ['of another origin', { origin: 'https://evil.example' }],
    ['of another relying party', { rpId: 'evil.example' }],
    ['without the verification of the person', { isVerified: false }],
    ['with a challenge that the service did not make', { challenge: Buffer.alloc(54).toString('base64url') }],
    ['with the signature of a sign-in', { type: 'webauthn.get' }],
    ['with an attestation that was not asked for', { format: 'apple' }],
  ])('%s is refused', async (_what, forgery) => {
    const { browser, password } = person
    const { created } = makePasskey(origin, expectOk(await creationOptions(browser, password)).body.result, forgery)
    const response = await browser.call('POST', `${account}/passkey`, { name: 'X', credential: created })
    expect([response.status, response.body.details]).toMatchObject([400, [{ field: 'credential', code: 'invalid' }]])
    expect(await passkeysOf(browser)).toEqual([])
  })

  test('with the challenge of another person, or one that was used, is refused', async () => {
    const other = await memberOf()
    const options = expectOk(await creationOptions(other.browser, other.password)).body.result
    const add = (browser: Browser) =>
      browser.call('POST', `${account}/passkey`, { name: 'X', credential: makePasskey(origin, options).created })
    expect((await add(person.browser)).status).toBe(400)
    expect((await add(other.browser)).status).toBe(200)
    expect((await add(other.browser)).status).toBe(400)
    expect(await passkeysOf(person.browser)).toEqual([])
  })

  test('beyond twenty gets 409', async () => {
    const owner = await memberOf()
    await addPasskey(owner)
    await testApp.sql(
      `insert into passkey (client_id, id, credential_id, public_key, sign_count, transports, name, created_at)
       select client_id, gen_random_uuid(), uuid_send(gen_random_uuid()), public_key, 0, '{}', name, created_at from passkey, generate_series(1, 19)
        where client_id = $1`,
      [owner.id],
    )
    const options = expectOk(await creationOptions(owner.browser, owner.password)).body.result
    const { created } = makePasskey(origin, options)
    const response = await owner.browser.call('POST', `${account}/passkey`, { name: 'X', credential: created })
    expect(refusal(response)).toEqual([409, 'too-many-passkeys'])
  })

  test('is for people: an operator with a secret gets 404', async () => {
    for (const [method, path, body] of [
      ['POST', '/passkey/options', { 'current-password': 'x' }],
      ['PUT', '/password', { 'current-password': 'x', password: 'quatro palavras bem longas' }],
    ] as const) {
      const response = await testApp.call(method, `${account}${path}`, { token: testApp.operator.token, body })
      expect(refusal(response)).toEqual([404, 'person-not-found'])
    }
  })
})

test('passkeys are offered for https with a host name and for localhost, else 409', async () => {
  const options = async (app: Pick<typeof testApp, 'call'>, host?: string) => {
    const headers = { ...sameOrigin, ...(host === undefined ? {} : { host }) }
    const offered = expectOk(await app.call('GET', '/operator/v1/session/options', { headers })).body.result.passkeys
    const { status, body } = await app.call('POST', '/operator/v1/session/passkey/options', { headers })
    return [offered, status, body.code ?? body.result.rpId]
  }
  expect(await options(testApp)).toEqual([true, 200, 'benefits.example'])
  const local = await openTestApp()
  try {
    expect(await options(local)).toEqual([false, 409, 'passkeys-unavailable'])
    expect(await options(local, 'localhost:3000')).toEqual([true, 200, 'localhost'])
    expect(await options(local, '[::1]:3000')).toEqual([false, 409, 'passkeys-unavailable'])
    expect(await options(local, 'benefits.example')).toEqual([false, 409, 'passkeys-unavailable'])
  } finally {
    await local.close()
  }
})
