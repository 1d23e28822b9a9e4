import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { recordCode } from '../../world/conformance.ts'
import {
  type ApiResponse,
  type Client,
  expectOk,
  type Json,
  useTestApp,
  primary,
  useCompany,
} from '../../world/test-app.ts'

const testApp = useTestApp()
const { company, partner } = useCompany(testApp)

/** The one error body, on every response that is not 2xx. */
function expectError(response: ApiResponse, status: number, error: string): void {
  expect([response.status, response.body?.error]).toEqual([status, error])
  expect(response.body['request-trace-id']).toBe(response.headers.get('x-request-id'))
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(response.text).not.toMatch(/\bat \w+ \(|node_modules|\/src\//)
}

const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
const withName = (name: string) =>
  JSON.stringify({ 'company-tax-id': company.taxId, members: [primary({ name: 'NAME' })] }).replace('"NAME"', name)

describe('400 Invalid body, and nothing is kept', () => {
  const bodies: [string, () => string | Buffer][] = [
    ['malformed JSON', () => '{"members": ['],
    ['nothing', () => ''],
    ['two documents', () => '{}{}'],
    ['an array', () => '[]'],
    ['null', () => 'null'],
    ['a NUL byte', () => withName('"a\u0000b"')],
    ['an escaped NUL', () => withName('"a\\u0000b"')],
    ['a lone surrogate', () => withName('"a\\ud800b"')],
    ['bytes that are not UTF-8', () => Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ['__proto__', () => '{"__proto__": {"admin": true}, "members": []}'],
    ['an escaped __proto__', () => '{"\\u005f_proto__": {"admin": true}, "members": []}'],
    ['nesting over 64', () => `{"members": ${nested(65)}}`],
    ['10 MB of nesting', () => nested(5 * 1024 * 1024)],
    ['an unclosed 10 MB of nesting', () => '['.repeat(10 * 1024 * 1024)],
  ]
  test.each(bodies)('an inclusion of %s', async (_case, body) => {
    expectError(await partner.post('/v1/enrollment/inclusion', body()), 400, 'Invalid body')
  })

  test.each(bodies.filter(([name]) => !name.includes('10 MB')))('a company of %s', async (_case, body) => {
    const response = await testApp.operator.put(`/operator/v1/company/${company.taxId}`, body())
    expectError(response, 400, 'Invalid body')
  })

  test.each([
    ['[NaN]', 1, 2],
    ['{"a": True}', 1, 7],
    ['{"a":\n  undefined}', 2, 3],
    ['{a: 1}', 1, 2],
    ['{"a": 1, // comment\n}', 1, 10],
    ['[1,]', 1, 4],
    ['{"a": 1,}', 1, 9],
    ["{'a': 1}", 1, 2],
    ['{"a": .5}', 1, 7],
    ['{"a": +1}', 1, 7],
    ['{"a": "at position 1", b}', 1, 24],
    ['{"a": 1', 1, 8],
    [`// " \n${'['.repeat(200_000)}`, 1, 1],
  ])('%j: the line and the column of the first error', async (body, line, column) => {
    const { status, body: refused } = await partner.post('/v1/enrollment/inclusion', body)
    expect(status).toBe(400)
    expect(refused.details).toMatchObject([{ field: 'body', code: 'malformed-json', line, column }])
  })

  test('a byte order mark before the JSON is skipped', async () => {
    const body = JSON.stringify({ 'company-tax-id': company.taxId, members: [primary()] })
    expectOk(await partner.post('/v1/enrollment/inclusion?dry-run=true', `\uFEFF${body}`))
    expectError(await partner.post('/v1/enrollment/inclusion', '\uFEFF'.repeat(1000)), 400, 'Invalid body')
  })

  const withUnknown = (count: number, more: object) => {
    const unknown = Array.from({ length: count }, (_, index) => `"k${index.toString(36)}":1`).join(',')
    return JSON.stringify(more).replace(/}$/, `,${unknown}}`)
  }

  test('of 100,000 unknown keys, which are not even parsed', async () => {
    const body = withUnknown(100_000, { name: 'x' })
    const details = [{ field: 'body', code: 'too-many-values', message: 'The body holds too many values.' }]
    for (const response of [
      await testApp.operator.put(`/operator/v1/company/${company.taxId}`, body),
      await testApp.operator.post('/operator/v1/client', body),
      await partner.post('/v1/enrollment/alteration/52998224725', body),
    ]) {
      expectError(response, 400, 'Invalid body')
      expect(response.body.details).toEqual(details)
    }
  })

  test('of 19,000 unknown keys, of which 20 are told', async () => {
    const response = await testApp.operator.post('/operator/v1/client', withUnknown(19_000, { name: 'x' }))
    expectError(response, 400, 'Invalid body')
    expect(response.body.details).toEqual(
      Array.from({ length: 20 }, (_, index) => ({ field: `k${index.toString(36)}`, code: 'unknown' })),
    )
  })

  test('a POST that needs a body and has none', async () => {
    expectError(await partner.post('/v1/enrollment/inclusion'), 400, 'Invalid body')
    expectError(await testApp.call('POST', '/v1/authenticate'), 400, 'Invalid body')
    expectError(await testApp.operator.post('/operator/v1/client'), 400, 'Invalid body')
  })

  test('and after all of that no request, no client and no member exists', async () => {
    expect(await testApp.sql('select 1 from request union all select 1 from member')).toEqual([])
    expect((await testApp.sql("select 1 from client where api = 'partner'")).length).toBe(1)
  })
})

test('400 for an undecodable path and malformed ids, NUL included', async () => {
  expectError(await partner.get('/v1/request/%ZZ'), 400, 'Invalid path')
  expectError(await partner.get('/v1/request/x'), 400, 'Invalid request-id')
  expectError(await partner.get('/v1/request/%00'), 400, 'Invalid request-id')
  expectError(await partner.get(`/v1/request/${'1'.repeat(4_000)}`), 400, 'Invalid request-id')
  expectError(await partner.get('/v1/enrollment/detail/1'), 400, 'Invalid enrollment-id')
  expectError(await partner.get('/v1/company/123'), 400, 'Invalid company-tax-id')
})

test('details of a malformed id in a path say what it has to be', async () => {
  const ofPath = async (path: string, language = 'en') =>
    (await partner.get(path, { 'accept-language': language })).body.details
  expect(await ofPath('/v1/request/x')).toEqual([{ field: 'request-id', code: 'invalid', message: 'Must be a UUID.' }])
  expect(await ofPath('/v1/company/123')).toMatchObject([
    { field: 'company-tax-id', code: 'invalid', message: 'Must be a valid CNPJ.' },
  ])
  expect(await ofPath('/v1/request/%00')).toEqual([{ field: 'request-id', code: 'invalid' }])
  expect((await ofPath('/v1/request/x', 'pt-BR'))[0].message).toContain('Informe um identificador (UUID).')
})

test('details of a date say how it is written, in both languages', async () => {
  const path = '/v1/enrollment/history?from-dt=31/12/2026&until-dt=2027-01-01'
  const details = async (language: string) => (await partner.get(path, { 'accept-language': language })).body.details
  expect(await details('en')).toMatchObject([
    { field: 'from-dt', message: 'Must be a date that exists, as YYYY-MM-DD.' },
  ])
  expect((await details('pt-BR'))[0].message).toContain('Informe uma data que exista, no formato AAAA-MM-DD.')
  const body = { 'company-tax-id': company.taxId, members: [primary({ 'date-of-birth': '17/05/1990' })] }
  const refused = await partner.post('/v1/enrollment/inclusion?dry-run=true', body, { 'accept-language': 'pt-BR' })
  expect(refused.body.result[0]['offense-details'][0].message).toContain('AAAA-MM-DD (em planilhas também DD/MM/AAAA)')
})

test('details of documents have the index and the types that are allowed', async () => {
  const details = async (documents: unknown, language = 'en') => {
    const sent = { 'end-date': '2026-12-31', 'exclusion-reason': 'dismissal', documents }
    const path = `/v1/enrollment/exclusion/52998224725/company/${company.taxId}`
    const response = await partner.post(path, { 'exclusion-details': sent }, { 'accept-language': language })
    expect(response.status).toBe(400)
    return response.body.details
  }
  const good = { 'document-id': 'a', 'document-type': 'other' }
  const field = 'exclusion-details.documents'
  const wrong = [good, { 'document-id': 'b', 'document-type': 'rg' }]
  const [detail] = await details(wrong)
  expect(detail).toMatchObject({
    field,
    code: 'invalid',
    message: expect.stringMatching(/^documents\[1\]\.document-type: One of /),
  })
  expect(detail.allowed).toContain('company-letter')
  expect((await details(wrong, 'pt-BR'))[0].message).toMatch(
    /Em documents\[1\]\.document-type: valores aceitos: .*company-letter/,
  )
  expect(await details([{ 'document-type': 'other' }])).toMatchObject([
    { field, message: expect.stringMatching(/^documents\[0\]\.document-id: /) },
  ])
  expect(await details([good, 'x'])).toMatchObject([{ field, message: expect.stringMatching(/^documents\[1\]: /) }])
  expect(await details('x')).toMatchObject([{ field, code: 'invalid' }])
})

test('400 for unknown, repeated and malformed query parameters', async () => {
  for (const query of [
    'include_inactive=true',
    'include-inactive=yes',
    'include-inactive=TRUE',
    'include-inactive=true&include-inactive=true',
  ]) {
    expectError(await partner.get(`/v1/member?${query}`), 400, 'Invalid parameter')
  }
  for (const query of [
    'page=0',
    'page=-1',
    'page=1e2',
    'page=9007199254740993',
    'items-per-page=501',
    'items-per-page=',
    'page=1&page=2',
  ]) {
    expectError(await partner.get(`/v1/company?${query}`), 400, 'Invalid parameter')
  }
})

test('401 for absent, malformed and forged tokens, with WWW-Authenticate', async () => {
  const tokens = [null, '', 'x', 'a.b.c', `${partner.token}x`, partner.token.slice(0, -4), 'x'.repeat(10_000)]
  for (const token of tokens) {
    const response = await testApp.call('GET', '/v1/member', { token })
    expectError(response, 401, 'Invalid credentials')
    expect(response.headers.get('www-authenticate')).toBe('Bearer')
  }
  expectError(
    await testApp.call('GET', '/v1/member', { headers: { authorization: `Basic ${partner.token}` } }),
    401,
    'Invalid credentials',
  )
  expectError(await testApp.call('GET', '/operator/v1/company', { token: partner.token }), 401, 'Invalid credentials')
  expectError(await testApp.call('GET', '/v1/member', { token: testApp.operator.token }), 401, 'Invalid credentials')
})

test('404 and 405 for unknown paths and wrong methods, no token needed', async () => {
  for (const path of [
    '/v1',
    '/v1/',
    '/v1/nothing',
    '/v2/member',
    '/v1/health/',
    '/V1/member',
    '/operator/v1/nothing',
    '/../etc/passwd',
  ]) {
    expectError(await testApp.call('GET', path), 404, 'Not found')
  }
  const wrong: [string, string, string][] = [
    ['POST', '/v1/member', 'GET'],
    ['GET', '/v1/enrollment/inclusion', 'POST'],
    ['DELETE', '/v1/company/12ABC34501DE35', 'GET'],
    ['PATCH', '/v1/authenticate', 'POST'],
  ]
  for (const [method, path, allowed] of wrong) {
    const response = await testApp.call(method, path)
    expectError(response, 405, 'Method not allowed')
    expect(response.headers.get('allow')?.split(', ')).toContain(allowed)
  }
})

test('404 and 405 whatever the body is', async () => {
  const bodies: [string | Buffer, string][] = [
    ['{', 'application/json'],
    ['x', 'text/plain'],
    [Buffer.alloc(1024 * 1024 + 1, 32), 'application/json'],
  ]
  for (const [body, type] of bodies) {
    const headers = { 'content-type': type }
    expectError(await testApp.call('POST', '/v1/nothing', { body, headers }), 404, 'Not found')
    expectError(await testApp.call('POST', '/v1/member', { body, headers }), 405, 'Method not allowed')
  }
  expectError(await testApp.call('QUERY', '/v1/nothing'), 404, 'Not found')
  expectError(await testApp.call('QUERY', '/v1/member'), 405, 'Method not allowed')
})

test('400 for a path with a segment of over 8 KiB, with the security headers', async () => {
  for (const path of [`/v1/request/${'x'.repeat(8_200)}`, '/v1/request/%ZZ']) {
    const response = await partner.get(path)
    expectError(response, 400, 'Invalid path')
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  }
})

test('413 over 1 MiB and 415 for another media type or an encoded body', async () => {
  const path = `/operator/v1/company/${company.taxId}`
  expectError(await testApp.operator.put(path, Buffer.alloc(1024 * 1024 + 1, 32)), 413, 'Body too large')
  expectError(
    await testApp.operator.put(path, 'name=x', { 'content-type': 'application/x-www-form-urlencoded' }),
    415,
    'Unsupported media type',
  )
  expectError(await testApp.operator.put(path, '{}', { 'content-encoding': 'gzip' }), 415, 'Unsupported media type')
})

test('413 and 415 also for a body where none is wanted; a GET has none', async () => {
  const { operator } = testApp
  const rotate = `/operator/v1/client/${partner.clientId}/rotate-secret`
  const large = Buffer.alloc(1024 * 1024 + 1, 32)
  const text = { 'content-type': 'text/plain' }
  expectError(await operator.post(rotate, large), 413, 'Body too large')
  expectError(await operator.post(rotate, 'x', text), 415, 'Unsupported media type')
  const options = { token: operator.token, body: 'x', headers: text }
  expectError(
    await testApp.call('DELETE', `/operator/v1/client/${partner.clientId}`, options),
    415,
    'Unsupported media type',
  )
  expect((await partner.get('/v1/member', { 'content-encoding': 'gzip' })).status).toBe(200)
})

test('the length and the type of a body are judged before the parameters, the parameters before what the body says', async () => {
  const path = `/operator/v1/company/${company.taxId}?x=1`
  const put: Client['put'] = (...given) => testApp.operator.put(...given)
  expectError(await put(path, Buffer.alloc(1024 * 1024 + 1, 32)), 413, 'Body too large')
  expectError(await put(path, 'x', { 'content-type': 'text/plain' }), 415, 'Unsupported media type')
  for (const body of ['{', '{}', undefined]) expectError(await put(path, body), 400, 'Invalid parameter')
  expectError(await put('/operator/v1/company/1', '{'), 400, 'Invalid company-tax-id')
})

test('413 over 4 KiB at /v1/authenticate, which anybody may call', async () => {
  const credentials = JSON.stringify({ 'client-id': 'x', 'client-secret': 'y' })
  const ask = async (bytes: number) => testApp.call('POST', '/v1/authenticate', { body: credentials.padEnd(bytes) })
  expectError(await ask(4 * 1024 + 1), 413, 'Body too large')
  expectError(await ask(4 * 1024), 401, 'Invalid credentials')
})

test('an X-Request-Id comes back as it was sent, unless it could hold a CPF', async () => {
  const given = await testApp.call('GET', '/v1/health', { headers: { 'x-request-id': 'payroll-run-7' } })
  expect(given.headers.get('x-request-id')).toBe('payroll-run-7')
  for (const id of ['52998224725', '529.982.247-25', 'a b', 'x'.repeat(200)]) {
    const response = await testApp.call('GET', '/v1/health', { headers: { 'x-request-id': id } })
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  }
})

describe('what HTTP itself refuses', () => {
  const raw = (text: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(testApp.url)
      const socket = connect(Number(port), hostname, () => socket.write(text))
      let response = ''
      socket.setEncoding('utf8')
      socket.on('data', (chunk: string) => (response += chunk))
      socket.on('end', () => resolve(response))
      socket.on('error', reject)
    })

  test.each([
    ['no Host', 'GET /v1/health HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['two Hosts', 'GET /v1/health HTTP/1.1\r\nHost: x\r\nHost: y\r\nConnection: close\r\n\r\n'],
    ['one Host twice', 'GET /v1/nothing HTTP/1.1\r\nHost: x\r\nhost: x\r\nConnection: close\r\n\r\n'],
    ['a bad Content-Length', 'POST /v1/authenticate HTTP/1.1\r\nHost: x\r\nContent-Length: abc\r\n\r\n'],
    [
      'two lengths',
      'POST /v1/authenticate HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
    ],
    ['no HTTP', 'hello\r\n\r\n'],
    ['headers of 100 KB', `GET /v1/health HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(100_000)}\r\n\r\n`],
  ])('%s gets the error body or a closed connection, never a 500', async (_case, text) => {
    const response = await raw(text).catch((error: NodeJS.ErrnoException) => error.code ?? '')
    if (response.startsWith('HTTP')) {
      expect(response).toMatch(/^HTTP\/1\.1 4\d\d /)
      const body: Json = JSON.parse(response.slice(response.indexOf('\r\n\r\n') + 4))
      recordCode(body)
      const codes = expect.stringMatching(/^(bad-request|header-too-large)$/)
      expect(body).toMatchObject({ error: expect.any(String), code: codes, 'request-trace-id': expect.any(String) })
      expect(response.toLowerCase()).toContain('x-request-id:')
    } else expect(['', 'ECONNRESET', 'EPIPE']).toContain(response)
  })

  test('HEAD with headers that are not HTTP gets 400 without a body', async () => {
    const response = await raw('HEAD /v1/health HTTP/1.1\r\nHost: x\r\nX Y: z\r\n\r\n')
    expect(response).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n[^]*\r\n\r\n$/)
  })
})
