import { randomBytes } from 'node:crypto'
import { decodeProtectedHeader, type JWK } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openCipher } from '#platform/core/crypto/cipher.ts'
import { openTokens } from '#access/auth/tokens.ts'
import type { Tokens } from '#platform/http/credentials.ts'
import { type Database, openDatabase } from '#platform/core/database.ts'
import { openLog } from '#platform/core/log.ts'
import { type ApiResponse, expectOk, useTestApp, useCompany } from '../../world/test-app.ts'

const log = openLog('silent')

const testApp = useTestApp()
const { company, partner } = useCompany(testApp)
let database: Database
beforeAll(async () => {
  database = openDatabase(
    { url: testApp.databaseUrl, connections: 2, namedStatements: true, applicationName: 'test' },
    log,
  )
})
afterAll(async () => {
  await database?.close()
})

/** Another process of the service on the same database, in another environment or at another time. */
function tokensOf(environment: 'staging' | 'production', shiftMs = 0): Tokens {
  const cipher = openCipher(Buffer.from(testApp.masterKey, 'base64'))
  return openTokens({ database, cipher, environment, log, clock: () => Date.now() + shiftMs })
}

const authenticate = (clientId: unknown, clientSecret: unknown, more: Record<string, unknown> = {}) =>
  testApp.call('POST', '/v1/authenticate', {
    body: { 'client-id': clientId, 'client-secret': clientSecret, ...more },
  })

const companyWith = (token: string | null) => testApp.call('GET', `/v1/company/${company.taxId}`, { token })

const invalidCredentials = { status: 401, error: 'Invalid credentials', scheme: 'Bearer', isTraced: true }

function refusal({ status, headers, body }: ApiResponse): typeof invalidCredentials {
  return {
    status,
    error: body?.error,
    scheme: headers.get('www-authenticate') ?? '',
    isTraced: body?.['request-trace-id'] === headers.get('x-request-id'),
  }
}

async function newClient(): Promise<{ id: string; secret: string }> {
  const response = expectOk(
    await testApp.operator.post('/operator/v1/client', { name: 'Folha', 'company-tax-ids': [company.taxId] }),
  )
  return { id: response.body['client-id'], secret: response.body['client-secret'] }
}

describe('a right pair', () => {
  test('gets a bearer token for an hour that nobody may store', async () => {
    const response = await authenticate(partner.clientId, partner.clientSecret)
    expect(response.status).toBe(200)
    expect(response.body).toEqual({
      'access-token': expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      'token-type': 'Bearer',
      'expires-in': 3600,
    })
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect((await companyWith(response.body['access-token'])).status).toBe(200)
  })

  test("of an operator gets a token for the operator's door", async () => {
    const response = await authenticate(testApp.operator.clientId, testApp.operator.clientSecret)
    expect(response.status).toBe(200)
    const list = await testApp.call('GET', '/operator/v1/client', { token: response.body['access-token'] })
    expect(list.status).toBe(200)
  })

  test('may be one of two living secrets; a third ends the oldest', async () => {
    const { id, secret: first } = await newClient()
    const rotate = async () =>
      expectOk(await testApp.operator.post(`/operator/v1/client/${id}/rotate-secret`)).body['client-secret'] as string
    const works = async (secret: string) => (await authenticate(id, secret)).status
    const second = await rotate()
    expect([await works(first), await works(second)]).toEqual([200, 200])
    const third = await rotate()
    expect([await works(first), await works(second), await works(third)]).toEqual([401, 200, 200])
    const fourth = await rotate()
    expect([await works(second), await works(third), await works(fourth)]).toEqual([401, 200, 200])
  })
})

describe('a wrong pair gets 401', () => {
  test('for a wrong secret, an unknown client and secrets of any length that fits', async () => {
    const { id, secret } = await newClient()
    for (const [clientId, clientSecret] of [
      [id, `${secret}x`],
      [id, partner.clientSecret],
      [id, 'x'.repeat(3_000)],
      ['nobody', secret],
      ['x'.repeat(3_000), secret],
      ['\u{1f512}', '\u{1f511}'],
      [` ${id}`, secret],
    ]) {
      expect(refusal(await authenticate(clientId, clientSecret))).toEqual(invalidCredentials)
    }
  })

  test('for a revoked client, whose living token is refused at its next call', async () => {
    const { id, secret } = await newClient()
    const client = await testApp.signIn(id, secret)
    expect((await client.get(`/v1/company/${company.taxId}`)).status).toBe(200)
    expect((await testApp.operator.delete(`/operator/v1/client/${id}`)).status).toBe(204)
    for (const path of [
      `/v1/company/${company.taxId}`,
      '/v1/company',
      '/v1/company/not-a-cnpj',
      '/v1/member',
      `/v1/request/${company.id}`,
      `/v1/enrollment/detail/${company.id}`,
    ]) {
      expect(refusal(await client.get(path))).toEqual(invalidCredentials)
    }
    expect(refusal(await client.post('/v1/enrollment/inclusion', {}))).toEqual(invalidCredentials)
    expect(refusal(await client.post('/v1/enrollment/inclusion', '{'))).toEqual(invalidCredentials)
    expect(refusal(await authenticate(id, secret))).toEqual(invalidCredentials)
  })

  test('for a removed operator, whose living token is refused at its next call', async () => {
    const operator = await testApp.operatorOf('admin')
    expect((await testApp.operator.delete(`/operator/v1/operator/${operator.clientId}`)).status).toBe(204)
    expect(refusal(await operator.get('/operator/v1/client'))).toEqual(invalidCredentials)
    expect(refusal(await operator.post('/operator/v1/client', {}))).toEqual(invalidCredentials)
    expect(refusal(await authenticate(operator.clientId, operator.clientSecret))).toEqual(invalidCredentials)
  })
})

describe('a body of another shape gets 400', () => {
  test.each([
    ['nothing', undefined, undefined],
    ['no JSON', '{', [{ field: 'body', code: 'malformed-json', line: 1, column: 2 }]],
    ['a list', [], undefined],
    ['null', null, undefined],
    [
      'NUL',
      '{"client-id":"a\\u0000","client-secret":"b"}',
      [{ field: 'body', code: 'invalid', message: 'The body holds NUL.' }],
    ],
    ['a number', { 'client-id': 1, 'client-secret': 'b' }, [{ field: 'client-id', code: 'invalid' }]],
    ['an empty id', { 'client-id': '', 'client-secret': 'b' }, [{ field: 'client-id', code: 'invalid' }]],
    ['no secret', { 'client-id': 'a' }, [{ field: 'client-secret', code: 'missing' }]],
    ['more', { 'client-id': 'a', 'client-secret': 'b', scope: 'all' }, [{ field: 'scope', code: 'unknown' }]],
  ])('%s', async (_what, body, details) => {
    const response = await testApp.call('POST', '/v1/authenticate', { body })
    expect(response.status).toBe(400)
    expect(response.body.error).toBe('Invalid body')
    if (details === undefined) expect(response.body.details).toBeUndefined()
    else expect(response.body.details).toMatchObject(details)
  })

  test('and 415 in another form', async () => {
    const response = await testApp.call('POST', '/v1/authenticate', {
      body: `client-id=${partner.clientId}`,
      headers: { 'content-type': 'text/plain' },
    })
    expect(response.status).toBe(415)
  })
})

describe('guessing gets 429', () => {
  // Those with many failures last: beyond 50 of one address each response is delayed.
  test('after ten failures in a minute, until the minute is over, for that client alone; the right secret always gets through', async () => {
    const { id, secret } = await newClient()
    const other = await newClient()
    for (let tried = 0; tried < 10; tried += 1) {
      expect(refusal(await authenticate(id, `guess ${tried}`))).toEqual(invalidCredentials)
    }
    for (const tried of ['guess 11', 'guess 12']) {
      const response = await authenticate(id, tried)
      expect(response.status).toBe(429)
      expect(response.body.error).toBe('Too many attempts')
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
      expect(Number(response.headers.get('retry-after'))).toBeLessThanOrEqual(60)
      expect((await authenticate(id, secret)).status).toBe(200)
    }
    expect(refusal(await authenticate(other.id, 'guess 1'))).toEqual(invalidCredentials)
    await testApp.sql("update authentication_failure set window_started_at = window_started_at - interval '1 minute'")
    expect(refusal(await authenticate(id, 'guess 13'))).toEqual(invalidCredentials)
  })

  test('for a client id that nobody has, alike', async () => {
    const id = randomBytes(8).toString('hex')
    const statuses: number[] = []
    for (let tried = 0; tried < 12; tried += 1) statuses.push((await authenticate(id, 'guess')).status)
    expect(statuses).toEqual([...Array<number>(10).fill(401), 429, 429])
  })

  test('but right secrets are no failures, and do not end the count', async () => {
    const { id, secret } = await newClient()
    for (let tried = 0; tried < 9; tried += 1) await authenticate(id, 'guess')
    const right = await Promise.all(Array.from({ length: 12 }, () => authenticate(id, secret)))
    expect(new Set(right.map(({ status }) => status))).toEqual(new Set([200]))
    expect(refusal(await authenticate(id, 'guess'))).toEqual(invalidCredentials)
    expect((await authenticate(id, 'guess')).status).toBe(429)
  })

  test('and the memory of failures is bounded, however many client ids are tried', async () => {
    const [constraint] = await testApp.sql<{ text: string }>(
      "select pg_get_constraintdef(oid) as text from pg_constraint where conrelid = 'authentication_failure'::regclass and contype = 'c'",
    )
    expect(constraint?.text).toContain('bucket <= 1048575')
    const before = await testApp.sql('select from authentication_failure')
    const id = randomBytes(8).toString('hex')
    for (let tried = 0; tried < 5; tried += 1) await authenticate(id, 'guess')
    expect((await testApp.sql('select from authentication_failure')).length - before.length).toBeLessThanOrEqual(1)
  })

  test("also at the operators' API, whose first secret a person chose: the right one gets through after any number of wrong ones", async () => {
    const { clientId, clientSecret } = testApp.operator
    const wrong = await Promise.all(Array.from({ length: 30 }, (_, tried) => authenticate(clientId, `guess ${tried}`)))
    expect(wrong.filter(({ status }) => status === 401)).toHaveLength(10)
    expect(wrong.filter(({ status }) => status === 429)).toHaveLength(20)
    expect((await authenticate(clientId, clientSecret)).status).toBe(200)
  })

  test('when the guesses come all at once, ten of them get 401, and right secrets among them 200', async () => {
    const { id, secret } = await newClient()
    const right = Array.from({ length: 12 }, () => secret)
    const secrets = [...Array.from({ length: 300 }, (_, tried) => `guess ${tried}`), ...right]
    const responses = await Promise.all(secrets.map((one) => authenticate(id, one)))
    const statuses = responses.map(({ status }) => status)
    expect(statuses.slice(300)).toEqual(right.map(() => 200))
    expect(statuses.slice(0, 300).filter((status) => status === 401)).toHaveLength(10)
    expect(statuses.slice(0, 300).filter((status) => status === 429)).toHaveLength(290)
  })

  test('after 50 from one address the response to a wrong one is delayed, and the right secret passes it', async () => {
    const { id, secret } = await newClient()
    await Promise.all(Array.from({ length: 51 }, (_, tried) => authenticate(id, `guess ${tried}`)))
    const order: number[] = []
    const wrong = authenticate(id, 'guess').then(({ status }) => order.push(status))
    const right = authenticate(id, secret).then(({ status }) => order.push(status))
    await Promise.all([wrong, right])
    expect(order).toEqual([200, 429])
  })
})

describe('a token gets 401', () => {
  test('when there is none, or it is in another form', async () => {
    expect(refusal(await companyWith(null))).toEqual(invalidCredentials)
    const path = `/v1/company/${company.taxId}`
    for (const authorization of [
      '',
      'Bearer',
      'Bearer ',
      `Basic ${partner.token}`,
      partner.token,
      `Bearer ${partner.token} x`,
      `Bearer "${partner.token}"`,
    ]) {
      expect(refusal(await testApp.call('GET', path, { headers: { authorization } }))).toEqual(invalidCredentials)
    }
    expect(refusal(await testApp.call('GET', `${path}?access_token=${partner.token}`))).toEqual(invalidCredentials)
    const lower = await testApp.call('GET', path, { headers: { authorization: `bearer ${partner.token}` } })
    expect(lower.status).toBe(200)
  })

  test('at the other door', async () => {
    expect(refusal(await companyWith(testApp.operator.token))).toEqual(invalidCredentials)
    expect(refusal(await testApp.call('GET', '/operator/v1/client', { token: partner.token }))).toEqual(
      invalidCredentials,
    )
    expect(refusal(await testApp.call('POST', '/operator/v1/client', { token: partner.token, body: {} }))).toEqual(
      invalidCredentials,
    )
  })

  test('of the other environment', async () => {
    const production = await tokensOf('production').issue(partner.clientId, 'partner')
    expect(refusal(await companyWith(production.token))).toEqual(invalidCredentials)
    const staging = await tokensOf('staging').issue(partner.clientId, 'partner')
    expect((await companyWith(staging.token)).status).toBe(200)
  })

  test("that says it is for a door which is not its client's", async () => {
    const tokens = tokensOf('staging')
    expect(refusal(await companyWith((await tokens.issue(testApp.operator.clientId, 'partner')).token))).toEqual(
      invalidCredentials,
    )
    const { token } = await tokens.issue(partner.clientId, 'operator')
    expect(refusal(await testApp.call('GET', '/operator/v1/client', { token }))).toEqual(invalidCredentials)
    expect(refusal(await companyWith((await tokens.issue('nobody', 'partner')).token))).toEqual(invalidCredentials)
  })

  test('once its hour is over', async () => {
    const { token } = await tokensOf('staging', -(3_600 + 61) * 1_000).issue(partner.clientId, 'partner')
    expect(refusal(await companyWith(token))).toEqual(invalidCredentials)
    const late = await tokensOf('staging', -3_600 * 1_000).issue(partner.clientId, 'partner')
    expect((await companyWith(late.token)).status).toBe(200)
  })
})

describe('the keys', () => {
  test('are public, may be kept for a minute, and have no private half', async () => {
    const response = await testApp.call('GET', '/.well-known/jwks.json')
    expect(response.status).toBe(200)
    expect(response.headers.get('cache-control')).toBe('public, max-age=60')
    for (const key of response.body.keys) {
      expect(Object.keys(key).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'])
    }
  })

  test('rotate without an outage: tokens of both live', async () => {
    const elsewhere = tokensOf('staging', 6 * 60_000)
    await tokensOf('staging').rotate()
    const { token } = await elsewhere.issue(partner.clientId, 'partner')
    expect(decodeProtectedHeader(token).kid).not.toBe(decodeProtectedHeader(partner.token).kid)
    // Twice, so that each of several processes is called.
    for (const one of [token, token, partner.token, partner.token]) expect((await companyWith(one)).status).toBe(200)
    const { keys } = expectOk(await testApp.call('GET', '/.well-known/jwks.json')).body
    expect(keys.map((key: JWK) => key.kid)).toContain(decodeProtectedHeader(token).kid)
    expect(keys.map((key: JWK) => key.kid)).toContain(decodeProtectedHeader(partner.token).kid)
  })
})

test('no secret stands in the database: a keyed hash of one that the service made, scrypt of one that a person chose', async () => {
  const rows = await testApp.sql<{ client_id: string; hash: string }>('select client_id, hash from client_secret')
  for (const { client_id, hash } of rows) {
    expect(hash).toMatch(
      client_id === testApp.operator.clientId ? /^scrypt\$16384\$8\$1\$/ : /^hmac-sha256\$[\w-]{43}$/,
    )
  }
  const keys = await testApp.sql<{ private_key: Buffer }>('select private_key from signing_key')
  for (const key of keys) expect(key.private_key.includes('PRIVATE KEY')).toBe(false)
})

test('a hash that was copied to another client opens nothing', async () => {
  const [mine, other] = [await newClient(), await newClient()]
  await testApp.sql(
    'update client_secret set hash = (select hash from client_secret where client_id = $1) where client_id = $2',
    [mine.id, other.id],
  )
  expect(refusal(await authenticate(other.id, mine.secret))).toEqual(invalidCredentials)
  expect((await authenticate(mine.id, mine.secret)).status).toBe(200)
})
