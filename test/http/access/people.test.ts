import { beforeAll, describe, expect, test } from 'vitest'
import { invite, linkToken, personOf, setPassword, signInAs } from '../../world/person.ts'
import { type Company, expectOk, type Json, openTestApp, useTestApp } from '../../world/test-app.ts'

const testApp = useTestApp()
let company: Company
beforeAll(async () => {
  company = await testApp.company()
})

const refusal = ({ status, body }: Json) => [status, body?.code]
const read = async (id: string) => expectOk(await testApp.operator.get(`/operator/v1/person/${id}`)).body.result
const actionsOn = async (id: string) =>
  expectOk(await testApp.operator.get(`/operator/v1/audit?target=${id}`)).body.result.map((row: Json) => row.action)
let serial = 0
const nextEmail = () => `person-${(serial += 1)}@broker.example`

describe('an invitation', () => {
  test('is a link with which the person sets a password, once, and then signs in', async () => {
    const email = 'Ana.Prado@Broker.example'
    const made = await invite(testApp, { name: ' Ana Prado ', email, role: 'analyst' })
    const { 'person-id': id, link } = made
    expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/console\/password#[\w-]{43}$/)
    const hours = (Date.parse(made['expires-at']) - Date.now()) / 3_600_000
    expect(Math.round(hours)).toBe(72)
    const person = await read(id)
    expect(person).toEqual({
      'person-id': id,
      name: 'Ana Prado',
      email: 'ana.prado@broker.example',
      role: 'analyst',
      status: 'invited',
      'company-tax-ids': [],
      'see-money': false,
      passkeys: 0,
      'created-at': expect.any(String),
      'last-sign-in-at': null,
      'link-expires-at': made['expires-at'],
    })
    const token = linkToken(link)
    const linked = await testApp.call('POST', '/operator/v1/session/link', { body: { token } })
    expect(expectOk(linked).body.result).toEqual({
      name: 'Ana Prado',
      email: person.email,
      'has-password': false,
      'expires-at': made['expires-at'],
    })
    expect((await setPassword(testApp, token, 'cavalo bateria grampo')).status).toBe(200)
    expect(await read(id)).toMatchObject({ status: 'active', 'link-expires-at': null })
    for (const used of [
      await setPassword(testApp, token, 'outra senha comprida'),
      await testApp.call('POST', '/operator/v1/session/link', { body: { token } }),
    ]) {
      expect(refusal(used)).toEqual([410, 'link-expired'])
    }
    const browser = await signInAs(testApp, 'ANA.prado@broker.example ', 'cavalo bateria grampo')
    expect(browser.session).toMatchObject({
      'client-id': id,
      name: 'Ana Prado',
      role: 'analyst',
      'signed-in-with': 'password',
    })
    expect((await browser.call('GET', '/operator/v1/enrollment')).status).toBe(200)
    expect(refusal(await browser.call('GET', '/operator/v1/person'))).toEqual([403, 'role-not-allowed'])
    expect((await read(id))['last-sign-in-at']).toEqual(expect.any(String))
    expect(await actionsOn(id)).toEqual(['person.password-set', 'person.link-created', 'person.created'])
  })

  test('of a person with a password sets another one: the sessions of before end, and that password', async () => {
    const person = await personOf(testApp, 'finance')
    const browser = await signInAs(testApp, person.email, person.password)
    const { link } = expectOk(await testApp.operator.post(`/operator/v1/person/${person.id}/link`)).body
    // Until the link is used.
    expect((await browser.call('GET', '/operator/v1/session')).status).toBe(200)
    await setPassword(testApp, linkToken(link), 'uma senha bem diferente')
    expect(refusal(await browser.call('GET', '/operator/v1/session'))).toEqual([401, 'session-ended'])
    expect(refusal(await signInAs(testApp, person.email, person.password))).toEqual([401, 'wrong-password'])
    expect((await signInAs(testApp, person.email, 'uma senha bem diferente')).status).toBe(200)
  })

  test('ends with a newer one, after 72 hours, and while the person is blocked', async () => {
    const { 'person-id': id, link } = await invite(testApp, { name: 'Lia', email: nextEmail(), role: 'analyst' })
    const path = `/operator/v1/person/${id}`
    const newer = expectOk(await testApp.operator.post(`${path}/link`)).body.link
    expect(refusal(await setPassword(testApp, linkToken(link)))).toEqual([410, 'link-expired'])
    expectOk(await testApp.operator.post(`${path}/block`))
    expect(refusal(await setPassword(testApp, linkToken(newer)))).toEqual([410, 'link-expired'])
    expect(refusal(await testApp.operator.post(`${path}/link`))).toEqual([409, 'person-blocked'])
    expectOk(await testApp.operator.post(`${path}/unblock`))
    const [person] = await testApp.sql(
      `select link_expires_at - interval '72 hours' as before from person where client_id = $1`,
      [id],
    )
    await testApp.sql('update person set link_expires_at = $2 where client_id = $1', [id, person?.['before']])
    expect(refusal(await setPassword(testApp, linkToken(newer)))).toEqual([410, 'link-expired'])
    expect((await read(id))['link-expires-at']).toBe(null)
  })

  test.each([
    [{ role: 'analyst' }, [{ field: 'email', code: 'missing' }]],
    [{ role: 'root', email: 'a@b.example' }, [{ field: 'role', code: 'invalid' }]],
    [{ role: 'analyst', email: 'a b@c.example' }, [{ field: 'email', code: 'invalid' }]],
    [{ role: 'company-hr', email: 'a@b.example' }, [{ field: 'company-tax-ids', code: 'missing' }]],
    [
      { role: 'company-hr', email: 'a@b.example', 'company-tax-ids': ['1'] },
      [{ field: 'company-tax-ids[0]', code: 'invalid' }],
    ],
    [{ role: 'admin', email: 'a@b.example', 'see-money': true }, [{ field: 'see-money', code: 'not-applicable' }]],
  ])('of %j gets 400', async (body, details) => {
    const response = await testApp.operator.post('/operator/v1/person', { name: 'Ana', ...body })
    expect([response.status, response.body.details]).toMatchObject([400, details])
  })

  test('to an address in use gets 409, to an unknown company 404; nobody is created', async () => {
    const { email } = await personOf(testApp, 'analyst')
    const again = await testApp.operator.post('/operator/v1/person', {
      name: 'Ana',
      email: email.toUpperCase(),
      role: 'auditor',
    })
    expect(refusal(again)).toEqual([409, 'email-in-use'])
    const body = { name: 'Ana', email: nextEmail(), role: 'company-hr', 'company-tax-ids': ['11222333000181'] }
    expect(refusal(await testApp.operator.post('/operator/v1/person', body))).toEqual([404, 'company-not-found'])
    expect(await testApp.sql('select 1 from person where email = $1', [body.email])).toEqual([])
  })
})

describe('a password', () => {
  test('has 12 characters or more, whatever they are', async () => {
    const { link } = await invite(testApp, { name: 'Lia', email: nextEmail(), role: 'analyst' })
    for (const password of ['onze-letras', '', 'x'.repeat(201)]) {
      const response = await setPassword(testApp, linkToken(link), password)
      expect([response.status, response.body.details]).toMatchObject([400, [{ field: 'password', code: 'invalid' }]])
    }
    expect((await setPassword(testApp, linkToken(link), 'aaaa aaaa aaaa')).status).toBe(200)
  })

  test('that is one of the most common ones is refused, in whatever case, by the link and in the account', async () => {
    const { link } = await invite(testApp, { name: 'Lia', email: nextEmail(), role: 'analyst' })
    const person = await personOf(testApp, 'analyst')
    const browser = await signInAs(testApp, person.email, person.password)
    const refused = [400, [{ field: 'password', code: 'too-common' }]]
    for (const password of ['123456789012', 'QWERTY123456', 'FinalFantasy']) {
      const set = await setPassword(testApp, linkToken(link), password)
      expect([set.status, set.body.details]).toMatchObject(refused)
      const body = { 'current-password': person.password, password }
      const changed = await browser.call('PUT', '/operator/v1/account/password', body)
      expect([changed.status, changed.body.details]).toMatchObject(refused)
    }
  })

  test('is the same with an accent of one character and of two', async () => {
    const { link, email } = await invite(testApp, { name: 'Lia', email: nextEmail(), role: 'analyst' })
    await setPassword(testApp, linkToken(link), 'coração valente'.normalize('NFD'))
    expect((await signInAs(testApp, email, 'coração valente'.normalize('NFC'))).status).toBe(200)
  })

  test('that is wrong gets the same response as an unknown address, and one that was invited', async () => {
    const person = await personOf(testApp, 'analyst')
    const invited = await invite(testApp, { name: 'Lia', email: nextEmail(), role: 'analyst' })
    const bodies = []
    for (const email of [person.email, invited.email, 'nobody@broker.example', 'no address']) {
      const response = await signInAs(testApp, email, 'uma senha qualquer')
      expect(response.status).toBe(401)
      bodies.push({ ...response.body, 'request-trace-id': '' })
    }
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1)
    expect(bodies[0]).toMatchObject({ code: 'wrong-password' })
  })

  test('may be guessed ten times a minute from an address; then also the right one waits', async () => {
    const person = await personOf(testApp, 'analyst')
    expect(refusal(await signInAs(testApp, person.email, 'palpite 1'))).toEqual([401, 'wrong-password'])
    // A slow machine does not verify ten in a minute.
    await testApp.sql('update authentication_failure set failures = 9')
    expect(refusal(await signInAs(testApp, person.email, 'palpite 10'))).toEqual([401, 'wrong-password'])
    expect(refusal(await signInAs(testApp, person.email, 'palpite 11'))).toEqual([429, 'too-many-attempts'])
    const right = await signInAs(testApp, person.email, person.password)
    expect(refusal(right)).toEqual([429, 'too-many-attempts'])
    expect(Number(right.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    await testApp.sql(`update authentication_failure set window_started_at = window_started_at - interval '1 minute'`)
    expect((await signInAs(testApp, person.email, person.password)).status).toBe(200)
  })

  test('is none of a client: no token is issued for it', async () => {
    const person = await personOf(testApp, 'company-hr', company.taxId)
    for (const id of [person.id, person.email]) {
      const body = { 'client-id': id, 'client-secret': person.password }
      expect(refusal(await testApp.call('POST', '/v1/authenticate', { body }))).toEqual([401, 'wrong-secret'])
    }
  })

  test('from a page of another site is refused', async () => {
    const { email, password } = await personOf(testApp, 'analyst')
    const headers = { 'sec-fetch-site': 'cross-site' }
    for (const [path, body] of [
      ['', { email, password }],
      ['/link', { token: 'A'.repeat(43) }],
      ['/password', { token: 'A'.repeat(43), password }],
    ] as const) {
      const response = await testApp.call('POST', `/operator/v1/session${path}`, { body, headers })
      expect(refusal(response)).toEqual([403, 'cross-site-request'])
    }
  })
})

describe('a person', () => {
  test('who is blocked is signed out at once and stays so until unblocked', async () => {
    const person = await personOf(testApp, 'analyst')
    const browser = await signInAs(testApp, person.email, person.password)
    const path = `/operator/v1/person/${person.id}`
    expect(expectOk(await testApp.operator.post(`${path}/block`)).body.result.status).toBe('blocked')
    expect(refusal(await browser.call('GET', '/operator/v1/session'))).toEqual([401, 'session-ended'])
    for (const password of [person.password, 'uma senha qualquer']) {
      expect(refusal(await signInAs(testApp, person.email, password))).toEqual([401, 'wrong-password'])
    }
    expectOk(await testApp.operator.post(`${path}/block`))
    expect(expectOk(await testApp.operator.post(`${path}/unblock`)).body.result.status).toBe('active')
    expect((await signInAs(testApp, person.email, person.password)).status).toBe(200)
    const actions = await actionsOn(person.id)
    expect(actions.filter((action: string) => action.endsWith('blocked'))).toEqual([
      'person.unblocked',
      'person.blocked',
    ])
  })

  test('who is blocked loses the link that was not used: it does not work after the end of the block', async () => {
    const { 'person-id': id, link } = await invite(testApp, { name: 'Lia', email: nextEmail(), role: 'analyst' })
    expectOk(await testApp.operator.post(`/operator/v1/person/${id}/block`))
    expectOk(await testApp.operator.post(`/operator/v1/person/${id}/unblock`))
    expect(refusal(await setPassword(testApp, linkToken(link)))).toEqual([410, 'link-expired'])
    expect((await read(id))['link-expires-at']).toBeNull()
  })

  test('is listed by name, and among the operators, where it has no secret', async () => {
    const person = await personOf(testApp, 'auditor')
    const { result } = expectOk(await testApp.operator.get('/operator/v1/person?items-per-page=500')).body
    expect(result.find((item: Json) => item['person-id'] === person.id)).toEqual(await read(person.id))
    const names = result.map((item: Json) => item.name)
    expect(names).toEqual(names.toSorted())
    const operators = expectOk(await testApp.operator.get('/operator/v1/operator?items-per-page=500')).body.result
    expect(operators.find((item: Json) => item['client-id'] === person.id)).toMatchObject({
      'is-person': true,
      secrets: [],
    })
    for (const [method, path] of [
      ['POST', '/rotate-secret'],
      ['DELETE', ''],
    ] as const) {
      const response = await testApp.call(method, `/operator/v1/operator/${person.id}${path}`, {
        token: testApp.operator.token,
      })
      expect(refusal(response)).toEqual([404, 'operator-not-found'])
    }
  })

  test('of a company is no client of the list, and its entitlements are changed as a person', async () => {
    const person = await personOf(testApp, 'company-hr', company.taxId)
    const clients = expectOk(await testApp.operator.get('/operator/v1/client?items-per-page=500')).body.result
    expect(clients.filter((item: Json) => item['client-id'] === person.id)).toEqual([])
    const path = `/operator/v1/client/${person.id}`
    for (const refused of [
      await testApp.operator.post(`${path}/rotate-secret`),
      await testApp.operator.delete(path),
      await testApp.operator.put(`${path}/company/${company.taxId}`, undefined),
    ]) {
      expect(refusal(refused)).toEqual([404, 'client-not-found'])
    }
  })

  test('gets another role, name and companies; what would cross between broker and company is refused', async () => {
    const analyst = await personOf(testApp, 'analyst')
    const change = (id: string, body: object) =>
      testApp.call('PATCH', `/operator/v1/person/${id}`, { token: testApp.operator.token, body })
    expect(expectOk(await change(analyst.id, { role: 'admin', name: 'Ana Prado' })).body.result).toMatchObject({
      role: 'admin',
      name: 'Ana Prado',
    })
    expect(await actionsOn(analyst.id)).toEqual(
      expect.arrayContaining(['operator.role-changed', 'operator.became-admin', 'person.updated']),
    )
    const other = await testApp.company()
    const hr = await personOf(testApp, 'company-hr', company.taxId)
    const changed = await change(hr.id, { 'company-tax-ids': [other.taxId], 'see-money': true })
    expect(expectOk(changed).body.result).toMatchObject({ 'company-tax-ids': [other.taxId], 'see-money': true })
    expect(await actionsOn(hr.id)).toEqual(
      expect.arrayContaining(['entitlement.revoked', 'entitlement.granted', 'person.money-shown']),
    )
    for (const [id, body, details] of [
      [analyst.id, { role: 'company-hr' }, [{ field: 'role', code: 'not-changeable' }]],
      [hr.id, { role: 'admin' }, [{ field: 'role', code: 'not-changeable' }]],
      [analyst.id, { 'company-tax-ids': [other.taxId] }, [{ field: 'company-tax-ids', code: 'not-applicable' }]],
      [hr.id, { 'company-tax-ids': [] }, [{ field: 'company-tax-ids', code: 'invalid' }]],
    ] as const) {
      const response = await change(id, body)
      expect([response.status, response.body.details]).toMatchObject([400, details])
    }
  })

  test('who is unknown gets 404', async () => {
    const path = '/operator/v1/person/01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21'
    const { token } = testApp.operator
    for (const [method, verb, body] of [
      ['GET', '', undefined],
      ['PATCH', '', { name: 'Ana' }],
      ['POST', '/link', undefined],
      ['POST', '/block', undefined],
      ['POST', '/unblock', undefined],
    ] as const) {
      expect(refusal(await testApp.call(method, path + verb, { token, body }))).toEqual([404, 'person-not-found'])
    }
  })

  test('who is the last admin is neither blocked nor demoted; one who was only invited is no admin yet', async () => {
    const app = await openTestApp()
    try {
      const admin = await personOf(app, 'admin')
      const browser = await signInAs(app, admin.email, admin.password)
      await invite(app, { name: 'Convidada', email: nextEmail(), role: 'admin' })
      expect((await browser.call('DELETE', `/operator/v1/operator/${app.operator.clientId}`)).status).toBe(204)
      const path = `/operator/v1/person/${admin.id}`
      expect(refusal(await browser.call('POST', `${path}/block`))).toEqual([409, 'last-admin'])
      expect(refusal(await browser.call('PATCH', path, { role: 'finance' }))).toEqual([409, 'last-admin'])
      expect((await browser.call('GET', '/operator/v1/person')).status).toBe(200)
    } finally {
      await app.close()
    }
  })
})

test('neither the database nor the audit has a password or a token; the e-mail address stands in one table', async () => {
  const { email, password } = await personOf(testApp, 'analyst')
  const { link } = await invite(testApp, { name: 'Lia', email: nextEmail(), role: 'analyst' })
  await signInAs(testApp, email, password)
  const tables = await testApp.sql<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  )
  const found: string[] = []
  for (const { name } of tables) {
    for (const text of [email, password, linkToken(link)]) {
      const rows = await testApp.sql(`select 1 from "${name}" as row where to_jsonb(row)::text like $1 limit 1`, [
        `%${text}%`,
      ])
      if (rows.length > 0) found.push(`${name}: ${text}`)
    }
  }
  expect(found).toEqual([`person: ${email}`])
})
