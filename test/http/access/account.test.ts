import { expect, test } from 'vitest'
import { personOf, signInAs } from '../../world/person.ts'
import { type ApiResponse, expectOk, type Json, useTestApp } from '../../world/test-app.ts'

/* The own account of whoever is signed in. Its passkeys are in passkeys.test.ts. */

const testApp = useTestApp()

const path = '/operator/v1/account'
const refusal = ({ status, body }: ApiResponse) => [status, body?.code]
const actionsOn = async (id: string) =>
  expectOk(await testApp.operator.get(`/operator/v1/audit?target=${id}`)).body.result.map((row: Json) => row.action)

test.each(['analyst', 'company-hr'])('a person reads the own account: %s', async (role) => {
  const companies = role === 'company-hr' ? [(await testApp.company()).taxId] : []
  const person = await personOf(testApp, role, ...companies)
  await signInAs(testApp, person.email, person.password)
  const browser = await signInAs(testApp, person.email, person.password)
  const { name } = expectOk(await testApp.operator.get(`/operator/v1/person/${person.id}`)).body.result
  const session = (isCurrent: boolean) => ({
    'created-at': expect.any(String),
    'last-used-at': expect.any(String),
    'signed-in-with': 'password',
    'is-current': isCurrent,
  })
  expect(expectOk(await browser.call('GET', path)).body.result).toEqual({
    'client-id': person.id,
    name,
    role,
    email: person.email,
    'last-sign-in-at': expect.any(String),
    passkeys: [],
    sessions: [session(true), session(false)],
  })
})

test('an operator with a secret has an account without an e-mail address', async () => {
  const operator = await testApp.operatorOf('finance')
  expect(expectOk(await operator.get(path)).body.result).toEqual({
    'client-id': operator.clientId,
    name: 'finance',
    role: 'finance',
    email: null,
    'last-sign-in-at': null,
    passkeys: [],
    sessions: [],
  })
})

test('a password is changed by who knows it; the sessions in other browsers end', async () => {
  const person = await personOf(testApp, 'analyst')
  const other = await signInAs(testApp, person.email, person.password)
  const browser = await signInAs(testApp, person.email, person.password)
  const change = (current: string, password: string) =>
    browser.call('PUT', `${path}/password`, { 'current-password': current, password })
  const wrong = await change('uma senha qualquer', 'outras palavras bem longas')
  expect([wrong.status, wrong.body.details]).toMatchObject([
    400,
    [{ field: 'current-password', code: 'wrong-password' }],
  ])
  const short = await change(person.password, 'onze-letras')
  expect([short.status, short.body.details]).toMatchObject([400, [{ field: 'password', code: 'invalid' }]])
  expect((await other.call('GET', path)).status).toBe(200)
  expect((await change(person.password, 'outras palavras bem longas')).status).toBe(200)
  expect(refusal(await other.call('GET', path))).toEqual([401, 'session-ended'])
  expect((await browser.call('GET', path)).status).toBe(200)
  expect(refusal(await signInAs(testApp, person.email, person.password))).toEqual([401, 'wrong-password'])
  expect((await signInAs(testApp, person.email, 'outras palavras bem longas')).status).toBe(200)
  expect((await actionsOn(person.id)).slice(0, 2).toSorted()).toEqual(['person.password-set', 'person.sessions-ended'])
})

test('wrong current passwords are counted with those of the sign-in', async () => {
  const person = await personOf(testApp, 'analyst')
  const browser = await signInAs(testApp, person.email, person.password)
  const body = { 'current-password': 'uma senha qualquer', password: 'outras palavras bem longas' }
  expect((await browser.call('PUT', `${path}/password`, body)).status).toBe(400)
  await testApp.sql('update authentication_failure set failures = 10')
  expect(refusal(await browser.call('PUT', `${path}/password`, body))).toEqual([429, 'too-many-attempts'])
  expect(refusal(await signInAs(testApp, person.email, person.password))).toEqual([429, 'too-many-attempts'])
  await testApp.sql('delete from authentication_failure')
})

test('a person signs out in other browsers and stays in this one', async () => {
  const person = await personOf(testApp, 'auditor')
  const [other, browser] = [
    await signInAs(testApp, person.email, person.password),
    await signInAs(testApp, person.email, person.password),
  ]
  for (let n = 0; n < 2; n += 1) expect((await browser.call('DELETE', `${path}/session`)).status).toBe(204)
  expect(refusal(await other.call('GET', path))).toEqual([401, 'session-ended'])
  expect(expectOk(await browser.call('GET', path)).body.result.sessions).toHaveLength(1)
  const ended = (await actionsOn(person.id)).filter((action: string) => action === 'person.sessions-ended')
  expect(ended).toHaveLength(1)
})
