import {
  allowInsecureRequests,
  clientCredentialsGrant,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  fetchProtectedResource,
} from 'openid-client'
import { describe, expect, test } from 'vitest'
import { type ApiResponse, type Client, expectOk, useTestApp, useCompany } from '../../world/test-app.ts'

/* POST /v1/authenticate as the token endpoint of OAuth 2.0: the client credentials grant. */

const testApp = useTestApp()
const { company, partner } = useCompany(testApp)

const form = 'application/x-www-form-urlencoded'
const grant = 'grant_type=client_credentials'
const post = (body: string, headers: Record<string, string> = {}) =>
  testApp.call('POST', '/v1/authenticate', { body, headers: { 'content-type': form, ...headers } })
const basic = (id: string, secret: string) => ({ authorization: `Basic ${btoa(`${id}:${secret}`)}` })
const inBody = (id: string, secret: string) => `&client_id=${encodeURIComponent(id)}&client_secret=${secret}`
const wrongSecret = 'x'.repeat(43)

function refusal({ status, body, headers }: ApiResponse) {
  expect(body['request-trace-id']).toBe(headers.get('x-request-id'))
  expect(body.error_description).toMatch(/^[A-Z]/)
  return [status, body.error, body.code, headers.get('www-authenticate')]
}
const challenge = 'Basic realm="vigencia", charset="UTF-8"'

describe('a standard OAuth library', () => {
  const configuration = ({ clientId }: Client, secret: string, isBasic: boolean) => {
    const server = { issuer: testApp.url, token_endpoint: `${new URL(testApp.url).origin}/v1/authenticate` }
    const method = isBasic ? ClientSecretBasic(secret) : ClientSecretPost(secret)
    const config = new Configuration(server, clientId, undefined, method)
    allowInsecureRequests(config)
    return config
  }

  test.each([
    ['HTTP Basic', true],
    ['the credentials in the body', false],
  ])('gets a token with %s, and calls with it', async (_what, isBasic) => {
    const config = configuration(partner, partner.clientSecret, isBasic)
    const token = await clientCredentialsGrant(config)
    expect(token).toMatchObject({ token_type: 'bearer', expires_in: 3_600 })
    const url = new URL(`/v1/company/${company.taxId}`, testApp.url)
    expect((await fetchProtectedResource(config, token.access_token, url, 'GET')).status).toBe(200)
  })

  test('tells a wrong secret as `invalid_client`, and a scope as `invalid_scope`', async () => {
    const refused = clientCredentialsGrant(configuration(partner, wrongSecret, true))
    await expect(refused).rejects.toMatchObject({ code: 'OAUTH_WWW_AUTHENTICATE_CHALLENGE', status: 401 })
    const scoped = clientCredentialsGrant(configuration(partner, partner.clientSecret, false), { scope: 'members' })
    await expect(scoped).rejects.toMatchObject({ error: 'invalid_scope', status: 400 })
  })

  test('gets a token of the operator API with the secret of an operator', async () => {
    const token = await clientCredentialsGrant(configuration(testApp.operator, testApp.operator.clientSecret, true))
    const { status } = await testApp.call('GET', '/operator/v1/company', { token: token.access_token })
    expect(status).toBe(200)
  })
})

test('the response has the names of RFC 6749, and is not stored', async () => {
  const { body, headers } = expectOk(await post(`${grant}${inBody(partner.clientId, partner.clientSecret)}`))
  expect(body).toEqual({
    access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
    token_type: 'Bearer',
    expires_in: 3_600,
  })
  expect([headers.get('cache-control'), headers.get('pragma')]).toEqual(['no-store', 'no-cache'])
})

test('the credentials in Basic are form-urlencoded, and those in the body', async () => {
  const percent = (text: string) => text.replace(/[\w-]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`)
  const { clientId, clientSecret } = partner
  const responses = [
    await post(grant, basic(percent(clientId), percent(clientSecret))),
    await post(`grant%5Ftype=client%5Fcredentials${inBody(clientId, percent(clientSecret))}`),
  ]
  expect(responses.map(({ status }) => status)).toEqual([200, 200])
})

test('a parameter that is unknown or empty counts as not sent', async () => {
  const { clientId, clientSecret } = partner
  const responses = [
    await post(`${grant}&scope=&client_secret=&resource=a&resource=b&audience`, basic(clientId, clientSecret)),
    await post(`${grant}&client_id=${clientId}`, basic(clientId, clientSecret)),
  ]
  expect(responses.map(({ status }) => status)).toEqual([200, 200])
})

describe('is refused', () => {
  test.each<[what: string, body: () => string, headers: () => Record<string, string>]>([
    ['a wrong secret by Basic', () => grant, () => basic(partner.clientId, wrongSecret)],
    ['a wrong secret in the body', () => grant + inBody(partner.clientId, wrongSecret), () => ({})],
    ['an unknown client', () => grant, () => basic('nobody', wrongSecret)],
    ['no credentials', () => grant, () => ({})],
    ['an empty pair', () => grant, () => basic('', '')],
    ['a client id without a secret', () => `${grant}&client_id=${partner.clientId}`, () => ({})],
    ['another scheme', () => grant, () => ({ authorization: `Bearer ${partner.token}` })],
  ])('%s: invalid_client', async (_what, body, headers) => {
    expect(refusal(await post(body(), headers()))).toEqual([401, 'invalid_client', 'wrong-secret', challenge])
  })

  test.each<[what: string, error: string, body: () => string, headers: () => Record<string, string>]>([
    ['without a grant type', 'invalid_request', () => 'client_id=a', () => ({})],
    ['without a body', 'invalid_request', () => '', () => ({})],
    ['another grant', 'unsupported_grant_type', () => 'grant_type=password', () => ({})],
    ['a repeated parameter', 'invalid_request', () => `${grant}&${grant}`, () => ({})],
    ['a scope', 'invalid_scope', () => `${grant}&scope=a`, () => basic(partner.clientId, partner.clientSecret)],
    ['a broken escape', 'invalid_request', () => `${grant}&client_id=%zz`, () => ({})],
    ['NUL', 'invalid_request', () => `${grant}${inBody('a%00', 'b')}&client_id=a%00`, () => ({})],
    ['a broken escape in Basic', 'invalid_request', () => grant, () => basic('%zz', 'b')],
    ['NUL in Basic', 'invalid_request', () => grant, () => basic('a%00', 'b')],
    ['Basic without a colon', 'invalid_request', () => grant, () => ({ authorization: `Basic ${btoa('abc')}` })],
    ['Basic without base64', 'invalid_request', () => grant, () => ({ authorization: 'Basic ???' })],
    [
      'both credentials',
      'invalid_request',
      () => grant + inBody(partner.clientId, partner.clientSecret),
      () => basic(partner.clientId, partner.clientSecret),
    ],
    [
      'two client ids',
      'invalid_request',
      () => `${grant}&client_id=other`,
      () => basic(partner.clientId, partner.clientSecret),
    ],
  ])('%s: 400 %s', async (_what, error, body, headers) => {
    expect(refusal(await post(body(), headers()))).toEqual([400, error, 'invalid-body', null])
  })

  test('a revoked client with its right secret: invalid_client, and the code says why', async () => {
    const client = await testApp.partner(company.taxId)
    expectOk(await testApp.operator.delete(`/operator/v1/client/${client.clientId}`))
    const response = await post(grant, basic(client.clientId, client.clientSecret))
    expect(refusal(response)).toEqual([401, 'invalid_client', 'client-revoked', challenge])
  })

  test('a query parameter and a body over 4 KiB, as in JSON', async () => {
    const query = await testApp.call('POST', '/v1/authenticate?a=b', { body: grant, headers: { 'content-type': form } })
    expect(refusal(query)).toEqual([400, 'invalid_request', 'unknown-parameter', null])
    const large = await post(`${grant}&a=${'b'.repeat(4_096)}`)
    expect([large.status, large.body.code]).toEqual([413, 'body-too-large'])
  })
})

test('wrong secrets count together with those in JSON; the right one passes', async () => {
  const { clientId, clientSecret } = await testApp.partner(company.taxId)
  const json = () =>
    testApp.call('POST', '/v1/authenticate', { body: { 'client-id': clientId, 'client-secret': wrongSecret } })
  for (let n = 0; n < 5; n += 1) {
    expect((await json()).status).toBe(401)
    expect((await post(grant, basic(clientId, wrongSecret))).status).toBe(401)
  }
  const blocked = await post(grant + inBody(clientId, wrongSecret))
  expect([blocked.status, blocked.body.code]).toEqual([429, 'too-many-attempts'])
  expect(Number(blocked.headers.get('retry-after'))).toBeGreaterThan(0)
  expectOk(await post(grant, basic(clientId, clientSecret)))
})

test('the form is for this path only', async () => {
  const { clientId, clientSecret } = testApp.operator
  const session = await testApp.call('POST', '/operator/v1/session', {
    body: grant + inBody(clientId, clientSecret),
    headers: { 'content-type': form },
  })
  expect(session.status).toBe(415)
})
