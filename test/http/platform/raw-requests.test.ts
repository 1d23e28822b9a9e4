import { connect } from 'node:net'
import { beforeAll, describe, expect, test } from 'vitest'
import { downloadPath, putFile, putInvoice } from '../../world/invoice.ts'
import { type Client, useTestApp } from '../../world/test-app.ts'

/*
 * Bytes that no HTTP client sends. An ambiguous request must never count as two: a proxy in front may have taken it for one
 * (request smuggling, RFC 9112, sections 6.3 and 11.2).
 */

const testApp = useTestApp()
let partner: Client
let invoiceFile: string
beforeAll(async () => {
  const company = await testApp.company()
  partner = await testApp.partner(company.taxId)
  const invoiceId = await putInvoice(testApp, company)
  invoiceFile = downloadPath(invoiceId, await putFile(testApp, invoiceId))
})

/** Sends the bytes and reads until the service closes the connection. */
function exchange(...parts: readonly (string | Buffer)[]): Promise<string> {
  return new Promise((resolve) => {
    const { hostname, port } = new URL(testApp.url)
    let received = ''
    const socket = connect(Number(port), hostname, () => {
      for (const part of parts) socket.write(part)
    })
    socket.setEncoding('latin1')
    socket.on('data', (chunk: string) => (received += chunk))
    // A connection that is closed with bytes unread is reset.
    socket.on('error', () => {})
    socket.once('close', () => resolve(received))
  })
}

const statusesOf = (text: string): number[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))

const smuggled = 'GET /v1/smuggled HTTP/1.1\r\nHost: x\r\n\r\n'
const post = (...headers: readonly string[]) =>
  ['POST /v1/authenticate HTTP/1.1', 'Host: x', 'Content-Type: application/json', ...headers, '', ''].join('\r\n')
const get = (...headers: readonly string[]) => ['GET /v1/health HTTP/1.1', 'Host: x', ...headers, '', ''].join('\r\n')

describe('one response of 400 and a closed connection, what follows is not read', () => {
  const empty = '0\r\n\r\n'
  const requests: [string, string][] = [
    ['Content-Length and chunked', post('Content-Length: 6', 'Transfer-Encoding: chunked') + empty],
    ['chunked and Content-Length', post('Transfer-Encoding: chunked', 'Content-Length: 6') + empty],
    ['two lengths', post('Content-Length: 2', 'Content-Length: 40') + '{}'],
    ['one length twice', post('Content-Length: 2', 'Content-Length: 2') + '{}'],
    ['a list of lengths', post('Content-Length: 2, 2') + '{}'],
    ['a length with a sign', post('Content-Length: +2') + '{}'],
    ['a negative length', post('Content-Length: -1')],
    ['a hexadecimal length', post('Content-Length: 0x2') + '{}'],
    ['a length with a space', post('Content-Length: 2 2') + '{}'],
    ['a length beyond 64 bits', post('Content-Length: 99999999999999999999999')],
    ['an unknown coding', post('Transfer-Encoding: xchunked') + empty],
    ['chunked that is not last', post('Transfer-Encoding: chunked, identity') + empty],
    ['a coding in two headers', post('Transfer-Encoding: chunked', 'Transfer-Encoding: identity') + empty],
    ['a vertical tab before the coding', post('Transfer-Encoding: \x0bchunked') + empty],
    ['a space before the colon', post('Transfer-Encoding : chunked') + empty],
    ['a space before the name', post(' Transfer-Encoding: chunked') + empty],
    ['a folded header', post('Transfer-Encoding:', ' chunked') + empty],
    ['a chunk size that is no number', post('Transfer-Encoding: chunked') + 'zz\r\n{}\r\n0\r\n\r\n'],
    ['a chunk size with a prefix', post('Transfer-Encoding: chunked') + '0x2\r\n{}\r\n0\r\n\r\n'],
    ['a chunk size beyond 64 bits', post('Transfer-Encoding: chunked') + 'fffffffffffffffff\r\n{}\r\n0\r\n\r\n'],
    ['a chunk longer than its size', post('Transfer-Encoding: chunked') + '2\r\n{}{}\r\n0\r\n\r\n'],
    ['a chunk that ends with LF', post('Transfer-Encoding: chunked') + '2\n{}\n0\n\n'],
    ['LF in a chunk extension', post('Transfer-Encoding: chunked') + '2;\nxx\r\n{}\r\n0\r\n\r\n'],
    ['a length in the trailers', post('Transfer-Encoding: chunked') + '2\r\n{}\r\n0\r\nContent-Length: 40\r\n\r\n'],
    ['headers that end with LF', get().replaceAll('\r\n', '\n')],
    ['headers that end with CR', get().replaceAll('\r\n', '\r')],
    ['a header without a colon', get('X-Injected')],
    ['a header without a name', get(': x')],
    ['NUL in a header', get('X-A: a\0b')],
    ['NUL in a path', 'GET /v1/\0health HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['bytes that are no ASCII in a path', 'GET /v1/\u00ff HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a path without a slash', 'GET v1/health HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a method of lower case', 'get /v1/health HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['an unknown version', 'GET /v1/health HTTP/1.9\r\nHost: x\r\n\r\n'],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['a TLS handshake', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ]
  test.each(requests)('%s', async (_case, request) => {
    const text = await exchange(Buffer.from(request, 'latin1'), smuggled)
    expect(statusesOf(text)).toEqual([400])
    expect(JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4))).toMatchObject({ code: 'bad-request' })
    expect(text.toLowerCase()).toContain('connection: close')
  })
})

describe('one request each, then the next', () => {
  const requests: [string, string, number][] = [
    ['a body of a GET that looks like a request', get(`Content-Length: ${smuggled.length}`) + smuggled, 200],
    [
      'a chunked body of a GET',
      `${get('Transfer-Encoding: chunked')}${smuggled.length.toString(16)}\r\n${smuggled}\r\n0\r\n\r\n`,
      200,
    ],
    [
      'a body of a path without a route',
      `${post(`Content-Length: ${smuggled.length}`).replace('/v1/authenticate', '/v1/x')}${smuggled}`,
      404,
    ],
    ['a refused body', `${post(`Content-Length: ${smuggled.length}`).replace('json', 'x')}${smuggled}`, 415],
    ['a chunk extension', `${post('Transfer-Encoding: chunked')}2;a="b"\r\n{}\r\n0\r\n\r\n`, 400],
    ['trailers', `${post('Transfer-Encoding: chunked')}2\r\n{}\r\n0\r\nX-Late: 1\r\n\r\n`, 400],
    ['empty lines before it', `\r\n\r\n${get()}`, 200],
    ['an address as the target', get().replace('/v1/health', 'http://evil.example/v1/health'), 200],
  ]
  test.each(requests)('%s', async (_case, request, status) => {
    expect(statusesOf(await exchange(request, get('Connection: close')))).toEqual([status, 200])
  })
})

test('1,000 pipelined requests get their responses in order', async () => {
  const requests = Array.from({ length: 1_000 }, (_, n) =>
    get(`X-Request-Id: pipelined-${n}`, ...(n === 999 ? ['Connection: close'] : [])),
  )
  const text = await exchange(requests.join(''))
  expect(statusesOf(text)).toEqual(Array<number>(1_000).fill(200))
  const ids = [...text.matchAll(/x-request-id: pipelined-(\d+)/gi)].map(([, n]) => Number(n))
  expect(ids).toEqual(requests.map((_, n) => n))
})

test('pipelined calls with a token, of which one is refused', async () => {
  const authorization = `Authorization: Bearer ${partner.token}`
  const call = (path: string, ...more: string[]) => get(...more).replace('/v1/health', path)
  const text = await exchange(
    call('/v1/company', authorization),
    call('/v1/company'),
    call('/v1/member', authorization, 'Connection: close'),
  )
  expect(statusesOf(text)).toEqual([200, 401, 200])
})

test('a client that sends 100-continue is told to go on, one that expects something else gets 417', async () => {
  const body = '{"client-id": "x", "client-secret": "y"}'
  const expecting = (what: string) => post(`Content-Length: ${body.length}`, `Expect: ${what}`, 'Connection: close')
  expect(statusesOf(await exchange(expecting('100-continue'), body))).toEqual([100, 401])
  expect(statusesOf(await exchange(expecting('nonsense'), body))[0]).toBe(417)
})

describe('a request with Upgrade gets its response after its body, and the connection is closed: what follows is not read', () => {
  const length = 100_000
  const upload = '/upload/01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21?expires=1795266309&signature=x'
  const inclusion = (type: string, ...headers: readonly string[]) =>
    post(`Content-Length: ${length}`, 'Idempotency-Key: k', ...headers)
      .replace('/v1/authenticate', '/v1/enrollment/inclusion')
      .replace('application/json', type)
  const upgrade = (request: string) => request.replace('\r\n\r\n', '\r\nConnection: upgrade\r\nUpgrade: h2c\r\n\r\n')
  const requests: [string, string, number][] = [
    ['a refused body', post(`Content-Length: ${length}`).replace('json', 'x'), 415],
    ['a path without a route', post(`Content-Length: ${length}`).replace('/v1/authenticate', '/v1/x'), 404],
    ['a path that cannot be decoded', post(`Content-Length: ${length}`).replace('/v1/authenticate', '/v1/%'), 400],
    ['a body of a GET', get(`Content-Length: ${length}`), 200],
    ['a key and a body of a wrong type', inclusion('text/plain', 'Authorization: Bearer TOKEN'), 415],
    ['a key, and no token', inclusion('application/json'), 401],
    ['an upload without a slot', post(`Content-Length: ${length}`).replace('/v1/authenticate', upload), 404],
  ]
  test.each(requests)('%s', async (_case, request, status) => {
    const { hostname, port } = new URL(testApp.url)
    let received = ''
    const socket = connect(Number(port), hostname)
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.setEncoding('latin1').on('data', (chunk: string) => (received += chunk))
    socket.write(upgrade(request).replace('TOKEN', partner.token) + 'x'.repeat(length - 1))
    expect((await partner.get('/v1/company')).status).toBe(200)
    expect(received).toBe('')
    socket.write('x')
    await closed
    expect(statusesOf(received)).toEqual([status])
    expect(received.toLowerCase()).toContain('connection: close')
  })

  test.each([
    ['without a body', () => get()],
    ['a download', () => get(`Authorization: Bearer ${partner.token}`).replace('/v1/health', invoiceFile)],
  ])('%s', async (_case, request) => {
    const text = await exchange(upgrade(request()), smuggled)
    expect(statusesOf(text)).toEqual([200])
    expect(text.toLowerCase()).toContain('connection: close')
  })
})

test('connections that their client has closed in one direction are closed', async () => {
  const { hostname, port } = new URL(testApp.url)
  const parts = ['', 'GET /v1/health HTT', `${post('Content-Length: 100')}{`, get()]
  const closed = parts.flatMap((part) =>
    Array.from({ length: 10 }, () => {
      const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true }, () => socket.end(part))
      socket.on('error', () => {}).resume()
      return new Promise((resolve) => socket.once('close', resolve))
    }),
  )
  await Promise.all(closed)
  expect((await partner.get('/v1/company')).status).toBe(200)
})
