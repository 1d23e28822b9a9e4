import { errorMessage, helpPath } from '#kernel/texts/explain.ts'
import { createPrivateKey } from 'node:crypto'
import { once } from 'node:events'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { decodeProtectedHeader, type JWK } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openCipher } from '#platform/core/crypto/cipher.ts'
import { checkResponse } from '../../world/conformance.ts'
import { forgeries, type Forgery } from './forged-tokens.ts'
import { type ApiResponse, type Client, type Company, expectOk, useTestApp } from '../../world/test-app.ts'

/* Tokens that the service did not issue, on both APIs: each gets the declared 401, and nothing tells why beyond its `code`. */

const testApp = useTestApp()
const apis = ['partner', 'operator'] as const
type Api = (typeof apis)[number]
let company: Company
let clients: Record<Api, Client>
let attacker: Server
let attackerUrl = ''
let calls = 0

beforeAll(async () => {
  company = await testApp.company()
  clients = { partner: await testApp.partner(company.taxId), operator: testApp.operator }
  attacker = createServer((_request, response) => {
    calls += 1
    response.end('{"keys":[]}')
  }).listen(0, '127.0.0.1')
  await once(attacker, 'listening')
  attackerUrl = `http://127.0.0.1:${(attacker.address() as AddressInfo).port}`
})
afterAll(() => void attacker?.close())

const paths = (): Record<Api, string> => ({
  partner: `/v1/company/${company.taxId}`,
  operator: `/operator/v1/company/${company.taxId}`,
})

/** A call with the header as it is written, also several times. */
async function callWith(api: Api, authorization: string | readonly string[]): Promise<ApiResponse> {
  const url = testApp.url + paths()[api]
  const outgoing = request(url, { headers: { authorization: authorization as string }, agent: false }).end()
  const [incoming] = await once(outgoing, 'response')
  const text = String(await buffer(incoming))
  const response = {
    status: incoming.statusCode ?? 0,
    headers: new Headers(incoming.headers as Record<string, string>),
    text,
    body: JSON.parse(text),
  }
  checkResponse('GET', url, response)
  return response
}

async function forgeriesFor(api: Api): Promise<Forgery[]> {
  const { clientId, token } = clients[api]
  const { kid } = decodeProtectedHeader(token)
  const keys: JWK[] = expectOk(await testApp.call('GET', '/.well-known/jwks.json')).body.keys
  const [row] = await testApp.sql<{ private_key: Buffer }>('select private_key from signing_key where id = $1', [kid])
  const cipher = openCipher(Buffer.from(testApp.masterKey, 'base64'))
  const pem = cipher.decrypt(`signing-key:${kid}`, row?.private_key ?? Buffer.alloc(0))
  const jwk = keys.find((key) => key.kid === kid) ?? {}
  return forgeries({ api, clientId, token, jwk, serviceKey: createPrivateKey(pem), url: attackerUrl })
}

/** All that a client can tell two responses by, beside what follows from the code. */
function seen({ status, headers, body }: ApiResponse): unknown {
  const { 'request-trace-id': id, message, help, ...rest } = body
  expect([message, help]).toEqual([errorMessage(rest.code, 'en'), helpPath(rest.code, 'en')])
  const names = [...headers].filter(([name]) => name !== 'date' && name !== 'x-request-id')
  return { status, headers: names, isTraced: id === headers.get('x-request-id'), ...rest }
}

describe.each(apis)('the %s API', (api) => {
  test('takes the token of the client, whatever the case of the scheme and the spaces around the header', async () => {
    const { token } = clients[api]
    for (const authorization of [`Bearer ${token}`, `bearer ${token}`, `BEARER ${token}`, `  Bearer ${token}  `]) {
      expect((await callWith(api, authorization)).status).toBe(200)
    }
  })

  test('refuses each of over 100 forged ones with 401, and responses differ in nothing but the declared code', async () => {
    const forged = await forgeriesFor(api)
    expect(new Set(forged.map(([name]) => name)).size).toBe(forged.length)
    expect(forged.length).toBeGreaterThan(100)
    // All at once: an unknown `kid` reads the keys again, at most once a second.
    const responses = await Promise.all(
      forged.map(async ([name, authorization, code]) => ({ name, code, response: await callWith(api, authorization) })),
    )
    const [usual] = responses.filter(({ code }) => code === 'token-invalid').map(({ response }) => seen(response))
    expect(usual).toMatchObject({ status: 401, error: 'Invalid credentials', isTraced: true })
    for (const { name, code, response } of responses) {
      const expected = { ...(usual as object), code }
      expect.soft(withoutLength(seen(response)), name).toEqual(withoutLength(expected))
    }
    expect(calls).toBe(0)
    expect((await callWith(api, `Bearer ${clients[api].token}`)).status).toBe(200)
  })

  test('refuses a real token of the other API, and one of a client that was revoked, each with its code', async () => {
    const other = clients[api === 'partner' ? 'operator' : 'partner']
    expect(seen(await callWith(api, `Bearer ${other.token}`))).toMatchObject({ status: 401, code: 'wrong-api' })
    const gone = api === 'partner' ? await testApp.partner(company.taxId) : await testApp.operatorOf('admin')
    const kind = api === 'partner' ? 'client' : 'operator'
    expect((await callWith(api, `Bearer ${gone.token}`)).status).toBe(200)
    expectOk(await testApp.operator.delete(`/operator/v1/${kind}/${gone.clientId}`))
    expect(seen(await callWith(api, `Bearer ${gone.token}`))).toMatchObject({ status: 401, code: 'client-revoked' })
    // The signature is verified first: without one nothing tells that the client is revoked.
    const unsigned = gone.token.replace(/[^.]*$/, 'A'.repeat(86))
    expect(seen(await callWith(api, `Bearer ${unsigned}`))).toMatchObject({ status: 401, code: 'token-invalid' })
  })
})

/** Without the length of the body, which depends on the code. */
function withoutLength(response: unknown): unknown {
  const { headers, ...rest } = response as { headers: [string, string][] }
  return { ...rest, headers: headers.filter(([name]) => name !== 'content-length') }
}
